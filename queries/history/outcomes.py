"""Links between neighbouring editions become what each rule and entry of one edition is in any other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...loaders.history.items import ChangeKind, Item, kind_of
from ..session import Edition, Session
from .runs import Runs
from .steps import PARTING, Step, steps

_FEW = 200
"""Items up to which their links are asked for one by one; of more, all of an edition are read at once."""

Journey = Sequence[Mapping[str, Sequence[Step]]]
"""For each step of a path of editions, item → its links."""


class Outcome(NamedTuple):
    """A rule or entry `before` that is, or went into, one `after`; both are IRIs.

    `change` is one of `CHANGES`: over several editions what the two texts show, unless it was parted on
    the way.
    """

    before: str
    after: str
    change: ChangeKind


def journey(session: Session, path: Sequence[Edition], starts: Collection[str] | None = None) -> Journey:
    """Return, for each step of a path of editions, item → its links.

    `path` holds neighbouring editions, in either direction. All that `starts` leads to is there at the least;
    without it, every item.
    """
    found: list[Mapping[str, Sequence[Step]]] = []
    runs = Runs(session, path)
    for place, (here, there) in enumerate(pairwise(path)):
        forward = here.age_key < there.age_key
        asked = starts if starts is not None and len(starts) <= _FEW else None
        links = {} if asked is None else runs.steps(place, asked)
        unknown = None if asked is None else [item for item in asked if item not in links]
        if unknown is None or unknown:
            links |= _grouped(steps(session, (there if forward else here).id, unknown, forward=forward))
        found.append(links)
        if asked is not None:
            starts = {step.other for taken in links.values() for step in taken}
    return found


def _grouped(found: Iterable[Step]) -> dict[str, Sequence[Step]]:
    links: dict[str, list[Step]] = {}
    for step in found:
        links.setdefault(step.item, []).append(step)
    return dict(links)


def outcomes(links: Journey, before: Mapping[str, Item], after: Mapping[str, Item]) -> list[Outcome]:
    """Return what the items `before`, of the first edition of a journey, are in the last one.

    `links` is the `journey`, `after` holds the items of the last edition that they `reach`. An item
    without an outcome is gone.
    """
    found = []
    for iri, item in before.items():
        for other, change in reach(links, iri).items():
            told = (
                change if change and (len(links) == 1 or change in PARTING) else kind_of(item, after[other])
            )
            found.append(Outcome(iri, other, told))
    return found


def reach(links: Journey, start: str) -> dict[str, ChangeKind | None]:
    """Return the items at the end of a journey to which one leads, with the last link on the way.

    A link by which it was parted stays; without a step there is no link.
    """
    reached: dict[str, ChangeKind | None] = {start: None}
    for step in links:
        reached = _onward(reached, step)
    return reached


def _onward(
    reached: Mapping[str, ChangeKind | None], links: Mapping[str, Sequence[Step]]
) -> dict[str, ChangeKind | None]:
    """Go one edition on: item that is reached → the last link on the way, a parting one staying.

    The same comes out in the other direction: on a way a split counts more than a merge, and where several
    ways lead to one item, the one that parts least is taken.
    """
    found: dict[str, ChangeKind | None] = {}
    for item, so_far in reached.items():
        for step in links.get(item, ()):
            change = max(step.change, so_far, key=_parts)
            if step.other not in found or _parts(change) < _parts(found[step.other]):
                found[step.other] = change
    return found


def _parts(change: ChangeKind | None) -> int:
    """Return how far a link parts: not at all (the later of two counts), merged, split."""
    return (None, ChangeKind.MERGED, ChangeKind.SPLIT).index(change if change in PARTING else None)
