"""What a question sees becomes a graph of rdflib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .notations import lines_of, prefixes_for

if TYPE_CHECKING:
    import rdflib

    from ..runner import Session


def rdflib_graph(session: Session, edition: str | None = None) -> rdflib.Graph:
    """Return one graph with what a question about `edition` sees, the usual prefixes bound.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    from rdflib import Graph

    graph = Graph(bind_namespaces="none")
    for name, iri in prefixes_for(session.iris.base).items():
        graph.bind(name, iri)
    lines = lines_of(session.store, session.scope(edition).default_graphs)
    return graph.parse(data="".join(lines), format="nt")
