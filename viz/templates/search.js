// The search box: a combobox over names, other names and numbers, for mouse and keyboard.

const box = document.getElementById("search");
const list = document.getElementById("found");
const LIMIT = 12;
let options = [];
let active = -1;

const folded = (text) => plainly(text).toLowerCase();

/** The names that find a thing: its label, its other names, and a rule's title and number. */
let things;
onData(() => {
  const here = nodes.filter((node) => !node.gone);
  things = here.map(({ id, label, names, size }) => suggestible([label, ...names], size, { id }));
  textsChanged();
});

/** All words, folded at the first search, and the thing of each passage. */
function foldedTexts() {
  foldedTexts.kept ??= nodes.map(({ passages }) =>
    passages.map((passage) => {
      const text = textOf(passage);
      return { text, plain: folded(text) };
    }),
  );
  return foldedTexts.kept;
}

function ownersOfPassages() {
  const own = ({ id, key, passages }) => passages.map((it) => [it.key ?? key, { id, text: textOf(it) }]);
  ownersOfPassages.kept ??= new Map(nodes.flatMap(own));
  return ownersOfPassages.kept;
}

function textsChanged() {
  foldedTexts.kept = ownersOfPassages.kept = undefined;
}

/** The first passage with all the words, as typed, or else each anywhere. */
function saidBy(id, sought) {
  const words = sought.split(/\s+/);
  let some;
  for (const { text, plain } of foldedTexts()[id]) {
    const at = plain.indexOf(sought);
    if (at >= 0) return { rank: 0, said: around(text, at, sought.length) };
    if (!some && words.every((word) => plain.includes(word)))
      some = { rank: 1, said: around(text, plain.indexOf(words[0]), words[0].length) };
  }
  return some;
}

/** Some words before and after a place in a text. */
function around(text, at, length) {
  const [from, to] = [Math.max(0, at - 30), Math.min(text.length, at + length + 60)];
  return `${from ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}

const ranking = { isWanted: false, index: undefined };

/** Fetch the index of the site, once; without it, the texts themselves are searched. */
async function wantRanking() {
  if (!page.search || ranking.isWanted) return;
  ranking.isWanted = true;
  const fetched = ["names", "ranking"].map((part) => fetch(`${page.search}${part}.json${location.search}`).then((it) => it.json()));
  ranking.index = await Promise.all(fetched).then(([names, rest]) => SearchIndex.of(names, rest, []), () => undefined);
  if (!list.hidden) showOptions();
}

/** The things whose texts a search finds, the closest first, with the words around the match. */
function ranked({ index }, text) {
  const { found, stems } = index.search(text, 3 * LIMIT);
  const owners = found.map((it) => ownersOfPassages().get(index.passages[it].key)).filter((it) => it);
  return owners.map(({ id, text: whole }) => {
    const word = [...whole.matchAll(/[\p{L}\p{N}'’]+/gu)].find(([it]) => stems.has(index.stem(it.toLowerCase())));
    return { id, name: nodes[id].label, said: around(whole, word?.index ?? 0, word?.[0].length ?? 0) };
  });
}

/** The things whose texts have all of the words, the weightiest first. */
function lookedThrough(text) {
  const sought = folded(text);
  const found = things.map(({ id }) => ({ id, name: nodes[id].label, ...saidBy(id, sought) })).filter(({ said }) => said);
  return found.sort((a, b) => a.rank - b.rank || nodes[b.id].size - nodes[a.id].size || a.id - b.id);
}

const SHORTEST_WORD = 3; // letters: shorter words are not searched in texts

/** The best matches, and how many more there are: names before texts. */
function find(typed) {
  const text = typed.trim();
  const hits = new Map(suggested(things, text).map(({ thing: { id }, name }) => [id, { id, name }]));
  if (text.length >= SHORTEST_WORD) {
    wantWords();
    wantRanking();
    if (words.are === "here")
      for (const hit of ranking.index ? ranked(ranking, text) : lookedThrough(text)) if (!hits.has(hit.id)) hits.set(hit.id, hit);
  }
  return { hits: [...hits.values()].slice(0, LIMIT), more: Math.max(0, hits.size - LIMIT) };
}

function marked(name, text) {
  const at = folded(name).indexOf(folded(text.trim()));
  if (at < 0 || folded(name).length !== name.length) return [name];
  const end = at + text.trim().length;
  return [name.slice(0, at), el("mark", {}, name.slice(at, end)), name.slice(end)];
}

function shownOption({ asked, id, name, said }, text) {
  if (asked) return [el("span", { class: "name" }, `Ask “${asked}”`)];
  const node = nodes[id];
  const hint = said ? "in the text" : name === node.label ? kindOf.get(node.group).name : `also ${name}`;
  return [
    icon(node.group, node),
    el("span", { class: "name" }, ...marked(node.label, text)),
    el("span", { class: "hint" }, isShown(node) ? hint : `${hint}, hidden`),
    said && el("span", { class: "said" }, ...marked(said, text)),
  ];
}

function showOptions() {
  const text = box.value;
  const { hits, more } = find(text);
  // A question is answered on a separate page, with a link to the answer on the map.
  const asked = page.search && /\S\s+\S/.test(text) ? [{ asked: text.trim() }] : [];
  options = [...hits, ...asked];
  active = options.length ? 0 : -1;
  const rows = options.map((option, place) => {
    const row = el("li", { role: "option", id: `option-${place}` }, ...shownOption(option, text));
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
  const note = away || (!hits.length ? none : more > 0 && `${more.toLocaleString("en")} more: keep typing to narrow them down`);
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
  const { asked, id } = options[place];
  if (asked) return location.assign(`search.html?${new URLSearchParams({ q: asked })}`);
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
