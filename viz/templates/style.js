// How things look: colours from the style sheet, marks and links in vis-network's form.

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
const MOST_POINTED = 3; // units per pixel from which arrowheads grow no more: links are short then
const DASHES = { note: [7, 4], redirect: [10, 3, 2, 3], renaming: [2, 3], mention: [1, 4] };

let network;
let thin = 1; // how many units of the picture are a pixel when all of it is in view
const nodeSet = new vis.DataSet();
const edgeSet = new vis.DataSet();
const worn = { nodes: new Map(), edges: new Map() };

/** Other code that keeps colours of the style sheet, and reads them again when they change. */
const dyed = [];

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "ink", "soft", "halo", "accent", ...kindOf.keys(), ...linkKindOf.keys()];
  names.forEach((name) => (colours[name] = style.getPropertyValue(`--${name}`).trim()));
  dyed.forEach((read) => read());
}

/** Mix a colour with that of the paper, so that faint things hide the lines below them. */
function mixed(colour, share) {
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [from, to] = [parts(colours.paper), parts(colour)];
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * share)).join(" ")})`;
}

/** What is highlighted: the selected thing and its neighbours; null for nothing. */
function highlightedThings() {
  const id = state.hovered ?? state.selected;
  return id === null ? state.highlighted : within(id);
}

/** The look of a thing; `size` is its radius and `pixel` the width of a thin line, in units of the picture. */
function nodeStyle(node, highlighted, size = node.size, pixel = thin) {
  const colour = colours[node.group];
  const share = highlighted && !highlighted.has(node.id) ? 0.16 : 1;
  const fill = node.loaded ? mixed(colour, node.status ? 0.28 * share : share) : colours.paper;
  const whole = node.loaded && !node.status;
  return {
    id: node.id,
    x: node.x,
    y: node.y,
    shape: node.shape,
    size,
    color: { background: fill, border: whole ? colours.paper : mixed(colour, share) },
    borderWidth: Math.min((whole ? 1 : 1.6) * pixel, size * 0.3),
    shapeProperties: { borderDashes: node.loaded ? false : [3 * pixel, 2 * pixel] },
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
        scaleFactor: near ? (weak ? 0.36 : 0.5) * pixel : 0.34 * Math.min(pixel, MOST_POINTED),
      },
    },
  };
}

/** Update only what looks different, and remove what is no longer drawn; return whether anything changed. */
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

/** Give everything its style; return whether anything looks different. */
function dress() {
  const looked = state.hovered ?? state.selected;
  const nodeChanges = wear(nodeSet, worn.nodes, drawnNodes(highlightedThings()));
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
