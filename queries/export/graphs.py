"""What a question sees becomes a graph of rdflib."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from ...ontology.terms import PREFIXES
from .notations import prefixes_for

if TYPE_CHECKING:
    import rdflib

    from ..session import Session

_STRING = PREFIXES["xsd"] + "string"


def rdflib_graph(session: Session, edition: str | None = None) -> rdflib.Graph:
    """Return one graph with what a question about `edition` sees, the usual prefixes bound.

    pyoxigraph reads the statements, which takes half the time that rdflib's own reader needs.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    import rdflib

    iri = cache(rdflib.URIRef)

    def node(term: NamedNode | BlankNode | Literal | Triple) -> rdflib.term.Node:
        if isinstance(term, NamedNode):
            return iri(term.value)
        if isinstance(term, BlankNode):
            return rdflib.BNode(term.value)
        assert isinstance(term, Literal)
        datatype = term.datatype.value
        if term.language or datatype == _STRING:
            return rdflib.Literal(term.value, lang=term.language)
        return rdflib.Literal(term.value, datatype=iri(datatype))

    graph = rdflib.Graph(bind_namespaces="none")
    for name, namespace in prefixes_for(session.iris.base).items():
        graph.bind(name, namespace)
    for seen in session.scope(edition).default_graphs:
        text = "\n".join(session.store.graph_lines(seen)).encode()
        graph.addN(
            (node(it.subject), node(it.predicate), node(it.object), graph)
            for it in parse(text, RdfFormat.N_TRIPLES)
        )
    return graph
