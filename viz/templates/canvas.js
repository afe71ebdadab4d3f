// The picture: vis-network draws nodes and links, this file styles them and places the labels.

const stage = document.getElementById("stage");
const colours = {};
const BASE_OPACITY = {
  citation: 0.42,
  note: 0.5,
  definition: 0.5,
  redirect: 0.6,
  renaming: 0.6,
  part: 0.34,
  mention: edges.length < 120 ? 0.45 : 0.2,
};
const DASHES = { note: [7, 4], redirect: [10, 3, 2, 3], renaming: [2, 3], mention: [1, 4] };
const still = matchMedia("(prefers-reduced-motion: reduce)");
const LEAST_RADIUS = 3.5; // of the smallest thing, in pixels, when everything is in view: for small screens
const MOST_NEAR = 1.3; // the scale beyond which a view does not go by itself

let network;
let thin = 1; // how many units of the picture are a pixel when all of it is in view
const nodeSet = new vis.DataSet();
const edgeSet = new vis.DataSet();
const worn = { nodes: new Map(), edges: new Map() };

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "ink", "soft", "halo", "accent", ...kindOf.keys(), ...linkKindOf.keys()];
  names.forEach((name) => (colours[name] = style.getPropertyValue(`--${name}`).trim()));
}

/** Mix a colour into the paper, so that what is faint hides the lines below it. */
function mixed(colour, share) {
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [from, to] = [parts(colours.paper), parts(colour)];
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * share)).join(" ")})`;
}

/** What is in the light: the thing looked at and its neighbours; null when nothing is. */
function lit() {
  const id = state.hovered ?? state.selected;
  return id === null ? null : neighbours(id).add(id);
}

function nodeStyle(node, light) {
  const colour = colours[node.group];
  const share = light && !light.has(node.id) ? 0.16 : 1;
  const fill = node.loaded ? mixed(colour, node.status ? 0.28 * share : share) : colours.paper;
  const whole = node.loaded && !node.status;
  return {
    id: node.id,
    x: node.x,
    y: node.y,
    shape: node.shape,
    size: node.size,
    color: { background: fill, border: whole ? colours.paper : mixed(colour, share) },
    borderWidth: Math.min((whole ? 1 : 1.6) * thin, node.size * 0.3),
    shapeProperties: { borderDashes: node.loaded ? false : [3 * thin, 2 * thin] },
  };
}

function edgeStyle(edge, looked) {
  const kind = drawnKind(edge);
  const near = looked !== null && (edge.from === looked || edge.to === looked);
  const weak = kind === "mention";
  const opacity =
    looked === null ? BASE_OPACITY[kind] : near ? (weak ? 0.7 : 0.95) : BASE_OPACITY[kind] * 0.16;
  const pixel = near && network ? 1 / network.getScale() : thin;
  return {
    id: edge.id,
    from: edge.from,
    to: edge.to,
    color: { color: colours[kind], opacity },
    width: (near ? (weak ? 1.2 : 1.8) : kind === "definition" ? 1.5 : 1) * pixel,
    dashes: DASHES[kind] ? DASHES[kind].map((length) => length * pixel) : false,
    arrows: {
      to: {
        enabled: kind !== "part" && (near || !weak),
        scaleFactor: (near ? (weak ? 0.36 : 0.5) : 0.34) * pixel,
      },
    },
  };
}

/** Update only what looks different from before, and take out what is drawn no more; tell if any was. */
function wear(set, before, styles) {
  const now = new Map(styles.map((style) => [style.id, JSON.stringify(style)]));
  const gone = [...before.keys()].filter((id) => !now.has(id));
  const changed = styles.filter((style) => before.get(style.id) !== now.get(style.id));
  if (gone.length) set.remove(gone);
  if (changed.length) set.update(changed);
  gone.forEach((id) => before.delete(id));
  changed.forEach(({ id }) => before.set(id, now.get(id)));
  return gone.length + changed.length > 0;
}

function drawnEdges(looked) {
  return edges.filter((edge) => isDrawn(edge, looked)).map((edge) => edgeStyle(edge, looked));
}

function drawnNodes(light) {
  return nodes.filter(isShown).map((node) => nodeStyle(node, light));
}

/** Give everything its style; tell whether anything looks different from before. */
function dress() {
  const looked = state.hovered ?? state.selected;
  const nodeChanges = wear(nodeSet, worn.nodes, drawnNodes(lit()));
  const edgeChanges = wear(edgeSet, worn.edges, drawnEdges(looked));
  return nodeChanges || edgeChanges;
}

let due = false;
function restyle() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    if (!dress()) network.redraw(); // changed data draw themselves
  });
}

// -- view ------------------------------------------------------------------------------------------

function viewAround(ids) {
  const places = ids.map((id) => nodes[id]);
  if (!places.length) return { position: { x: 0, y: 0 }, scale: 1 };
  const [xs, ys] = [places.map((place) => place.x), places.map((place) => place.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = Math.max(stage.clientWidth * 0.86 - 40, 80) / Math.max(right - left, 1);
  const down = Math.max(stage.clientHeight * 0.94 - 60, 80) / Math.max(bottom - top, 1);
  return {
    position: { x: (left + right) / 2, y: (top + bottom) / 2 },
    scale: Math.min(across, down, MOST_NEAR),
  };
}

function move(view, animate = true) {
  const animation = animate && !still.matches ? { duration: 380, easingFunction: "easeInOutCubic" } : false;
  network.moveTo({ ...view, animation });
}

function shownIds() {
  return nodes.filter(isShown).map((node) => node.id);
}

function fit(animate = true) {
  move(viewAround(shownIds()), animate);
}

function zoom(factor) {
  const scale = Math.min(4, Math.max(0.05, network.getScale() * factor));
  move({ position: network.getViewPosition(), scale });
}

/** Bring one thing into view together with what it is linked to. */
function bring(id) {
  const view = viewAround([id, ...neighbours(id)]);
  move({ ...view, scale: Math.min(view.scale, 2 * viewAround(shownIds()).scale) });
}

function isInView(id) {
  const { x, y } = network.canvasToDOM(nodes[id]);
  return x > 30 && y > 30 && x < stage.clientWidth - 30 && y < stage.clientHeight - 30;
}

// -- marks ---------------------------------------------------------------------------------------

function drawHalo(context) {
  for (const id of [state.selected, state.hovered]) {
    if (id === null || !isShown(nodes[id])) continue;
    const { x, y } = nodes[id];
    const near = 1 / network.getScale();
    context.beginPath();
    context.arc(x, y, nodes[id].size + 7 * near, 0, 2 * Math.PI);
    context.globalAlpha = 0.22;
    context.fillStyle = colours[nodes[id].group];
    context.fill();
    context.globalAlpha = 1;
    if (id === state.selected) {
      context.lineWidth = 2 * near;
      context.strokeStyle = colours[nodes[id].group];
      context.stroke();
    }
  }
}

function drawMarks(context, light) {
  context.lineWidth = 1.6 * thin;
  nodes.forEach((node) => {
    if (node.status !== "obsolete" || !isShown(node)) return;
    const { x, y } = node;
    const reach = node.size * 1.05;
    context.strokeStyle = mixed(colours[node.group], light && !light.has(node.id) ? 0.16 : 1);
    context.beginPath();
    context.moveTo(x - reach, y + reach);
    context.lineTo(x + reach, y - reach);
    context.stroke();
  });
}

// -- set-up ----------------------------------------------------------------------------------------

/** On a screen that is higher than wide the picture stands on its side. */
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
  stage.querySelector(".vis-network").tabIndex = -1; // the stage itself is what keys go to
  network.on("beforeDrawing", drawHalo);
  network.on("afterDrawing", (context) => {
    const light = lit();
    drawMarks(context, light);
    drawLabels(context, light);
  });
  network.on("zoom", restyle);
  network.on("animationFinished", restyle);
  network.on("dragging", ({ nodes: ids }) =>
    ids.forEach((id) => Object.assign(nodes[id], network.getPosition(id))),
  );
  network.once("afterDrawing", () => requestAnimationFrame(() => performance.mark("rulesgraph:drawn")));
  fit(false);
}
