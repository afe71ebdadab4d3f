// The rows of an answer in the panel, with their things and sentences.

const LISTED = 60; // rows at first

function answerRow(row, place, numbered) {
  const [document_, line] = row.where;
  const names = row.things.map((id) =>
    el("button", { type: "button", class: "word", onclick: goTo(id) }, nodes[id].label),
  );
  const between = numbered ? " → " : " · ";
  return el(
    "li",
    { class: "passage" },
    (numbered || names.length > 0 || row.how) && el(
      "p",
      {},
      numbered && el("span", { class: "label" }, `${place + 1}`),
      ...names.flatMap((name, i) => (i ? [between, name] : [name])),
      row.how && el("span", { class: "chip" }, row.how),
    ),
    ...row.said.map((said) => el("p", { class: "names" }, said)),
    document_ && el(
      "div",
      { class: "source" },
      document_,
      line > 0 && " · ",
      line > 0 && el("span", { class: "together" }, `line ${line}`),
    ),
  );
}

function answerList(title, rows, numbered = false) {
  if (!rows.length) return undefined;
  const heading = el("h3", {}, title, el("span", { class: "n" }, count(rows.length, numbered ? "step" : "row")));
  const list = el("ol", { class: "answer" });
  return el("section", {}, heading, ...longList(list, rows, LISTED, (row, place) => answerRow(row, place, numbered)));
}
