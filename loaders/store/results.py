"""The results of a query from any engine: a bool, solutions or triples, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from io import BytesIO
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import pyoxigraph
from pyoxigraph import BlankNode, Literal, NamedNode, QueryResultsFormat, RdfFormat, Triple

from ...ontology.errors import StoreError, UsageError, damaged_store
from ...ontology.terms import PREFIXES

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from ...ontology.json_values import Json


_T = TypeVar("_T")

_ROW_MARKS = {
    QueryResultsFormat.JSON: (b'}},{"', -1),
    QueryResultsFormat.XML: (b"<result>", 0),
    QueryResultsFormat.CSV: (b"\n", 1),
    QueryResultsFormat.TSV: (b"\n", 1),
}
"""What occurs once in each row and nowhere else, as strings are escaped; and its further occurrences."""


class AnswerBounds(NamedTuple):
    """The maximum number of rows or triples in an answer, and of bytes in its document."""

    rows: int
    size: int

    def counted(self, found: Iterable[_T]) -> Iterator[_T]:
        """Yield rows or triples; raise `UsageError` at the first one beyond the limit."""
        # A generator's frame in a traceback would hold the engine's iterator.
        return map(self._checked, count(), found)

    def _checked(self, number: int, one: _T) -> _T:
        if number >= self.rows:
            raise _too_many()
        return one


class BoundedDocument(BytesIO):
    """A document being written; raises `UsageError` as soon as it is too large.

    Rows of a results `format` are counted by their mark. A mark across two blocks is missed, so the count is
    a little low. Triples are counted before they come here.
    """

    def __init__(self, bounds: AnswerBounds, format: QueryResultsFormat | None = None) -> None:
        super().__init__()
        self._rows, self._room = bounds
        self._mark, besides = (b"", 0) if format is None else _ROW_MARKS[format]
        self._rows += besides

    def write(self, data: ReadableBuffer) -> int:
        """Write a block; raise `UsageError` if this takes the document beyond its bounds."""
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


RdfTerm = NamedNode | BlankNode | Literal | Triple
Row = tuple[RdfTerm | None, ...]

Value = str | int | float | bool | date | None
"""The value of a cell of an answer."""

Cells = tuple[Value, ...]
"""The cells of one row."""

_XSD = PREFIXES["xsd"]
_PLAIN: dict[str, Callable[[str], Value]] = {
    **dict.fromkeys((_XSD + name for name in ("integer", "int", "long", "nonNegativeInteger")), int),
    **dict.fromkeys((_XSD + name for name in ("decimal", "double", "float")), float),
    _XSD + "date": date.fromisoformat,
    _XSD + "boolean": lambda text: text in {"true", "1"},
}


LARGEST_ANSWER = 1 << 30
"""The maximum number of bytes of one answer from another process or server."""


class Solutions:
    """The rows of a SELECT, to be read once: a row is a tuple of terms (None: unbound).

    `columns` are in the query's order; for a ``SELECT *``, in the order of their first use. Reading raises
    `StoreError` if the engine fails half-way, and `UsageError` beyond the `bounds`. `keep` is kept alive as
    long as the rows. The thread that requested the rows must also read and free them: pyoxigraph's iterators
    belong to one thread.
    """

    def __init__(
        self,
        found: pyoxigraph.QuerySolutions,
        where: str,
        order: Sequence[str] | None = None,
        keep: object = None,
        bounds: AnswerBounds | None = None,
    ) -> None:
        self._variables = found.variables
        self._order = order
        self._found: Iterable[pyoxigraph.QuerySolution] = found
        self._where = where
        self._keep = keep
        self._bounds = bounds

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        given = [variable.value for variable in self._variables]
        rank = {name: place for place, name in enumerate(self._order or given)}
        return tuple(sorted(given, key=lambda name: rank.get(name, len(rank))))

    def __iter__(self) -> Iterator[Row]:
        given = [variable.value for variable in self._variables]
        places = [given.index(name) for name in self.columns]
        in_order = places == sorted(places)
        with reading(self._where, self):
            for solution in self._bounds.counted(self._found) if self._bounds else self._found:
                row: Row = tuple(solution)
                yield row if in_order else tuple(row[place] for place in places)

    def read(self) -> None:
        """Read the remaining rows, which then no longer need the store."""
        with reading(self._where):
            self._found = list(self._found)

    def plain(self) -> list[Cells]:
        """Return the remaining rows as Python values, see `plain`."""
        return [tuple(map(plain, row)) for row in self]

    def let_go(self) -> None:
        """Free the remaining rows."""
        self._found = ()

    def serialize(self, format: QueryResultsFormat) -> bytes:
        """Return all rows, if none has been read, as a results document (JSON, XML, CSV or TSV)."""
        into = BoundedDocument(self._bounds, format) if self._bounds else BytesIO()
        with reading(self._where):
            assert isinstance(self._found, pyoxigraph.QuerySolutions)
            self._found.serialize(into, format=format)
        return into.getvalue()


def plain(term: RdfTerm | None) -> Value:
    """Return an RDF term as a plain value; IRIs and literals of unknown types as their text."""
    if term is None:
        return None
    if not isinstance(term, Literal):
        return str(term) if isinstance(term, Triple) else term.value
    convert = _PLAIN.get(term.datatype.value)
    try:
        return convert(term.value) if convert else term.value
    except ValueError:
        return term.value


def json_row(columns: Sequence[str], row: Sequence[Value]) -> dict[str, Json]:
    """Return a row of a table as an object whose keys are the columns; dates become text.

    >>> json_row(("lantern", "since"), ("red", date(2031, 2, 1)))
    {'lantern': 'red', 'since': '2031-02-01'}
    """
    return dict(zip(columns, (it.isoformat() if isinstance(it, date) else it for it in row), strict=True))


class Triples:
    """The triples of a CONSTRUCT or DESCRIBE, to be read once; raises `UsageError` beyond the `bounds`."""

    def __init__(
        self, found: Iterable[Triple], where: str, keep: object = None, bounds: AnswerBounds | None = None
    ) -> None:
        self._found = bounds.counted(found) if bounds else found
        self._where = where
        self._keep = keep
        self._bounds = bounds

    def __iter__(self) -> Iterator[Triple]:
        with reading(self._where, self):
            yield from self._found

    def let_go(self) -> None:
        """Free the remaining triples."""
        self._found = ()

    def serialize(self, format: RdfFormat, prefixes: Mapping[str, str] | None = None) -> bytes:
        """Return the remaining triples as an RDF document."""
        into = BoundedDocument(self._bounds) if self._bounds else BytesIO()
        pyoxigraph.serialize(self, into, format=format, prefixes=dict(prefixes or {}))
        return into.getvalue()


Result = Solutions | bool | Triples


_FAILURES = (OSError, SyntaxError, ValueError, RuntimeError)
"""What pyoxigraph raises when reading fails."""


class reading:
    """Turn failures of the engine into `StoreError` while its results are read.

    Results that were read to the end, or failed, are freed in the thread that read them: a traceback might
    hold them, and end in another thread. After an early stop, the rest can still be read.
    """

    __slots__ = ("_read", "_where")

    def __init__(self, where: str, read: Solutions | Triples | None = None) -> None:
        self._where = where
        self._read = read

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._read and kind is not GeneratorExit:
            self._read.let_go()
        if isinstance(error, _FAILURES):
            if "Corruption" in str(error):  # RocksDB's word for a wrong checksum
                raise damaged_store(str(error), self._where) from error
            raise StoreError(f"the store failed: {error}", where=self._where) from error
