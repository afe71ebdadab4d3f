"""The triples of a graph as a store has them."""

from __future__ import annotations

from collections.abc import Iterator

from ...ontology.query_files import QueryFiles
from ..store.protocol import Queryable
from ..store.rows import text_rows

_QUERIES = QueryFiles.beside(__name__)


def stored_triples(store: Queryable, graph: str) -> Iterator[tuple[str, ...]]:
    """Yield (subject, predicate, object) of everything in a graph, each as its text; of no graph, none."""
    return text_rows(store, _QUERIES.bound("triples", {"graph": [graph]}))
