// The marks of the map: at each zoom those that have room, as large on the screen as their weight.

const MOST = 300; // marks on the screen at once
const AROUND = 60; // pixels around the screen in which marks are ready
const SHRINKS_FROM = 6; // times the scale: at less than a sixth of full size marks shrink
let shownMarks = [];
let shownAt = 0;
let sizedAt = 0;

/** What may get a name. */
const marksNow = () => shownMarks;

/** How large a mark is on the screen, in pixels: it shrinks when one goes so far that all draws together. */
const onScreen = (node) => node.size * Math.min(1, Math.max(0.55, shownAt * SHRINKS_FROM));

const radius = (node) => onScreen(node) / network.getScale();

/** Tell whether a place is in view, or nearly. */
function inSight() {
  const [from, to] = [
    network.DOMtoCanvas({ x: -AROUND, y: -AROUND }),
    network.DOMtoCanvas({ x: stage.clientWidth + AROUND, y: stage.clientHeight + AROUND }),
  ];
  return ({ x, y }) => x > from.x && x < to.x && y > from.y && y < to.y;
}

/** What is marked now: first what is looked at and what it is linked to, then all that has room. */
function chooseMarks() {
  const scale = network.getScale();
  const inside = inSight();
  const looked = [state.selected, state.hovered].filter((id) => id !== null);
  const marked = state.selected === null && !manyHighlighted() ? [...(state.highlighted ?? [])] : [];
  const told = [...looked.flatMap((id) => [...within(id)]), ...marked];
  const first = new Set(told.filter((id) => inside(nodes[id])));
  const names = far(scale) ? regionNames().map(({ box: taken }) => taken) : [];
  const free = (node) => {
    if (!names.length) return true;
    const { x, y } = network.canvasToDOM(node);
    return !names.some((it) => x > it[0] - 8 && x < it[2] + 8 && y > it[1] - 8 && y < it[3] + 8);
  };
  const rest = nodes.filter(
    (node) => node.least <= scale && !first.has(node.id) && inside(node) && isShown(node) && node.group !== "section" && free(node),
  );
  rest.sort((a, b) => a.least - b.least || a.id - b.id);
  shownAt = scale;
  if (!isSized(scale)) sizedAt = scale;
  shownMarks = [...[...first].map((id) => nodes[id]).filter(isShown), ...rest].slice(0, MOST);
}

/** Are marks about as large as they are to be from so near? */
const isSized = (scale) => scale / sizedAt < 1.6 && sizedAt / scale < 1.6;

const far = (scale) => scale < SECTION_NAMES_UNTIL;

/** Marks are as large as they were when the view last rested: to resize all of them at each step takes too long. */
function drawnNodes(highlighted) {
  const pixel = 1 / sizedAt;
  return shownMarks.map((node) => nodeStyle(node, highlighted, onScreen(node) * pixel, 1));
}

/** Single links are drawn upon the land, not by vis-network, which would need both ends as marks. */
function drawnEdges() {
  return [];
}

/** New marks at once. */
function refresh() {
  chooseMarks();
  restyle();
}

/** New marks while the view moves, not more often than the eye needs; their size once it rests. */
let soon = 0;
let rested = 0;
function follow() {
  clearTimeout(rested);
  rested = setTimeout(() => {
    sizedAt = network.getScale();
    dress();
  }, 220);
  if (soon) return;
  soon = setTimeout(() => {
    soon = 0;
    chooseMarks();
    dress();
    tellPlace();
  }, 90);
}

/** After a jump. */
const settle = () => follow();

function bring(id) {
  const { x, y, least } = nodes[id];
  const scale = Math.min(2, Math.max(least * 1.15, 0.55, network.getScale()));
  move({ position: { x, y }, scale });
}
