"""Controlled values: each that loaders write is a concept with a meaning, and nothing else is."""

from __future__ import annotations

import ast
from pathlib import Path

from rdflib import DCTERMS, RDF, RDFS, SKOS, Graph, Literal, URIRef
from rulesgraph.loaders.history.items import ChangeKind
from rulesgraph.loaders.records import Severity
from rulesgraph.ontology.iris import CODE, code, coded
from rulesgraph.ontology.resources import CODES_FILE, read_text
from rulesgraph.ontology.terms import DocumentKind

LOADERS = Path(__file__).resolve().parents[1] / "loaders"
MAKERS = {"Problem", "at", "_problem", "_entry_problem", "_missing"}


def concepts() -> Graph:
    return Graph().parse(data=read_text(CODES_FILE), format="turtle")


def in_scheme(name: str) -> set[str]:
    return {str(it).removeprefix(CODE) for it in concepts().subjects(SKOS.inScheme, URIRef(CODE + name))}


def written() -> set[str]:
    """The strings with dashes in the places where loaders make problems."""
    found = set()
    texts = (path.read_text(encoding="utf-8") for path in LOADERS.rglob("*.py"))
    for text in (text for text in texts if any(f"{maker}(" in text for maker in MAKERS)):
        for it in ast.walk(ast.parse(text)):
            if isinstance(it, ast.Call) and getattr(it.func, "id", getattr(it.func, "attr", "")) in MAKERS:
                values = [argument.value for argument in it.args if isinstance(argument, ast.Constant)]
                found |= {value for value in values if isinstance(value, str)}
    return {it for it in found if it.replace("-", "").isalpha() and it.islower() and "-" in it}


def test_each_value_is_a_concept() -> None:
    assert in_scheme("kinds-of-documents") == {code(kind.value).removeprefix(CODE) for kind in DocumentKind}
    assert in_scheme("severities") == {severity.value for severity in Severity}
    assert in_scheme("kinds-of-changes") == {code(kind.value).removeprefix(CODE) for kind in ChangeKind}


def test_each_code_of_a_problem_is_a_concept() -> None:
    assert written()
    assert written() <= in_scheme("problem-codes")


def test_a_value_is_read_back() -> None:
    for kind in DocumentKind:
        assert DocumentKind(coded(code(kind.value))) is kind


def test_concepts_are_whole() -> None:
    graph = concepts()
    for concept in graph.subjects(RDF.type, SKOS.Concept):
        [label] = graph.objects(concept, SKOS.prefLabel)
        [definition] = graph.objects(concept, SKOS.definition)
        assert isinstance(label, Literal)
        assert isinstance(definition, Literal)
        assert label.language == definition.language == "en"
        assert str(label) == coded(str(concept))
        assert definition.endswith(".")
        [scheme] = graph.objects(concept, SKOS.inScheme)
        assert (concept, SKOS.topConceptOf, scheme) in graph
        assert (scheme, SKOS.hasTopConcept, concept) in graph
        assert list(graph.objects(concept, RDFS.isDefinedBy)) == [URIRef(CODE.removesuffix("#"))]
    for scheme in graph.subjects(RDF.type, SKOS.ConceptScheme):
        assert len(list(graph.objects(scheme, DCTERMS.title))) == 1
