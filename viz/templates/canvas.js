// The picture of a part of the graph: vis-network draws nodes and links, this file selects and marks them.

const LEAST_RADIUS = 3.5; // of the smallest thing, in pixels, when everything is in view: for small screens

/** The things that may be labelled. */
const marksNow = () => nodes;

const radius = (node) => node.size;

/** The things highlighted together with a thing. */
const within = (id) => neighbours(id).add(id);

const refresh = () => restyle();

/** After a jump. */
const settle = () => restyle();

/** Select the search result that was picked. */
const picked = (id) => select(id, { move: true });

const endChain = () => {}; // only the map has chains

/** Move the graph to a thing, so that only its surroundings are shown; without one, show what it opened with. */
function moveTo(id, depth = DEPTH) {
  Object.assign(state, { around: id, depth });
  state.revealed.clear();
  state.opened.clear();
  restep();
  const chosen = id ?? state.selected;
  history.pushState(null, "", addressOf(chosen));
  apply(chosen, false);
  requestAnimationFrame(() => fit());
}

/** A choice of how far around a thing the graph goes, and the way back. */
function moreAbout(id) {
  const isMiddle = state.around === id;
  const button = (words, does) => el("button", { type: "button", id: "middle", onclick: does }, words);
  return el(
    "div",
    { class: "more" },
    depthSlider("Links around it", isMiddle ? state.depth : DEPTH, (depth) => {
      if (!isMiddle) return moveTo(id, depth);
      state.depth = depth;
      restep();
      keepAddress();
      showCount();
      refresh();
      fit();
    }),
    isMiddle ? button("Show everything again", () => moveTo(null)) : button("Show only its neighbourhood", () => moveTo(id)),
  );
}

/** What a click opens besides selecting. */
const opens = (id) => openAround([id]);

/** Every address in a graph is that of a thing. */
const isElsewhere = () => false;

/** What a click selects: the thing under it, or nothing. */
const clicked = (id) => id;

/** What extends beyond the things: nothing. */
const outermost = () => [];

/** The share of the width that a view fills, since names are beside the outermost things. */
const filled = () => 0.86;

function drawnEdges(looked) {
  return edges.filter((edge) => isDrawn(edge, looked)).map((edge) => edgeStyle(edge, looked));
}

function drawnNodes(highlighted) {
  return nodes.filter(isShown).map((node) => nodeStyle(node, highlighted));
}

/** Bring a thing into view together with those it is linked to. */
function bring(id) {
  const view = viewAround([id, ...neighbours(id)]);
  move({ ...view, scale: Math.min(view.scale, 2 * viewAround(shownIds()).scale) });
}

function drawHalo(context) {
  const middle = state.around ?? page.focus ?? null;
  for (const id of new Set([state.selected, state.hovered, middle])) {
    if (id === null || !isShown(nodes[id])) continue;
    const { x, y } = nodes[id];
    const near = 1 / network.getScale();
    context.beginPath();
    context.arc(x, y, nodes[id].size + 7 * near, 0, 2 * Math.PI);
    context.globalAlpha = 0.22;
    context.fillStyle = colours[nodes[id].group];
    context.fill();
    context.globalAlpha = 1;
    if (id === state.selected || id === middle) {
      context.lineWidth = 2 * near;
      context.strokeStyle = colours[nodes[id].group];
      context.stroke();
    }
  }
}

function drawMarks(context, highlighted) {
  context.lineWidth = 1.6 * thin;
  nodes.forEach((node) => {
    if (node.status !== "obsolete" || !isShown(node)) return;
    const { x, y } = node;
    const reach = node.size * 1.05;
    context.strokeStyle = mixed(colours[node.group], highlighted && !highlighted.has(node.id) ? 0.16 : 1);
    context.beginPath();
    context.moveTo(x - reach, y + reach);
    context.lineTo(x + reach, y - reach);
    context.stroke();
  });
}

// -- set-up ----------------------------------------------------------------------------------------

/** On a screen that is higher than wide, turn the picture by 90 degrees. */
function turnToScreen() {
  if (stage.clientHeight > 1.2 * stage.clientWidth)
    nodes.forEach((node) => ([node.x, node.y] = [node.y, node.x]));
}

function draw() {
  readColours();
  turnToScreen();
  thin = 1 / Math.min(1, Math.max(0.2, viewAround(shownIds()).scale));
  const smallest = Math.min(...nodes.map((node) => node.size));
  const growth = Math.min(2.5, Math.max(1, (LEAST_RADIUS * thin) / smallest));
  nodes.forEach((node) => (node.size *= growth));
  dress();
  network = new vis.Network(stage, { nodes: nodeSet, edges: edgeSet }, page.options);
  stage.querySelector(".vis-network").tabIndex = -1; // the stage itself gets the keys
  network.on("beforeDrawing", drawHalo);
  network.on("afterDrawing", (context) => {
    const highlighted = highlightedThings();
    drawMarks(context, highlighted);
    drawLabels(context, highlighted, boxesUpon().map(({ box: it }) => it));
  });
  network.on("zoom", restyle);
  network.on("animationFinished", restyle);
  network.on("dragging", ({ nodes: ids }) =>
    ids.forEach((id) => Object.assign(nodes[id], network.getPosition(id))),
  );
  network.once("afterDrawing", () => requestAnimationFrame(() => performance.mark("rulesgraph:drawn")));
  fit(false);
}
