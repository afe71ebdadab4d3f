// The address of a view: `#thing&to=other&around=thing&open=thing,…&depth=2&without=rule,mention`, without usual values.

const DEPTH = 1;

/** A key in the form for an address, where "&" separates its parts. */
function addressed(key) {
  return encodeURI(key).replaceAll("&", "%26").replaceAll("#", "%23");
}

/** The address of the selection, and of what is switched off. */
function addressOf(id, to = null) {
  const off = [...kindOf.keys(), ...linkKindOf.keys()].filter(
    (key) => !state.kinds.has(key) && !state.links.has(key),
  );
  const pieces = [
    id === null ? "" : addressed(nodes[id].key),
    to !== null && `to=${addressed(nodes[to].key)}`,
    state.around !== null && `around=${addressed(nodes[state.around].key)}`,
    state.opened.size > 0 && `open=${[...state.opened].map((it) => addressed(nodes[it].key)).join(",")}`,
    state.depth !== DEPTH && `depth=${state.depth}`,
    page.times && page.edition && `edition=${page.edition}`,
    off.length && `without=${off.join(",")}`,
  ].filter((piece, i) => piece || !i);
  return pieces.length > 1 || pieces[0] ? `#${pieces.join("&")}` : location.pathname + location.search;
}

/** What an address contains: the key of a thing, and its parameters. */
function readAddress() {
  const [first = "", ...rest] = location.hash.slice(1).split("&");
  const said = Object.fromEntries(rest.map((piece) => piece.split("=", 2)));
  const read = (text = "") => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // not well-formed: nothing has this key
    }
  };
  const { depth = DEPTH, open = "" } = said;
  return {
    ...{ key: read(first), to: read(said.to), around: read(said.around), edition: read(said.edition) },
    ...{ open: open.split(",").map(read), depth: Number(depth), off: read(said.without).split(",") },
  };
}

/** Switch kinds and depth as in the address. */
function wearAddress() {
  const { depth, off, around, open } = readAddress();
  state.depth = Number.isInteger(depth) && depth >= 0 && depth <= DEEPEST ? depth : DEPTH;
  for (const [set, all] of [
    [state.kinds, kindOf],
    [state.links, linkKindOf],
  ])
    for (const key of all.keys()) {
      if (off.includes(key)) set.delete(key);
      else set.add(key);
      const input = document.getElementById(`${set === state.kinds ? "kind" : "link"}-${key}`);
      if (input) input.checked = set.has(key);
    }
  state.around = byKey.get(around) ?? null;
  restep();
  state.revealed.clear();
  state.opened.clear();
  openAround(open.map((key) => byKey.get(key)).filter((id) => id !== undefined));
}

const DEEPEST = 3;

/** What this page shows around the thing to which the graph moved. */
function restep() {
  state.steps = state.around === null ? null : stepsAway(state.around, state.depth, drawnKind);
}

/** Update the address after a switch, without a step to go back to. */
function keepAddress() {
  history.replaceState(null, "", addressOf(state.selected));
}
