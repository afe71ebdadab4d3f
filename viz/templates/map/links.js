// A thing on the map: its links as arcs over the land.

const MOST_ARCS = 400;

function lookedChapter() {
  const id = state.hovered ?? state.selected;
  return id === null ? -1 : (nodes[id].chapter ?? -1);
}

/** How many steps each thing is away from one, up to the depth that is set. */
const stepsFrom = (id) => stepsAway(id, id === state.selected ? state.depth : 1, isOn);

/** The things highlighted together with a thing. */
const within = (id) => new Set(stepsFrom(id).keys());

/** The links from each step to the next. */
function arcsOf(id) {
  const steps = stepsFrom(id);
  const found = new Set();
  for (const [at, step] of steps)
    for (const link of touching[at].filter(isOn))
      if (steps.get(otherEnd(link, at)) === step + 1 && (!step || EXPLICIT.has(drawnKind(link)))) found.add(link);
  return [...found];
}

/** What the thing being looked at relies on, and what relies on it, as links that bend to different sides. */
function drawArcs(context) {
  const looked = state.hovered ?? state.selected;
  if (looked === null) return;
  const pixel = 1 / network.getScale();
  const rank = (edge) => strength.get(drawnKind(edge));
  const some = arcsOf(looked).sort((a, b) => rank(b) - rank(a));
  for (const edge of some.slice(-MOST_ARCS)) {
    const [a, b] = [nodes[edge.from], nodes[edge.to]];
    const kind = drawnKind(edge);
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.quadraticCurveTo((a.x + b.x) / 2 + (b.y - a.y) * 0.14, (a.y + b.y) / 2 - (b.x - a.x) * 0.14, b.x, b.y);
    context.strokeStyle = colours[kind];
    context.globalAlpha = kind === "mention" ? (some.length > 60 ? 0.28 : 0.55) : 0.85;
    context.lineWidth = (kind === "mention" ? 1 : 1.7) * pixel;
    context.setLineDash((DASHES[kind] ?? []).map((length) => length * pixel));
    context.stroke();
    for (const end of [a, b]) {
      context.beginPath();
      context.arc(end.x, end.y, 2.6 * pixel, 0, 2 * Math.PI);
      context.fillStyle = colours[end.group];
      context.fill();
    }
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** While something is looked at, dim the land. */
function drawVeil(context) {
  if (!highlightedThings()) return;
  const { width, height } = context.canvas;
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 0.45;
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  context.restore();
}

function drawHalo(context) {
  const pixel = 1 / network.getScale();
  for (const id of [state.selected, state.hovered]) {
    if (id === null || !isShown(nodes[id])) continue;
    const { x, y, group } = nodes[id];
    const size = onScreen(nodes[id]);
    context.beginPath();
    context.arc(x, y, (size + 8) * pixel, 0, 2 * Math.PI);
    context.fillStyle = colours.paper;
    context.fill();
    if (id !== state.selected) continue;
    context.lineWidth = 3 * pixel;
    context.strokeStyle = colours.accent;
    context.stroke();
    context.beginPath();
    context.arc(x, y, (size + 3.5) * pixel, 0, 2 * Math.PI);
    context.fillStyle = colours[group];
    context.globalAlpha = 0.25;
    context.fill();
    context.globalAlpha = 1;
  }
}
