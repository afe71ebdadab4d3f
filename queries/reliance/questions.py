"""Who relies on what: the questions of reliance, each answer with its number of steps and its sentence.

A relies on B directly when the body of A cites the rule that defines B or a part of it, is sent to B by
name, or names B (`bodies`: an entry and the rule that defines its term are one body). Further steps
follow explicit links alone. Rows come by steps, then by strength: citation, note, mention in the entry,
mention in the rule; then by how many there are, then by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...ontology.errors import UsageError
from ..evidence.links import Link, Quotation, quotations
from ..finding.things import Resolution, resolve
from ..session import ALL, Answer, Session
from .levels import Reached
from .reach import Reach
from .walking import Walk


def terms_relying_on(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the terms that rely on a thing: term, steps, link, quote, document, line, through."""
    return _relying(session, given[0], edition, reach or Reach(), terms=True)


def rules_relying_on(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the rules that rely on a thing: rule, steps, link, quote, document, line, through."""
    return _relying(session, given[0], edition, reach or Reach(), terms=False)


def relied_on_by_term(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return what a thing relies on: name, kind, steps, link, quote, document, line, through.

    The quote is that of the link that leads to the row's own thing.
    """
    return relied_on(Walk(session, resolved(session, given, edition), reach or Reach()))


def relied_on(walk: Walk) -> Answer:
    """Return what the thing that a walk starts at relies on, in the columns of `relied_on_by_term`."""
    reached = walk.forward(walk.nodes(walk.things[0]))
    chosen = walk.evidence(reached.values())
    rows = []
    for it in sorted(reached.values(), key=lambda it: _strongest_first(walk, it, chosen)):
        link, said = chosen[it.iri]
        before = it.before[link]
        through = walk.label(before.iri) if before else None
        kind = "term" if walk.is_term(it.iri) else "rule"
        rows.append((walk.label(it.iri), kind, it.steps, it.kind, *_cells(said), through))
    columns = ("name", "kind", "steps", "link", "quote", "document", "line", "through")
    return walk.answer("relied_on_by_term", columns, rows)


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
    links = _followed(walk, _best_of(walk.backward(ends, until=starts), starts))
    # A mention may stand at the other end too, as `relied_on_by_term` walks: the shorter chain counts.
    if len(links) != 1:
        ahead = _best_of(walk.forward(starts, within=len(links) - 1 if links else None), walk.own(ends))
        links = _followed(walk, ahead)[::-1] if ahead else links
    if not links:
        walk.notes.append(f"No chain of links leads from {first.name} to {last.name}.")
    said = quotations(session, walk.scope, links)
    walk.learn_labels(node for link in links for node in (link.source, link.target))
    rows = [
        (step, walk.label(link.source), link.kind, walk.label(link.target), *_cells(said.get(link)))
        for step, link in enumerate(links, start=1)
    ]
    return walk.answer("why", columns, rows)


def _followed(walk: Walk, chain: Reached | None) -> list[Link]:
    """Return the links of a chain, from its far end to where the walk began."""
    links: list[Link] = []
    while chain is not None:
        link, _ = walk.evidence([chain])[chain.iri]
        links.append(link)
        chain = chain.before[link]
    return links


def _relying(session: Session, given: str, edition: str | None, reach: Reach, terms: bool) -> Answer:
    further = reach._replace(steps=reach.steps and max(reach.steps, _TOLD))
    return relying(Walk(session, resolved(session, (given,), edition), further), reach, terms=terms)


def relying(walk: Walk, reach: Reach, *, terms: bool) -> Answer:
    """Return the terms, or the rules, that rely on the thing that a walk starts at, as far as `reach` allows.

    Where the walk goes farther, the notes say how many more there are.
    """
    thing = walk.things[0]
    nodes = walk.nodes(thing)
    reached = [it for it in walk.backward(nodes).values() if walk.is_term(it.iri) == terms]
    what = "term" if terms else "rule"
    if thing.kind == "rule":
        # Who asks about a rule by its number should know that its name would find more.
        for term in walk.defined_by(thing):
            walk.notes.append(f"{thing.name} defines {term}: asked by name, what mentions it counts as well.")
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
            (walk.label(it.iri), it.steps, it.kind, *_cells(said), walk.label(through) if through else None)
        )
    columns = (what, "steps", "link", "quote", "document", "line", "through")
    return walk.answer(f"{what}s_relying_on", columns, rows)


_IN_WORDS = {2: "two", 3: "three"}
_TOLD = max(_IN_WORDS)
"""Up to how many steps an answer tells how many more there are."""


def _further(reached: Iterable[Reached], reach: Reach, what: str) -> list[str]:
    """Say how many more rely on the thing at more steps than were asked for."""
    steps = Counter(it.steps for it in reached if not reach.allow(it.steps) and it.steps <= _TOLD)
    if not steps:
        return []
    told = ", ".join(f"{count} more at {_IN_WORDS[n]} steps" for n, count in sorted(steps.items()))
    return [f"{told}: --steps {max(steps)} shows the {what}s, --steps all those beyond."]


def _first(it: Reached) -> tuple[Reached, str]:
    """Return what touches the thing asked about on the way from `it`, and its IRI where that is another."""
    nearest = it
    while (before := nearest.before[nearest.links[0]]) is not None:
        nearest = before
    return nearest, "" if nearest is it else nearest.iri


def _best_of(reached: Mapping[str, Reached], wanted: Iterable[str]) -> Reached | None:
    found = [reached[iri] for iri in wanted if iri in reached]
    return min(found, key=lambda it: (it.steps, it.weakest, it.iri), default=None)


def _strongest_first(
    walk: Walk, it: Reached, chosen: Mapping[str, tuple[Link, Quotation | None]]
) -> tuple[int, int, int, int, bool, NaturalKey, str]:
    """Return the key that sorts by steps, strength, number of places, terms before rules, and name.

    A mention in an entry is stronger than one in a rule, and that than one in examples alone.
    """
    places = len({(link.unit, link.start) for link in it.links})
    standing = walk.standing(chosen[it.iri][0]) if it.kind == "mention" else 0
    is_rule = not walk.is_term(it.iri)
    return it.steps, it.weakest, standing, -places, is_rule, natural(walk.label(it.iri)), it.iri


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
