"""Who relies on what: the questions of reliance, each answer with its number of steps and its sentence.

A relies on B when a chain of links leads from A to B. Links to the parts of B count as links to B, and
so do links to the rule that defines it. Arriving at a rule one goes on from its parts, at no cost. By
default the link that touches what is asked about may be of any kind, and all others are explicit,
because chains of mentions soon connect everything with everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ...ontology.errors import UsageError
from ..evidence.links import Link, Quotation, sentences_behind
from ..finding.things import Resolution, resolve
from ..session import ALL, Answer, Session
from .levels import Reached
from .reach import Reach
from .walking import Walk


def terms_relying_on(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the terms that rely on a thing: term, steps, link, quote, document, line."""
    return _relying(session, given[0], edition, reach or Reach(), terms=True)


def rules_relying_on(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the rules that rely on a thing: rule, steps, link, quote, document, line."""
    return _relying(session, given[0], edition, reach or Reach(), terms=False)


def relied_on_by_term(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return what a thing relies on: name, kind, steps, link, quote, document, line.

    The quote is that of the link that leads to the row's own thing.
    """
    walk = Walk(session, resolved(session, given, edition), reach or Reach())
    reached = walk.forward(walk.starts(walk.things[0]))
    chosen = walk.evidence(reached.values())
    rows = []
    for it in sorted(reached.values(), key=lambda it: _nearest_first(walk, it)):
        kind = "term" if walk.is_term(it.iri) else "rule"
        rows.append((walk.label(it.iri), kind, it.steps, it.kind, *_cells(chosen[it.iri][1])))
    columns = ("name", "kind", "steps", "link", "quote", "document", "line")
    return walk.answer("relied_on_by_term", columns, rows)


def why(
    session: Session, source: str, target: str, *, edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the shortest chain from one thing to another: step, from, link, to, quote, document, line."""
    walk = Walk(session, resolved(session, (source, target), edition), reach or Reach())
    columns = ("step", "from", "link", "to", "quote", "document", "line")
    first, last = walk.things
    starts, ends = walk.starts(first), walk.targets(last)
    if starts & ends:
        walk.notes.append(f"{first.name} and {last.name} are the same thing, or one is part of the other.")
        return walk.answer("why", columns, [])
    chain = _best_of(walk.backward(ends, until=starts), starts)
    links: list[Link] = []
    while chain is not None:
        link, _ = walk.evidence([chain])[chain.iri]
        links.append(link)
        chain = chain.before[link]
    if not links:
        # The mention may stand at the other end: that is how `relied_on_by_term` walks.
        forward = walk.forward(starts)
        chain = _best_of(forward, ends)
        while chain is not None:
            link, _ = walk.evidence([chain])[chain.iri]
            links.insert(0, link)
            chain = chain.before[link]
    if not links:
        walk.notes.append(f"No chain of links leads from {first.name} to {last.name}.")
    quotes = sentences_behind(session, walk.scope, links)
    walk.learn_labels(node for link in links for node in (link.source, link.target))
    rows = []
    for step, link in enumerate(links, start=1):
        ends_of = (walk.label(link.source), link.kind, walk.label(link.target))
        rows.append((step, *ends_of, *_cells(quotes.get(link))))
    return walk.answer("why", columns, rows)


def _relying(session: Session, given: str, edition: str | None, reach: Reach, terms: bool) -> Answer:
    walk = Walk(session, resolved(session, (given,), edition), reach)
    thing = walk.things[0]
    reached = walk.backward(walk.targets(thing))
    if thing.kind == "rule":
        # Who asks about a rule by its number should know that its name would find more.
        for term in walk.defined_by(thing):
            walk.notes.append(f"{thing.name} defines {term}: asked by name, what mentions it counts as well.")
    asked = [it for it in reached.values() if walk.is_term(it.iri) == terms]
    chosen = walk.evidence(asked)
    rows = [
        (walk.label(it.iri), it.steps, it.kind, *_cells(chosen[it.iri][1]))
        for it in sorted(asked, key=lambda it: _nearest_first(walk, it))
    ]
    what = "term" if terms else "rule"
    columns = (what, "steps", "link", "quote", "document", "line")
    return walk.answer(f"{what}s_relying_on", columns, rows)


def _best_of(reached: Mapping[str, Reached], wanted: Iterable[str]) -> Reached | None:
    found = [reached[iri] for iri in wanted if iri in reached]
    return min(found, key=lambda it: (it.steps, it.weakest, it.iri), default=None)


def _nearest_first(walk: Walk, it: Reached) -> tuple[int, int, bool, NaturalKey, str]:
    """Return the key that sorts by steps, strength, terms before rules, and name."""
    return it.steps, it.weakest, not walk.is_term(it.iri), natural(walk.label(it.iri)), it.iri


def _cells(said: Quotation | None) -> tuple[str | None, str | None, int | None]:
    return (said.words, said.document, said.line or None) if said else (None, None, None)


NaturalKey = tuple[tuple[int, int, str], ...]


def natural(name: str) -> NaturalKey:
    """Return a key that sorts names alphabetically and numbers by their value: 420.9 before 420.10.

    >>> sorted(["420.10", "Bell", "420.9", "arc"], key=natural)
    ['420.9', '420.10', 'arc', 'Bell']
    """
    pieces = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces)


def resolved(session: Session, given: Sequence[str], edition: str | None) -> Resolution:
    """Find the things that a question of reliance names; it refuses to look at all editions at once."""
    if edition is not None and edition.strip() == ALL:
        raise UsageError(
            "reliance cannot be asked of all editions at once",
            way_out="A link of one edition and a link of another make no chain: a term that cited a rule in "
            "1999 does not rely on what that rule says today. Name one edition.",
        )
    return resolve(session, given, edition)
