"""Graphs that loaders write, checked against the vocabulary: declared names, shapes, and a reasoner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyshacl
import pytest
from rdflib import OWL, RDF, RDFS, SH, XSD, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from real import pages, rules
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import ReasonerError
from rulesgraph.ontology.iris import NAMESPACES, VOCABULARY, Iris
from rulesgraph.ontology.reasoning import LEAST_JAVA, find_java, reason
from rulesgraph.ontology.resources import CODES_FILE, SHAPES_FILE, VOCABULARY_FILES, read_text
from rulesgraph.ontology.terms import PREFIXES, RG
from rulesgraph.queries.session import Session
from rulesgraph.viz.vocabulary.reference import FILES

DECLARED_ELSEWHERE = {"rdf", "rdfs", "owl", "skos", "iso-thes", "dcterms", "prov"}
DATATYPES = {XSD.string, XSD.integer, XSD.boolean, XSD.date, XSD.decimal, RDF.langString}
LONG = pytest.mark.long(small="test_shapes")
STORES = ["starter", "rulings pages", pytest.param("rules of 2008", marks=LONG)]
"""What is checked against the vocabulary; `make test` takes the smaller two."""


@pytest.fixture(scope="module", params=STORES)
def lines(request: pytest.FixtureRequest, store_of: Callable[..., Path]) -> str:
    """What a plain query sees, as N-Triples."""
    if request.param == "starter":
        location = Path(request.getfixturevalue("starter_store"))
    else:
        shared: Path = request.getfixturevalue("shared")
        chosen = pages(shared) if request.param == "rulings pages" else [rules(shared, "2008-02-01")]
        location = store_of(*chosen)
    store = open_store(str(location))
    return "".join(
        f"{line.rstrip().removesuffix('.')}.\n" for line in store.graph_lines(Iris().graph("current"))
    )


@pytest.fixture(scope="module")
def data(lines: str) -> Graph:
    return Graph().parse(data=lines, format="nt")


def test_every_name_is_declared(data: Graph) -> None:
    known = Graph()
    for file in VOCABULARY_FILES:
        known.parse(data=read_text(file), format="turtle")
    properties = {
        s
        for kind in (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
        for s in known.subjects(RDF.type, kind)
    }
    spaces = tuple(PREFIXES[prefix] for prefix in DECLARED_ELSEWHERE)
    for predicate in set(data.predicates()):
        assert predicate in properties or str(predicate).startswith(spaces), predicate
    for kind in set(data.objects(None, RDF.type)):
        if str(kind).startswith(NAMESPACES):
            assert (kind, RDF.type, OWL.Class) in known, kind


def test_the_ontology_in_one_file_is_whole_and_imports_nothing() -> None:
    """A program without the network cannot fetch what is already in the file."""
    imported = OWL.imports
    apart = Graph()
    for name in (*VOCABULARY_FILES, CODES_FILE):
        apart.parse(data=read_text(name), format="turtle")
    whole = Graph().parse(data=FILES["turtle"].content(), format="turtle")
    assert len(list(apart.subject_objects(imported))) == 1
    apart.remove((None, imported, None))
    assert isomorphic(whole, apart)


def test_literals_are_of_the_few_kinds_agreed_on(data: Graph) -> None:
    kinds = {o.datatype or XSD.string for o in data.objects() if isinstance(o, Literal) and not o.language}
    assert kinds <= DATATYPES


def test_object_and_datatype_properties_are_used_as_such(data: Graph) -> None:
    known = Graph().parse(data=read_text("vocabulary.ttl"), format="turtle")
    for s, p, o in data:
        if isinstance(p, URIRef) and p.startswith(VOCABULARY):
            expected = OWL.DatatypeProperty if isinstance(o, Literal) else OWL.ObjectProperty
            assert (p, RDF.type, expected) in known or (p, RDF.type, OWL.AnnotationProperty) in known, (
                s,
                p,
                o,
            )


@pytest.mark.parametrize("store", ["starter_store", "mini_store", "newest_store"])
def test_both_ends_of_every_link_are_of_the_declared_kinds(
    store: str, request: pytest.FixtureRequest
) -> None:
    """In all graphs. An edition that is cited by its id and not loaded has no type."""
    known = Graph()
    for file in VOCABULARY_FILES:
        known.parse(data=read_text(file), format="turtle")
    session = Session(open_store(request.getfixturevalue(store)))
    for end, variable in ((RDFS.domain, "?s"), (RDFS.range, "?o")):
        for link, kind in known.subject_objects(end):
            if kind in (RDFS.Resource, RDFS.Literal) or not str(link).startswith(NAMESPACES):
                continue
            if str(kind).startswith(str(XSD)):
                other = f"FILTER(DATATYPE(?o) != <{kind}>)"
            else:
                below = " ".join(f"<{it}>" for it in known.transitive_subjects(RDFS.subClassOf, kind))
                other = f"MINUS {{ GRAPH ?h {{ {variable} a ?kind VALUES ?kind {{ {below} }} }} }}"
            if kind == URIRef(RG.Edition):
                other += "FILTER EXISTS { GRAPH ?i { ?o a ?any } }"
            found = session.select(f"SELECT ?s ?o {{ GRAPH ?g {{ ?s <{link}> ?o }} {other} }} LIMIT 1")
            assert [*found] == [], (link, end)


def test_shapes(data: Graph) -> None:
    shapes = Graph().parse(data=read_text(SHAPES_FILE), format="turtle")
    conforms, results, _ = pyshacl.validate(data, shacl_graph=shapes)
    assert isinstance(results, Graph)
    fired = Counter(
        (str(results.value(r, SH.resultMessage)), str(results.value(r, SH.focusNode)))
        for r in results.subjects(RDF.type, SH.ValidationResult)
    )
    assert not fired
    assert conforms


@pytest.mark.long(small="test_a_contradiction_is_explained")
@pytest.mark.parametrize("lines", STORES[1:], indirect=True)
def test_a_reasoner_finds_no_contradiction(lines: str) -> None:
    """Domains, ranges and disjointness hold for the data; and the parts of the rules lie within sections."""
    try:
        find_java(LEAST_JAVA["hermit"])
    except ReasonerError as error:
        pytest.skip(str(error))
    found = reason(lines.encode(), timeout=300)
    assert found.explanation == ""
    assert found.consistent
    assert f"<{RG.within}>".encode() in found.inferred


@pytest.mark.long(small="test_both_ends_of_every_link_are_of_the_declared_kinds")
@pytest.mark.parametrize("name", ["starter_store", "mini_store"])
def test_a_reasoner_finds_no_contradiction_between_graphs(name: str, request: pytest.FixtureRequest) -> None:
    """Cards and wordings are in graphs that a plain query does not see."""
    try:
        find_java(LEAST_JAVA["hermit"])
    except ReasonerError as error:
        pytest.skip(str(error))
    store = open_store(request.getfixturevalue(name))
    graphs = [it for it in store.graphs() if it != Iris().graph("catalog")]
    lines = {f"{line.rstrip().removesuffix('.')}.\n" for it in graphs for line in store.graph_lines(it)}
    found = reason("".join(sorted(lines)).encode(), timeout=300)
    assert (found.consistent, found.explanation) == (True, "")


def test_what_is_said_not_to_be_stated_is_not(mini_store: Path) -> None:
    """What the vocabulary marks as unstated is in no data, except parts of the turn and some doubts."""
    known = Graph().parse(data=read_text("vocabulary.ttl"), format="turtle")
    marked = {str(name): str(how) for name, how in known.subject_objects(URIRef(RG.written))}
    session = Session(open_store(mini_store))
    data = "FILTER(!CONTAINS(STR(?g), '/graph/'))"
    stated = session.select(f"SELECT DISTINCT ?name {{ GRAPH ?g {{ ?s ?name ?o }} {data} }}")
    types = session.select(f"SELECT DISTINCT ?name {{ GRAPH ?g {{ ?s a ?name }} {data} }}")
    used = {str(row[0]) for row in (*stated, *types)}
    assert {RG.cites, RG.Rule} <= used
    assert not used & (marked.keys() - {RG.within, RG.confidence})
    assert {RG.precedes, RG.TextUnit, RG.EditionBound} <= marked.keys()
