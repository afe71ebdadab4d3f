// The map as a picture: land below, names above, and a line that says where you are.

const place = el("p", { id: "place" });
const DIMMED = 0.5; // of the names of the land, while something else is highlighted

/** The thing nearest to the middle of the view. */
function middleThing() {
  const { x, y } = middleOfView();
  let best = null;
  for (const node of nodes) {
    if (node.gone) continue;
    const far = (node.x - x) ** 2 + (node.y - y) ** 2;
    if (!best || far < best.far) best = { node, far };
  }
  return best.node;
}

/** Say where you are: the section and, when zoomed in, the chapter. */
function tellPlace() {
  const scale = network.getScale();
  const middle = middleThing();
  const chapter = chapters[middle.chapter];
  const section = chapter ? sections[chapter.within] : sections.find(({ mark }) => mark === middle.id);
  const names = [section?.name, chapter && chapter.name !== section.name && chapter.name].filter(Boolean);
  place.textContent = far(scale) ? "" : names.join(" › ");
  Object.assign(stage.dataset, { scale, marks: shownMarks.length, middle: middle.label });
}

/** The room for the line that says where you are, beneath which nothing is named. */
function placeBox() {
  const { offsetLeft: x, offsetTop: y, offsetWidth: wide, offsetHeight: high } = place;
  return wide ? [[x, y, x + wide, y + high]] : [];
}

function drawOver(context) {
  const highlighted = highlightedThings();
  const taken = [...drawSteps(context), ...placeBox(), ...boxesUpon().map(({ box: it }) => it)];
  const ratio = context.canvas.width / stage.clientWidth;
  const names = regionNames();
  const put = (some, strength) => {
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = strength;
    drawRegionNames(context, some);
    context.restore();
  };
  if (!highlighted || manyHighlighted()) {
    put(names, 1);
    drawLabels(context, highlighted, [...names.map(({ box: it }) => it), ...taken]);
  } else {
    // Highlighted things get their names first; names of the land get the remaining room, and are dimmed.
    const labels = drawLabels(context, highlighted, taken);
    put(names.filter(({ box: it }) => labels.isFree(it, undefined)), DIMMED);
  }
}

function draw() {
  readColours();
  network = new vis.Network(stage, { nodes: nodeSet, edges: edgeSet }, page.options);
  stage.querySelector(".vis-network").tabIndex = -1; // the stage itself gets the keys
  if (page.times) setUpTime();
  fit(false);
  chooseMarks();
  dress();
  network.on("beforeDrawing", (context) => {
    drawLand(context);
    drawVeil(context);
    drawHeat(context);
    drawArcs(context);
    drawLights(context);
    if (page.times) drawFlight(context);
    drawHalo(context);
  });
  network.on("initRedraw", () => !isSized(network.getScale()) && follow()); // a flight only reports its end
  network.on("afterDrawing", drawOver);
  network.on("zoom", follow);
  network.on("dragging", follow);
  network.on("dragEnd", follow);
  network.on("animationFinished", follow);
  network.on("resize", follow);
  network.once("afterDrawing", () => requestAnimationFrame(() => performance.mark("rulesgraph:drawn")));
  stage.append(place);
  tellPlace();
  if (page.answer && location.hash.length < 2) highlight(page.answer);
  network.redraw();
}

/** To open what is linked to a thing, select the thing: then it has marks, wherever it is. */
const opens = () => {};

/** A double click centres a thing. */
function moveTo(id) {
  select(id);
  bring(id);
}

/** What a click selects: a mark or, if nothing is selected, the section by its name or the chapter by its land. */
function clicked(id, { x, y }) {
  if (id !== null || state.selected !== null) return id;
  const named = far(network.getScale())
    ? regionNames().find(({ box: it }) => x > it[0] && x < it[2] && y > it[1] && y < it[3])
    : undefined;
  return (named ? named.region : chapters[chapterAt(network.DOMtoCanvas({ x, y }))])?.mark ?? null;
}
