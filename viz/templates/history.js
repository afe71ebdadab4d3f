// The history of a thing through the editions, each with a link.

const dated = (issued) =>
  new Date(`${issued}T00:00:00Z`).toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" });

const STAGES = { "": "first seen", references: "references changed", unchanged: "still so" };

/** What became of a thing through the editions: where it was, under what number, and what changed. */
function pastOf(node) {
  const stages = page.times ? stagesOf(node) : (node.past ?? []).map(([at, ...stage]) => [page.editions[at], ...stage]);
  if (!stages.length) return undefined;
  const row = ([[edition, issued], number, change, act]) => {
    const key = number && node.group !== "term" ? `edition/${edition}/rule/${number}` : `edition/${edition}`;
    const there = edition ? linkTo(iriOf(key), dated(issued)) : dated(issued);
    const name = number && node.group !== "term" ? number : "";
    return el(
      "li",
      {},
      act ? el("button", { type: "button", class: "word", onclick: act }, dated(issued)) : there,
      name && el("span", { class: "number" }, name),
      el("span", { class: "how" }, STAGES[change] ?? change ?? ""),
    );
  };
  return el("section", {}, el("h3", {}, "History"), el("ol", { class: "past" }, ...stages.map(row)));
}
