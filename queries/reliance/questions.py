"""Answer the questions about reliance: what relies on what, in how many steps, and in which sentence.

A relies on B directly if the body of A cites the rule that defines B or a part of it, refers to B in a note,
or names B. (A body is an entry together with the rule that defines its term, see `Bodies`.) Further steps
follow explicit links only. Rows are sorted by steps; by strength: citation, note, mention in the entry,
mention in the rule; by the number of links; and by name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from ..evidence.links import Link, Quotation
from ..session import Answer, Session
from .levels import EXPLICIT, Reach, Reached
from .network import Network
from .walk import NaturalKey, Walk, cells_of, natural, resolved


def relied_on_by_term(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return what a thing relies on: name, kind, steps, link, quote, document, line, through.

    The quote is that of the link that leads to this row's thing.
    """
    return relied_on(Walk(session, resolved(session, given, edition), reach))


def relied_on(walk: Walk) -> Answer:
    """Return what the start of a walk relies on, with the columns of `relied_on_by_term`."""
    reached = walk.forward(walk.nodes(walk.things[0]))
    chosen = walk.evidence(reached.values())
    rows = []
    for it in sorted(reached.values(), key=lambda it: _strongest_first(walk, it, chosen)):
        link, said = chosen[it.iri]
        before = it.before[link]
        through = walk.label(before.iri) if before else None
        kind = "term" if walk.is_term(it.iri) else "rule"
        rows.append((walk.label(it.iri), kind, it.steps, it.kind, *cells_of(said), through))
    columns = ("name", "kind", "steps", "link", "quote", "document", "line", "through")
    return walk.answer("relied_on_by_term", columns, rows)


def _relying(
    session: Session,
    given: Sequence[str],
    edition: str | None = None,
    reach: Reach | None = None,
    *,
    terms: bool,
) -> Answer:
    asked = reach or Reach()
    # Walk farther than requested, to say how many more there are.
    further = asked._replace(steps=asked.steps and max(asked.steps, _TOLD))
    return relying(Walk(session, resolved(session, given[:1], edition), further), asked, terms=terms)


terms_relying_on = partial(_relying, terms=True)
"""Return the terms that rely on a thing: term, steps, link, quote, document, line, through."""

rules_relying_on = partial(_relying, terms=False)
"""Return the rules that rely on a thing: rule, steps, link, quote, document, line, through."""


def relying(walk: Walk, reach: Reach, *, terms: bool) -> Answer:
    """Return the terms, or the rules, that rely on the start of a walk, as far as `reach` allows.

    If the walk goes farther, the notes say how many more there are.
    """
    thing = walk.things[0]
    nodes = walk.nodes(thing)
    reached = [it for it in walk.backward(nodes).values() if walk.is_term(it.iri) == terms]
    what = "term" if terms else "rule"
    if thing.kind == "rule":
        # A question about a rule by its number should mention that its name would find more.
        for term in walk.defined_by(thing):
            walk.notes.append(f"{thing.name} defines {term}. If you ask by name, mentions count too.")
    walk.notes += _further(reached, reach, what)
    asked = [it for it in reached if reach.allow(it.steps)]
    firsts = {it.iri: _first(it) for it in asked}
    chosen = walk.evidence([*asked, *(it for it, _ in firsts.values())])
    walk.learn_labels(node for _, node in firsts.values() if node)
    rows = []
    for it in sorted(asked, key=lambda it: _strongest_first(walk, it, chosen)):
        nearest, through = firsts[it.iri]
        said = chosen[nearest.iri][1]
        rows.append(
            (walk.label(it.iri), it.steps, it.kind, *cells_of(said), walk.label(through) if through else None)
        )
    columns = (what, "steps", "link", "quote", "document", "line", "through")
    return walk.answer(f"{what}s_relying_on", columns, rows)


_IN_WORDS = {2: "two", 3: "three"}
_TOLD = max(_IN_WORDS)
"""An answer says how many more there are up to this number of steps."""


def _further(reached: Iterable[Reached], reach: Reach, what: str) -> list[str]:
    """Return a note on how many more rely on the thing in more steps than requested."""
    steps = Counter(it.steps for it in reached if not reach.allow(it.steps) and it.steps <= _TOLD)
    if not steps:
        return []
    told = ", ".join(f"{count} more at {_IN_WORDS[n]} steps" for n, count in sorted(steps.items()))
    return [f"{told}: --steps {max(steps)} shows these {what}s, --steps all shows all."]


def _first(it: Reached) -> tuple[Reached, str]:
    """Return the first thing, seen from the subject, on the way to `it`, and its IRI if that is another."""
    nearest = it
    while (before := nearest.before[nearest.links[0]]) is not None:
        nearest = before
    return nearest, "" if nearest is it else nearest.iri


def _strongest_first(
    walk: Walk, it: Reached, chosen: Mapping[str, tuple[Link, Quotation | None]]
) -> tuple[int, int, int, int, bool, NaturalKey, str]:
    """Return the sort key: steps, strength, number of places, terms before rules, name.

    A mention in an entry is stronger than one in a rule, and that is stronger than one in an example.
    """
    places = len({(link.unit, link.start) for link in it.links})
    standing = walk.standing(chosen[it.iri][0]) if it.kind == "mention" else 0
    is_rule = not walk.is_term(it.iri)
    return it.steps, it.weakest, standing, -places, is_rule, natural(walk.label(it.iri)), it.iri


def most_relied_on(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return what is relied on most, sorted: term, relying_terms, relying_rules."""
    walk = _walk_of_everything(session, given, edition, reach)
    rows = []
    for term, sources in _relying_on_terms(walk).items():
        terms = sum(map(walk.is_term, sources))
        rows.append((walk.label(term), terms, len(sources) - terms))
    rows.sort(key=lambda row: (-row[1], -row[2], natural(row[0])))
    return walk.answer("most_relied_on", ("term", "relying_terms", "relying_rules"), rows)


def mutual_reliance(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the terms that rely on each other, each pair once: term, other."""
    walk = _walk_of_everything(session, given, edition, reach)
    relying = _relying_on_terms(walk)
    rows = []
    for term, sources in relying.items():
        others = [it for it in sources if term in relying.get(it, ())]
        pairs = ((walk.label(term), walk.label(it)) for it in others)
        rows += [pair for pair in pairs if natural(pair[0]) < natural(pair[1])]
    rows.sort(key=lambda row: (natural(row[0]), natural(row[1])))
    return walk.answer("mutual_reliance", ("term", "other"), rows)


def _walk_of_everything(
    session: Session, given: Sequence[str], edition: str | None, reach: Reach | None
) -> Walk:
    resolution = resolved(session, given, edition)
    reach = reach or Reach()
    if reach.via is None:
        reach = reach._replace(via=EXPLICIT)
    network = Network(session, resolution.scope, whole="mention" in reach.kinds(1))
    return Walk(session, resolution, reach, network)


def _relying_on_terms(walk: Walk) -> Mapping[str, set[str]]:
    """Return what relies on each term that anything relies on, and look up the names of these terms.

    A renamed term counts as its newer name, if the edition has that.
    """
    standing = set(walk.network.bodies.terms)
    names = walk.session.run("finding", "renamed", (walk.session.iris.graph("terms"),), {"term": standing})
    others: dict[str, list[str]] = defaultdict(list)
    for term, other, _, direction in names:
        others[str(term)].append(str(other))
        if direction == "later" and other in standing:
            standing.discard(str(term))
    found = {term: set(walk.backward((term, *others[term]))) for term in sorted(standing)}
    relied = {term: sources for term, sources in found.items() if sources}
    walk.learn_labels(relied)
    return relied
