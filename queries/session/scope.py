"""The graphs that a question sees: those of the newest edition, of some, or of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...ontology.iris import Iris

ALL = "all"
"""The name that unites every edition."""


class Scope(NamedTuple):
    """The graphs that a question sees: `editions` are ids, the one asked for first."""

    editions: tuple[str, ...]
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    united: bool = False
    """True when editions that were not made for each other are looked at together."""

    documents: tuple[str, ...] = ()
    """The document graphs among them."""

    linked: tuple[str, ...] = ()
    """The default graphs that hold what documents say and how it is linked: the fewer, the faster."""

    @property
    def label(self) -> str:
        """The editions as an answer names them."""
        return ", ".join(self.editions)


def merged(iris: Iris, editions: Sequence[str], documents: Sequence[str]) -> Scope:
    """Return the scope of the current editions, which are seen as they are merged in `graph/current`."""
    seen = (iris.graph("current"),)
    return Scope(tuple(editions), seen, _graphs(iris, editions, documents), False, tuple(documents), seen)


def unmerged(iris: Iris, editions: Sequence[str], documents: Sequence[str], *, united: bool) -> Scope:
    """Return the scope that sees the graphs of some editions as they are."""
    graphs = _graphs(iris, editions, documents)
    linked = (*documents, *(iris.derived(name) for name in editions))
    return Scope(tuple(editions), graphs, graphs, united, tuple(documents), linked)


def _graphs(iris: Iris, editions: Sequence[str], documents: Sequence[str]) -> tuple[str, ...]:
    own = [
        graph for name in editions for graph in (iris.derived(name), iris.history(name), iris.inferred(name))
    ]
    return (*documents, *own, iris.graph("terms"), iris.graph("ontology"))
