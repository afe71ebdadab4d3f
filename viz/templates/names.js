// Names as on a map: always of the same size on the screen, the weightiest first, without overlaps.

const MUST_BE_NAMED = 16; // the weightiest things get a label over themselves if there is no room beside them
const AWAY = 9; // pixels between a label and other marks if possible: so that it is nearest to its own
const MARGIN = 6; // pixels between a name and the edge of the stage
const RING = 5; // pixels of the ring around the selection
const LEADING = 1.18; // the distance of lines, in sizes of the type
const FONT = getComputedStyle(document.body).fontFamily;

/** Break a long label into two lines of about the same length. */
function lines(label) {
  if (label.length <= 20) return [label];
  const words = label.split(" ");
  let best = [label];
  for (let at = 1; at < words.length; at += 1) {
    const pair = [words.slice(0, at).join(" "), words.slice(at).join(" ")];
    if (Math.max(...pair.map((line) => line.length)) < Math.max(...best.map((line) => line.length)))
      best = pair;
  }
  return best.map((line) => (line.length > 40 ? `${line.slice(0, 39)}…` : line));
}

const MEASURED = 100; // pixels of the type in which names are measured once: widths in other sizes are proportional
const ruler = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** The width of words as a share of the size of their type; `face` is its style and weight. */
function widthOf(words, face, spacing = 0) {
  const key = `${face} ${spacing} ${words}`;
  if (!widths.has(key)) {
    ruler.font = `${face} ${MEASURED}px ${FONT}`;
    ruler.letterSpacing = `${spacing * MEASURED}px`;
    widths.set(key, ruler.measureText(words).width / MEASURED);
  }
  return widths.get(key);
}

const broken = new Map();

/** The lines of a name, and the room that they take in a type. */
function measure({ label }, face, size) {
  if (!broken.has(label)) broken.set(label, lines(label));
  const rows = broken.get(label);
  const width = size * Math.max(...rows.map((row) => widthOf(row, face)));
  return { rows, width, height: rows.length * size * LEADING };
}

/** Boxes in a coarse grid, to see whether another one has room. */
class Room {
  cells = new Map();

  *around(box) {
    for (let x = Math.floor(box[0] / 80); x <= Math.floor(box[2] / 80); x += 1)
      for (let y = Math.floor(box[1] / 40); y <= Math.floor(box[3] / 40); y += 1) yield `${x},${y}`;
  }

  isFree(box, self) {
    for (const cell of this.around(box))
      for (const [other, id] of this.cells.get(cell) ?? [])
        if (id !== self && box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])
          return false;
    return true;
  }

  take(box, id) {
    for (const cell of this.around(box)) {
      if (!this.cells.has(cell)) this.cells.set(cell, []);
      this.cells.get(cell).push([box, id]);
    }
  }
}

const lastSide = new Map();

/** Places for a label beside its node: below, right, left, above, then diagonally; its last place first. */
function sides(id, x, y, reach, { width, height }) {
  const gap = reach + 4;
  const askew = reach * 0.7 + 3;
  const all = [
    [x - width / 2, y + gap],
    [x + gap, y - height / 2],
    [x - gap - width, y - height / 2],
    [x - width / 2, y - gap - height],
    [x + askew, y + askew],
    [x - askew - width, y + askew],
    [x + askew, y - askew - height],
    [x - askew - width, y - askew - height],
  ];
  const last = lastSide.get(id) ?? 0;
  return [[last, all[last]], ...all.entries()];
}

/** The highlighted things in view, with their places on the screen, the weightiest first. */
function inView(highlighted, looked) {
  const scale = network.getScale();
  const { clientWidth: wide, clientHeight: high } = stage;
  const weight = ({ node }) => (node.id === looked ? 1000 : node.id === page.focus ? 500 : node.size);
  return marksNow()
    .filter(isShown)
    .map((node) => ({
      node,
      reach: radius(node) * scale,
      dim: highlighted !== null && !highlighted.has(node.id),
      ...network.canvasToDOM(node),
    }))
    .filter(({ x, y }) => x > -80 && y > -40 && x < wide + 80 && y < high + 40)
    .sort((a, b) => weight(b) - weight(a) || a.node.id - b.node.id);
}

/** Draw labels, the most relied upon first, without overlapping each other or what is `taken`; return where. */
function drawLabels(context, highlighted, taken = []) {
  const { clientWidth: wide, clientHeight: high } = stage;
  const ratio = context.canvas.width / wide;
  const looked = state.hovered ?? state.selected;
  const things = inView(highlighted, looked);
  const [discs, labels] = [new Room(), new Room()];
  taken.forEach((box) => labels.take(box, null));
  const bright = things.filter(({ dim }) => !dim);
  bright.forEach(({ node, x, y, reach }) =>
    discs.take([x - reach * 0.8, y - reach * 0.8, x + reach * 0.8, y + reach * 0.8], node.id),
  );
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  bright.forEach(({ node, x, y, reach }, rank) => {
    const strong = node.id === looked || node.id === page.focus;
    let size = strong ? 14 : Math.min(14, 10.5 + reach / 7);
    const isHeavy = strong || (!highlighted && rank < Math.min(MUST_BE_NAMED, bright.length / 10));
    const face = `${node.status ? "italic " : ""}${isHeavy ? 600 : 400}`;
    let block = measure(node, face, size);
    if (strong && block.width > wide - 2 * MARGIN) {
      size *= (wide - 2 * MARGIN) / block.width;
      block = measure(node, face, size);
    }
    const isFree =
      (room) =>
      ([, [left, top]]) =>
        room.isFree([left - 3, top - 1, left + block.width + 3, top + block.height + 1], node.id);
    const isOwn = ([, [left, top]]) =>
      discs.isFree([left - AWAY, top - AWAY, left + block.width + AWAY, top + block.height + AWAY], node.id);
    const isInside = ([, [left, top]]) =>
      left > MARGIN &&
      top > MARGIN &&
      left + block.width < wide - MARGIN &&
      top + block.height < high - MARGIN;
    const places = sides(node.id, x, y, reach + (strong ? RING : 0), block).filter((place) => strong || isInside(place));
    const own = [lastSide.get(node.id) ?? 0, [x - block.width / 2, y - block.height / 2]];
    const mustBe = rank < MUST_BE_NAMED && reach > 10 && isInside(own) && isFree(labels)(own) ? own : undefined;
    const free = places.filter((place) => isFree(labels)(place) && isFree(discs)(place));
    const chosen = free.find(isOwn) ?? free[0] ?? (strong ? places[0] : mustBe);
    if (!chosen) return;
    const [side, [aside, top]] = chosen;
    // The selection keeps its name wherever it is, or at least within the stage.
    const left = strong ? Math.max(MARGIN, Math.min(aside, wide - MARGIN - block.width)) : aside;
    lastSide.set(node.id, side);
    labels.take([left, top, left + block.width, top + block.height], node.id);
    context.font = `${face} ${size}px ${FONT}`;
    context.strokeStyle = colours.halo;
    context.lineWidth = 3.5;
    block.rows.forEach((row, i) => {
      const at = [row, left + block.width / 2, top + (i + 0.5) * size * LEADING];
      context.strokeText(...at);
      context.fillStyle = node.status || !node.loaded ? colours.soft : colours.ink;
      context.fillText(...at);
    });
  });
  context.restore();
  return labels;
}
