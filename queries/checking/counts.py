"""Compare the numbers of rules, entries and examples of an edition with those before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from ..session import Cells, Edition

_COUNTED = {"Rule": "rules", "Entry": "glossary entries", "Example": "examples"}

_LOSS = 0.9
"""An edition with less than this share of what the one before had has lost something: rules grow."""

_DIP = 0.97
_BULGE = 1.1
"""Against both neighbours less is enough: less than the smaller one, or more than the larger one."""


def unlikely_counts(edition: Edition, before: Edition | None, after: Edition | None) -> Iterator[Cells]:
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
