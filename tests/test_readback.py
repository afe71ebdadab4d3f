"""Reading the graph of a document back gives its records; writing them gives the same graph."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest
from real import parsed
from rulesgraph.loaders.build import starter_sources
from rulesgraph.loaders.building.prepare import derived_triples
from rulesgraph.loaders.graph.emit import document_triples
from rulesgraph.loaders.graph.quads import TripleSet
from rulesgraph.loaders.graph.readback import read_document
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.records import Document
from rulesgraph.ontology.iris import Iris

IRIS = Iris()
MINI = sorted((Path(__file__).parent / "mini").glob("*.txt"))
PROBLEMS = """
SELECT ?s ?p ?o WHERE { ?s a <https://w3id.org/rulesgraph/ns#Problem> ;
  <http://purl.org/dc/terms/source> <%s> ; ?p ?o }"""


def store_of(triples: TripleSet) -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    data = "".join(f"{line} .\n" for line in triples.lines)
    store.bulk_load(input=data.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store


def rows(store: pyoxigraph.Store, query: str = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }") -> list[tuple[str, ...]]:
    found = store.query(query)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return [tuple(term.value for term in solution) for solution in found]


def there_and_back(documents: list[Document]) -> list[Document]:
    problems = store_of(derived_triples(EditionView(documents, IRIS)))
    return [
        read_document(
            document.document,
            rows(store_of(document_triples(document, IRIS))),
            rows(problems, PROBLEMS % IRIS.document(document.document)),
            IRIS,
        )
        for document in documents
    ]


def check(documents: list[Document]) -> None:
    back = there_and_back(documents)
    for document, again in zip(documents, back, strict=True):
        assert document_triples(again, IRIS).lines == document_triples(document, IRIS).lines
    assert (
        derived_triples(EditionView(back, IRIS)).lines == derived_triples(EditionView(documents, IRIS)).lines
    )


@pytest.mark.parametrize("path", MINI, ids=lambda path: path.stem)
def test_the_mini_game_comes_back(path: Path) -> None:
    check([load_document(read_source(path))])


def test_the_starter_comes_back() -> None:
    check([load_document(source) for source in starter_sources()])


@pytest.mark.parametrize("pattern", ["seeds/00[034]*", "corpora/cr/2008-02-01.txt"])
def test_real_documents_come_back(shared: Path, pattern: str) -> None:
    check([parsed(path) for path in sorted(shared.glob(pattern))])
