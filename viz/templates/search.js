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

/** What a thing is found by: its label its other names, and a rule's by its title and by its number. */
let searchable;
onData(() => {
  searchable = nodes.filter((node) => !node.gone).map(namesOf);
  foldedTexts.kept = undefined;
});

function namesOf({ id, label, number, names }) {
  const title = number && label.startsWith(`${number} `) ? [label.slice(number.length + 1), number] : [];
  const own = title.map((name) => ({ name: label, plain: folded(name), less: 0.5 }));
  const others = [label, ...names].map((name) => ({ name, plain: folded(name), less: 0 }));
  return { id, names: [...others, ...own] };
}

const IN_TEXT = 4;

/** How well a name fits: 0 whole, 1 from its start, 2 from a word's start, 3 inside; else no number. */
function rankOf(plain, sought) {
  if (plain === sought) return 0;
  const at = plain.indexOf(sought);
  if (at < 0) return NaN;
  if (at === 0) return 1;
  return plain.includes(` ${sought}`) ? 2 : 3;
}

/** The words of everything, folded when they are first looked for. */
function foldedTexts() {
  foldedTexts.kept ??= nodes.map(({ passages }) =>
    passages.map((passage) => {
      const text = textOf(passage);
      return { text, plain: folded(text) };
    }),
  );
  return foldedTexts.kept;
}

/** The first passage in which all the words stand: as they are typed, or each somewhere. */
function saidBy(id, sought) {
  const words = sought.split(/\s+/);
  let some;
  for (const { text, plain } of foldedTexts()[id]) {
    const at = plain.indexOf(sought);
    if (at >= 0) return { rank: IN_TEXT, said: around(text, at, sought.length) };
    if (!some && words.every((word) => plain.includes(word)))
      some = { rank: IN_TEXT + 1, said: around(text, plain.indexOf(words[0]), words[0].length) };
  }
  return some;
}

/** Some words before and behind a place of a text. */
function around(text, at, length) {
  const [from, to] = [Math.max(0, at - 30), Math.min(text.length, at + length + 60)];
  return `${from ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}

const SHORTEST_WORD = 3; // letters: what is shorter is no word to look for in texts

/** What fits best, and how many more fit: names before texts, exact before others, the weightiest first. */
function find(text) {
  const sought = folded(text.trim());
  if (!sought) return { hits: [], more: 0 };
  if (sought.length >= SHORTEST_WORD) wantWords();
  const hits = [];
  for (const { id, names } of searchable) {
    let best;
    for (const { name, plain, less } of names) {
      const rank = rankOf(plain, sought) + less;
      if (rank >= 0 && (!best || rank < best.rank)) best = { id, name, rank };
    }
    if (best) hits.push(best);
    else if (sought.length >= SHORTEST_WORD) {
      const told = saidBy(id, sought);
      if (told) hits.push({ id, name: nodes[id].label, ...told });
    }
  }
  const order = (a, b) => a.rank - b.rank || nodes[b.id].size - nodes[a.id].size || a.id - b.id;
  return { hits: hits.sort(order).slice(0, LIMIT), more: Math.max(0, hits.length - LIMIT) };
}

function marked(name, text) {
  const at = folded(name).indexOf(folded(text.trim()));
  if (at < 0 || folded(name).length !== name.length) return [name];
  const end = at + text.trim().length;
  return [name.slice(0, at), el("mark", {}, name.slice(at, end)), name.slice(end)];
}

function showOptions() {
  const text = box.value;
  const { hits, more } = find(text);
  options = hits;
  active = options.length ? 0 : -1;
  const rows = options.map(({ id, name, said }, place) => {
    const node = nodes[id];
    const hint = said ? "in the text" : name === node.label ? kindOf.get(node.group).name : `also ${name}`;
    const row = el(
      "li",
      { role: "option", id: `option-${place}` },
      icon(node.group, node),
      el("span", { class: "name" }, ...marked(node.label, text)),
      el("span", { class: "hint" }, isShown(node) ? hint : `${hint}, hidden`),
      said && el("span", { class: "said" }, ...marked(said, text)),
    );
    row.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(place);
    });
    return row;
  });
  const none =
    page.total > nodes.length
      ? `No name matches. This page holds ${nodes.length} of ${page.total}.`
      : "No name matches.";
  const away = text.trim().length >= SHORTEST_WORD && { coming: "Searching the texts, too …", failed: words.why }[words.are];
  const note = away || (!rows.length ? none : more > 0 && `${more.toLocaleString("en")} more: keep typing to narrow them down`);
  fill(list, ...rows, note && el("li", { class: "none", role: "option", "aria-disabled": "true" }, note));
  open(text.trim() !== "");
  mark();
}

function open(yes) {
  list.hidden = !yes;
  box.setAttribute("aria-expanded", String(yes));
  if (!yes) box.removeAttribute("aria-activedescendant");
}

function mark() {
  [...list.children].slice(0, options.length).forEach((row, place) => row.setAttribute("aria-selected", String(place === active)));
  if (active < 0) return box.removeAttribute("aria-activedescendant");
  box.setAttribute("aria-activedescendant", `option-${active}`);
  list.children[active].scrollIntoView({ block: "nearest" });
}

function take(place) {
  const { id } = options[place];
  box.value = "";
  open(false);
  stage.focus({ preventScroll: true });
  picked(id);
}

function searchKey(event) {
  if (event.key === "Escape") {
    if (list.hidden) stage.focus();
    endChain();
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
