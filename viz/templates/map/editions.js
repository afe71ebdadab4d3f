// Several editions on one page: a slider by date, and what changes on the way from one to the next.

const FLIGHT = 1400; // milliseconds from one edition to another
const DOT = 1.9; // pixels
let now = page.times.length - 1;
let flight = null;

/** What happened to things between two editions: which are new, gone, moved or reworded. */
function becameOf(before, after) {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const wording = (node) => (node.passages ?? []).map(([text]) => text).join();
  const found = { came: [], went: [], reworded: [], moved: [], both: [] };
  for (const node of after.nodes) {
    const was = old.get(node.id);
    old.delete(node.id);
    if (!was) {
      found.came.push(node.id);
      continue;
    }
    const [said, numbered] = [wording(was) !== wording(node), (was.number ?? "") !== (node.number ?? "")];
    if (said || numbered) found[said && numbered ? "both" : said ? "reworded" : "moved"].push(node.id);
  }
  found.went = [...old.values()];
  return found;
}

const became = page.times.map((time, at) => (at ? becameOf(page.times[at - 1], time) : null));
const HOW = { came: "added", reworded: "reworded", moved: "moved", both: "moved and reworded" };

/** The changes of an edition in the form in which answers are highlighted. */
function changesOf(at) {
  const found = became[at];
  if (!found) return null;
  const rows = Object.entries(HOW).flatMap(([kind, how]) =>
    found[kind].map((id) => ({ things: [id], how, said: [], where: ["", 0] })),
  );
  const gone = found.went.map(({ label }) => label);
  const some = gone.slice(0, 12).join(", ") + (gone.length > 12 ? " …" : "");
  return {
    title: `What ${dated(page.times[at].issued)} changed`,
    form: "changes",
    about: [],
    notes: [gone.length ? `${count(gone.length, "thing")} removed: ${some}` : "Nothing was removed."],
    rows,
  };
}

/** What happened to a thing in each edition that changed it, with links to these. */
function stagesOf({ id }) {
  const stages = [];
  let last = null;
  page.times.forEach((time, at) => {
    const stood = time.nodes.find((node) => node.id === id);
    const change = !stood ? last && "removed" : last ? Object.keys(HOW).find((kind) => became[at][kind].includes(id)) : "came";
    if (change && (at || stood)) {
      const told = { came: at ? "added" : "", removed: "removed", moved: "renumbered" }[change] ?? HOW[change];
      stages.push([[time.edition, time.issued], stood?.number ?? "", told, () => goThrough(at, id)]);
    }
    last = stood;
  });
  return stages;
}

/** Go to an edition and look at the same thing there. */
function goThrough(at, id) {
  travel(at, { still: true });
  if (!nodes[id].gone) select(id, { move: true });
}

function drawFlight(context) {
  if (!flight) return;
  const share = Math.min(1, (performance.now() - flight.start) / FLIGHT);
  const eased = share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2;
  const size = (2 * DOT) / network.getScale();
  for (const [colour, some] of flight.by) {
    context.fillStyle = colour;
    for (const { from, to } of some) {
      const grown = from && to ? 1 : from ? 1 - eased : eased;
      const [a, b] = [from ?? to, to ?? from];
      const [x, y] = [a.x + (b.x - a.x) * eased, a.y + (b.y - a.y) * eased];
      context.fillRect(x - (size * grown) / 2, y - (size * grown) / 2, size * grown, size * grown);
    }
  }
  if (share < 1) requestAnimationFrame(() => network.redraw());
  else {
    flight = null;
    requestAnimationFrame(arrive);
  }
}

/** What is shown about an edition: the answer if one was requested for each of them, otherwise its changes. */
const toldOf = (at) => page.times[at].answer ?? changesOf(at);

function arrive() {
  highlight(toldOf(now), { fly: false });
}

/** Move to an edition: everything goes from its old place to its new one, in the colour of its change. */
function travel(to, { still: isStill = still.matches } = {}) {
  if (to === now || !page.times[to]) return;
  const was = new Map(nodes.filter((node) => !node.gone).map(({ id, x, y }) => [id, { x, y }]));
  now = to;
  state.selected = state.hovered = state.highlighted = state.answer = null;
  wearTime(page.times[to]);
  readers.forEach((read) => read());
  readLand();
  showTime();
  const kinds = new Map(became[to] ? Object.entries(HOW).flatMap(([kind, how]) => became[to][kind].map((id) => [id, how])) : []);
  const by = new Map();
  const groups = new Map();
  for (const { id, x, y, gone } of nodes) {
    const [from, there] = [was.get(id), gone ? undefined : { x, y }];
    if (!from && !there) continue;
    const how = !there ? "went" : !from ? "added" : (kinds.get(id) ?? "");
    if (!groups.has(how)) groups.set(how, []);
    groups.get(how).push({ from, to: there });
  }
  for (const [how, some] of groups)
    by.set(how === "went" ? colourOf("--heat") : how ? colourOf(CHANGES[how]) : colours.soft, some);
  shownMarks = [];
  dress();
  keepAddress();
  document.querySelector("h1").textContent = page.title;
  showCount();
  const told = toldOf(to);
  if (told) showAnswer(told);
  else rest();
  if (isStill) arrive();
  else {
    flight = { start: performance.now(), by };
    network.redraw();
  }
}

let playing = 0;
function play() {
  const button = document.getElementById("play");
  clearInterval(playing);
  if (playing) {
    playing = 0;
    button.textContent = "▶";
    return;
  }
  button.textContent = "⏸";
  if (now === page.times.length - 1) travel(0);
  playing = setInterval(() => {
    if (now === page.times.length - 1) return play();
    travel(now + 1);
  }, FLIGHT + 1300);
}

function showTime() {
  const time = page.times[now];
  const slider = document.getElementById("when");
  slider.value = String(now);
  slider.setAttribute("aria-valuetext", time.title);
  fill(document.getElementById("date"), dated(time.issued), el("small", {}, count(time.nodes.length, "thing")));
}

/** How much there is in each edition, and how much of it changed, as the background of the slider. */
function yearBars() {
  const most = Math.max(...page.times.map((time) => time.nodes.length));
  const wide = 100 / page.times.length;
  const picture = svg("svg", { viewBox: "0 0 100 36", preserveAspectRatio: "none", "aria-hidden": "true" });
  page.times.forEach((time, at) => {
    const bar = (number, colour, opacity) => {
      const high = (34 * number) / most;
      picture.append(
        svg("rect", { x: at * wide + wide * 0.15, y: 36 - high, width: wide * 0.7, height: high, fill: colour, "fill-opacity": opacity }),
      );
    };
    const found = became[at];
    bar(time.nodes.length, "var(--soft)", 0.25);
    if (found) bar(found.came.length + found.reworded.length + found.both.length + found.moved.length, "var(--heat)", 0.75);
  });
  return picture;
}

function setUpTime() {
  const slider = el("input", {
    type: "range",
    id: "when",
    min: "0",
    max: String(page.times.length - 1),
    step: "1",
    "aria-label": "Edition",
  });
  slider.addEventListener("input", () => travel(Number(slider.value)));
  document.querySelector("main").append(
    el(
      "div",
      { id: "time", role: "group", "aria-label": "Time" },
      el("button", { type: "button", id: "play", "aria-label": "Play through time", onclick: play }, "▶"),
      el("div", { class: "years" }, yearBars(), slider),
      el("output", { id: "date", for: "when" }),
    ),
  );
  showTime();
}
