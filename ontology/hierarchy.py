"""Look up superclasses, superproperties and exclusions in an ontology, and read literals.

Chains and lists are followed by SPARQL: pyoxigraph is always loaded during a build, and importing rdflib
takes as long as building a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache, cached_property
from typing import Self

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, RdfFormat, Store, parse

from .grouping import with_article
from .resources import QueryFiles, ontology_turtle
from .terms import PREFIXES, TYPE

_QUERIES = QueryFiles.beside(__name__)
_RDFS, _OWL = PREFIXES["rdfs"], PREFIXES["owl"]


class Hierarchy:
    """Classes and properties with everything above them, and their exclusions.

    Names are IRIs, in and out; classes without a name stay inside.
    """

    def __init__(self, axioms: Store) -> None:
        self._axioms = axioms
        self._above = cache(self._wider)
        self._paired_by = cache(self._pairs)

    @classmethod
    def of(cls, axioms: Iterable[PlainTriple]) -> Self:
        """Return the hierarchy of axioms given as statements."""
        store = Store()
        store.extend(Quad(_node(s), NamedNode(p), _node(o)) for s, p, o in axioms)
        return cls(store)

    def above_class(self, name: str) -> set[str]:
        """Return a class with all classes above it."""
        return self._above("wider_classes", name)

    def above_property(self, name: str) -> set[str]:
        """Return a property with all properties above it."""
        return self._above("wider_properties", name)

    def domains(self, name: str) -> set[str]:
        """Return the classes stated as the domain of a property."""
        return self._stated(name, _RDFS + "domain")

    def ranges(self, name: str) -> set[str]:
        """Return the classes stated as the range of a property."""
        return self._stated(name, _RDFS + "range")

    def properties_of_type(self, kind: str) -> set[str]:
        """Return the properties with a characteristic: ``IrreflexiveProperty`` …"""
        found = self._axioms.quads_for_pattern(None, NamedNode(TYPE), NamedNode(_OWL + kind))
        return {it.subject.value for it in found if isinstance(it.subject, NamedNode)}

    def exclude(self, one: str, other: str) -> tuple[str, str] | None:
        """Return the two classes, above the given ones, that have no members in common."""
        for a in sorted(self.above_class(one)):
            for b in sorted(self.above_class(other)):
                if frozenset((a, b)) in self.disjoint:
                    return a, b
        return None

    def exclude_links(self, one: str, other: str) -> bool:
        """Return whether two properties, or those above them, never join the same two things."""
        pairs = ((a, b) for a in self.above_property(one) for b in self.above_property(other))
        return any(frozenset(pair) in self._paired_by("propertyDisjointWith") for pair in pairs)

    def differ(self, one: str, other: str) -> bool:
        """Return whether two things are stated to be different."""
        return frozenset((one, other)) in self._paired_by("differentFrom")

    @cached_property
    def disjoint(self) -> set[frozenset[str]]:
        """The pairs of classes that are stated to have no member in common."""
        return {frozenset(pair) for pair in self._rows(_QUERIES.bound("disjoint_classes", {}))}

    def _wider(self, query: str, name: str) -> set[str]:
        rows = () if name.startswith("_:") else self._rows(_QUERIES.bound(query, {"it": [name]}))
        return {wider for (wider,) in rows}

    def _pairs(self, relation: str) -> set[frozenset[str]]:
        found = self._axioms.quads_for_pattern(None, NamedNode(_OWL + relation), None)
        pairs = ((it.subject, it.object) for it in found)
        return {frozenset(node.value for node in pair if isinstance(node, NamedNode)) for pair in pairs}

    def _stated(self, name: str, relation: str) -> set[str]:
        found = self._axioms.quads_for_pattern(NamedNode(name), NamedNode(relation), None)
        return {it.object.value for it in found if isinstance(it.object, NamedNode)}

    def _rows(self, query: str) -> Iterable[tuple[str, ...]]:
        found = self._axioms.query(query)
        assert isinstance(found, QuerySolutions)
        return (tuple(str(term.value) for term in row) for row in found)


def _node(name: str) -> NamedNode | BlankNode:
    return BlankNode(name[2:]) if name.startswith("_:") else NamedNode(name)


@cache
def vocabulary_store() -> Store:
    """Return the vocabulary and the game ontology in one store, read once; do not change it."""
    store = Store()
    for turtle in ontology_turtle():
        store.load(turtle, format=RdfFormat.TURTLE)
    return store


@cache
def own_hierarchy() -> Hierarchy:
    """Return the hierarchy of the vocabulary and the game ontology."""
    return Hierarchy(vocabulary_store())


PlainTriple = tuple[str, str, str]
"""Subject, predicate and object as IRIs, blank node labels, or (objects) literals as in N-Triples."""


def in_words(statement: PlainTriple, labels: Mapping[str, str]) -> str:
    """Return a statement as a reader would say it, its classes and properties by their labels."""
    s, p, o = statement
    if p == TYPE:
        return f"{s} is {with_article(labels.get(o, o))}"
    return f"{s} {labels.get(p, p)} {o}"


# -- literals ----------------------------------------------------------------------------------------

_XSD = PREFIXES["xsd"]
_PLAIN = re.compile(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*")
_STRINGS = frozenset({"string", "normalizedString", "token"})
_WHOLE = frozenset(
    {
        *("integer", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
        *("long", "int", "short", "byte", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    }
)
_NUMBERS = _WHOLE | {"decimal"}
READ_BY_REASONERS = frozenset(_XSD + name for name in _STRINGS | _NUMBERS | {"boolean", "float", "double"})
"""The datatypes that each of our reasoners can read; they fail on dates, among others."""


def is_literal(node: str) -> bool:
    """Return whether this is an N-Triples literal, not an IRI or the label of a blank node."""
    return node.startswith('"')


@cache
def parts(literal: str) -> tuple[str, str]:
    """Return the words and the datatype of a literal; one with a language has `rdf:langString`.

    >>> parts('"4"^^<urn:wick>'), parts('"dusk"@en')[0]
    (('4', 'urn:wick'), 'dusk')
    """
    (quad,) = parse(input=f"<urn:s> <urn:p> {literal} .", format=RdfFormat.N_TRIPLES)
    if not isinstance(quad.object, Literal):
        raise TypeError(f"no literal: {literal}")
    return quad.object.value, quad.object.datatype.value


def is_well_formed(literal: str) -> bool:
    """Return whether the words of a literal are valid for its datatype; unknown datatypes accept any words.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> [is_well_formed(f'"{words}"^^<{xsd}integer>') for words in ("12", "twelve", "1_2")]
    [True, False, False]
    """
    from rdflib import Literal, URIRef

    words, datatype = parts(literal)
    if datatype.removeprefix(_XSD) in _NUMBERS and not _PLAIN.fullmatch(words):
        return False
    return not Literal(words, datatype=URIRef(datatype), normalize=False).ill_typed


def fits(literal: str, datatype: str) -> bool:
    """Return whether the value of a well-formed literal also belongs to a datatype of `READ_BY_REASONERS`.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> fits(f'"3"^^<{xsd}byte>', xsd + "integer"), fits('"3"', xsd + "integer")
    (True, False)
    """
    words, own = parts(literal)
    one, other = own.removeprefix(_XSD), datatype.removeprefix(_XSD)
    if own == datatype or {one, other} <= _STRINGS:
        return True
    if not {one, other} <= _NUMBERS:
        return False
    value = Decimal(words.strip())
    whole = value == value.to_integral_value()
    return other == "decimal" or (whole and is_well_formed(f'"{int(value)}"^^<{datatype}>'))
