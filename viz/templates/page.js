// What happens when you select, expand, switch kinds off, press keys, follow an address, or change the colours.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Select a thing (or nothing); the address follows, so that Back goes to the previous one. */
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
  if (key && id === null) say("This page does not have the thing that the address names.");
  apply(id, id !== null);
}

/** Show the neighbours in the reserve. */
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
  const all = page.total > 1 ? `${of}${page.total.toLocaleString("en")} terms and rules` : `1 ${kindOf.get(nodes[0].group).name}`;
  const links = edges.filter(isOn);
  // The legend has each of these under all its kinds, so its numbers add up to more.
  const several = links.filter(({ kinds }) => kinds.filter((kind) => state.links.has(kind)).length > 1).length;
  const more = several ? `, ${several.toLocaleString("en")} of several kinds` : "";
  document.getElementById("count").textContent = `${all}, ${count(links.length, "link")}${more}`;
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

function toggle(set, key, id, picture, name, hint) {
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
    el("span", { class: "n" }),
  );
}

/** Count some things by key. */
function tally(some, keysOf) {
  const found = new Map();
  for (const it of some) for (const key of keysOf(it)) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

/** The numbers in the legend: what is in the picture, whether or not its kind is switched on. */
function recount() {
  const things = tally(nodes.filter(isHere), ({ group }) => [group]);
  const here = edges.filter(({ from, to }) => isHere(nodes[from]) && isHere(nodes[to]));
  const ever = tally(here, ({ kinds }) => kinds);
  const links = tally(here.filter(({ from, to }) => isShown(nodes[from]) && isShown(nodes[to])), ({ kinds }) => kinds);
  const put = (id, number = 0, isThere = number > 0) => {
    const label = document.querySelector(`label[for="${id}"]`);
    if (!label) return;
    label.hidden = !isThere;
    label.querySelector(".n").textContent = number.toLocaleString("en");
  };
  for (const { key } of page.kinds) put(`kind-${key}`, things.get(key));
  for (const { key } of page.linkKinds) put(`link-${key}`, links.get(key), ever.has(key));
}

function setUpLegend() {
  const put = (id, parts) =>
    parts.length ? document.getElementById(id).append(...parts) : document.getElementById(id).remove();
  put(
    "kinds",
    page.kinds
      .filter(({ key }) => nodes.some((node) => node.group === key))
      .map(({ key, plural }) => toggle(state.kinds, key, `kind-${key}`, icon(key), plural)),
  );
  const isFaint = (key) => edges.some((edge) => edge.faint && edge.kinds.includes(key));
  put(
    "links",
    page.linkKinds
      .filter(({ key }) => edges.some(({ kinds }) => kinds.includes(key)))
      .map(({ key, name }) => {
        const hint = isFaint(key) && "There are too many to draw: most appear only when you select a thing";
        return toggle(state.links, key, `link-${key}`, stroke(key), name, hint);
      }),
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

/** The nearest neighbour in a direction. */
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
    if (next === null) say("No linked thing in that direction.");
    else select(next);
  } else if (arrow) {
    const { x, y } = middleOfView();
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

/** Show a thing after a short rest, so that crossing the picture does not make it flicker. */
function lookAt(id) {
  clearTimeout(lookAt.due);
  stage.classList.toggle("over", id !== null);
  lookAt.due = setTimeout(() => {
    state.hovered = id;
    refresh();
  }, 70);
}

const DRAGGED = 5; // pixels between press and release from which a press moves the picture

/**
 * Use the browser's clicks, which are dated when they happen. vis-network dates them when it gets them, and loses the
 * second of two while it handles the first. The first click may also open something or move its target, so a double
 * click means what the first click hit.
 */
function setUpPointer() {
  let [pressed, first] = [[0, 0], null];
  stage.addEventListener("pointerdown", ({ clientX, clientY }) => (pressed = [clientX, clientY]));
  stage.addEventListener("click", ({ clientX, clientY, detail }) => {
    if (detail > 1 || Math.hypot(clientX - pressed[0], clientY - pressed[1]) > DRAGGED) return;
    const { left, top } = stage.getBoundingClientRect();
    const at = { x: clientX - left, y: clientY - top };
    const id = clicked(network.getNodeAt(at) ?? null, at);
    first = id;
    if (id !== null) opens(id);
    select(id);
  });
  stage.addEventListener("dblclick", () => first !== null && moveTo(first));
  network.on("hoverNode", ({ node }) => lookAt(node));
  network.on("blurNode", () => lookAt(null));
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let ownScheme = null;

function wearScheme() {
  document.documentElement.dataset.theme = onPaper ? "light" : (ownScheme ?? (dark.matches ? "dark" : "light"));
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
      // then it lasts until the page is closed
    }
    wearScheme();
    restyle();
  });
}

/** The picture comes last, because it fills the room that legend and panel leave. */
function start() {
  setUpScheme();
  setUpLegend();
  setUpSearch();
  setUpSheet();
  if (page.focus === null || page.answer) rest();
  else showThing(page.focus);
  showCount();
  draw();
  setUpPointer();
  setUpPress();
  document.getElementById("in").addEventListener("click", () => zoom(1.3));
  document.getElementById("out").addEventListener("click", () => zoom(1 / 1.3));
  document.getElementById("fit").addEventListener("click", () => fit());
  stage.addEventListener("keydown", stageKey);
  document.addEventListener("keydown", anyKey);
  addEventListener("popstate", fromAddress);
  if (location.hash) fromAddress();
}

start();
