// The search box: a combobox over names, other names and numbers, by mouse and by keyboard.

const box = document.getElementById("search");
const list = document.getElementById("found");
const LIMIT = 12;
let options = [];
let active = -1;

/** Fold case and accents, so that "dandan" finds "Dandân". */
function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** What a thing is found by: its label (a rule's from its number and from its title on) and its other names. */
const searchable = nodes.map(({ id, label, number, names }) => {
  const title = number && label.startsWith(`${number} `) ? [label.slice(number.length + 1)] : [];
  const own = [label, ...title].map((name) => ({ name: label, plain: folded(name) }));
  return { id, names: [...own, ...names.map((name) => ({ name, plain: folded(name) }))] };
});

/** How well a name fits: 0 whole, 1 from its start, 2 from a word's start, 3 inside, none otherwise. */
function rankOf(plain, sought) {
  if (plain === sought) return 0;
  const at = plain.indexOf(sought);
  if (at < 0) return undefined;
  if (at === 0) return 1;
  return plain.includes(` ${sought}`) ? 2 : 3;
}

function find(text) {
  const sought = folded(text.trim());
  if (!sought) return [];
  const hits = [];
  for (const { id, names } of searchable) {
    let best;
    for (const { name, plain } of names) {
      const rank = rankOf(plain, sought);
      if (rank !== undefined && (!best || rank < best.rank)) best = { id, name, rank };
    }
    if (best) hits.push(best);
  }
  const order = (a, b) => a.rank - b.rank || nodes[b.id].size - nodes[a.id].size || a.id - b.id;
  return hits.sort(order).slice(0, LIMIT);
}

function marked(name, text) {
  const at = folded(name).indexOf(folded(text.trim()));
  if (at < 0 || folded(name).length !== name.length) return [name];
  const end = at + text.trim().length;
  return [name.slice(0, at), el("mark", {}, name.slice(at, end)), name.slice(end)];
}

function showOptions() {
  const text = box.value;
  options = find(text);
  active = options.length ? 0 : -1;
  const rows = options.map(({ id, name }, place) => {
    const node = nodes[id];
    const hint = name === node.label ? kindOf.get(node.group).name : `also ${name}`;
    const row = el(
      "li",
      { role: "option", id: `option-${place}` },
      icon(node.group, node),
      el("span", { class: "name" }, ...marked(node.label, text)),
      el("span", { class: "hint" }, isShown(node) ? hint : `${hint}, hidden`),
    );
    row.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(place);
    });
    return row;
  });
  const none =
    page.total > nodes.length
      ? `Nothing here has that name. This page holds ${nodes.length} of ${page.total}.`
      : "Nothing here has that name.";
  fill(
    list,
    ...(rows.length ? rows : [el("li", { class: "none", role: "option", "aria-disabled": "true" }, none)]),
  );
  open(text.trim() !== "");
  mark();
}

function open(yes) {
  list.hidden = !yes;
  box.setAttribute("aria-expanded", String(yes));
  if (!yes) box.removeAttribute("aria-activedescendant");
}

function mark() {
  [...list.children].forEach((row, place) => row.setAttribute("aria-selected", String(place === active)));
  if (active < 0) return box.removeAttribute("aria-activedescendant");
  box.setAttribute("aria-activedescendant", `option-${active}`);
  list.children[active].scrollIntoView({ block: "nearest" });
}

function take(place) {
  const { id } = options[place];
  box.value = "";
  open(false);
  stage.focus({ preventScroll: true });
  select(id, { move: true });
}

function searchKey(event) {
  if (event.key === "Escape") {
    if (list.hidden) stage.focus();
    box.value = "";
    open(false);
  } else if (event.key === "Enter" && active >= 0) take(active);
  else if (["ArrowDown", "ArrowUp"].includes(event.key) && options.length) {
    active = (active + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length;
    mark();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function setUpSearch() {
  box.addEventListener("input", showOptions);
  box.addEventListener("focus", () => box.value && showOptions());
  box.addEventListener("blur", () => open(false));
  box.addEventListener("keydown", searchKey);
}
