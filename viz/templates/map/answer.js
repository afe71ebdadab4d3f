// The panel of an answer: its rows with their sentences and links to their things, and questions typed in.

let chainFrom = null;
const PLACEHOLDER = document.getElementById("search").placeholder;

function changeLegend(rows) {
  const by = new Map();
  rows.forEach(({ how }) => {
    const colour = CHANGES[how] ?? "--reworded";
    if (!by.has(colour)) by.set(colour, new Map());
    by.get(colour).set(how, (by.get(colour).get(how) ?? 0) + 1);
  });
  return el(
    "ul",
    { class: "changes" },
    ...[...by].map(([colour, counts]) => {
      const dot = svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" });
      dot.append(svg("circle", { cx: 8, cy: 8, r: 5, fill: `var(${colour})` }));
      const told = [...counts].map(([how, number]) => `${number.toLocaleString("en")} ${how}`);
      return el("li", {}, dot, el("span", {}, told.join(", ")));
    }),
  );
}

function showAnswer(answer) {
  const { title, rows, notes, form } = answer;
  panel.className = "";
  fill(
    panel,
    el(
      "div",
      { class: "kind" },
      form === "chain" ? "chain" : form === "meeting" ? "common ground" : form === "changes" ? "changes" : "answer",
      el("button", { type: "button", class: "quiet close", onclick: () => select(null) }, "Whole map"),
    ),
    el("h2", {}, title),
    ...notes.map((note) => el("p", { class: "names" }, note)),
    form === "changes" && changeLegend(rows),
    !rows.length && !notes.length && el("p", { class: "names" }, "Nothing was found."),
    answerList(form === "chain" ? "Step by step" : "Results", rows, form === "chain"),
    answer.common && answerList("Both rely on", answer.common),
  );
  panel.scrollTop = 0;
}

/** Ask for the other end of a chain, which will be the next thing found. */
function askChain(id) {
  chainFrom = id;
  const input = document.getElementById("search");
  input.placeholder = `Chain from ${nodes[id].label} to …`;
  input.focus();
}

function endChain() {
  chainFrom = null;
  document.getElementById("search").placeholder = PLACEHOLDER;
}

/** Select the search result that was picked, or take it as the other end of a chain. */
function picked(id) {
  const from = chainFrom;
  endChain();
  if (from === null || from === id) return select(id, { move: true });
  history.pushState(null, "", addressOf(from, id));
  highlight(chainAnswer(from, id));
}

/** Follow an address that is not a thing's: a chain, or the answer for which the page was made. */
function isElsewhere() {
  const { key, to, edition } = readAddress();
  if (page.times) travel(Math.max(0, page.times.findIndex((time) => time.edition === (edition || page.times.at(-1).edition))), { still: true });
  const [from, end] = [byKey.get(key), byKey.get(to)];
  if (from !== undefined && end !== undefined) highlight(chainAnswer(from, end));
  else if (key === "answer" && page.answer) highlight(page.answer);
  else {
    state.answer = state.highlighted = null;
    return false;
  }
  return true;
}

function openAnswer() {
  history.pushState(null, "", "#answer");
  highlight(page.answer);
}

/** A choice of how far around a thing the map is highlighted, and the way to another. */
function moreAbout(id) {
  return el(
    "div",
    { class: "more" },
    depthSlider("Highlighted steps", state.depth, (depth) => {
      state.depth = depth;
      keepAddress();
      refresh();
    }),
    el("button", { type: "button", id: "chain", onclick: () => askChain(id) }, "Find a chain to …"),
  );
}
