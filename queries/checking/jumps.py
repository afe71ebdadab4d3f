"""Counts of neighbouring editions become findings where one of them falls out of line.

A glossary that lost its second half in copying can be whole in itself; beside the editions before and
after it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..session import Cells, Edition, Session, counted, with_history

_COUNTED = {"Rule": "rules", "Entry": "glossary entries", "Example": "examples"}
_LOSS = 0.9
"""An edition with less than this share of what the one before had has lost something: rules grow."""

_DIP = 0.97
_BULGE = 1.1
"""Against both neighbours less is enough: less than the smaller one, or more than the larger one."""


def jumps(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a finding for each count of the editions `names` that jumps against its neighbours."""
    order = with_history(session.editions())
    if len(order) < 2 or not {e.id for e in order} & set(names):
        return
    for place, edition in enumerate(order):
        if edition.id in names:
            near = {e.id: e for e in counted(session, order[max(0, place - 1) : place + 2])}
            before = near[order[place - 1].id] if place else None
            after = near[order[place + 1].id] if place + 1 < len(order) else None
            yield from _findings(near[edition.id], before, after)


def _findings(edition: Edition, before: Edition | None, after: Edition | None) -> Iterator[Cells]:
    for kind, words in _COUNTED.items():
        own = edition.counts.get(kind, 0)
        beside = [(e.id, e.counts.get(kind, 0)) for e in (before, after) if e is not None]
        if is_jump(own, _count(before, kind), _count(after, kind)):
            others = " and ".join(f"{count} in {name}" for name, count in beside)
            message = f"{own} {words}, where there are {others}: is the text whole?"
            document = edition.documents[0].id
            yield ("warning", "count-jump", words, document, None, message, "", edition.id)


def _count(edition: Edition | None, kind: str) -> int | None:
    return edition.counts.get(kind, 0) if edition is not None else None


def is_jump(own: int, before: int | None, after: int | None) -> bool:
    """Tell whether a count falls out of line with those of the editions before and after (None: none).

    >>> is_jump(700, 690, 710), is_jump(520, 690, 710), is_jump(700, None, 710), is_jump(600, 690, None)
    (False, True, False, True)
    """
    if before is not None and own < _LOSS * before:
        return True
    if before is None or after is None:
        return False
    return own < _DIP * min(before, after) or own > _BULGE * max(before, after)
