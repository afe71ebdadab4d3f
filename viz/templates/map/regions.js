// The land of the map: sea and coast, sections, chapters and groups, and the bundles between chapters.

const BUNDLES_UNTIL = 1.1; // the scale up to which bundles are drawn: nearer, a chapter fills the view
const GROUPS_FROM = 0.3;
const SECTION_NAMES_UNTIL = 0.62;
const LEAST_REACH = 15; // pixels from the middle of a region to its border from which it is named

/** The outlines of some land as one path, in units of the map. */
function pathOf({ outlines }) {
  return pathFrom(outlines.map((line) => `M${line.join(" ")}Z`).join(""));
}

const TALLEST = 2; // how many times its height the map may be stretched to, on a screen higher than wide

/** Two corners of the box around the map, whose outline extends beyond the things. */
function outermost() {
  const [xs, ys] = [0, 1].map((odd) => page.outline.outlines.flat().filter((_, i) => i % 2 === odd));
  return [Math.min, Math.max].map((most) => ({ x: most(...xs), y: most(...ys) }));
}

/** The share of the width that a view fills; on a small screen, names at the coast stay on the land. */
const filled = () => (small.matches ? 0.98 : 0.86);

/** On a screen that is higher than wide, stretch the map until it fills it, so that rows of names lie farther apart. */
const drawnOut = (() => {
  const [first, last] = outermost();
  const shape = (last.y - first.y) / (last.x - first.x);
  const { clientWidth, clientHeight } = document.getElementById("stage");
  return Math.min(TALLEST, Math.max(1, (0.9 * clientHeight) / clientWidth / shape));
})();

/** Some land, stretched. */
const tall = (region) => ({
  ...region,
  y: region.y * drawnOut,
  outlines: region.outlines.map((line) => line.map((at, i) => (i % 2 ? at * drawnOut : at))),
});

let sections, chapters, coast, paths, bundles, mostLoad;
onData(() => {
  nodes.forEach((node) => (node.y *= drawnOut));
  page.outline = tall(page.outline);
  for (const key of ["sections", "chapters", "groups"]) page[key] = page[key].map(tall);
  ({ sections, chapters } = page);
  coast = pathOf(page.outline);
  paths = {
    sections: sections.map(pathOf),
    chapters: chapters.map(pathOf),
    groups: page.groups.map(pathOf),
  };
  bundles = page.bundles.map(bundleOf);
  mostLoad = bundles[0]?.load ?? 1;
});

/** A bundle bends a little, always the same way, so that several that meet can be told apart. */
function bundleOf([from, to, load], place) {
  const [a, b] = [from, to].map((chapter) => nodes[chapters[chapter].mark] ?? chapters[chapter]);
  const bend = (place % 2 ? 1 : -1) * 0.09;
  const middle = [(a.x + b.x) / 2 + (b.y - a.y) * bend, (a.y + b.y) / 2 - (b.x - a.x) * bend];
  const path = pathFrom(`M${a.x} ${a.y}Q${[...middle, b.x, b.y].join(" ")}`);
  return { path, load, from, to };
}
const land = {};

/** The colour of a section; what is outside of sections has none. */
function sectionColour(place) {
  const unmarked = sections.filter(({ mark }) => mark === null).length;
  return unmarked === 1 && sections.length > 1 && sections[place].mark === null ? "section-none" : `section-${place % 9}`;
}

function readLand() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  Object.assign(land, {
    sea: read("sea"),
    shallow: read("shallow"),
    bundle: read("bundle"),
    ground: Number(read("ground")),
    lot: Number(read("lot")),
    border: Number(read("border")),
    plain: read("section-none"),
    sections: sections.map((_, place) => read(sectionColour(place))),
  });
}

dyed.push(readLand);

/** The colour of a section, in the strength `share`. */
function tint(section, share) {
  return mixed(land.sections[section], share);
}

/** The land of a section in its colour, except where heat is. */
const groundOf = (section) => (isHeated() ? mixed(land.plain, land.ground / 2) : tint(section, land.ground));

function drawSea(context, pixel) {
  const { width, height } = context.canvas;
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = land.sea;
  context.fillRect(0, 0, width, height);
  context.restore();
  context.strokeStyle = land.shallow;
  [22, 11].forEach((wide) => {
    context.globalAlpha = 0.5;
    context.lineWidth = wide * pixel;
    context.stroke(coast);
  });
  context.globalAlpha = 1;
}

function drawSections(context, pixel, looked) {
  paths.sections.forEach((path, place) => {
    context.fillStyle = groundOf(place);
    context.fill(path);
  });
  context.lineWidth = pixel;
  paths.chapters.forEach((path, place) => {
    context.strokeStyle = tint(chapters[place].within, land.lot);
    context.stroke(path);
  });
  context.lineWidth = 1.8 * pixel;
  paths.sections.forEach((path, place) => {
    context.strokeStyle = tint(place, land.border);
    context.stroke(path);
  });
  if (looked < 0) return;
  context.fillStyle = context.strokeStyle = tint(chapters[looked].within, land.border);
  context.globalAlpha = 0.35;
  context.fill(paths.chapters[looked]);
  context.globalAlpha = 1;
  context.stroke(paths.chapters[looked]);
}

