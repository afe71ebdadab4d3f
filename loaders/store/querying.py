"""What all stores do with a query before they answer it in their own ways."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from .query import PreparedQuery, prepare
from .results import RdfTerm, Result


class Querying(ABC):
    """Queries are checked and bound here, and answered by `answer`."""

    def query(
        self,
        text: str,
        *,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
        bindings: Mapping[str, RdfTerm] | None = None,
        prefixes: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Result:
        """Run a query, see `Queryable`."""
        return self.answer(prepare(text, bindings, prefixes), default_graphs, named_graphs, timeout)

    @abstractmethod
    def answer(
        self,
        query: PreparedQuery,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
        timeout: float | None = None,
    ) -> Result:
        """Run a prepared query; its own FROM wins over the graphs that are given."""
