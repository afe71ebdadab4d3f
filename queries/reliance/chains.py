"""Find the chain of links by which one thing relies on another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..evidence.links import Link, quotations
from ..session import Answer, Session
from .interaction import COMMON, FEWEST, having, interaction
from .levels import Reach, Reached
from .walk import Walk, cells_of, resolved


def why(
    session: Session, source: str, target: str, *, edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the shortest chain from one thing to another: step, from, link, to, quote, document, line."""
    walk = Walk(session, resolved(session, (source, target), edition), reach or Reach(steps=None))
    columns = ("step", "from", "link", "to", "quote", "document", "line")
    first, last = walk.things
    starts, ends = walk.nodes(first), walk.nodes(last)
    if walk.own(starts) & walk.own(ends):
        walk.notes.append(f"{first.name} and {last.name} are the same thing, or one is part of the other.")
        return walk.answer("why", columns, [])
    links = _links_of(walk, _best_of(walk.backward(ends, until=starts), starts))
    # A mention may stand at the other end too, as `relied_on_by_term` walks: the shorter chain counts.
    if len(links) != 1:
        ahead = _best_of(walk.forward(starts, within=len(links) - 1 if links else None), walk.own(ends))
        links = _links_of(walk, ahead)[::-1] if ahead else links
    if walk.reach == Reach(steps=None) and len(links) not in (1, 2):
        links = _named_between(walk, starts, ends) or links
    if not links:
        walk.notes.append(f"No chain of links leads from {first.name} to {last.name}.")
    said = quotations(session, walk.scope, links)
    walk.learn_labels(node for link in links for node in (link.source, link.target))
    rows = [
        (step, walk.label(link.source), link.kind, walk.label(link.target), *cells_of(said.get(link)))
        for step, link in enumerate(links, start=1)
    ]
    return walk.answer("why", columns, rows)


def _named_between(walk: Walk, starts: tuple[str, ...], ends: tuple[str, ...]) -> list[Link]:
    """Return the two links over what is rarest of all that one thing names and that names the other itself.

    What is in many bodies says nothing about two of them: through *Damage* everything is connected.
    """
    near = walk.forward(starts, within=1)
    far = walk.backward(ends, within=1)
    between = having(walk, near.keys() & far.keys())
    most = max(FEWEST, COMMON * len(walk.network.bodies.terms))
    rare = [(count, it) for it, count in between.items() if count <= most]
    if not rare:
        return []
    _, it = min(rare)
    return [*_links_of(walk, near[it]), *_links_of(walk, far[it])]


def _links_of(walk: Walk, chain: Reached | None) -> list[Link]:
    """Return the links of a chain, from its far end to where the walk began."""
    links: list[Link] = []
    while chain is not None:
        link, _ = walk.evidence([chain])[chain.iri]
        links.append(link)
        chain = chain.before[link]
    return links


def _best_of(reached: Mapping[str, Reached], wanted: Iterable[str]) -> Reached | None:
    found = [reached[iri] for iri in wanted if iri in reached]
    return min(found, key=lambda it: (it.steps, it.weakest, it.iri), default=None)


_TOLD = 3
"""How many grounds are shown with a chain."""


def why_and_where(
    session: Session, source: str, target: str, *, edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the shortest chain from one thing to another (see `why`), and in a note where the two meet."""
    chain = why(session, source, target, edition=edition, reach=reach)
    ends = {name for row in chain.rows for name in (row[1], row[3])}
    rows = interaction(session, (source, target), edition).rows
    grounds = [str(row[0]) for row in rows if row[0] not in ends][:_TOLD]
    if not grounds:
        return chain
    where = f"They meet in {', '.join(grounds)}; `rulesgraph ask interaction` shows how."
    return chain._replace(notes=(*chain.notes, where))
