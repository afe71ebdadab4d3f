"""The vocabulary stays in OWL 2 RL and the game ontology in OWL 2 DL, by a checker that knows both.

The checker accepts the forms of axioms that it lists and reports everything else, so an unforeseen form is a
finding. Clauses: OWL 2 Profiles (RL: 4.2), Structural Specification (typing 5.8.1, global restrictions 11.2),
Mapping to RDF graphs (3.2).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rdflib import OWL, RDF, RDFS, XSD, BNode, Graph, URIRef
from rdflib.collection import Collection
from rdflib.term import Node
from rulesgraph.ontology.resources import read_text

CHARACTERISTICS = {
    OWL.FunctionalProperty,
    OWL.InverseFunctionalProperty,
    OWL.TransitiveProperty,
    OWL.SymmetricProperty,
    OWL.AsymmetricProperty,
    OWL.IrreflexiveProperty,
}
KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, OWL.NamedIndividual}
BUILT_IN_ANNOTATIONS = {
    RDFS.label,
    RDFS.comment,
    RDFS.seeAlso,
    RDFS.isDefinedBy,
    OWL.versionInfo,
    OWL.deprecated,
    OWL.priorVersion,
    OWL.versionIRI,
    OWL.imports,
}
DATATYPES = {RDFS.Literal} | {
    XSD[name]
    for name in (
        "string boolean decimal integer nonNegativeInteger positiveInteger nonPositiveInteger "
        "negativeInteger long int short byte double float dateTime dateTimeStamp anyURI hexBinary "
        "base64Binary language token"
    ).split()
}
"""The datatypes of OWL 2 RL; xsd:date is in no OWL 2 datatype map."""

SIMPLE_ONLY = {
    OWL.FunctionalProperty,
    OWL.InverseFunctionalProperty,
    OWL.AsymmetricProperty,
    OWL.IrreflexiveProperty,
}
DISJOINT_PROPERTIES = OWL.propertyDisjointWith


class Profile:
    """Findings about one ontology; `known` is it together with what it imports."""

    def __init__(self, graph: Graph, known: Graph, *, dl: bool) -> None:
        self.graph = graph
        self.known = known
        self.dl = dl

    def has(self, node: Node | None, kind: Node) -> bool:
        return (node, RDF.type, kind) in self.known

    def findings(self) -> Iterator[str]:
        for s, p, o in self.graph:
            if problem := self.axiom(s, p, o):
                yield f"{problem}: {s} {p} {o}"
        yield from self.typing()
        yield from self.simplicity()

    def named_class(self, node: Node | None) -> bool:
        return isinstance(node, URIRef) and self.has(node, OWL.Class) and node not in (OWL.Thing, OWL.Nothing)

    def expression(self, node: Node | None) -> bool:
        """A class expression allowed in its place: a name, and in DL unions and existentials."""
        if not isinstance(node, BNode) or not self.dl:
            return self.named_class(node)
        kind = self.graph.value(node, RDF.type)
        forms = set(self.graph.predicates(node)) - {RDF.type}
        if kind == OWL.Class and forms == {OWL.unionOf}:
            return self.named_classes(self.graph.value(node, OWL.unionOf))
        if kind == OWL.Restriction and forms == {OWL.onProperty, OWL.someValuesFrom}:
            on, filler = self.graph.value(node, OWL.onProperty), self.graph.value(node, OWL.someValuesFrom)
            return self.has(on, OWL.ObjectProperty) and self.named_class(filler)
        return False

    def named_classes(self, members: Node | None) -> bool:
        """Return whether a list has two or more names of classes."""
        items = list(Collection(self.graph, members)) if members else []
        return len(items) > 1 and all(self.named_class(item) for item in items)

    def axiom(self, s: Node, p: Node, o: Node) -> str:
        if isinstance(s, BNode):
            return "" if self.dl and self.structure(s) else "blank node"
        if p == RDF.type:
            if o in KINDS | CHARACTERISTICS | {OWL.Ontology} or self.named_class(o):
                return ""
            return "type that is no declared class"
        if p in (RDFS.subClassOf, OWL.disjointWith, OWL.equivalentClass):
            ok = self.named_class(s) and self.expression(o)
            return "" if ok else "class axiom outside the profile"
        if p in (RDFS.subPropertyOf, DISJOINT_PROPERTIES):
            same = any(self.has(s, kind) and self.has(o, kind) for kind in KINDS - {OWL.Class})
            return "" if same else "property axiom between different kinds"
        if p in (RDFS.domain, RDFS.range):
            return self.domain_or_range(s, p, o)
        if p == OWL.differentFrom:
            return (
                ""
                if self.has(s, OWL.NamedIndividual) and self.has(o, OWL.NamedIndividual)
                else "no individual"
            )
        if p in BUILT_IN_ANNOTATIONS or self.has(p, OWL.AnnotationProperty):
            return ""
        return "form of axiom that is not in the profile"

    def domain_or_range(self, s: Node, p: Node, o: Node) -> str:
        if self.has(s, OWL.AnnotationProperty):
            return ""
        if p == RDFS.range and self.has(s, OWL.DatatypeProperty):
            return "" if o in DATATYPES else "datatype outside OWL 2 RL"
        return "" if self.named_class(o) else "domain or range that is no named class"

    def structure(self, node: BNode) -> bool:
        """A blank node that is a list cell, a checked class expression or a set of disjoint classes."""
        if (node, RDF.first, None) in self.graph:
            return True
        if self.has(node, OWL.AllDisjointClasses):
            return self.named_classes(self.graph.value(node, OWL.members))
        uses = [p for _, p in self.graph.subject_predicates(node)]
        return len(uses) == 1 and self.expression(node)

    def typing(self) -> Iterator[str]:
        for node in set(self.graph.subjects(RDF.type, None)):
            kinds = set(self.known.objects(node, RDF.type)) & KINDS
            if len(kinds) > 1:
                yield f"punning: {node} is {sorted(map(str, kinds))}"

    def simplicity(self) -> Iterator[str]:
        composite = set(self.known.subjects(RDF.type, OWL.TransitiveProperty))
        grown = True
        while grown:
            above = {o for c in composite for o in self.known.objects(c, RDFS.subPropertyOf)}
            grown = not above <= composite
            composite |= above
        disjoint = {it for pair in self.known.subject_objects(DISJOINT_PROPERTIES) for it in pair}
        for node in composite:
            if node in disjoint or set(self.known.objects(node, RDF.type)) & SIMPLE_ONLY:
                yield f"a transitive property must not be restricted so: {node}"


def load(name: str) -> Graph:
    return Graph().parse(data=read_text(name), format="turtle")


def test_vocabulary_is_owl_2_rl() -> None:
    vocabulary = load("vocabulary.ttl")
    assert list(Profile(vocabulary, vocabulary, dl=False).findings()) == []


def test_game_is_owl_2_dl() -> None:
    game = load("game.ttl")
    assert list(Profile(game, game + load("vocabulary.ttl"), dl=True).findings()) == []


def test_game_needs_more_than_rl() -> None:
    """If this fails, the game ontology can be declared OWL 2 RL as well."""
    game = load("game.ttl")
    assert list(Profile(game, game + load("vocabulary.ttl"), dl=False).findings())


HEAD = """
@prefix : <https://example.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:A a owl:Class . :B a owl:Class .
:p a owl:ObjectProperty . :q a owl:ObjectProperty . :d a owl:DatatypeProperty .
"""


@pytest.mark.parametrize(
    ("axiom", "dl"),
    [
        (":p rdfs:domain [ a owl:Class ; owl:unionOf ( :A :B ) ] .", False),
        (":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B ] .", False),
        (":p rdfs:range owl:Thing .", False),
        (":d rdfs:range xsd:date .", False),
        (":p rdfs:subPropertyOf :d .", False),
        (":p a owl:ReflexiveProperty .", False),
        (":A rdfs:subClassOf :Undeclared .", False),
        (":A a owl:ObjectProperty .", False),
        (":x a :Undeclared .", False),
        (":p a owl:TransitiveProperty , owl:FunctionalProperty .", False),
        (":q rdfs:subPropertyOf :p . :q a owl:TransitiveProperty . :p a owl:IrreflexiveProperty .", False),
        (":p a owl:TransitiveProperty ; owl:propertyDisjointWith :q .", False),
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :B ] .", True),
        (":A owl:hasKey ( :p ) .", True),
        (":A rdfs:subClassOf [ a owl:Class ; owl:unionOf ( :A ) ] .", True),
        (":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :d ; owl:someValuesFrom :B ] .", True),
        ("[] a owl:AllDisjointClasses ; owl:members ( :A :Undeclared ) .", True),
    ],
)
def test_the_checker_finds(axiom: str, dl: bool) -> None:
    sound, broken = Graph().parse(data=HEAD), Graph().parse(data=HEAD + axiom)
    assert list(Profile(sound, sound, dl=dl).findings()) == []
    assert list(Profile(broken, broken, dl=dl).findings())
