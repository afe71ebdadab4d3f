"""The thesaurus of `export --as skos` obeys the rules of SKOS, and agrees with the graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyoxigraph
import pytest
from asking import session_on
from real import rules
from rulesgraph.ontology.iris import BASE
from rulesgraph.queries.export.thesaurus import thesaurus_turtle
from rulesgraph.queries.session import Answer, Session
from thesauri import DEFECTS, PREFIXES, defects, store_of_turtle

GOLDEN = Path(__file__).parent / "golden" / "thesaurus.ttl"

SOUND = """
@prefix : <https://example.org/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:s a skos:ConceptScheme ; skos:hasTopConcept :lamp , :dusk ; dcterms:title "Lamps"@en ;
    dcterms:description "Names of lamps"@en ; dcterms:creator :me ; dcterms:publisher :me ;
    dcterms:license :free ; owl:versionInfo "1" .
:lamp a skos:Concept ; skos:inScheme :s ; skos:topConceptOf :s ; skos:prefLabel "Lamp"@en ;
    skos:narrower :lantern ; dcterms:source :page .
:page rdfs:label "Page 1"@en .
:lantern a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Lantern"@en ; skos:altLabel "Lanthorn"@en ;
    skos:definition "A lamp to carry."@en ; skos:broader :lamp ; skos:narrower :spark ; skos:related :dusk .
:spark a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Spark"@en ; skos:broader :lantern .
:dusk a skos:Concept ; skos:inScheme :s ; skos:topConceptOf :s ; skos:prefLabel "Dusk"@en ;
    skos:related :lantern .
