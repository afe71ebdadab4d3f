// The text beside the picture: the words of one thing, its place, and its links.

const panel = document.getElementById("panel");
const RELIANCE = new Set(["citation", "note", "definition", "mention"]);
const SENTENCE_END = /(?<=[.!?]["”)]*)\s+/;
const PASSAGE_LABELS = { note: "Note", ruling: "Ruling", example: "Example" };

function goTo(id) {
  return () => select(id, { move: true });
}

function pieces(passage) {
  return passage.pieces.map((piece) =>
    typeof piece === "string"
      ? piece
      : el("button", { type: "button", class: "word", onclick: goTo(piece[1]) }, piece[0]),
  );
}

function textOf(passage) {
  return passage.pieces.map((piece) => (typeof piece === "string" ? piece : piece[0])).join("");
}

const isWeb = (iri) => /^https?:\/\//.test(iri);

/** The IRI for a key; an IRI with another base is its own key. */
const iriOf = (key) => (isWeb(key) ? key : page.base + addressed(key));

/** A link to an IRI if that is an address, otherwise only the words. */
function linkTo(iri, ...words) {
  const there = { href: iri, target: "_blank", rel: "noopener noreferrer", title: iri };
  return isWeb(iri) ? el("a", there, ...words) : el("span", {}, ...words);
}

function where(passage, { key: own } = {}) {
  const [first, last] = passage.lines;
  const place = first ? (first === last ? `line ${first}` : `lines ${first}–${last}`) : "";
  const by = passage.by && `[${passage.by}]`;
  const told = [page.documents[passage.document], place && el("span", { class: "together" }, place), by].filter(Boolean);
  const rest = told.flatMap((it, i) => (i ? [" · ", it] : [it]));
  return el(
    "div",
    { class: "source" },
    passage.number && el("span", { class: "number" }, passage.number),
    passage.number && rest.length ? " · " : "",
    linkTo(iriOf(passage.key || own || ""), ...rest),
  );
}

function passageBlock(passage, node) {
  const label = PASSAGE_LABELS[passage.kind];
  return el(
    "div",
    { class: `passage ${passage.kind}` },
    el("p", {}, label && el("span", { class: "label" }, label), ...pieces(passage)),
    where(passage, node),
  );
}

/** The sentence of `from` that names `to`, with its passage, or nothing; a mere "See N." comes with the one before. */
function saying(from, to) {
  for (const passage of nodes[from].passages) {
    const at = passage.pieces.findIndex((piece) => typeof piece !== "string" && piece.indexOf(to, 1) > 0);
    if (at < 0) continue;
    const sentences = (part) =>
      part
        .map((piece) => (typeof piece === "string" ? piece : piece[0]))
        .join("")
        .split(SENTENCE_END);
    const before = sentences(passage.pieces.slice(0, at));
    const said = before.at(-1) + sentences(passage.pieces.slice(at))[0];
    const isShort = said.split(" ").length < 6 && before.length > 1;
    return { said: isShort ? `${before.at(-2)} ${said}` : said, passage };
  }
  return undefined;
}

const strength = new Map(page.linkKinds.map(({ key }, place) => [key, place]));

function wordsOf(id) {
  return nodes[id].passages.filter(({ kind }) => kind === "text").map((passage) => textOf(passage)).join(" ");
}

const LISTED_LINKS = 30; // rows of a list at first

/** A linked thing: its link and the sentence that says so; of several links, the strongest. */
function linkRow(other, some, id) {
  some.sort((a, b) => strength.get(a.kinds[0]) - strength.get(b.kinds[0]));
  const how = some.flatMap((edge) => {
    const part = edge.from === other && edge.to !== id ? ` ${nodes[edge.to].number}` : "";
    return edge.kinds.map((kind) => linkKindOf.get(kind).says + part);
  });
  const isPart = some.some((edge) => edge.from === other && edge.kinds[0] === "part");
  const said = isPart ? wordsOf(other) : some.map((edge) => saying(edge.from, edge.to)?.said).find(Boolean);
  return thingRow(other, how.slice(0, 3).join(", "), said && el("span", { class: "quote" }, said));
}

function byNumber(a, b) {
  return a.number.localeCompare(b.number, "en", { numeric: true });
}

/** A list of linked things, strongest link first. */
function linkList(title, some, id, end) {
  const by = new Map();
  some.forEach((edge) => by.set(end(edge), [...(by.get(end(edge)) ?? []), edge]));
  if (!by.size) return undefined;
  const rank = (group) => Math.min(...group.map((edge) => strength.get(edge.kinds[0])));
  const rows = [...by].sort(
    ([a, left], [b, right]) =>
      rank(left) - rank(right) ||
      (title === "Parts" ? byNumber(nodes[a], nodes[b]) : nodes[b].size - nodes[a].size) ||
      a - b,
  );
  const list = el("ul", { class: title === "Parts" ? "links whole" : "links" });
  return el(
    "section",
    {},
    el("h3", {}, title, el("span", { class: "n" }, by.size.toLocaleString("en"))),
    ...longList(list, rows, LISTED_LINKS, ([other, group]) => linkRow(other, group, id), "quiet all"),
  );
}

/** A thing with its defining rule and their parts: relying on those is relying on it. */
function core(id) {
  const found = new Set([id]);
  touching[id].forEach((edge) => edge.from === id && edge.kinds.includes("definition") && found.add(edge.to));
  for (const whole of found)
    touching[whole].forEach(
      (edge) => edge.to === whole && edge.kinds.includes("part") && found.add(edge.from),
    );
  return found;
}

function linkLists({ id }) {
  const mine = core(id);
  const from = touching[id].filter((edge) => edge.from === id);
  const to = touching[id].filter((edge) => edge.to === id);
  const onto = [...mine].flatMap((it) =>
    touching[it].filter((edge) => edge.to === it && !mine.has(edge.from)),
  );
  const relies = (edge) => edge.kinds.some((kind) => RELIANCE.has(kind));
  const by = (kind) => (edge) => edge.kinds.includes(kind);
  const [source, target] = [(edge) => edge.from, (edge) => edge.to];
  return [
    linkList("Redirects to", from.filter(by("redirect")), id, target),
    linkList("Renamed to", from.filter(by("renaming")), id, target),
    linkList(
      "Relies on",
      from.filter((edge) => relies(edge) && !by("redirect")(edge)),
      id,
      target,
    ),
    linkList("Relied on by", onto.filter(relies), id, source),
    linkList("Redirected from", to.filter(by("redirect")), id, source),
    linkList("Once called", to.filter(by("renaming")), id, source),
    linkList("Part of", from.filter(by("part")), id, target),
    linkList("Parts", to.filter(by("part")), id, source),
  ];
}

function iriRow(node) {
  const copy = el(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: async () => {
        copy.textContent = (await copied(node.iri)) ? "Copied" : "Press Ctrl+C";
        setTimeout(() => (copy.textContent = "Copy IRI"), 1600);
      },
    },
    "Copy IRI",
  );
  const name = linkTo(node.iri, node.key);
  return el("div", { class: "iri" }, name, copy);
}

/** Copy text; if the page may not use the clipboard, select it for Ctrl+C. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = el("textarea", { class: "unseen", "aria-hidden": "true" }, text);
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    setTimeout(() => box.remove(), 1500);
    return done;
  }
}

/** A slider for steps that keeps the focus and shows its number. */
function depthSlider(words, value, does) {
  const told = el("output", {}, String(value));
  const slider = el("input", { type: "range", id: "depth", min: "0", max: String(DEEPEST), value: String(value) });
  slider.addEventListener("input", () => {
    told.textContent = slider.value;
    does(Number(slider.value));
  });
  return el("label", { class: "depth", for: "depth" }, words, slider, told);
}

const FEW = 250; // linked things that a graph shows by default, with their parts
const ALL = 9999; // things: no edition has as many

/** What is not yet shown, and how to see it. */
function moreBlock(node) {
  const hidden = waiting(node.id).length;
  if (!hidden && !node.beyond) return undefined;
  const many = node.id === page.focus ? page.total : node.beyond + neighbours(node.id).size;
  const all = many > FEW ? ` --limit ${ALL}` : "";
  const map = page.map && el("a", { href: `${page.map}#${addressed(node.key)}` }, "all of them on the map");
  const command = `rulesgraph viz --around "${node.group === "term" ? node.label : node.number}" --depth 1${all} -o graph.html`;
  return el(
    "div",
    { class: "more" },
    hidden > 0 &&
      el(
        "button",
        { type: "button", id: "expand", onclick: () => expand(node.id) },
        `Show ${count(hidden, "more neighbour")}`,
      ),
    node.beyond > 0 &&
      el(
        "div",
        {},
        `${count(node.beyond, "linked thing is", "linked things are")} not in this page. To see all: `,
        map || el("code", {}, command),
      ),
  );
}

function showThing(id) {
  wantWords();
  const node = nodes[id];
  const chips = [
    node.status,
    !node.loaded && "cited only, not loaded",
    node.steps > 0 && count(node.steps, "step"),
  ];
  panel.className = "";
  fill(
    panel,
    el(
      "div",
      { class: "kind" },
      icon(node.group, node),
      kindOf.get(node.group).name,
      ...chips.filter(Boolean).map((chip) => el("span", { class: "chip" }, chip)),
      el("button", { type: "button", class: "quiet close", onclick: () => select(null) }, "Close"),
    ),
    el("h2", {}, node.label),
    node.names.length > 0 && el("p", { class: "names" }, `also ${node.names.join(", ")}`),
    iriRow(node),
    ...node.passages.map((passage) => passageBlock(passage, node)),
    wordsAwayBlock() ?? (!node.passages.length && el("p", { class: "names" }, silence(node))),
    moreBlock(node),
    moreAbout(id),
    pastOf(node),
    ...linkLists(node),
  );
  panel.scrollTop = 0;
}

function silence(node) {
  if (!node.loaded) return "The loaded documents cite it, but do not contain it.";
  return node.group === "term"
    ? "No entry in the loaded documents defines it."
    : "It has no text of its own.";
}
