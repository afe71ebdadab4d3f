"""A thing becomes the statements that tell of it, and those a file in one of the notations of RDF."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse, serialize

from ....loaders.graph.vocabulary_nodes import vocabulary_triples
from ....loaders.store.results import Solutions
from ....ontology.query_files import QueryFiles
from ....queries.export.notations import prefixes_for
from ..pages.addresses import VOCABULARIES
from ..pages.shelf import Shelf
from .offers import offers

QUERIES = QueryFiles.beside(__name__)

FORMATS = {
    "ttl": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
    "nt": RdfFormat.N_TRIPLES,
}
"""The notations by their endings."""


def exists(shelf: Shelf, iri: str) -> bool:
    """Tell whether anything is known of a thing."""
    if _is_vocabulary(shelf, iri) or iri == shelf.iris.dataset():
        return True
    return bool(shelf.session.select(QUERIES.bound("any", {"it": [iri]})))


def statements(shelf: Shelf, iri: str) -> list[Triple]:
    """Return what is said of a thing, in any edition where it has no edition of its own, with its parts."""
    if iri == shelf.iris.dataset():
        return [*_triples(shelf.session.store.graph_lines(shelf.iris.graph("catalog"))), *offers(shelf)]
    if _is_vocabulary(shelf, iri):
        return _triples(it for it in sorted(vocabulary_triples().lines) if it.startswith(f"<{iri}"))
    found: dict[Triple, None] = {}
    for name in ("statements", "parts"):
        solutions = shelf.session.store.query(QUERIES.bound(name, {"it": [iri]}))
        assert isinstance(solutions, Solutions)
        for s, p, o in solutions:
            assert isinstance(s, NamedNode)
            assert isinstance(p, NamedNode)
            assert isinstance(o, NamedNode | Literal)
            found[Triple(s, p, o)] = None
    return sorted(found, key=str)


def written(shelf: Shelf, triples: Iterable[Triple], ending: str) -> bytes:
    """Return statements in the notation that an ending stands for; nothing for none."""
    given = list(triples)
    if not given:
        return b""
    out = BytesIO()
    form = FORMATS[ending]
    prefixes = prefixes_for(shelf.iris.base) if form != RdfFormat.N_TRIPLES else None
    serialize(given, out, form, prefixes=prefixes)
    return out.getvalue()


def _is_vocabulary(shelf: Shelf, iri: str) -> bool:
    return iri.removeprefix(shelf.iris.base) in VOCABULARIES


def _triples(lines: Iterable[str]) -> list[Triple]:
    text = "\n".join(line if line.rstrip().endswith(".") else f"{line} ." for line in lines)
    return [Triple(it.subject, it.predicate, it.object) for it in parse(text.encode(), RdfFormat.N_TRIPLES)]
