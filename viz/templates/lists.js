// Common parts of the panel's lists: the row of a thing, the bar behind a number, what you can do next.

/** The row of a thing: its mark and name, why it is there, and remarks. */
function thingRow(id, how, more) {
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", onclick: goTo(id) },
      icon(nodes[id].group, nodes[id]),
      el("span", {}, nodes[id].label),
      el("span", { class: "how" }, how),
      more,
    ),
  );
}

/** A list with its first rows, and a button that shows the rest. */
function longList(list, rows, most, row, look = "quiet") {
  const put = (some) => fill(list, ...some.map(row));
  put(rows.slice(0, most));
  const does = () => (put(rows), all.remove());
  const all = el("button", { type: "button", class: look, onclick: does }, `Show all ${rows.length.toLocaleString("en")}`);
  return [list, rows.length > most && all];
}

/** A bar that shows how large a number is among others. */
function bar(number, most) {
  const length = el("i");
  length.style.width = `${(100 * number) / most}%`;
  return el("span", { class: "bar-line" }, length);
}

/** What you can do with the mouse, in words, and with the keyboard, as pairs of keys and what they do. */
function goingOn(words, keys) {
  return el(
    "section",
    { class: "help" },
    el("h3", {}, "How to explore"),
    el("p", { class: "names" }, words),
    el("h3", {}, "Keys"),
    el(
      "dl",
      { class: "keys" },
      ...keys.flatMap(([names, does]) => [
        el("dt", {}, ...names.flatMap((name, i) => [i ? " " : "", el("kbd", {}, name)])),
        el("dd", {}, does),
      ]),
    ),
  );
}
