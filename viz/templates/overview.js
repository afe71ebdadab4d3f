// What stands in the panel while nothing is chosen: what is shown, where to begin, how to go on.

/** Nothing is chosen. */
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
    [["+", "−", "0"], "nearer, farther, everything"],
    [["Esc"], "let go"],
  ];
  panel.className = "overview";
  fill(
    panel,
    el("h3", {}, "What is shown"),
    el("p", {}, page.note),
    ...(page.answer?.notes ?? []).map((note) => el("p", { class: "names" }, note)),
    page.answer && answerList("What was found", page.answer.rows),
    most.length > 0 &&
      el(
        "section",
        { class: "bars" },
        el("h3", {}, "Most relied upon here"),
        el(
          "ul",
          { class: "links" },
          ...most.map(({ node, number }) => thingRow(node.id, `by ${number}`, bar(number, most[0].number))),
        ),
      ),
    savings(),
    goingOn(
      "Point at a thing to see its links, click it to read what it says and for more neighbours, double-click it to see only what is around it. An arrow goes from what relies to what is relied upon.",
      keys,
    ),
  );
}
