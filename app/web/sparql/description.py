"""What is in force becomes the description of the endpoint (SPARQL 1.1 Service Description)."""

from __future__ import annotations

from pyoxigraph import BlankNode, Literal, NamedNode, Triple, serialize

from ....loaders.store.documents import GRAPHS as WRITERS
from ....ontology.terms import PREFIXES
from ..current import Snapshot
from .formats import GRAPHS

_SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
_WRITTEN = (
    "SPARQL_Results_JSON SPARQL_Results_XML SPARQL_Results_CSV SPARQL_Results_TSV "
    "Turtle N-Triples RDF_XML JSON-LD"
).split()
_VOID = "http://rdfs.org/ns/void#"
_TYPE = NamedNode(f"{PREFIXES['rdf']}type")


def description(snapshot: Snapshot, address: str, media: str) -> bytes:
    """Return the description of the endpoint at an address, in the format of a media type."""
    session = snapshot.rules.session
    service, dataset, default = (BlankNode(name) for name in ("service", "dataset", "default"))
    about = [
        Triple(service, _TYPE, _sd("Service")),
        Triple(service, _sd("endpoint"), NamedNode(address)),
        Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query")),
        *(Triple(service, _sd("resultFormat"), NamedNode(_FORMATS + name)) for name in _WRITTEN),
        Triple(service, _sd("defaultDataset"), dataset),
        Triple(dataset, _TYPE, _sd("Dataset")),
        Triple(dataset, _sd("defaultGraph"), default),
        Triple(default, _TYPE, _sd("Graph")),
        Triple(
            default,
            NamedNode(f"{PREFIXES['dcterms']}title"),
            Literal(f"What plain queries see: {session.scope().label}", language="en"),
        ),
    ]
    for number, name in enumerate(session.store.graphs()):
        graph = BlankNode(f"graph{number}")
        about += [
            Triple(dataset, _sd("namedGraph"), graph),
            Triple(graph, _TYPE, _sd("NamedGraph")),
            Triple(graph, _sd("name"), NamedNode(name)),
        ]
    prefixes = {**PREFIXES, "sd": _SD, "formats": _FORMATS, "void": _VOID}
    return serialize(about, format=WRITERS[GRAPHS[media]], prefixes=prefixes) or b""


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)
