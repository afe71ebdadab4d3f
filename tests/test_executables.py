"""The catalogue of questions in RDF: what the headers say, in the terms of the SHACL Advanced Features."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyshacl
import pytest
from rdflib import RDF, RDFS, SH, SKOS, XSD, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.term import Node
from rulesgraph.ontology.iris import QUESTION
from rulesgraph.ontology.terms import RG
from rulesgraph.queries.catalogue import questions
from rulesgraph.queries.catalogue.questions import ParameterKind, Question
from rulesgraph.viz.vocabulary.files import questions_turtle

EXECUTABLE = URIRef(SH + "SPARQLSelectExecutable")
TAKEN: dict[ParameterKind, set[tuple[Node, Node]]] = {
    ParameterKind.TERM: {(SH.nodeKind, SH.IRI), (SH["class"], URIRef(RG.Term))},
    ParameterKind.THING: {(SH.nodeKind, SH.IRI)},
    ParameterKind.KIND: {(SH.nodeKind, SH.IRI)},
    ParameterKind.PROCEDURE: {(SH.nodeKind, SH.IRI)},
    ParameterKind.PART: {(SH.nodeKind, SH.IRI)},
    ParameterKind.RULE: {(SH.nodeKind, SH.IRI), (SH["class"], URIRef(RG.DocumentPart))},
    ParameterKind.CARD: {(SH.nodeKind, SH.IRI), (SH["class"], URIRef(RG.Card))},
    ParameterKind.AUTHORITY: {(SH.nodeKind, SH.IRI), (SH["class"], URIRef(RG.Authority))},
    ParameterKind.DATE: {(SH.datatype, XSD.date)},
    ParameterKind.WORDS: {(SH.datatype, XSD.string)},
}


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph().parse(data=questions_turtle(), format="turtle")


def test_every_question_is_an_executable_and_nothing_else_is(graph: Graph) -> None:
    expected = {URIRef(QUESTION + it.name) for it in questions.questions()}
    assert set(graph.subjects(RDF.type, EXECUTABLE)) == expected
    assert set(graph.subjects(RDF.type, URIRef(SH + "SPARQLExecutable"))) == expected


@pytest.mark.parametrize("question", questions.questions(), ids=lambda it: it.name)
def test_an_executable_says_what_the_header_says(graph: Graph, question: Question) -> None:
    me = URIRef(QUESTION + question.name)
    assert set(graph.objects(me, RDFS.label)) == {Literal(question.title, "en")}
    assert set(graph.objects(me, SKOS.altLabel)) == {Literal(it, "en") for it in question.phrasings[1:]}
    assert list(graph.objects(me, RDFS.comment)) == ([Literal(question.note, "en")] if question.note else [])
    [select] = graph.objects(me, SH.select)
    algebra = prepareQuery(str(select)).algebra
    assert [str(variable) for variable in algebra["PV"]] == [*question.returns, *question.cut]
    assert str(select) == question.text[question.text.index("PREFIX") :]


@pytest.mark.parametrize("question", questions.questions(), ids=lambda it: it.name)
def test_parameters_are_those_of_the_header(graph: Graph, question: Question) -> None:
    me = URIRef(QUESTION + question.name)
    found = {}
    for own in graph.objects(me, SH.parameter):
        said = set(graph.predicate_objects(own))
        said.remove((RDF.type, URIRef(SH + "Parameter")))
        [path] = graph.objects(own, SH.path)
        found[str(path).removeprefix(QUESTION)] = said - {(SH.path, path)}
    assert found == {
        it.name: {
            (SH.name, Literal(it.name, "en")),
            (SH.description, Literal(it.description, "en")),
            (SH.order, Literal(place)),
            *TAKEN[it.kind],
        }
        for place, it in enumerate(question.parameters)
    }
    select = str(graph.value(me, SH.select))
    assert all(f"VALUES ?{name} {{ UNDEF }}" in select for name in found)


def test_the_shapes_of_shacl_hold(graph: Graph) -> None:
    """Parameters are property shapes: the standard's own shapes say what these must be like."""
    holds, _, told = pyshacl.validate(Graph(), shacl_graph=graph, meta_shacl=True, advanced=True)
    assert holds, told
    broken = Graph() + graph
    broken.add((URIRef(f"{QUESTION}citing-concept"), SH.nodeKind, Literal("IRI")))
    with pytest.raises(pyshacl.errors.ReportableRuntimeError, match="MetaSHACL"):
        pyshacl.validate(Graph(), shacl_graph=broken, meta_shacl=True, advanced=True)


def test_the_command_writes_every_form(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    assert run("vocabulary", "--as", "questions") == (0, questions_turtle(), "")
    place = tmp_path / "vocabulary.ttl"
    assert run("vocabulary", "--as", "turtle", "-o", place)[:2] == (0, "")
    declared = Graph().parse(place)
    assert (URIRef(RG.Term), RDFS.subClassOf, SKOS.Concept) in declared
    assert any(declared.triples((None, SKOS.topConceptOf, None)))
    assert list(Graph().parse(data=run("vocabulary", "--as", "shapes")[1]).subjects(RDF.type, SH.NodeShape))
    assert run("vocabulary", "--as", "context")[1].startswith('{\n  "@context"')
