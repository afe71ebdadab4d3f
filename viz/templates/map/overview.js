// The panel while nothing is selected: the sections, and what is relied on most.

function flyTo(region) {
  return () => {
    const scale = Math.min(1, (0.42 * Math.min(stage.clientWidth, stage.clientHeight)) / Math.max(region.reach, 1));
    move({ position: { x: region.x, y: region.y }, scale });
  };
}

let relyingOn;
onData(() => {
  relyingOn = nodes.map(
  ({ id }) =>
    new Set(
      touching[id]
        .filter((edge) => edge.to === id && RELIANCE.has(edge.kinds[0]))
        .map(({ from }) => from),
    ).size,
);
});

function sectionRow(region, place) {
  const within = chapters.filter((chapter) => chapter.within === place);
  const things = nodes.filter((node) => !node.gone && chapters[node.chapter]?.within === place).length;
  const dot = svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("rect", { x: 1, y: 1, width: 14, height: 14, rx: 4, fill: `var(--${sectionColour(place)})` }),
  );
  const inside = `${within.length > 1 ? `${count(within.length, "chapter")}, ` : ""}${count(things, "thing")}`;
  return el(
    "li",
    {},
    el("button", { type: "button", onclick: flyTo(region) }, dot, el("span", {}, region.name), el("span", { class: "how" }, inside)),
  );
}

function mostRow(id, most) {
  return thingRow(id, `by ${relyingOn[id].toLocaleString("en")}`, bar(relyingOn[id], most));
}

/** A list that opens; its content is made when it does. */
function opening(name, make) {
  const list = el("details", {}, el("summary", {}, name));
  list.addEventListener("toggle", () => list.open && list.children.length === 1 && list.append(make()), { once: true });
  return list;
}

/** All things of a section, by its chapters: the map as a list. */
function sectionTree(section, place) {
  return opening(section.name, () => {
    const inside = [...chapters.entries()].filter(([, chapter]) => chapter.within === place);
    return el("div", { class: "tree" }, ...inside.map(([k, chapter]) => (chapter.name ? opening(chapter.name, () => chapterList(k)) : chapterList(k))));
  });
}

function chapterList(place) {
  const some = nodes.filter((node) => !node.gone && node.chapter === place);
  return el(
    "div",
    {},
    el(
      "ul",
      { class: "tree" },
      ...some.map(({ id, label }) =>
        el("li", {}, el("button", { type: "button", class: "word", onclick: goTo(id) }, label)),
      ),
    ),
    bundleList(place),
  );
}

/** The chapters to which bundles lead from one, the widest first, with how much relies across each. */
function bundleList(place) {
  const some = bundles.filter(({ from, to }) => from === place || to === place);
  if (!some.length) return undefined;
  const rows = some.map(({ from, to, load }) => {
    const other = chapters[from === place ? to : from];
    const go = other.mark === null ? flyTo(other) : goTo(other.mark);
    const much = el("span", { class: "how" }, ` ${Math.max(1, Math.round(load)).toLocaleString("en")}`);
    return el("li", {}, el("button", { type: "button", class: "word", onclick: go }, other.name), much);
  });
  return el("div", { class: "bundles" }, el("h4", {}, "Chapters linked to this one, and how strongly"), el("ul", { class: "tree" }, ...rows));
}

const KEYS = [
  [["/"], "find a name, a number, or words of a rule"],
  [["←", "↑", "→", "↓"], "go to the nearest linked thing; if nothing is selected, move the map"],
  [["+", "−", "0"], "zoom in, zoom out, show everything"],
  [["Esc"], "clear the selection"],
];

/** Nothing is selected: the previous answer is highlighted again, or, the second time, the whole map shown. */
function rest() {
  if (state.answer && state.before !== null) showAnswer(state.answer);
  else {
    state.answer = state.highlighted = null;
    showOverview();
  }
}

function showOverview() {
  const most = nodes.map(({ id }) => id).filter((id) => relyingOn[id]);
  most.sort((a, b) => relyingOn[b] - relyingOn[a] || a - b);
  panel.className = "overview";
  fill(
    panel,
    el("h3", {}, "What this page shows"),
    el("p", {}, page.note),
    page.answer &&
      el(
        "div",
        { class: "more" },
        el("button", { type: "button", onclick: () => openAnswer() }, page.answer.title),
      ),
    el("section", {}, el("h3", {}, "Sections"), el("ul", { class: "links" }, ...sections.map(sectionRow))),
    el("section", {}, el("h3", {}, "As a list"), ...sections.map(sectionTree)),
    savings(),
    el(
      "section",
      { class: "bars" },
      el("h3", {}, "Most relied on"),
      el("ul", { class: "links" }, ...most.slice(0, 10).map((id) => mostRow(id, relyingOn[most[0]]))),
    ),
    goingOn(
      "Scroll to zoom in: chapters, rules and terms appear when there is room for their names. The wider a line between two chapters, the more links it stands for. Click a thing to read its text and to see its links. Double-click it to centre it.",
      KEYS,
    ),
  );
}
