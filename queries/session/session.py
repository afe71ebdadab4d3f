"""A session over one store: what is loaded, which graphs a question sees, and any SPARQL query."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pyoxigraph import QueryResultsFormat

from ...loaders.store import Store
from ...loaders.store.query import prepare
from ...loaders.store.results import Solutions, Triples
from ...ontology.iris import Iris
from .answer import Answer, plain
from .choosing import current_scope, scope_of
from .editions import Edition, counted, loaded_editions
from .runner import Runner
from .scope import Scope

if TYPE_CHECKING:
    import sqlite3

    from ...loaders.store.bounds import AnswerBounds


DEADLINE = 60.0
"""Seconds that a query of anybody's may take where no other limit is set."""


class Session(Runner):
    """Questions to one store; it remembers which graphs the editions are made of."""

    def __init__(self, store: Store, iris: Iris | None = None, timeout: float | None = None) -> None:
        super().__init__(store, iris, timeout)
        self._scopes: dict[str, Scope] = {}
        self._indexes: dict[str, sqlite3.Connection] = {}
        self._editions: dict[bool, tuple[Edition, ...]] = {}

    @cached_property
    def current(self) -> Scope:
        """What a plain question sees."""
        return current_scope(self)

    def scope(self, edition: str | None = None) -> Scope:
        """Return what a question about `edition` sees: an id, several (``"A,B"``), ``"all"``, or None.

        Raises `UnknownNameError` for an edition that is not loaded.
        """
        if edition is None:
            return self.current
        if edition not in self._scopes:
            self._scopes[edition] = scope_of(self, edition, self.current, self.editions)
        return self._scopes[edition]

    def index(self, edition: str) -> sqlite3.Connection:
        """Return the index of the words of one edition, which is made when there is none.

        Raises `UnknownNameError` for an edition that is not loaded, `StoreError` as `open_index` does.
        """
        if edition not in self._indexes:
            # Questions of the catalogue do without.
            from ...loaders.indexing.shelf import open_index

            documents = self.scope(edition).documents
            self._indexes[edition] = open_index(self.store, self.iris, edition, documents)
        return self._indexes[edition]

    def editions(self, counts: bool = False) -> tuple[Edition, ...]:
        """Return every loaded edition, newest first; with `counts`, how many nodes of each class."""
        if counts not in self._editions:
            self._editions[counts] = (
                counted(self, self.editions()) if counts else loaded_editions(self, self.current.editions)
            )
        return self._editions[counts]

    def sparql(
        self,
        text: str,
        edition: str | None = None,
        timeout: float | None = None,
        bounds: AnswerBounds | None = None,
    ) -> Answer | bool | Triples:
        """Run any SPARQL query: SELECT gives an answer, ASK a bool, CONSTRUCT and DESCRIBE triples.

        Without `edition` the default graph is `graph/current` and `GRAPH` ranges over everything; with
        one, both see that edition's graphs alone. A query's own FROM wins over either. The usual
        prefixes (`usual_prefixes`) need no declaration. It may take `timeout` seconds, else those of the
        session, else `DEADLINE`. Raises `UsageError` for an answer that grows beyond `bounds`.
        """
        found, label = self._result(text, edition, timeout, bounds)
        if not isinstance(found, Solutions):
            return found
        rows = tuple(tuple(plain(term) for term in row) for row in found)
        return Answer("sparql", tuple(found.columns), rows, label, () if rows else remarks(text))

    def results_json(
        self, text: str, edition: str | None = None, timeout: float | None = None
    ) -> bytes | Triples:
        """Run a query as `sparql` does; of SELECT and ASK return the W3C's SPARQL 1.1 Query Results JSON."""
        import json

        found, _ = self._result(text, edition, timeout)
        if isinstance(found, bool):
            return json.dumps({"head": {}, "boolean": found}).encode()
        return found.serialize(QueryResultsFormat.JSON) if isinstance(found, Solutions) else found

    def _result(
        self,
        text: str,
        edition: str | None,
        timeout: float | None,
        bounds: AnswerBounds | None = None,
    ) -> tuple[Solutions | bool | Triples, str]:
        """Return what a query gives back, and the editions that it saw, unless it names graphs itself."""
        # Questions of the catalogue declare what they use, and no graphs.
        from .prefixes import usual_prefixes

        scope = self.scope(edition)
        prefixes = usual_prefixes(self.iris)
        own = bool(prepare(text, prefixes=prefixes).graphs)
        found = self.store.query(
            text,
            default_graphs=scope.default_graphs,
            named_graphs=None if edition is None else scope.named_graphs,
            prefixes=prefixes,
            timeout=timeout or self.timeout or DEADLINE,
            bounds=bounds,
        )
        return found, "" if own else scope.label


def remarks(query: str) -> tuple[str, ...]:
    """Return what may have left a query without rows."""
    from .empty import remarks_on

    return remarks_on(query)
