"""Defects of an edition become the editions since which they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ...ontology.iris import code
from ..history.steps import CHANGES, PARTING
from ..session import Cells, Session, with_history

_FOLLOWED = ("rule", "entry")
"""What has a history; a part goes where that goes which it is part of."""


class _Place(NamedTuple):
    """A defect in one edition: its code, the rule or entry, and what a part of it has more."""

    code: str
    whole: str
    tail: str

    @property
    def item(self) -> str:
        """The IRI of what the defect concerns."""
        return self.whole + self.tail


def standing_since(
    session: Session, edition: str, defects: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Return the earliest edition from which defects have stood, where that is an earlier one.

    `defects` of the edition `edition` are (code, IRI of what it concerns). A rule is followed back through
    its history, an entry by its name, as long as the defect is there. The questions are asked for all
    editions at once: one for each would take as long as all others of a check together.
    """
    alive = {(name, item): place for name, item in defects if (place := _place(session, name, item))}
    path = list(_backwards(session, edition))
    if not alive or not path:
        return {}
    known = _known(session, {place.code for place in alive.values()})
    origins = _origins(session, alive.values(), known)
    since: dict[tuple[str, str], str] = {}
    for later, earlier in path:
        here, there = session.iris.edition(later), session.iris.edition(earlier)
        steps = {
            defect: _Place(name, origins.get(whole, there + whole.removeprefix(here)), tail)
            for defect, (name, whole, tail) in alive.items()
        }
        alive = {defect: place for defect, place in steps.items() if (place.code, place.item) in known}
        since |= dict.fromkeys(alive, earlier)
    return since


def _place(session: Session, name: str, item: str) -> _Place | None:
    """Return where a defect is; None for what has no history."""
    place = session.iris.parse(item)
    if place.kind not in _FOLLOWED:
        return None
    whole = session.iris.iri(place.whole)
    return _Place(name, whole, item.removeprefix(whole))


def _known(session: Session, codes: Iterable[str]) -> set[tuple[str, str]]:
    """Return (code, what it concerns) of the problems of all editions that have one of some codes."""
    short = dict(enumerate(codes))
    given = [(code(name), f'"{place}"') for place, name in short.items()]
    rows = session.run("checking", "known", None, {"code short": given})
    return {(short[int(str(place))], str(item)) for place, item in rows}


def _backwards(session: Session, edition: str) -> Iterator[tuple[str, str]]:
    """Yield (later, earlier) for the editions of the comprehensive rules from `edition` back."""
    names = [it.id for it in reversed(with_history(session.editions()))]
    rest = names[names.index(edition) :] if edition in names else []
    yield from pairwise(rest)


def _origins(session: Session, places: Iterable[_Place], known: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return rule or entry → what it was in the edition before, ``""`` for a new one.

    Those that are unchanged, number and all, are left out where the defect is not in a part of them.
    """
    origins = _before(session.run("checking", "changed"))
    tails = tuple({place.tail for place in places if place.tail})
    parts = [item for _, item in known if item.endswith(tails)] if tails else []
    wholes = {session.iris.iri(session.iris.parse(item).whole) for item in parts}
    if wholes:
        origins |= _before(session.run("checking", "origins", None, {"new": sorted(wholes)}))
    return origins


def _before(rows: Iterable[Cells]) -> dict[str, str]:
    """Return new → old of links; ``""`` where none of them is of one life."""
    found: dict[str, str] = {}
    for new, link, old in sorted(rows):
        change = CHANGES.get(str(link))
        if change and change not in PARTING:
            found[str(new)] = str(old)
        else:
            found.setdefault(str(new), "")
    return found
