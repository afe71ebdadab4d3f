// The shortest chain by which one thing relies on another, and what both rely on, by the page's links.

/** The links by which a thing relies on others, with those of its rule and parts; the strongest first. */
function reliances(id) {
  const rank = (edge) => strength.get(edge.kinds[0]);
  const mine = core(id);
  return [...mine]
    .flatMap((it) => touching[it].filter((edge) => edge.from === it && !mine.has(edge.to)))
    .filter((edge) => edge.kinds.some((kind) => RELIANCE.has(kind)))
    .sort((a, b) => rank(a) - rank(b) || a.id - b.id);
}

/** A rule that is reached stands for the term that it defines, from which the chain goes on. */
function owner(id) {
  const definition = touching[id].find((edge) => edge.to === id && edge.kinds.includes("definition"));
  return definition ? definition.from : id;
}

const drawnAs = (link) => link.kinds.find((kind) => RELIANCE.has(kind));

/** The fewest steps from one thing to another; a mention counts only as the first or the last of them. */
function chain(from, to) {
  const [ended, begun] = [fewest(from, to, (first, last) => last), fewest(from, to, (first) => first)];
  return begun.length && !(ended.length && ended.length <= begun.length) ? begun : ended;
}

/** The fewest steps from one thing to another, with mentions where `mayMention` allows them. */
function fewest(from, to, mayMention) {
  const goal = core(to);
  const before = new Map([[from, null]]);
  let edge = [from];
  while (edge.length) {
    const next = [];
    for (const id of edge)
      for (const link of reliances(id)) {
        const reached = goal.has(link.to) ? to : owner(link.to);
        if (before.has(reached) || (drawnAs(link) === "mention" && !mayMention(id === from, reached === to))) continue;
        before.set(reached, { id, link });
        if (reached === to) return way(before, to);
        next.push(reached);
      }
    edge = next;
  }
  return [];
}

function way(before, to) {
  const steps = [];
  for (let at = to; before.get(at); at = before.get(at).id) steps.unshift({ ...before.get(at), to: at });
  return steps;
}

/** What both rely on, the rarest first, since that says most. */
function common(a, b) {
  const by = (id) => new Map(reliances(id).map((link) => [owner(link.to), link]).reverse());
  const [first, second] = [by(a), by(b)];
  return [...first.keys()]
    .filter((id) => second.has(id) && id !== a && id !== b)
    .sort((x, y) => relyingOn[x] - relyingOn[y] || x - y)
    .map((id) => ({ id, links: [first.get(id), second.get(id)] }));
}

const GROUNDS = 8;

function rowOf(things, how, links) {
  const told = links.map((link) => saying(link.from, link.to));
  const passage = told.find(Boolean)?.passage;
  return {
    things,
    how,
    said: told.filter(Boolean).map(({ said }) => said),
    where: passage ? [page.documents[passage.document], passage.lines[0]] : ["", 0],
  };
}

/** The answer to "why does A rely on B?", in the form in which answers are highlighted. */
function chainAnswer(a, b) {
  wantWords();
  const steps = chain(a, b);
  const grounds = common(a, b).slice(0, GROUNDS);
  return {
    title: `From ${nodes[a].label} to ${nodes[b].label}`,
    form: "chain",
    about: [a, b],
    notes: steps.length ? [] : [`No chain of links leads from ${nodes[a].label} to ${nodes[b].label}.`],
    rows: steps.map(({ id, link, to }) => rowOf([id, to], drawnAs(link), [link])),
    common: grounds.map(({ id, links }) => rowOf([id], "", links)),
  };
}
