"use strict";
// Complete names, copy addresses, and search a static copy. Every page works without this script. It contacts no
// other host, and inserts text only as text.

const root = document.body.dataset.root;
const live = document.body.dataset.live === "yes";

function made(tag, attributes = {}, ...children) {
  const it = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) it.setAttribute(name, value);
  it.append(...children);
  return it;
}

async function read(address) {
  const answer = await fetch(root + address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

// -- copying -----------------------------------------------------------------------------------------

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not copy";
    }
    setTimeout(() => { button.textContent = said; }, 1500);
  });
}

// -- names as one types (the combobox of the ARIA Authoring Practices) ---------------------------------

const SHOWN = 8;
let names = null;

function known() {
  names ??= read("search/names.json").then(suggestibles).catch(() => []);
  return names;
}

let combos = 0;

function completed(input, choose) {
  const id = `names-${++combos}`;
  const list = made("ul", { id, role: "listbox", class: "completions", "aria-label": "Names", hidden: "" });
  const frame = input.closest("form");
  frame.append(list);
  let chosen = -1;
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" }))
    input.setAttribute(name, value);

  function close() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(place) {
    chosen = place;
    [...list.children].forEach((it, k) => it.setAttribute("aria-selected", String(k === place)));
    if (place < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[place].id);
  }

  async function show() {
    const found = suggested(await known(), input.value).slice(0, SHOWN);
    list.replaceChildren(
      ...found.map(({ thing, name }, k) => {
        const it = made("li", { id: `${id}-${k}`, role: "option", "aria-selected": "false" }, thing.label);
        if (name !== thing.label) it.append(made("span", { class: "quiet" }, ` also ${name}`));
        it.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          choose(thing);
          close();
        });
        return it;
      }),
    );
    list.found = found;
    list.hidden = !found.length;
    list.style.insetInlineStart = `${input.offsetLeft}px`;
    list.style.top = `${input.offsetTop + input.offsetHeight + 4}px`;
    list.style.minWidth = `${Math.min(input.offsetWidth, 360)}px`;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(-1);
  }

  input.addEventListener("input", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const count = list.children.length;
    if (event.key === "ArrowDown") mark((chosen + 1) % count);
    else if (event.key === "ArrowUp") mark(chosen > 0 ? chosen - 1 : count - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen >= 0) {
      choose(list.found[chosen].thing);
      close();
    } else return;
    event.preventDefault();
  });
}

const box = document.getElementById("question");
if (box) completed(box, ({ address }) => location.assign(root + address));
for (const input of document.querySelectorAll("input[data-names]"))
  completed(input, ({ label }) => { input.value = label; });

// -- search without a server --------------------------------------------------------------------------

const found = document.getElementById("found");

const MOST = 20;

async function search(asked) {
  const files = await Promise.all(["names", "ranking", "texts"].map((name) => read(`search/${name}.json`)));
  const index = SearchIndex.of(...files);
  const { found, stems } = index.search(asked, MOST);
  const named = suggested(suggestibles(files[0]), asked).find(({ rank }) => rank === 0)?.thing;
  const told = index.passages.flatMap((_, it) => (index.about(it).address === named?.address ? [it] : []));
  const hits = found.filter((it) => !told.includes(it)).map((it) => made("li", {}, ...shownHit(index, it, stems)));
  return { hits, card: named && shownThing(index, named, told) };
}

/** Things with exactly this name, with their own words. */
function shownThing(index, { label, address }, told) {
  const words = told.map((it) => made("p", { class: "rules-text" }, index.texts?.[it] ?? ""));
  return made("section", { class: "card", "aria-label": label }, made("h2", {}, made("a", { href: root + address }, label)), ...words);
}

function shownHit(index, it, stems) {
  const { label, address } = index.about(it);
  const words = made("p", { class: "rules-text" });
  for (const piece of (index.texts?.[it] ?? "").split(/([\p{L}\p{N}'’]+)/u))
    words.append(stems.has(index.stem(piece.toLowerCase())) ? made("mark", {}, piece) : piece);
  return [made("p", { class: "where" }, made("a", { href: root + address }, label)), words];
}

async function answer() {
  const asked = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  if (!asked) return;
  box.value = asked;
  try {
    const { hits, card } = await search(asked);
    found.replaceChildren(
      ...(card ? [card] : []),
      made("h2", {}, hits.length ? "The closest rules" : "No passage contains these words"),
      made("ol", { class: "hits" }, ...hits),
    );
  } catch {
    found.textContent = location.protocol === "file:"
      ? "Browsers do not let a local page read other files, which the search needs. Start a web server in the "
        + "folder of this site: python -m http.server"
      : "The search index cannot be read.";
  }
}

if (found && !live) answer();
