"""The catalogue of questions in RDF says what the headers say, in terms of SHACL Advanced Features."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pyshacl
import pytest
import rulesgraph
from rdflib import RDF, RDFS, SH, SKOS, XSD, Dataset, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.term import Node
from rulesgraph import Rules
from rulesgraph.ontology.iris import QUESTION
from rulesgraph.ontology.resources import bind
from rulesgraph.ontology.terms import RG
from rulesgraph.queries.answering.running import bound
from rulesgraph.queries.catalogue import questions
from rulesgraph.queries.catalogue.questions import ParameterKind, Question
from rulesgraph.queries.session import Answer, Session
from rulesgraph.viz.vocabulary.reference import questions_turtle

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
    expected |= {URIRef(f"{QUESTION}{it.name}-example") for it in questions.questions() if it.parameters}
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
    assert not re.search(r"\b(UNDEF|SERVICE)\b|STRDT", str(select))


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
    assert all(re.search(rf"\?{name}\b", select) for name in found)
    if found:
        assert not re.search(r"\b(MINUS|VALUES)\b", select), "SHACL excludes both"
        for inner in re.findall(r"(?i)SELECT([^{]*)WHERE \{", select)[1:]:
            holding = select[select.index(inner) :]
            assert all(f"?{name}" in inner for name in found if f"?{name} " in _braced(holding))


def _braced(text: str) -> str:
    """Return the text inside the first braces."""
    depth = 0
    for end in range(text.index("{"), len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if not depth:
            return text[text.index("{") : end]
    return text


def _without_rows(rules: Rules, wanted: Iterable[Question]) -> list[Question]:
    """Return the questions whose examples have no rows when they are run as they are shown."""
    found = ((it, rules.session.sparql(questions.example_of(it))) for it in wanted)
    return [it for it, answer in found if not (isinstance(answer, Answer) and answer.rows)]


def test_examples_that_the_starter_must_have_an_answer_to_have_one(starter_store: Path) -> None:
    """No real edition has cards, notes with links, or the texts of an authority."""
    names = ("also_see", "cards_touched_by", "cards_with", "rules_of_card", "rulings_about", "rulings_by")
    assert not _without_rows(rulesgraph.open(starter_store), map(questions.question, names))


@pytest.mark.long(small="test_examples_that_the_starter_must_have_an_answer_to_have_one")
def test_every_example_has_rows_in_the_starter_or_in_a_real_edition(
    starter_store: Path, real_rules: Rules
) -> None:
    asked = [it for it in questions.questions() if it.parameters]
    assert not _without_rows(real_rules, _without_rows(rulesgraph.open(starter_store), asked))


@pytest.mark.parametrize("name", ["interaction", "whether", "terms_mentioned_in"])
def test_a_question_about_everything_is_about_ten_things(name: str, graph: Graph) -> None:
    """Each of these joins what it is about with all texts, which takes too long for a whole edition."""
    select = str(graph.value(URIRef(QUESTION + name), SH.select))
    places = re.findall(r"\?concept a [?:\w]+\s*\}(\s*ORDER BY [^\n]+\s*LIMIT 10)?", select)
    assert places
    assert all(places)
    assert prepareQuery(select).algebra


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("cited_by", "Lantern"),
        ("terms_relying_on", "Moth"),
        ("parts_of", "310"),
    ],
)
def test_a_parameter_is_bound_as_shacl_binds_it(name: str, given: str, graph: Graph, mini: Session) -> None:
    """By rdflib, on which pySHACL runs; the program puts terms into the text."""
    wanted = questions.question(name)
    values, scope, _ = bound(mini, wanted, [given])
    data = Dataset()
    for one in mini.store.graphs():
        lines = "".join(f"{line}\n" for line in mini.store.graph_lines(one))
        data.graph(URIRef(one)).parse(data=lines, format="nt")
        if one in scope.default_graphs:
            data.default_graph.parse(data=lines, format="nt")
    [iri] = values["concept"]
    select = str(graph.value(URIRef(QUESTION + name), SH.select))
    with pytest.warns(DeprecationWarning, match="Dataset"):  # rdflib's own
        rows = list(data.query(select, initBindings={"concept": URIRef(str(iri))}))
    known = mini.select(bind(wanted.query, values), scope.default_graphs, scope.named_graphs)
    assert len(rows) == len(known) > 0


def test_the_shapes_of_shacl_hold(graph: Graph) -> None:
    """Parameters are property shapes; the standard's own shapes say what these must be like."""
    holds, _, told = pyshacl.validate(Graph(), shacl_graph=graph, meta_shacl=True, advanced=True)
    assert holds, told
    broken = Graph() + graph
    broken.add((URIRef(f"{QUESTION}citing-concept"), SH.nodeKind, Literal("IRI")))
    with pytest.raises(pyshacl.errors.ReportableRuntimeError, match="MetaSHACL"):
        pyshacl.validate(Graph(), shacl_graph=broken, meta_shacl=True, advanced=True)


def test_the_command_writes_every_form(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    assert run("vocabulary", "--as", "questions") == (0, questions_turtle().decode(), "")
    place = tmp_path / "vocabulary.ttl"
    assert run("vocabulary", "--as", "turtle", "-o", place)[:2] == (0, "")
    declared = Graph().parse(place)
    assert (URIRef(RG.Term), RDFS.subClassOf, SKOS.Concept) in declared
    assert any(declared.triples((None, SKOS.topConceptOf, None)))
    assert list(Graph().parse(data=run("vocabulary", "--as", "shapes")[1]).subjects(RDF.type, SH.NodeShape))
    assert run("vocabulary", "--as", "context")[1].startswith('{\n  "@context"')