function drawGroups(context, pixel) {
  context.setLineDash([5 * pixel, 4 * pixel]);
  context.lineWidth = pixel;
  paths.groups.forEach((path, place) => {
    context.strokeStyle = tint(chapters[page.groups[place].within].within, land.border);
    context.stroke(path);
  });
  context.setLineDash([]);
}

/** Bundles are as wide as what relies across them; when zoomed out, fewer are drawn. */
function drawBundles(context, scale) {
  const least = mostLoad * Math.max(0.002, 0.02 * (0.5 - scale));
  context.strokeStyle = land.bundle;
  context.lineCap = "round";
  context.globalAlpha = 0.4 * Math.min(1, (BUNDLES_UNTIL - scale) * 3);
  for (const { path, load } of bundles) {
    if (load < least) break;
    context.lineWidth = (0.5 + 6.5 * Math.sqrt(load / mostLoad)) / scale ** 0.75;
    context.lineWidth = Math.min(context.lineWidth, 8 / scale);
    context.stroke(path);
  }
  context.globalAlpha = 1;
}

function drawLand(context) {
  const scale = network.getScale();
  const pixel = 1 / scale;
  const looked = lookedChapter();
  context.lineJoin = "round";
  drawSea(context, pixel);
  drawSections(context, pixel, looked);
  if (scale > GROUPS_FROM) drawGroups(context, pixel);
  if (scale < BUNDLES_UNTIL) drawBundles(context, scale);
}

/** The chapter at a place on the map, or -1. */
function chapterAt({ x, y }) {
  const context = stage.querySelector("canvas").getContext("2d");
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  const found = paths.chapters.findIndex((path) => context.isPointInPath(path, x, y));
  context.restore();
  return found;
}

// -- names of regions ------------------------------------------------------------------------------

/** Break a name into lines no wider than the land, unless a word is; widths are shares of the type. */
function brokenTo(width, name, spacing) {
  const rows = [];
  for (const word of name.split(" ")) {
    const longer = rows.length ? `${rows.at(-1)} ${word}` : word;
    if (rows.length && widthOf(longer, BOLD, spacing) <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

const BOLD = "650";

/** The place of a whole name on its land; none if the middle of the land is not in view. */
function inWindow({ x, y }, wide, high, { right, foot }) {
  const [across, down] = [stage.clientWidth - right, stage.clientHeight - foot];
  if (x < 0 || y < 0 || x > across || y > down) return null;
  const kept = (at, length, room) => (length > room ? at : Math.min(Math.max(at, length / 2), room - length / 2));
  return { x: kept(x, wide + 32, across), y: kept(y, high + 16, down) };
}

/** The names of sections (of groups, when one is near), with the box that each takes on the screen. */
function regionNames() {
  const scale = network.getScale();
  const far = scale < SECTION_NAMES_UNTIL;
  const some = [...(far ? sections : page.groups)].sort((a, b) => b.reach - a.reach);
  const room = new Room();
  const hidden = covered();
  return some.flatMap((region) => {
    const reach = region.reach * scale;
    if (reach < LEAST_REACH) return [];
    const size = far ? Math.min(24, Math.max(12, reach * 0.2)) : 13;
    const spacing = far ? 0.12 : 1 / size;
    const name = region.name.replace(/^\d+ /, "").toUpperCase();
    const rows = brokenTo(Math.max(reach * 1.7, 90) / size, name, spacing);
    const wide = size * Math.max(...rows.map((row) => widthOf(row, BOLD, spacing)));
    const high = rows.length * size * 1.15;
    const place = inWindow(network.canvasToDOM(region), wide, high, hidden);
    if (!place) return [];
    const { x, y } = place;
    const box = [x - wide / 2 - 4, y - high / 2 - 2, x + wide / 2 + 4, y + high / 2 + 2];
    if (!room.isFree(box, undefined)) return []; // a larger section has its name there
    room.take(box, region);
    return [{ region, rows, size, x, y, high, box, section: far ? sections.indexOf(region) : chapters[region.within].within }];
  });
}

function drawRegionNames(context, names) {
  context.save();
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { rows, size, x, y, high, section } of names) {
    context.font = `${BOLD} ${size}px ${FONT}`;
    context.letterSpacing = `${size * 0.12}px`;
    context.lineWidth = 4;
    context.strokeStyle = manyHighlighted() ? colours.paper : groundOf(section);
    context.fillStyle = namesColour(section);
    rows.forEach((row, i) => {
      const at = y - high / 2 + (i + 0.5) * size * 1.15;
      context.strokeText(row, x, at);
      context.fillText(row, x, at);
    });
  }
  context.restore();
}

/** The name of a section in its colour, dark (or light) enough to read. */
function namesColour(section) {
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [from, to] = [parts(land.sections[section]), parts(colours.ink)];
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * 0.62)).join(" ")})`;
}
