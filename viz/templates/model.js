// The content of the page and what of it is shown: nodes, links and their neighbours, but no drawing.

const page = JSON.parse(document.getElementById("data").textContent);
const USUAL = { names: [], status: "", loaded: true, number: "", passages: [], past: [] };
const kindOf = new Map(page.kinds.map((kind) => [kind.key, kind]));
const linkKindOf = new Map(page.linkKinds.map((kind) => [kind.key, kind]));
const nodes = page.nodes.map((node) => ({ ...USUAL, ...node }));
let edges;
let touching;
let byKey;
const readers = [];

/** Read the page's data, now and whenever they change (if it has several editions, it shows one at a time). */
function onData(read) {
  readers.push(read);
  read();
}

const state = {
  selected: null,
  hovered: null,
  depth: 1,
  highlighted: null,
  answer: null,
  revealed: new Set(), // the shown part of the reserve
  opened: new Set(), // things whose neighbours in the reserve are shown
  around: null, // the thing that a graph was moved to, or null: it shows what it opened with
  steps: null, // then the distance of everything from it, in steps
  kinds: new Set(kindOf.keys()),
  links: new Set(linkKindOf.keys()),
};

/** A link of a map; all links are drawn only at the thing being looked at. */
function linkOf([from, to, ...kinds], id) {
  return { id, from, to, kinds: kinds.map((kind) => page.linkKinds[kind].key), faint: true };
}

/** Replace the things of one edition by those of another; `gone` is what the new one lacks. */
function wearTime(time) {
  nodes.forEach((node) => (node.gone = true));
  for (const data of time.nodes) {
    const { shape } = kindOf.get(data.group);
    const key = data.key ?? `edition/${time.edition}/rule/${data.number}`;
    Object.assign(nodes[data.id], USUAL, data, { gone: false, shape, key, iri: page.base + key });
  }
  wearWords(time);
  const bit = 1 << (page.times.length - 1 - page.times.indexOf(time));
  page.links = page.shared.filter(([held]) => held & bit).map(([, ...link]) => link);
  for (const key of ["note", "title", "documents", "outline", "sections", "chapters", "groups", "bundles", "answer"])
    page[key] = time[key];
  page.total = time.nodes.length;
  page.edition = time === page.times.at(-1) ? "" : time.edition; // the newest is as usual
}

/** Give the things of an edition their passages from the texts that all editions share. */
function wearWords(time) {
  for (const { id, passages = [] } of time.nodes)
    nodes[id].passages = passages
      .filter(() => page.texts)
      .map(([text, kind, number, document, first, last, by, key]) => ({
        ...{ kind, number, document, by, key, lines: [first, last], pieces: page.texts[text] },
      }));
}

if (page.times) wearTime(page.times.at(-1));
onData(() => {
  edges = page.edges ?? page.links.map(linkOf);
  byKey = new Map(nodes.filter((node) => !node.gone).map((node) => [node.key, node.id]));
  touching = nodes.map(() => []);
  edges.forEach((edge) => {
    touching[edge.from].push(edge);
    touching[edge.to].push(edge);
  });
});

/** The kind in which a link is drawn: its strongest kind that is switched on, or none. */
function drawnKind(edge) {
  return edge.kinds.find((kind) => state.links.has(kind));
}

/** Is a thing in the picture, if its kind is switched on? */
function isHere({ id, gone, reserve }) {
  return !gone && ((state.steps ? state.steps.has(id) : !reserve) || state.revealed.has(id));
}

function isShown(node) {
  return state.kinds.has(node.group) && isHere(node);
}

/** Is a link switched on, with both ends in the picture? */
function isOn(edge) {
  return drawnKind(edge) !== undefined && isShown(nodes[edge.from]) && isShown(nodes[edge.to]);
}

/** Is a link drawn while a thing is looked at? Faint ones are only drawn at that thing. */
function isDrawn(edge, looked) {
  return isOn(edge) && (!edge.faint || edge.from === looked || edge.to === looked);
}

function otherEnd(edge, id) {
  return edge.from === id ? edge.to : edge.from;
}

/** The ids of the things linked to a thing. */
function neighbours(id) {
  return new Set(touching[id].filter(isOn).map((edge) => otherEnd(edge, id)));
}

/** The ids of the linked things that are in the page but not yet in the picture. */
function waiting(id) {
  const ids = touching[id].filter(drawnKind).map((edge) => otherEnd(edge, id));
  return [...new Set(ids)].filter((other) => !isShown(nodes[other]) && state.kinds.has(nodes[other].group) && !nodes[other].gone);
}

/** Also show what is linked to some things. */
function openAround(ids) {
  for (const id of ids) {
    state.opened.add(id);
    waiting(id).forEach((other) => state.revealed.add(other));
  }
}

const EXPLICIT = new Set(["citation", "note", "definition", "redirect", "renaming", "part"]);

/** How many steps each thing is away over links that can be followed; mentions count only as the first step. */
function stepsAway(id, deepest, isPassed) {
  const steps = new Map([[id, 0]]);
  let edge = [id];
  for (let step = 1; step <= deepest; step += 1) {
    const next = [];
    for (const from of edge)
      for (const link of touching[from].filter(isPassed)) {
        const other = otherEnd(link, from);
        if (steps.has(other) || (step > 1 && !EXPLICIT.has(drawnKind(link)))) continue;
        steps.set(other, step);
        next.push(other);
      }
    edge = next;
  }
  return steps;
}

/** Make an element; text is always text, never markup. */
function el(name, attributes = {}, ...children) {
  const it = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") it.addEventListener("click", value);
    else if (value !== undefined && value !== false) it.setAttribute(key, value);
  }
  return fill(it, ...children);
}

/** Replace the children of an element; children that are false or empty are left out. */
function fill(it, ...children) {
  it.replaceChildren(...children.filter((child) => child || child === 0));
  return it;
}

function svg(name, attributes, ...children) {
  const it = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => it.setAttribute(key, value));
  it.append(...children);
  return it;
}

const OUTLINES = {
  dot: "M8 2a6 6 0 1 0 .001 0z",
  square: "M2.7 2.7h10.6v10.6H2.7z",
  diamond: "M8 1.2 14.8 8 8 14.8 1.2 8z",
  hexagon: "M4.6 2.2h6.8L14.8 8l-3.4 5.8H4.6L1.2 8z",
  triangle: "M8 1.8 14.6 13.2H1.4z",
};

/** A small picture of a kind of thing, in the shape of its mark. */
function icon(group, { loaded = true, status = "" } = {}) {
  const colour = `var(--${group})`;
  const outline = svg("path", {
    d: OUTLINES[kindOf.get(group).shape],
    fill: loaded ? colour : "none",
    "fill-opacity": status ? 0.25 : 1,
    stroke: colour,
    "stroke-width": loaded && !status ? 0 : 1.6,
    "stroke-dasharray": loaded ? "none" : "2.6 1.8",
    "stroke-linejoin": "round",
  });
  const strike =
    status === "obsolete"
      ? [svg("path", { d: "M1.5 14.5 14.5 1.5", stroke: colour, "stroke-width": 1.6 })]
      : [];
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, outline, ...strike);
}

/** `1 thing`, `2 things`. */
function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function say(words) {
  document.getElementById("live").textContent = words;
}
