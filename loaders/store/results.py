"""What a query gives back, whatever engine ran it: a bool, solutions, or triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from types import TracebackType

import pyoxigraph
from pyoxigraph import BlankNode, Literal, NamedNode, QueryResultsFormat, RdfFormat, Triple

from ...ontology.errors import StoreError
from .bounds import AnswerBounds, BoundedDocument

RdfTerm = NamedNode | BlankNode | Literal | Triple
Row = tuple[RdfTerm | None, ...]

LARGEST_ANSWER = 1 << 30
"""Bytes that one answer may have on its way here from another process or server."""


class Solutions:
    """The rows of a SELECT, to be read once: a row is a tuple of terms (None: unbound).

    `columns` are in the query's order; those of a ``SELECT *`` in the order in which they are written.
    Reading raises `StoreError` when the engine fails half-way. `keep` is held for as long as the rows.
    They are read, and let go of, by the thread that asked for them: pyoxigraph wants it so. Beyond its
    `bounds` the reading ends with `UsageError`.
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

    def let_go(self) -> None:
        """Have no more rows."""
        self._found = ()

    def serialize(self, format: QueryResultsFormat) -> bytes:
        """Return the rows, of which none was read before, as a results document (JSON, XML, CSV or TSV)."""
        into = BoundedDocument(self._bounds, format) if self._bounds else BytesIO()
        with reading(self._where):
            assert isinstance(self._found, pyoxigraph.QuerySolutions)
            self._found.serialize(into, format=format)
        return into.getvalue()


class Triples:
    """The triples of a CONSTRUCT or DESCRIBE, to be read once; beyond their `bounds` with `UsageError`."""

    def __init__(
        self,
        found: Iterable[Triple],
        where: str,
        keep: object = None,
        bounds: AnswerBounds | None = None,
    ) -> None:
        self._found = bounds.counted(found) if bounds else found
        self._where = where
        self._keep = keep
        self._bounds = bounds

    def __iter__(self) -> Iterator[Triple]:
        with reading(self._where, self):
            yield from self._found

    def let_go(self) -> None:
        """Have no more triples."""
        self._found = ()

    def serialize(self, format: RdfFormat, prefixes: Mapping[str, str] | None = None) -> bytes:
        """Return the triples that are still to be read as an RDF document."""
        into = BoundedDocument(self._bounds) if self._bounds else BytesIO()
        pyoxigraph.serialize(self, into, format=format, prefixes=dict(prefixes or {}))
        return into.getvalue()


Result = Solutions | bool | Triples


_FAILURES = (OSError, SyntaxError, ValueError, RuntimeError)
"""What pyoxigraph raises when reading fails."""


class reading:
    """Turn the failures of an engine that is read from into `StoreError`.

    What was read to its end, or failed, is let go of in the thread that read it: whatever holds it still, as
    tracebacks do, may end in another one. Who stops earlier may read the rest.
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
            raise StoreError(f"the store failed: {error}", where=self._where) from error