"""

BROKEN = {
    "orphan concept": ':moth a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Moth"@en .',
    "no scheme": ':moth a skos:Concept ; skos:prefLabel "Moth"@en .',
    "no preferred label": ":moth a skos:Concept ; skos:inScheme :s .",
    "two preferred labels": ':lamp skos:prefLabel "Torch"@en .',
    "label without a language": ':lamp skos:altLabel "Torch" .',
    "overlapping labels": ':dusk skos:altLabel "Lanthorn"@en .',
    "labels not disjoint": ':dusk skos:hiddenLabel "Dusk"@en .',
    "empty label": ':dusk skos:altLabel " "@en .',
    "broader in a circle": ":lamp skos:broader :spark .",
    "broader said twice": ":spark skos:broader :lamp .",
    "related to what is above it": ":spark skos:related :lamp .",
    "related to itself": ":dusk skos:related :dusk .",
    "related one way only": ":spark skos:related :dusk .",
    "narrower one way only": ":dusk skos:narrower :spark .",
    "top concept with a broader one": ":dusk skos:broader :lamp .",
    "neither top nor below": ':moth a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Moth"@en .',
    "top concept one way only": ":s skos:hasTopConcept :spark .",
    "link to no concept": ":dusk dcterms:isReplacedBy :night .",
    "undocumented scheme": ":t a skos:ConceptScheme .",
    "source without a name": ":dusk dcterms:source :nowhere .",
}


def values(store: pyoxigraph.Store, term: str) -> dict[str, list[str]]:
    """Return the statements about a term, by property and in order, without those of every concept."""
    found: dict[str, list[str]] = {}
    for quad in store.quads_for_pattern(pyoxigraph.NamedNode(f"{BASE}term/{term}"), None, None, None):
        name = quad.predicate.value.rpartition("#")[2].rpartition("/")[2]
        value = getattr(quad.object, "value", "").removeprefix(BASE)
        found.setdefault(name, []).append(value)
    assert found.pop("inScheme") == ["scheme/terms"]
    assert sorted(found.pop("type")) == [f"{PREFIXES['skos']}Concept", "ns#Term"]
    return {name: sorted(them) for name, them in sorted(found.items())}


def test_every_rule_of_the_checker_fires_and_only_where_it_must() -> None:
    assert defects(store_of_turtle(SOUND)) == {}
    assert BROKEN.keys() == DEFECTS.keys()
    for name, more in BROKEN.items():
        assert name in defects(store_of_turtle(SOUND + more)), name


def test_the_mini_game(mini_store: Path, update_golden: bool) -> None:
    session = session_on(mini_store)
    turtle = thesaurus_turtle(session)
    if update_golden:
        GOLDEN.write_text(turtle, encoding="utf-8")
    assert turtle == GOLDEN.read_text(encoding="utf-8")
    assert defects(store_of_turtle(turtle)) == {}
    united = store_of_turtle(thesaurus_turtle(session, "all"))
    assert defects(united) == {}
    assert values(united, "waning-checks")["deprecated"] == ["true"]
    assert values(united, "moth-swarm")["deprecated"] == ["true"]


def collections(store: pyoxigraph.Store) -> dict[str, list[str]]:
    """Return term → the collections that it is a member of, sorted."""
    found: dict[str, list[str]] = {}
    for quad in store.quads_for_pattern(None, pyoxigraph.NamedNode(f"{PREFIXES['skos']}member"), None, None):
        term = getattr(quad.object, "value", "").rpartition("/")[2]
        found.setdefault(term, []).append(getattr(quad.subject, "value", "").rpartition("#")[2])
    return {term: sorted(them) for term, them in found.items()}


def rows(session: Session, query: str) -> set[tuple[str, ...]]:
    answer = session.sparql(query)
    assert isinstance(answer, Answer)
    return {tuple(map(str, row)) for row in answer.rows}


CONTRADICTIONS = """
SELECT DISTINCT ?term ?above WHERE {
  ?term skos:broader+ ?above . ?above rg:namesKind ?kind
  FILTER NOT EXISTS { ?term rg:namesKind|rg:hasKind ?own . ?own rdfs:subClassOf* ?kind }
}
"""
"""Terms below the name of a kind that are said to be of other kinds, and of none below that one."""


def hold_plain_queries_to_the_export(session: Session, lacking: tuple[str, ...] = ()) -> None:
    assert not rows(session, CONTRADICTIONS)
    exported = store_of_turtle(thesaurus_turtle(session))
    deprecated = exported.quads_for_pattern(
        None, pyoxigraph.NamedNode(f"{PREFIXES['owl']}deprecated"), None, None
    )
    former = {quad.subject.value for quad in deprecated}  # type: ignore[union-attr]
    for name in "definition broader narrower topConceptOf hasTopConcept altLabel".split():
        seen = rows(session, f"SELECT DISTINCT ?one ?two {{ ?one skos:{name} ?two }}")
        said = exported.quads_for_pattern(None, pyoxigraph.NamedNode(PREFIXES["skos"] + name), None, None)
        pairs = {(getattr(quad.subject, "value", ""), getattr(quad.object, "value", "")) for quad in said}
        assert pairs or name in lacking
        # A former name is a term of the thesaurus, and of no edition that a plain query sees.
        assert not {pair for pair in pairs - seen if former.isdisjoint(pair)}, name


def test_plain_queries_have_what_the_export_has(mini_store: Path) -> None:
    hold_plain_queries_to_the_export(session_on(mini_store), lacking=("broader", "narrower", "altLabel"))


@pytest.mark.long(small="test_plain_queries_have_what_the_export_has")
@pytest.mark.parametrize("day", ["2026-01-16", "2008-02-01", "1999-11-01"])
def test_plain_queries_have_it_of_whole_editions(
    day: str, shared: Path, store_of: Callable[..., Path]
) -> None:
    hold_plain_queries_to_the_export(session_on(store_of(rules(shared, day))))


@pytest.mark.long(small="test_the_mini_game")
@pytest.mark.parametrize("day", ["2026-01-16", "2008-02-01"])
@pytest.mark.parametrize("words", [True, False])
def test_real_editions_break_no_rule(
    day: str, words: bool, shared: Path, store_of: Callable[..., Path]
) -> None:
    session = session_on(store_of(rules(shared, day)))
    store = store_of_turtle(thesaurus_turtle(session, words=words))
    assert defects(store) == {}
    if day != "2026-01-16":
        return
    exported = {"definition", "source"}
    said = {name: it for name, it in values(store, "reach").items() if name not in exported}
    assert said == {"prefLabel": ["Reach"], "related": ["term/flying"], "topConceptOf": ["scheme/terms"]}
    assert collections(store)["reach"] == ["keyword-ability", "keyword-counter", "static-ability"]
    assert collections(store)["battlefield"] == ["public-zone", "zone"]
    assert values(store, "public-zone")["broader"] == ["term/zone"]
    gone = values(store, "converted-mana-cost")
    assert (gone["deprecated"], gone["isReplacedBy"]) == (["true"], ["term/mana-value"])
    definition = values(store, "reach")["definition"]
    entry = "edition/cr-2026-01-16/entry/reach"
    assert (definition == [entry]) is not words
    assert values(store, "reach")["source"] == [entry, "edition/cr-2026-01-16/rule/702.17"]
