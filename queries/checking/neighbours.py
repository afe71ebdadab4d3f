"""Compare an edition with those before and after it, and report what only it lost or has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...loaders.history.authority import bundled
from ...loaders.history.departures import KINDS, LEAST, compared, texts_in
from ...loaders.history.stored import stored_document
from ..session import Cells, Edition, Session, with_history


def compared_with_neighbours(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a row for each finding on the editions `names`, with the columns of `defects`.

    Counts of rules, entries and examples that are out of line come first. The words of known editions were
    compared with known copies when they were loaded; those of newer ones are compared with loaded neighbours.
    """
    order = with_history(session.editions())
    for place, edition in enumerate(order):
        if edition.id not in names or len(order) < 2:
            continue
        around = order[max(0, place - 1) : place + 2]
        near = {it.id: it for it in session.counted(around)}
        before = near[order[place - 1].id] if place else None
        after = near[order[place + 1].id] if place + 1 < len(order) else None
        yield from _unlikely_counts(near[edition.id], before, after)
        if before and after and edition.id > bundled().editions[-1]:
            yield from _departures(session, before, edition, after)


def _departures(session: Session, before: Edition, own: Edition, after: Edition) -> Iterator[Cells]:
    one, texts, other = (
        texts_in(stored_document(session.store, session.iris, it.id, it.documents[0].id)[0])
        for it in (before, own, after)
    )
    copies, document = f"{before.id} and {after.id}", own.documents[0].id
    found = (it for kind in KINDS for it in compared(kind, texts, one.keys(), other.keys(), copies, LEAST))
    for it in sorted(found, key=lambda it: it.first_line):
        yield it.severity.value, it.code, it.subject, document, it.first_line, it.message, it.quote, own.id


_COUNTED = {"Rule": "rules", "Entry": "glossary entries", "Example": "examples"}

_LOSS = 0.9
"""The share of the previous edition's count below which an edition has lost something: rules grow."""

_DIP = 0.97
_BULGE = 1.1
"""Against both neighbours less is enough: less than the smaller one, or more than the larger one."""


def _unlikely_counts(edition: Edition, before: Edition | None, after: Edition | None) -> Iterator[Cells]:
    """Yield a row for each count that is out of line, with the columns of `defects`."""
    for kind, words in _COUNTED.items():
        own = edition.counts.get(kind, 0)
        beside = [None if it is None else it.counts.get(kind, 0) for it in (before, after)]
        if is_out_of_line(own, *beside):
            near = [f"{it.counts.get(kind, 0)} in {it.id}" for it in (before, after) if it is not None]
            message = f"{own} {words}, but there are {' and '.join(near)}: is the text complete?"
            yield ("warning", "count-jump", words, edition.documents[0].id, None, message, "", edition.id)


def is_out_of_line(own: int, before: int | None, after: int | None) -> bool:
    """Return whether a count is out of line with those of the editions before and after (None: none).

    >>> is_out_of_line(700, 690, 710), is_out_of_line(520, 690, 710), is_out_of_line(600, 690, None)
    (False, True, True)
    """
    if before is not None and own < _LOSS * before:
        return True
    if before is None or after is None:
        return False
    return own < _DIP * min(before, after) or own > _BULGE * max(before, after)
