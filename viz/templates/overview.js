// The panel while nothing is selected: what is shown, where to begin, what you can do.

/** Nothing is selected. */
const rest = () => showOverview();

function showOverview() {
  const relies = (edge, node) =>
    edge.to === node.id && !nodes[edge.from].reserve && RELIANCE.has(edge.kinds[0]);
  const relied = nodes
    .filter((node) => !node.reserve)
    .map((node) => ({
      node,
      number: new Set(touching[node.id].filter((edge) => relies(edge, node)).map(({ from }) => from)).size,
    }))
    .filter(({ number }) => number);
  relied.sort((a, b) => b.number - a.number || a.node.id - b.node.id);
  const most = relied.slice(0, 10);
  const keys = [
    [["/"], "find"],
    [["←", "↑", "→", "↓"], "go to the nearest linked thing"],
    [["Enter"], "show more neighbours"],
    [["+", "−", "0"], "zoom in, zoom out, show everything"],
    [["Esc"], "clear the selection"],
  ];
  panel.className = "overview";
  fill(
    panel,
    el("h3", {}, "What this page shows"),
    el("p", {}, page.note),
    ...(page.answer?.notes ?? []).map((note) => el("p", { class: "names" }, note)),
    page.answer && answerList("Results", page.answer.rows),
    most.length > 0 &&
      el(
        "section",
        { class: "bars" },
        el("h3", {}, "Most relied on here"),
        el(
          "ul",
          { class: "links" },
          ...most.map(({ node, number }) => thingRow(node.id, `by ${number}`, bar(number, most[0].number))),
        ),
      ),
    savings(),
    goingOn(
      "Point at a thing to see its links. Click it to read its text and to see more neighbours. Double-click it to see only its neighbourhood. Each arrow points from a thing to what it relies on.",
      keys,
    ),
  );
}
