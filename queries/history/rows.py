"""The rows of the history of a rule or an entry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...loaders.history.items import DOUBT

DOUBTFUL = "The step to {} in {} is doubtful (confidence {}): compare the two texts before you rely on it."


class HistoryRow(NamedTuple):
    """What became of a rule or an entry in an edition.

    Attributes:
        edition: the edition, by its id.
        number: the number of the rule there, or the heading of the entry; None if it is gone.
        change: the change since the row before, a value of `ChangeKind` or, of a path back in time, *not
            there yet*; ``""`` in the first row.
        confidence: how sure the change is, 1.0 for the same words; None if only the bundled file knows it.
    """

    edition: str
    number: str | None
    change: str
    confidence: float | None


COLUMNS = HistoryRow._fields


def doubts(rows: Iterable[HistoryRow]) -> tuple[str, ...]:
    """Return a note on each row (see `rows_along`) with a confidence below `DOUBT`."""
    return tuple(
        DOUBTFUL.format(row.number, row.edition, row.confidence)
        for row in rows
        if row.confidence is not None and row.confidence < DOUBT
    )
