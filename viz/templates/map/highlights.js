// An answer on the map: its things are highlighted on dimmed land, a chain as arrows, changes as heat.

const CHANGES = { moved: "--moved", added: "--added", reworded: "--reworded", "moved and reworded": "--reworded", split: "--split" };

/** Highlight an answer (or none), and bring it into view. */
function highlight(answer, { fly = true } = {}) {
  state.answer = answer;
  state.highlighted = null;
  if (answer) {
    const rows = answer.rows.flatMap((row) => row.things);
    state.highlighted = new Set([...answer.about, ...rows]);
    state.selected = null;
    showAnswer(answer);
    say(`${answer.title}: ${count(answer.rows.length, "row")}`);
    if (fly && state.highlighted.size && network) {
      const view = viewAround([...state.highlighted]);
      move({ ...view, scale: Math.min(view.scale * 0.92, 1) });
    }
  } else showOverview();
  if (network) {
    chooseMarks();
    restyle();
  }
}

const CONFETTI = 2; // pixels: where nearly all changed, the land shows between

/** Are more things highlighted than can have marks? */
const manyHighlighted = () => state.answer?.form === "changes" && state.highlighted.size > MOST;

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Do chapters glow by their changes? Then sections have no colours, which would mix with the heat. */
const isHeated = () => state.answer?.form === "changes";

/** The colour of a changed thing, by the last change in its rows. */
function changeColours() {
  const found = new Map();
  if (isHeated())
    for (const { things, how } of state.answer.rows)
      if (things.length) found.set(things[0], colourOf(CHANGES[how] ?? "--reworded"));
  return found;
}

/** Let towns glow by the share of their things that changed. */
function drawHeat(context) {
  if (!isHeated()) return;
  const [hot, all] = [new Map(), new Map()];
  nodes.forEach(({ id, chapter, gone }) => {
    if (gone) return;
    all.set(chapter, (all.get(chapter) ?? 0) + 1);
    if (state.highlighted.has(id)) hot.set(chapter, (hot.get(chapter) ?? 0) + 1);
  });
  const most = manyHighlighted() ? 0.3 : 0.75; // where all changed, the dots say more than the land
  context.fillStyle = colourOf("--heat");
  for (const [chapter, number] of hot) {
    if (!paths.chapters[chapter]) continue;
    context.globalAlpha = 0.12 + most * Math.min(1, (1.6 * number) / all.get(chapter)) ** 0.7;
    context.fill(paths.chapters[chapter]);
  }
  context.globalAlpha = 1;
}

/** The point towards which the line from one thing to another bends. */
const bend = (a, b) => [(a.x + b.x) / 2 + (b.y - a.y) * 0.16, (a.y + b.y) / 2 - (b.x - a.x) * 0.16];

function arrow(context, a, b, pixel, colour) {
  const [mx, my] = bend(a, b);
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.quadraticCurveTo(mx, my, b.x, b.y);
  context.strokeStyle = colours.paper;
  context.lineWidth = 7 * pixel;
  context.stroke();
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 3 * pixel;
  context.stroke();
  const angle = Math.atan2(b.y - my, b.x - mx);
  const reach = 15 * pixel;
  const [x, y] = [b.x - Math.cos(angle) * reach, b.y - Math.sin(angle) * reach];
  context.beginPath();
  context.moveTo(x + Math.cos(angle) * 6 * pixel, y + Math.sin(angle) * 6 * pixel);
  for (const turn of [2.5, -2.5])
    context.lineTo(x + Math.cos(angle + turn) * 11 * pixel, y + Math.sin(angle + turn) * 11 * pixel);
  context.fill();
}

const BADGE = 11; // pixels from the middle of a step's number to its edge
const ALONG = [0.5, 0.38, 0.62, 0.26, 0.74]; // where on an arrow its number may be, the best place first

/** The numbers of a chain's steps, in the middle of the arrow, or else where nothing highlighted is beneath. */
function stepsOfChain() {
  if (state.answer?.form !== "chain" || !state.highlighted || state.selected !== null) return [];
  const room = (2.3 * BADGE) / network.getScale();
  const taken = [...state.highlighted].map((id) => nodes[id]);
  return state.answer.rows.flatMap(({ things: [a, b] }, place) => {
    if (b === undefined) return [];
    const [from, to] = [nodes[a], nodes[b]];
    const [mx, my] = bend(from, to);
    const places = ALONG.map((t) => ({
      x: (1 - t) ** 2 * from.x + 2 * t * (1 - t) * mx + t ** 2 * to.x,
      y: (1 - t) ** 2 * from.y + 2 * t * (1 - t) * my + t ** 2 * to.y,
    }));
    const free = places.find(({ x, y }) => taken.every((it) => Math.hypot(it.x - x, it.y - y) > room)) ?? places[0];
    taken.push(free);
    return [{ ...free, words: String(place + 1) }];
  });
}

function drawStep(context, { x, y, words }, pixel) {
  context.beginPath();
  context.arc(x, y, BADGE * pixel, 0, 2 * Math.PI);
  context.fillStyle = colours.accent;
  context.fill();
  context.fillStyle = colours.paper;
  context.font = `700 ${13 * pixel}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(words, x, y);
}

/** Draw the numbers of a chain's steps above all marks; return the room that they take on the screen. */
function drawSteps(context) {
  const pixel = 1 / network.getScale();
  return stepsOfChain().map((step) => {
    drawStep(context, step, pixel);
    const { x, y } = network.canvasToDOM(step);
    return [x - BADGE, y - BADGE, x + BADGE, y + BADGE];
  });
}

/** The passages that name a common ground or, for a passage of both, the two things themselves. */
function meetingAt([ground, ...passages]) {
  return passages.length ? passages : state.answer.about.filter((it) => it !== ground);
}

function drawLights(context) {
  if (!state.highlighted || state.selected !== null) return;
  const pixel = 1 / network.getScale();
  const changed = changeColours();
  for (const id of state.highlighted) {
    const { x, y, group } = nodes[id];
    const colour = changed.get(id) ?? (state.answer.about.includes(id) ? colours.accent : colours[group]);
    context.beginPath();
    context.arc(x, y, (changed.size ? (manyHighlighted() ? CONFETTI : 4.5) : 11) * pixel, 0, 2 * Math.PI);
    context.globalAlpha = changed.size ? 0.95 : 0.3;
    context.fillStyle = colour;
    context.fill();
  }
  context.globalAlpha = 1;
  state.answer.rows.forEach(({ things }) => {
    if (state.answer.form === "chain" && things.length > 1)
      arrow(context, nodes[things[0]], nodes[things[1]], pixel, colours.accent);
    if (state.answer.form === "meeting")
      meetingAt(things).forEach((other) => arrow(context, nodes[other], nodes[things[0]], pixel, colours.definition));
  });
}
