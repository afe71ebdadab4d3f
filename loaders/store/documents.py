"""Answer an untrusted query with a complete document in a web format, within bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pyoxigraph import QueryResultsFormat, RdfFormat

from .local import LocalStore
from .query import admit, parse_here, prepare
from .results import AnswerBounds, Result, Triples

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


class Wish(NamedTuple):
    """The requested form of an answer to a query, and its limits.

    `prefixes` and `base` need no declaration. `default_graphs` and `named_graphs` are what the query sees
    (None: all); its own FROM wins over them unless they are `fixed`. `results` and `graph` name the format
    for either kind of answer (None: none is acceptable), `bounds` its maximum size; the query may have
    `length` characters.
    """

    prefixes: Mapping[str, str]
    base: str
    default_graphs: Sequence[str] | None
    named_graphs: Sequence[str] | None
    fixed: bool
    results: str | None
    graph: str | None
    bounds: AnswerBounds
    length: int


def document(store: LocalStore, wish: Wish, text: str) -> tuple[str, bytes]:
    """Run a query; return the kind of its answer (``results`` or ``graph``) and the document.

    The kind is ``unwanted`` if no format for such an answer is acceptable. Raises `UsageError` for a query
    that is refused, and for an answer beyond the bounds; `StoreError`.
    """
    admit(text, wish.length)
    default, named, bounds = wish.default_graphs, wish.named_graphs, wish.bounds
    query = prepare(text, prefixes=wish.prefixes, base=wish.base, parse=parse_here)
    if query.graphs and not wish.fixed:
        query = query._replace(bounds=bounds)
    else:
        query = query._replace(graphs=(), bounds=bounds, default_graphs=default, named_graphs=named)
    return written(store.answer(query), wish.results, wish.graph, wish.prefixes)


def written(
    found: Result, results: str | None, graph: str | None, prefixes: Mapping[str, str] = {}
) -> tuple[str, bytes]:
    """Return an answer as `document` does, its rows or its triples in the format named for them."""
    wanted = graph if isinstance(found, Triples) else results
    if wanted is None:
        return "unwanted", b""
    if isinstance(found, bool):
        return "results", _BOOLEANS[wanted].format(str(found).lower()).encode()
    if isinstance(found, Triples):
        return "graph", found.serialize(GRAPHS[wanted], prefixes)
    return "results", found.serialize(RESULTS[wanted])
