"""What is relied on most, and what relies on each other: every term asked about at once.

Each count is what `terms_relying_on` and `rules_relying_on` answer to the term. Unless other kinds are named
(`--via`), citations, notes and definitions count: by mentions the commonest words would lead, which is what
the question `most_mentioned` tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ..session import Answer, Session
from .network import Network, WholeNetwork
from .questions import natural, resolved
from .reach import EXPLICIT, Reach
from .walking import Walk


def most_relied_on(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return what is relied on, the most first: term, relying_terms, relying_rules."""
    walk = _walk(session, given, edition, reach)
    rows = []
    for term, sources in _relying(walk).items():
        terms = sum(map(walk.is_term, sources))
        rows.append((walk.label(term), terms, len(sources) - terms))
    rows.sort(key=lambda row: (-row[1], -row[2], natural(row[0])))
    return walk.answer("most_relied_on", ("term", "relying_terms", "relying_rules"), rows)


def mutual_reliance(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the terms that rely on each other, each pair once: term, other."""
    walk = _walk(session, given, edition, reach)
    relying = _relying(walk)
    rows = []
    for term, sources in relying.items():
        others = [it for it in sources if term in relying.get(it, ())]
        pairs = ((walk.label(term), walk.label(it)) for it in others)
        rows += [pair for pair in pairs if natural(pair[0]) < natural(pair[1])]
    rows.sort(key=lambda row: (natural(row[0]), natural(row[1])))
    return walk.answer("mutual_reliance", ("term", "other"), rows)


def _walk(session: Session, given: Sequence[str], edition: str | None, reach: Reach | None) -> Walk:
    resolution = resolved(session, given, edition)
    reach = reach or Reach()
    if reach.via is None:
        reach = reach._replace(via=EXPLICIT)
    network = WholeNetwork if "mention" in reach.kinds(1) else Network
    return Walk(session, resolution, reach, network(session, resolution.scope))


def _relying(walk: Walk) -> Mapping[str, set[str]]:
    """Return what relies on each term, where anything does; their names are learnt.

    What is called otherwise by now stands under its newer name, as far as that one stands in the edition.
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
