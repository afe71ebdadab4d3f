"""A stranger's query becomes a document in a format of the web, whole and within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from pyoxigraph import QueryResultsFormat, RdfFormat, Triple

from ...ontology.errors import UsageError
from .guard import admit
from .local import LocalStore
from .query import prepare
from .results import Solutions, Triples

RESULTS = {
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
}
"""The formats of SELECT and ASK."""

GRAPHS = {
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "rdfxml": RdfFormat.RDF_XML,
    "jsonld": RdfFormat.JSON_LD,
}
"""The formats of CONSTRUCT and DESCRIBE."""

_BOOLEANS = {
    "json": '{{"head":{{}},"boolean":{}}}',
    "xml": '<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head></head>'
    "<boolean>{}</boolean></sparql>",
    "csv": "{}\n",
    "tsv": "{}\n",
}

_ROW_MARKS = {"json": (b'}},{"', -1), "xml": (b"<result>", 0), "csv": (b"\n", 1), "tsv": (b"\n", 1)}
"""What stands once for each row, and, where strings are escaped, nowhere else; and how often besides."""


class Wish(NamedTuple):
    """A query as it came, and what is wanted of its answer.

    `prefixes` and `base` need no declaration. `default_graphs` and `named_graphs` are what it sees (None:
    all); a FROM of its own wins over them unless they are `fixed`. `results` and `graph` name the format
    for either kind of answer (None: none will do). An answer may have `rows` rows or triples, and `size`
    bytes; the query `length` characters.
    """

    text: str
    prefixes: Mapping[str, str]
    base: str
    default_graphs: Sequence[str] | None
    named_graphs: Sequence[str] | None
    fixed: bool
    results: str | None
    graph: str | None
    rows: int
    size: int
    length: int


def document(store: LocalStore, wish: Wish) -> tuple[str, bytes]:
    """Run a query; return the kind of its answer (``results`` or ``graph``) and the document.

    The kind is ``unwanted`` where no format for such an answer will do. Raises `UsageError` for a query
    that is refused, and for an answer beyond the bounds; `StoreError`.
    """
    admit(wish.text, wish.length)
    prepared = prepare(wish.text, prefixes=wish.prefixes, base=wish.base)
    if wish.fixed:
        prepared = prepared._replace(graphs=())
    found = store.answer(prepared.over(wish.default_graphs, wish.named_graphs))
    wanted = wish.graph if isinstance(found, Triples) else wish.results
    if wanted is None:
        return "unwanted", b""
    if isinstance(found, bool):
        return "results", _BOOLEANS[wanted].format(str(found).lower()).encode()
    mark, besides = _ROW_MARKS.get(wanted, (b"", 0))
    into = _Bounded(wish.size, wish.rows + besides, mark)
    if isinstance(found, Solutions):
        found.write(into, RESULTS[wanted])
        return "results", into.getvalue()
    counted = Triples(_counted(found, wish.rows), store.location)
    counted.write(into, GRAPHS[wanted], wish.prefixes)
    return "graph", into.getvalue()


def _counted(triples: Triples, most: int) -> Iterator[Triple]:
    for number, triple in enumerate(triples):
        if number >= most:
            raise _too_many()
        yield triple


class _Bounded(BytesIO):
    """A document as it grows; `UsageError` ends it where it becomes too large.

    Rows are counted by their `mark`, if they have one, as nearly as blocks cut anywhere tell.
    """

    def __init__(self, size: int, rows: int, mark: bytes) -> None:
        super().__init__()
        self._room, self._rows, self._mark = size, rows, mark

    def write(self, data: Any) -> int:
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
