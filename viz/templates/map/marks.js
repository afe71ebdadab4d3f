// The marks of the map: those that have room at the current zoom, sized by their weight.

const MOST = 300; // marks on the screen at once
const AROUND = 60; // pixels around the screen in which marks are ready
const SHRINKS_FROM = 6; // times the scale: at less than a sixth of full size marks shrink
let shownMarks = [];
let shownAt = 0;
let sizedAt = 0;

/** The things that may be labelled. */
const marksNow = () => shownMarks;

/** The size of a mark on the screen in pixels; it shrinks when zoomed far out. */
const onScreen = (node) => node.size * Math.min(1, Math.max(0.55, shownAt * SHRINKS_FROM));

const radius = (node) => onScreen(node) / network.getScale();

/** Return whether a place is in view, or nearly. */
function inSight() {
  const [from, to] = [
    network.DOMtoCanvas({ x: -AROUND, y: -AROUND }),
    network.DOMtoCanvas({ x: stage.clientWidth + AROUND, y: stage.clientHeight + AROUND }),
  ];
  return ({ x, y }) => x > from.x && x < to.x && y > from.y && y < to.y;
}

/** What has marks now: first the thing looked at and those linked to it, then all that has room. */
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

/** Do marks have about the right size for this zoom? */
const isSized = (scale) => scale / sizedAt < 1.6 && sizedAt / scale < 1.6;

const far = (scale) => scale < SECTION_NAMES_UNTIL;

/** Marks keep their size while the view moves, because resizing all of them at each step takes too long. */
function drawnNodes(highlighted) {
  const pixel = 1 / sizedAt;
  return shownMarks.map((node) => nodeStyle(node, highlighted, onScreen(node) * pixel, 1));
}

/** Single links are drawn on the land, not by vis-network, for which both ends would have to be marks. */
function drawnEdges() {
  return [];
}

/** Make new marks at once. */
function refresh() {
  chooseMarks();
  restyle();
}

/** Make new marks while the view moves, as often as the eye needs; resize them once it rests. */
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
