"""The vocabulary is complete, documented, and free of the usual pitfalls.

The pitfalls are those that ontology scanners raise (the catalogue of OOPS!), numbered as there.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, Graph, Literal, URIRef
from rdflib.namespace import VANN
from rdflib.term import Node
from rulesgraph.ontology.iris import NAMESPACES, VOCABULARY
from rulesgraph.ontology.resources import read_text
from rulesgraph.ontology.terms import CLASSES, GAME, GAME_CLASSES, INDIVIDUALS, PROPERTIES, RG

FILES = {
    "vocabulary.ttl": URIRef("https://w3id.org/rulesgraph/ns"),
    "game.ttl": URIRef("https://w3id.org/rulesgraph/game"),
}
ROLES = {
    "TextUnit", "Dependable", "Locatable", "EditionBound", "EditionPart", "DocumentPart", "Citable",
    "Finding", "Worded", "MentioningText", "Loadable", "CardData",
}  # fmt: skip
"""Superclasses, which are never written as a type."""
PROPERTY_KINDS = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
MEANT = "An example is: "
"""What a kind has instead of an example, if the newest rules name nothing of the kind."""

ENTITIES = (OWL.Class, *PROPERTY_KINDS, OWL.NamedIndividual)

DESIGN_CLASSES = """
Edition Document Section Rule Entry Paragraph Note Ruling Example Reference Attribution Problem TextUnit
Dependable Term Sense Fact Ability ActivatedAbility TriggeredAbility StaticAbility EvasionAbility
CharacteristicDefiningAbility KeywordAbility KeywordAction AbilityWord Effect Phase Step Zone CardType
Supertype Subtype Cost Counter Variant
""".split()
DESIGN_PROPERTIES = """
level inEdition text firstLine lastLine loaded defines status attribution authority asOf hasReference to
surface start end quotedTitle cites seeAlso redirectsTo definedBy represents hasKind mentions dependsOn
usesTerm sameRule rulesInForce unchangedFrom renumberedFrom rewordedFrom movedAndRewordedFrom expressionOf
next renamedTo
""".split()
DESIGN_SUBCLASSES = [
    ("Rule", "TextUnit"), ("Paragraph", "TextUnit"), ("Note", "TextUnit"), ("Ruling", "TextUnit"),
    ("Example", "TextUnit"), ("Rule", "Dependable"), ("Term", "Dependable"), ("ActivatedAbility", "Ability"),
    ("TriggeredAbility", "Ability"), ("StaticAbility", "Ability"), ("EvasionAbility", "StaticAbility"),
    ("CharacteristicDefiningAbility", "StaticAbility"), ("KeywordAbility", "Ability"),
]  # fmt: skip
DESIGN_SUBPROPERTIES = [
    (RG.renamedTo, DCTERMS.isReplacedBy),
    (RG.unchangedFrom, URIRef("http://www.w3.org/ns/prov#wasDerivedFrom")),
    (RG.renumberedFrom, URIRef("http://www.w3.org/ns/prov#wasDerivedFrom")),
    (RG.rewordedFrom, URIRef("http://www.w3.org/ns/prov#wasRevisionOf")),
    (RG.movedAndRewordedFrom, URIRef("http://www.w3.org/ns/prov#wasRevisionOf")),
]
MAY_OVERLAP = {frozenset(pair) for pair in (("Rule", "Entry"), ("Rule", "Paragraph"), ("Entry", "Paragraph"))}
"""On the rule pages of a rulings site entries and paragraphs are rules."""


@cache
def graph(name: str) -> Graph:
    return Graph().parse(data=read_text(name), format="turtle")


@cache
def both() -> Graph:
    return graph("vocabulary.ttl") + graph("game.ttl")


def named(name: str) -> URIRef:
    """Our node of a local name, in whichever of the two namespaces it is."""
    return URIRef(getattr(GAME if name in GAME_CLASSES else RG, name))


def name(node: Node) -> str:
    return str(node).rpartition("#")[2]


def own(kind: Node, *files: str) -> list[URIRef]:
    """Our nodes of one kind, of both files or of those named."""
    graphs = [graph(file) for file in files or FILES]
    found = {s for g in graphs for s in g.subjects(RDF.type, kind)}
    return sorted(s for s in found if isinstance(s, URIRef) and str(s).startswith(NAMESPACES))


def own_terms() -> list[URIRef]:
    return sorted({term for kind in ENTITIES for term in own(kind)})


def above(node: Node, relation: URIRef) -> set[Node]:
    """Everything that a chain of `relation` leads to, the node itself only in a cycle."""
    found: set[Node] = set()
    todo = list(both().objects(node, relation))
    while todo:
        if (it := todo.pop()) not in found:
            found.add(it)
            todo += both().objects(it, relation)
    return found


# -- whole ------------------------------------------------------------------------------------------


def test_python_and_turtle_hold_the_same_names() -> None:
    assert [name(c) for c in own(OWL.Class, "vocabulary.ttl")] == sorted(CLASSES)
    assert [name(c) for c in own(OWL.Class, "game.ttl")] == sorted(GAME_CLASSES)
    assert sorted(name(p) for kind in PROPERTY_KINDS for p in own(kind)) == sorted(PROPERTIES)
    assert [name(i) for i in own(OWL.NamedIndividual)] == sorted(INDIVIDUALS)


def test_a_name_that_is_not_in_the_vocabulary_fails() -> None:
    assert RG.dependsOn == VOCABULARY + "dependsOn"
    with pytest.raises(AttributeError, match="dependsUpon"):
        _ = RG.dependsUpon


def test_the_contract_is_kept() -> None:
    assert set(DESIGN_CLASSES) <= {*CLASSES, *GAME_CLASSES}
    assert set(DESIGN_PROPERTIES) <= set(PROPERTIES)
    for lower, upper in DESIGN_SUBCLASSES:
        assert named(upper) in above(named(lower), RDFS.subClassOf), lower
    for narrow, wide in DESIGN_SUBPROPERTIES:
        assert wide in above(URIRef(narrow), RDFS.subPropertyOf), narrow
    assert SKOS.Concept in above(URIRef(RG.Term), RDFS.subClassOf)


@pytest.mark.parametrize("narrow", ["redirectsTo", "reliesByCitation", "reliesByNote", "reliesByDefinition"])
def test_every_kind_of_explicit_reliance_is_dependence(narrow: str) -> None:
    assert URIRef(RG.dependsOn) in above(URIRef(VOCABULARY + narrow), RDFS.subPropertyOf)


def test_every_game_class_is_a_kind_of_sense() -> None:
    """`rg:represents` leads to senses, so every kind that one can have is below `rg:Sense`."""
    for game_class in own(OWL.Class, "game.ttl"):
        assert URIRef(RG.Sense) in above(game_class, RDFS.subClassOf), game_class


# -- documented -------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES)
def test_header(file: str) -> None:
    g, iri = graph(file), FILES[file]
    assert list(g.subjects(RDF.type, OWL.Ontology)) == [iri]
    version = str(g.value(iri, OWL.versionInfo))
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert g.value(iri, OWL.versionIRI) == URIRef(f"{iri}/{version}")
    assert (
        str(g.value(iri, VANN.preferredNamespacePrefix)) == {"vocabulary.ttl": "rg", "game.ttl": "game"}[file]
    )
    assert str(g.value(iri, VANN.preferredNamespaceUri)) == f"{iri}#"
    created = g.value(iri, DCTERMS.created)
    assert isinstance(created, Literal)
    assert created.datatype == XSD.date
    for required in (DCTERMS.title, DCTERMS.description, DCTERMS.creator, DCTERMS.license):  # P38, P41
        assert len(list(g.objects(iri, required))) == 1, required


@pytest.mark.parametrize("file", FILES)
def test_registries_find_what_they_ask_for(file: str) -> None:
    """What LOV and checkers of FAIR vocabularies want of a header, beside the above."""
    g, iri = graph(file), FILES[file]
    for role in (DCTERMS.contributor, DCTERMS.publisher):
        assert all(isinstance(it, URIRef) for it in g.objects(iri, role))
        assert g.value(iri, role), role
    created, modified = (str(g.value(iri, it)) for it in (DCTERMS.created, DCTERMS.modified))
    assert created <= modified
    for told in (DCTERMS.title, DCTERMS.description):
        assert isinstance(it := g.value(iri, told), Literal)
        assert it.language == "en"
    # A retired name stays, and names its replacement.
    for term in g.subjects(OWL.deprecated, Literal(True)):
        assert g.value(term, DCTERMS.isReplacedBy), term


def test_the_changelog_tells_of_the_vocabulary_by_version() -> None:
    log = Path(__file__).resolve().parents[1].joinpath("CHANGELOG.md").read_text(encoding="utf-8")
    for version in re.split(r"^## ", log, flags=re.MULTILINE)[1:]:
        assert "### Vocabulary\n" in version, version.partition("\n")[0]


@pytest.mark.parametrize("file", FILES)
def test_every_term_is_documented_once(file: str) -> None:
    """P08: one label, one definition, in English; an example, or what is meant; and its ontology."""
    g = graph(file)
    for term in [t for t in own_terms() if (t, RDF.type, None) in g]:
        for required in (RDFS.label, SKOS.definition):
            values = list(g.objects(term, required))
            assert len(values) == 1, (term, required)
            assert isinstance(values[0], Literal)
            assert values[0].language == "en", term
        told = [note for note in g.objects(term, SKOS.scopeNote) if MEANT in str(note)]
        assert len(list(g.objects(term, SKOS.example))) + len(told) >= 1, term
        assert list(g.objects(term, RDFS.isDefinedBy)) == [FILES[file]], term


def test_definitions_explain() -> None:
    """P20, P24: a definition is a sentence that says more than the label and does not depend on it."""
    seen: dict[str, URIRef] = {}
    for term in own_terms():
        label, text = str(both().value(term, RDFS.label)), str(both().value(term, SKOS.definition))
        assert re.fullmatch(r"[A-Z].*[.]", text), term
        assert len(text.split()) >= 4, term
        assert not re.search(rf"\b{re.escape(label)}\b", text, re.IGNORECASE), (term, text)
        assert seen.setdefault(text, term) == term


def test_labels_tell_terms_apart() -> None:
    """P02, P32: no two terms share a label."""
    seen: dict[str, URIRef] = {}
    for term in own_terms():
        label = str(both().value(term, RDFS.label)).casefold()
        assert seen.setdefault(label, term) == term, label


def test_one_english() -> None:
    """American spelling throughout, as the game has it."""
    words = set(re.findall(r"[a-z]+", " ".join(str(o) for o in both().objects() if isinstance(o, Literal))))
    assert not words & {"colour", "colours", "coloured", "licence", "recognised", "judgement", "centre"}
    assert "color" in words


def test_naming() -> None:
    """P22, P36: classes are UpperCamel, properties lowerCamel, and no IRI names a file."""
    for term in own(OWL.Class):
        assert re.fullmatch(r"([A-Z][a-z]+)+", name(term)), term
    for kind in PROPERTY_KINDS:
        for term in own(kind):
            assert re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", name(term)), term
    for iri in FILES.values():
        assert not re.search(r"\.(ttl|owl|rdf)$", str(iri))


# -- sound ------------------------------------------------------------------------------------------


def test_nothing_undeclared_is_used() -> None:
    """P34, P35: every name in an axiom is declared, ours and borrowed ones."""
    declared = {
        s
        for kind in (OWL.Class, *PROPERTY_KINDS, OWL.NamedIndividual)
        for s in both().subjects(RDF.type, kind)
    }
    axioms = (
        RDFS.subClassOf,
        RDFS.subPropertyOf,
        RDFS.domain,
        RDFS.range,
        OWL.disjointWith,
        OWL.propertyDisjointWith,
    )
    for axiom in axioms:
        for s, o in both().subject_objects(axiom):
            for it in (s, o):
                if isinstance(it, URIRef) and not str(it).startswith((str(XSD), str(RDFS), str(OWL))):
                    assert it in declared, (s, axiom, o)
    used = {it for triple in both() for it in triple if str(it).startswith(NAMESPACES)}
    assert used - {Literal(space) for space in NAMESPACES} <= declared


def test_every_borrowed_name_is_used() -> None:
    for borrowed in set(graph("vocabulary.ttl").subjects(RDF.type, None)) - {*own_terms(), *FILES.values()}:
        assert [t for t in both() if borrowed in t and t[1] != RDF.type], borrowed


@pytest.mark.parametrize("relation", [RDFS.subClassOf, RDFS.subPropertyOf])
def test_no_cycles(relation: URIRef) -> None:
    """P06"""
    for term in own_terms():
        assert term not in above(term, relation), term


def test_domains_and_ranges() -> None:
    """P11, P19: every property has exactly one of each."""
    for kind in PROPERTY_KINDS:
        for term in own(kind):
            assert len(list(both().objects(term, RDFS.domain))) == 1, term
            assert len(list(both().objects(term, RDFS.range))) == 1, term


def test_subproperties_stay_within_their_superproperty() -> None:
    """A narrower property has the domain and range of the wider one, or narrower ones."""
    for kind in PROPERTY_KINDS:
        for term in own(kind):
            for wider in both().objects(term, RDFS.subPropertyOf):
                for end in (RDFS.domain, RDFS.range):
                    outer, inner = both().value(wider, end), both().value(term, end)
                    if outer and wider in own(kind) and str(outer).startswith(NAMESPACES):
                        assert inner == outer or outer in above(inner or term, RDFS.subClassOf), (term, wider)


def test_no_inverses_are_named() -> None:
    """P05, P13: links are read both ways by queries, so that no pair can be declared wrongly."""
    assert not list(both().subject_objects(OWL.inverseOf))


def test_every_class_is_connected() -> None:
    """P04: each class has a class above or below it, or is the domain or range of a property."""
    relations = (RDFS.subClassOf, RDFS.domain, RDFS.range)
    for term in own(OWL.Class):
        linked = [r for r in relations if (term, r, None) in both() or (None, r, term) in both()]
        assert linked, term


@cache
def disjoint_pairs() -> set[frozenset[Node]]:
    stated = {frozenset(pair) for pair in both().subject_objects(OWL.disjointWith)}
    for group in both().subjects(RDF.type, OWL.AllDisjointClasses):
        members = both().value(group, OWL.members)
        assert members is not None
        stated |= {frozenset(pair) for pair in combinations(both().items(members), 2)}
    return stated


def are_disjoint(one: URIRef, other: URIRef) -> bool:
    upper = [{term, *above(term, RDFS.subClassOf)} for term in (one, other)]
    return any(frozenset((a, b)) in disjoint_pairs() for a in upper[0] for b in upper[1])


def test_kinds_of_nodes_are_disjoint_where_they_are() -> None:
    """P10: any two classes of nodes exclude each other, except for known overlaps."""
    kinds = [URIRef(VOCABULARY + c) for c in CLASSES if c not in ROLES]
    for one, other in combinations(kinds, 2):
        overlap = frozenset((name(one), name(other))) in MAY_OVERLAP
        assert are_disjoint(one, other) != overlap, (one, other)


def test_kinds_of_abilities_are_disjoint() -> None:
    kinds = ("ActivatedAbility", "TriggeredAbility", "StaticAbility", "SpellAbility")
    for one, other in combinations(kinds, 2):
        assert are_disjoint(named(one), named(other))
        assert not are_disjoint(named(one), named("KeywordAbility"))


def test_foreign_names_are_only_declared() -> None:
    """P40: nothing is said about other people's terms."""
    kinds = {OWL.Class, *PROPERTY_KINDS}
    for s, p, o in both():
        foreign = isinstance(s, URIRef) and not str(s).startswith("https://w3id.org/rulesgraph/")
        assert not foreign or (p == RDF.type and o in kinds), (s, p, o)


def test_the_vocabulary_needs_no_blank_nodes() -> None:
    assert all(
        not str(type(node)).endswith("BNode'>") for triple in graph("vocabulary.ttl") for node in triple
    )
