"""Other people's programs query the endpoint, and find the store's content in its answers."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import rdflib
import SPARQLWrapper
from asking import session_on
from live import service
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from rulesgraph.queries.session import Answer

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = Path(os.environ.get("RULESGRAPH_NODE", ROOT / "node_modules"))
"""Where npm installs programs; `.ci/run` does so."""

PREFIXES = """\
PREFIX rg: <https://w3id.org/rulesgraph/ns#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
"""
TERMS = f"{PREFIXES} SELECT ?term ?name {{ ?term a rg:Term ; skos:prefLabel ?name }} ORDER BY ?name"
LABELS = f"{PREFIXES} CONSTRUCT {{ ?term skos:prefLabel ?name }} {{ ?term a rg:Term ; skos:prefLabel ?name }}"
MANY = f"{PREFIXES} ASK {{ ?term a rg:Term }}"


@pytest.fixture(scope="module")
def address(mini_store: Path) -> Iterator[str]:
    with service(mini_store) as found:
        yield found + "sparql"


@pytest.fixture(scope="module")
def expected(mini_store: Path) -> list[tuple[str, str]]:
    """The rows of `TERMS`, from the store itself."""
    found = session_on(mini_store).sparql(TERMS)
    assert isinstance(found, Answer)
    assert len(found.rows) > 10
    return [(str(term), str(name)) for term, name in found.rows]


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")  # SPARQLWrapper makes one of RDF/XML
def test_sparqlwrapper(address: str, expected: list[tuple[str, str]]) -> None:
    client: Any = SPARQLWrapper.SPARQLWrapper(address)
    for method in (SPARQLWrapper.GET, SPARQLWrapper.POST):
        client.setMethod(method)
        client.setQuery(TERMS)
        client.setReturnFormat(SPARQLWrapper.JSON)
        rows = client.queryAndConvert()["results"]["bindings"]
        assert [(row["term"]["value"], row["name"]["value"]) for row in rows] == expected
        client.setReturnFormat(SPARQLWrapper.XML)
        assert len(client.queryAndConvert().getElementsByTagName("result")) == len(expected)
        client.setReturnFormat(SPARQLWrapper.CSV)
        assert client.queryAndConvert().count(b"\n") == len(expected) + 1
        client.setQuery(LABELS)
        for format in (SPARQLWrapper.TURTLE, SPARQLWrapper.RDFXML, SPARQLWrapper.JSONLD):
            client.setReturnFormat(format)
            found = client.queryAndConvert()
            graph = found if isinstance(found, rdflib.Graph) else rdflib.Graph().parse(data=found)
            assert len(graph) == len(expected)
        client.setQuery(MANY)
        client.setReturnFormat(SPARQLWrapper.JSON)
        assert client.queryAndConvert()["boolean"] is True


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib(address: str, expected: list[tuple[str, str]], method: str) -> None:
    store: Any = SPARQLStore(address, method=method)
    graph: Any = rdflib.Graph(store)
    assert [(str(row[0]), str(row[1])) for row in graph.query(TERMS)] == expected
    assert graph.query(MANY).askAnswer is True
    assert len(graph.query(LABELS).graph or ()) == len(expected)
    rg = rdflib.Namespace("https://w3id.org/rulesgraph/ns#")
    assert {str(it) for it in graph.subjects(rdflib.RDF.type, rg.Term)} == {term for term, _ in expected}


def test_roqet(address: str, expected: list[tuple[str, str]]) -> None:
    program = shutil.which("roqet")
    if program is None:
        pytest.skip("roqet is not installed (Debian: rasqal-utils)")
    done = subprocess.run(
        [program, "-q", "-p", address, "-e", TERMS, "-r", "csv"], capture_output=True, text=True, check=True
    )
    assert [tuple(row) for row in csv.reader(StringIO(done.stdout))] == [("term", "name"), *expected]


@pytest.mark.long(small="test_roqet")
def test_comunica(address: str, expected: list[tuple[str, str]]) -> None:
    program = PROGRAMS / ".bin" / "comunica-sparql"
    if not program.exists():
        pytest.skip(f"Comunica is not installed in {PROGRAMS} (npm: @comunica/query-sparql@4)")

    def answer(query: str, kind: str) -> str:
        command = [str(program), f"sparql@{address}", query, "-t", kind]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout

    found = [
        tuple(cell.strip("<>") for cell in row) for row in csv.reader(StringIO(answer(TERMS, "text/csv")))
    ]
    assert found == [("term", "name"), *expected]
    graph = rdflib.Graph().parse(data=answer(LABELS, "application/n-triples"), format="nt")
    assert len(graph) == len(expected)
