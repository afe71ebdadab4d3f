"""Axioms become a hierarchy: what is above each class and property, and what excludes what.

rdflib reads the lists and walks the chains; it is imported here alone, when something is built or
reasoned about, never to answer a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import combinations
from typing import Self

from rdflib import OWL, RDF, RDFS, BNode, Graph, URIRef
from rdflib.collection import Collection
from rdflib.paths import MulPath, Path
from rdflib.term import Node

from .resources import ontology_turtle
from .statements import PlainTriple

_WIDER_CLASSES = MulPath(RDFS.subClassOf | OWL.equivalentClass | ~OWL.equivalentClass, "*")
_WIDER_PROPERTIES = MulPath(RDFS.subPropertyOf, "*")


class Hierarchy:
    """Classes and properties with all that is above them, and what excludes what.

    Names are IRIs, in and out; classes without a name stay inside.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[tuple[str, Path], set[str]] = {}

    @classmethod
    def of(cls, axioms: Iterable[PlainTriple]) -> Self:
        """Return the hierarchy of axioms given as statements."""
        graph = Graph()
        for axiom in axioms:
            subject, predicate, value = (_node(name) for name in axiom)
            graph.add((subject, predicate, value))
        return cls(graph)

    def above_class(self, name: str) -> set[str]:
        """Return a class with all classes above it."""
        return self._above(name, _WIDER_CLASSES)

    def above_property(self, name: str) -> set[str]:
        """Return a property with all properties above it."""
        return self._above(name, _WIDER_PROPERTIES)

    def domains(self, name: str) -> set[str]:
        """Return the classes that are stated to be the domain of a property."""
        return {str(it) for it in self._graph.objects(URIRef(name), RDFS.domain)}

    def ranges(self, name: str) -> set[str]:
        """Return the classes that are stated to be the range of a property."""
        return {str(it) for it in self._graph.objects(URIRef(name), RDFS.range)}

    def properties_of_type(self, kind: str) -> set[str]:
        """Return the properties with a characteristic: ``IrreflexiveProperty`` …"""
        return {str(it) for it in self._graph.subjects(RDF.type, OWL[kind])}

    def exclude(self, one: str, other: str) -> tuple[str, str] | None:
        """Return the two classes, above the given ones, that have no members in common."""
        for a in sorted(self.above_class(one)):
            for b in sorted(self.above_class(other)):
                if frozenset((a, b)) in self._disjoint:
                    return a, b
        return None

    def exclude_links(self, one: str, other: str) -> bool:
        """Tell whether two properties, or those above them, never join the same two things."""
        pairs = ((a, b) for a in self.above_property(one) for b in self.above_property(other))
        return any(frozenset(pair) in self._disjoint_links for pair in pairs)

    def differ(self, one: str, other: str) -> bool:
        """Tell whether two things are stated to be two."""
        return frozenset((one, other)) in self._different

    @cached_property
    def _different(self) -> set[frozenset[str]]:
        return {frozenset(map(str, pair)) for pair in self._graph.subject_objects(OWL.differentFrom)}

    @cached_property
    def _disjoint_links(self) -> set[frozenset[str]]:
        return {frozenset(map(str, pair)) for pair in self._graph.subject_objects(OWL.propertyDisjointWith)}

    @cached_property
    def _disjoint(self) -> set[frozenset[str]]:
        return {frozenset(map(str, pair)) for pair in self._disjoint_pairs()}

    def _disjoint_pairs(self) -> Iterator[tuple[Node, Node]]:
        yield from self._graph.subject_objects(OWL.disjointWith)
        for group in self._graph.subjects(RDF.type, OWL.AllDisjointClasses):
            for members in self._graph.objects(group, OWL.members):
                yield from combinations(Collection(self._graph, members), 2)

    def _above(self, name: str, chain: Path) -> set[str]:
        key = (name, chain)
        if key not in self._known:  # walking a path costs a thousand times more than looking it up
            above = self._graph.objects(URIRef(name), chain)
            self._known[key] = {str(it) for it in above if isinstance(it, URIRef)}
        return self._known[key]


def _node(name: str) -> URIRef | BNode:
    return BNode(name[2:]) if name.startswith("_:") else URIRef(name)


@cache
def vocabulary_graph() -> Graph:
    """Return the vocabulary and the game ontology as one graph, read once; it is not to be changed."""
    graph = Graph()
    for turtle in ontology_turtle():
        graph.parse(data=turtle, format="turtle")
    return graph


@cache
def own_hierarchy() -> Hierarchy:
    """Return the hierarchy of the vocabulary and the game ontology."""
    return Hierarchy(vocabulary_graph())
