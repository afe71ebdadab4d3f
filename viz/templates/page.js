// What happens when: choosing, expanding, switching kinds off, keys, the address, light and dark.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Choose a thing (or nothing); the address follows, so that Back goes to the one before. */
function select(id, { move: bringIt = false } = {}) {
  const address = addressOf(id);
  if (address !== (location.hash || location.pathname + location.search)) history.pushState(null, "", address);
  apply(id, bringIt);
}

function apply(id, bringIt) {
  const before = (state.before = state.selected);
  state.selected = id;
  state.hovered = null;
  if (id === null) rest();
  else {
    if (nodes[id].reserve) state.revealed.add(id);
    if (!state.kinds.has(nodes[id].group)) {
      state.kinds.add(nodes[id].group);
      document.getElementById(`kind-${nodes[id].group}`).checked = true;
    }
    showThing(id);
    const linked = neighbours(id).size;
    say(`${nodes[id].label}, ${kindOf.get(nodes[id].group).name}, ${count(linked, "linked thing")} shown`);
  }
  showCount();
  if (id !== before || id !== null) refresh();
  if (id !== null && (bringIt || !isInView(id))) requestAnimationFrame(() => bring(id));
}

function fromAddress() {
  wearAddress();
  if (isElsewhere()) return;
  const { key } = readAddress();
  const id = byKey.get(key) ?? null;
  if (key && id === null) say("What the address names is not in this page.");
  apply(id, id !== null);
}

/** Show the neighbours that wait in the reserve. */
function expand(id) {
  const more = waiting(id);
  openAround([id]);
  apply(id, false);
  keepAddress();
  if (more.length) {
    say(`${count(more.length, "more thing")} shown`);
    if (!more.every(isInView)) requestAnimationFrame(() => bring(id));
  }
}

function showCount() {
  recount();
  const shown = shownIds().length;
  const of = page.total > shown ? `${shown.toLocaleString("en")} of ` : "";
  const all = `${of}${page.total.toLocaleString("en")} terms and rules`;
  document.getElementById("count").textContent = `${all}, ${count(edges.filter(isOn).length, "link")}`;
}

// -- legend ----------------------------------------------------------------------------------------

function stroke(kind) {
  const line = svg("path", {
    d: "M1 5h21",
    stroke: `var(--${kind})`,
    "stroke-width": kind === "definition" ? 2.2 : 1.6,
    "stroke-dasharray":
      { note: "6 3.5", redirect: "8 2.5 2 2.5", renaming: "2 3", mention: "1.2 3.2" }[kind] ?? "none",
    fill: "none",
  });
  const head = svg("path", { d: "M20 1.8 25.5 5 20 8.2z", fill: `var(--${kind})` });
  return svg(
    "svg",
    { class: "stroke", viewBox: "0 0 26 10", "aria-hidden": "true" },
    line,
    ...(kind === "part" ? [] : [head]),
  );
}

function toggle(set, key, id, picture, name, number, hint) {
  const input = el("input", { type: "checkbox", id, checked: set.has(key) && "" });
  input.checked = set.has(key);
  input.addEventListener("change", () => {
    if (input.checked) set.add(key);
    else set.delete(key);
    if (state.selected !== null && !isShown(nodes[state.selected])) return select(null);
    keepAddress();
    showCount();
    refresh();
  });
  return el(
    "label",
    { for: id, title: hint },
    input,
    picture,
    name,
    el("span", { class: "n" }, number.toLocaleString("en")),
  );
}

/** The numbers of the legend: what is in the picture, whether its kind is switched on or not. */
function recount() {
  for (const [some, of] of [
    [page.kinds, (key) => nodes.filter((node) => isHere(node) && node.group === key)],
    [page.linkKinds, (key) => edges.filter(({ from, to, kinds }) => kinds.includes(key) && isHere(nodes[from]) && isHere(nodes[to]))],
  ])
    for (const { key } of some) {
      const told = document.querySelector(`label[for="kind-${key}"] .n, label[for="link-${key}"] .n`);
      if (told) told.textContent = of(key).length.toLocaleString("en");
    }
}

