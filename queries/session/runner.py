"""Queries are run on one store, over the graphs of a scope, and give rows of plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...loaders.store import Store
from ...loaders.store.results import Solutions
from ...ontology.iris import Iris
from ...ontology.query_files import bind
from ..files import QUERIES
from .answer import Cells, plain
from .scope import Scope


class Runner:
    """Runs queries on one store; `iris` carries the base that the store was built with.

    Each query may take `timeout` seconds.
    """

    def __init__(self, store: Store, iris: Iris | None = None, timeout: float | None = None) -> None:
        self.store = store
        self.iris = iris or Iris(store.meta().base)
        self.timeout = timeout

    def select(
        self,
        text: str,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
    ) -> list[Cells]:
        """Run a SELECT; IRIs come back as their whole text, literals as what they mean."""
        found = self.store.query(
            text, default_graphs=default_graphs, named_graphs=named_graphs, timeout=self.timeout
        )
        assert isinstance(found, Solutions)
        return [tuple(plain(term) for term in row) for row in found]

    def run(
        self,
        folder: str,
        name: str,
        scope: Scope | Sequence[str] | None = None,
        values: Mapping[str, Iterable[str | Sequence[str]]] | None = None,
    ) -> list[Cells]:
        """Run `{folder}/{name}.rq` over the graphs of a scope, over some default graphs alone, or over all.

        `values` are its parameters (see `bind`).
        """
        text = bind(QUERIES.read(folder, name), values or {})
        if scope is None:
            return self.select(text)
        if isinstance(scope, Scope):
            return self.select(text, scope.default_graphs, scope.named_graphs)
        return self.select(text, scope, ())
