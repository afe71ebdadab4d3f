"""The rows of the history of a rule or an entry."""

from __future__ import annotations

from typing import NamedTuple, cast

from ..session import Answer


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


class History(Answer):
    """An answer whose rows are of the type `HistoryRow`."""

    @property
    def stages(self) -> tuple[HistoryRow, ...]:
        """The rows, with names for their cells."""
        return cast("tuple[HistoryRow, ...]", self.rows)