function setUpLegend() {
  const put = (id, parts) =>
    parts.length ? document.getElementById(id).append(...parts) : document.getElementById(id).remove();
  const times = (some) => some.filter(Boolean).length;
  put(
    "kinds",
    page.kinds
      .map((kind) => [kind, times(nodes.map((node) => node.group === kind.key && !node.gone))])
      .filter(([, number]) => number)
      .map(([kind, number]) =>
        toggle(state.kinds, kind.key, `kind-${kind.key}`, icon(kind.key), kind.plural, number),
      ),
  );
  put(
    "links",
    page.linkKinds
      .map((kind) => [kind, times(edges.map((edge) => edge.kinds.includes(kind.key)))])
      .filter(([, number]) => number)
      .map(([kind, number]) =>
        toggle(
          state.links,
          kind.key,
          `link-${kind.key}`,
          stroke(kind.key),
          kind.name,
          number,
          edges.some((edge) => edge.faint && edge.kinds.includes(kind.key)) &&
            "So many that most show only at the thing that you look at",
        ),
      ),
  );
  const marks = [
    [nodes.find((node) => node.status === "obsolete"), "obsolete"],
    [nodes.find((node) => node.status === "informal"), "informal"],
    [nodes.find((node) => !node.loaded), "cited only"],
  ];
  put(
    "marks",
    marks
      .filter(([node]) => node)
      .map(([node, name]) => el("span", { class: "mark" }, icon(node.group, node), name)),
  );
}

// -- keys, pointer, scheme -------------------------------------------------------------------------

/** The neighbour that lies nearest in a direction. */
function nextThing(id, [dx, dy]) {
  const from = nodes[id];
  let best = null;
  for (const other of neighbours(id)) {
    const [x, y] = [nodes[other].x - from.x, nodes[other].y - from.y];
    const far = Math.hypot(x, y);
    const along = (x * dx + y * dy) / (far || 1);
    if (along > 0.5 && (!best || far / along < best.far)) best = { id: other, far: far / along };
  }
  return best?.id ?? null;
}

function stageKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  if (arrow && state.selected !== null) {
    const next = nextThing(state.selected, arrow);
    if (next === null) say("No linked thing lies that way.");
    else select(next);
  } else if (arrow) {
    const { x, y } = network.getViewPosition();
    const step = 120 / network.getScale();
    move({ position: { x: x + arrow[0] * step, y: y + arrow[1] * step }, scale: network.getScale() });
  } else if (event.key === "Enter" && state.selected !== null) expand(state.selected);
  else return;
  event.preventDefault();
}

function anyKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === box) return;
  const does = {
    "/": () => box.focus(),
    "+": () => zoom(1.3),
    "=": () => zoom(1.3),
    "-": () => zoom(1 / 1.3),
    "−": () => zoom(1 / 1.3),
    0: () => fit(),
    Escape: () => select(null),
  }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}

/** Look at a thing after a moment's rest, so that crossing the picture does not make it flicker. */
function lookAt(id) {
  clearTimeout(lookAt.due);
  stage.classList.toggle("over", id !== null);
  lookAt.due = setTimeout(() => {
    state.hovered = id;
    refresh();
  }, 70);
}

function setUpPointer() {
  network.on("click", (event) => {
    const id = clicked(event);
    if (id !== null) opens(id);
    select(id);
  });
  network.on("doubleClick", ({ nodes: [id] }) => id !== undefined && moveTo(id));
  network.on("hoverNode", ({ node }) => lookAt(node));
  network.on("blurNode", () => lookAt(null));
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let ownScheme = null;

function wearScheme() {
  document.documentElement.dataset.theme = ownScheme ?? (dark.matches ? "dark" : "light");
  readColours();
}

function setUpScheme() {
  try {
    ownScheme = localStorage.getItem("rulesgraph-scheme");
  } catch {
    ownScheme = null; // a page opened from a file may have no storage
  }
  wearScheme();
  dark.addEventListener("change", () => {
    wearScheme();
    restyle();
  });
  document.getElementById("theme").addEventListener("click", () => {
    ownScheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("rulesgraph-scheme", ownScheme);
    } catch {
      // then it lasts as long as the page
    }
    wearScheme();
    restyle();
  });
}

/** The picture comes last: it fits itself into the room that legend and panel leave it. */
function start() {
  setUpScheme();
  setUpLegend();
  setUpSearch();
  if (page.focus === null || page.answer) rest();
  else showThing(page.focus);
  showCount();
  draw();
  setUpPointer();
  document.getElementById("in").addEventListener("click", () => zoom(1.3));
  document.getElementById("out").addEventListener("click", () => zoom(1 / 1.3));
  document.getElementById("fold").addEventListener("click", ({ currentTarget }) => {
    const folded = document.querySelector("main").classList.toggle("folded");
    currentTarget.setAttribute("aria-expanded", String(!folded));
  });
  document.getElementById("fit").addEventListener("click", () => fit());
  stage.addEventListener("keydown", stageKey);
  document.addEventListener("keydown", anyKey);
  addEventListener("popstate", fromAddress);
  if (location.hash) fromAddress();
}

start();
