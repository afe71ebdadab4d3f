"""An answer that grows beyond its bounds is broken off while the engine still gives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pyoxigraph import QueryResultsFormat

from ...ontology.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_T = TypeVar("_T")

_ROW_MARKS = {
    QueryResultsFormat.JSON: (b'}},{"', -1),
    QueryResultsFormat.XML: (b"<result>", 0),
    QueryResultsFormat.CSV: (b"\n", 1),
    QueryResultsFormat.TSV: (b"\n", 1),
}
"""What stands once for each row, and, where strings are escaped, nowhere else; and how often besides."""


class AnswerBounds(NamedTuple):
    """How many rows or triples an answer may have, and how many bytes once it is written out."""

    rows: int
    size: int

    def counted(self, found: Iterable[_T]) -> Iterator[_T]:
        """Yield rows or triples; raise `UsageError` at the first too many."""
        # A generator's frame in a traceback would hold the engine's iterator.
        return map(self._checked, count(), found)

    def _checked(self, number: int, one: _T) -> _T:
        if number >= self.rows:
            raise _too_many()
        return one


class BoundedDocument(BytesIO):
    """A document as it grows; `UsageError` ends it where it becomes too large.

    Rows of a results `format` are counted by their mark, as nearly as blocks cut anywhere tell; triples
    are counted before they come here.
    """

    def __init__(self, bounds: AnswerBounds, format: QueryResultsFormat | None = None) -> None:
        super().__init__()
        self._rows, self._room = bounds
        self._mark, besides = (b"", 0) if format is None else _ROW_MARKS[format]
        self._rows += besides

    def write(self, data: ReadableBuffer) -> int:
        """Write a block; raise `UsageError` where the document is beyond its bounds with it."""
        written = super().write(data)
        self._room -= written
        if self._mark:
            self._rows -= bytes(data).count(self._mark)
        if self._room < 0:
            raise UsageError("the answer is too large", way_out="Ask for less, or add a LIMIT.")
        if self._rows < 0:
            raise _too_many()
        return written


def _too_many() -> UsageError:
    return UsageError("the answer has too many rows", way_out="Ask for less, or add a LIMIT.")
