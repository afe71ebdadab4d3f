(() => {
  "use strict";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  const groups = [...document.querySelectorAll("nav .group")];
  const links = [...document.querySelectorAll("nav .group a")];
  const filter = document.getElementById("filter");
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    let found = 0;
    for (const group of groups) {
      let inside = 0;
      for (const link of group.querySelectorAll("a")) {
        const fits = `${link.textContent} ${link.dataset.label}`.toLowerCase().includes(wanted);
        link.parentElement.hidden = !fits;
        inside += fits;
      }
      group.hidden = !inside;
      group.open = Boolean(wanted) || group.contains(current);
      found += inside;
    }
    document.getElementById("none").hidden = found > 0;
  });

  let current = null;
  const show = (link) => {
    if (!link || link === current) return;
    if (current) current.removeAttribute("aria-current");
    current = link;
    current.setAttribute("aria-current", "true");
    if (!filter.value) for (const group of groups) group.open = group.contains(current);
    // Only the list scrolls, not the page around it.
    const nav = document.querySelector("nav");
    const above = current.getBoundingClientRect().top - nav.getBoundingClientRect().top;
    if (above < 60 || above > nav.clientHeight - 60) nav.scrollTop += above - nav.clientHeight / 2;
  };
  const byName = new Map(links.map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) show(byName.get(entry.target.id));
    },
    { rootMargin: "-8% 0px -80% 0px" },
  );
  for (const article of document.querySelectorAll("article")) watcher.observe(article);
})();
