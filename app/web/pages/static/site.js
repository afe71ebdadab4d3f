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

function knownNames() {
  names ??= read("names.json").catch(() => []);
  return names;
}

function fitting(known, typed) {
  const wanted = typed.trim().toLowerCase();
  if (wanted.length < 2) return [];
  const ranked = [];
  for (const [name, address] of known) {
    const at = name.toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    const rank = at === 0 ? 0 : /[\s.]/.test(name[at - 1]) ? 1 : 2;
    if (rank < 2 || wanted.length > 3) ranked.push([rank, name.length, name, address]);
  }
  return ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, SHOWN);
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
    const found = fitting(await knownNames(), input.value);
    list.replaceChildren(
      ...found.map(([, , name, address], k) => {
        const it = made("li", { id: `${id}-${k}`, role: "option", "aria-selected": "false" }, name);
        it.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          choose(name, address);
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
      const [, , name, address] = list.found[chosen];
      choose(name, address);
      close();
    } else return;
    event.preventDefault();
  });
}

const box = document.getElementById("q");
if (box) completed(box, (_, address) => location.assign(root + address));
for (const input of document.querySelectorAll("input[data-names]"))
  completed(input, (name) => { input.value = name; });

// -- search without a server --------------------------------------------------------------------------

const found = document.getElementById("found");

/** The words of a text as the index has them. */
function wordsOf(text) {
  const flat = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (flat.match(/[a-z0-9]+(?:\.[0-9]+[a-z]*)?/g) ?? []).map((word) =>
    word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
  );
}

async function search(asked) {
  const about = await read("search/index.json");
  const wanted = [...new Set(wordsOf(asked))];
  const scores = new Map();
  for (const word of wanted) {
    const start = word.slice(0, 2);
    if (!about.starts.includes(start)) continue;
    const places = (await read(`search/words-${start}.json`))[word] ?? [];
    const rare = Math.log(1 + about.count / (1 + places.length));
    for (const [place, weight] of places) {
      const [words, score] = scores.get(place) ?? [0, 0];
      scores.set(place, [words + 1, score + rare * (1 + Math.log(weight))]);
    }
  }
  const best = [...scores].sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1] || a[0] - b[0]).slice(0, 20);
  const hits = await Promise.all(
    best.map(async ([place]) => (await read(`search/passages-${Math.floor(place / about.chunk)}.json`))[place % about.chunk]),
  );
  return { hits, wanted: new Set(wanted) };
}

function shownHit([name, address, text], wanted) {
  const words = made("p", { class: "rules-text" });
  for (const piece of text.split(/([\p{L}\p{N}.]+)/u))
    words.append(wordsOf(piece).some((word) => wanted.has(word)) ? made("mark", {}, piece) : piece);
  return made("li", {}, made("p", { class: "where" }, made("a", { href: root + address }, name)), words);
}

async function answer() {
  const asked = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  if (!asked) return;
  box.value = asked;
  try {
    const { hits, wanted } = await search(asked);
    found.replaceChildren(
      made("h2", {}, hits.length ? "Passages with these words" : "No passage contains these words"),
      made("ol", { class: "hits" }, ...hits.map((it) => shownHit(it, wanted))),
    );
  } catch {
    found.textContent = location.protocol === "file:"
      ? "Browsers do not let a local page read other files, which the search needs. Start a web server in the "
        + "folder of this site: python -m http.server"
      : "The search index cannot be read.";
  }
}

if (found && !live) answer();
