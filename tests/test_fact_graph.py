"""Facts as triples: evidence, a node for each sense, lists, steps."""

from __future__ import annotations

import re

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse
from rdflib import OWL, RDFS, Graph, URIRef
from rulesgraph.loaders.facts.find import fact_triples
from rulesgraph.loaders.facts.kinds import game_kinds
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.ontology.iris import Iris
from rulesgraph.ontology.resources import read_text
from rulesgraph.ontology.terms import GAME, PREFIXES
from rulesgraph.queries.session import Session
from test_facts import RULES, TERSE, document

EDITIONS = pytest.mark.long(small="test_evidence_shows_every_item_of_a_list")


def graph_of(entries: dict[str, list[str]], rules: dict[str, str] | None = None) -> set[tuple[str, str, str]]:
    """Return the triples, with the base and the prefixes cut off."""
    triples = fact_triples(EditionView([document(entries, rules)], Iris()))
    lines = b"".join(triples.nquads("http://g"))
    found = set()
    for quad in parse(input=lines, format=RdfFormat.N_QUADS):
        assert isinstance(quad, Quad)
        assert isinstance(quad.subject, NamedNode)
        assert isinstance(quad.object, NamedNode | Literal)
        found.add((_short(quad.subject.value), _short(quad.predicate.value), _short(quad.object.value)))
    return found


def _short(value: str) -> str:
    for prefix, space in PREFIXES.items():
        if value.startswith(space):
            return f"{prefix}:{value.removeprefix(space)}"
    return Iris().local(value).replace("edition/cr-2031-01-01/", "")


def test_a_fact_keeps_its_evidence() -> None:
    found = graph_of({"Glimmer": ["Moths hum. Glimmer is a static ability. It rests."]})
    fact = "entry/glimmer/1/fact/1"
    assert {(p, o) for s, p, o in found if s == fact} == {
        ("rdf:type", "rg:Fact"),
        ("rg:inEdition", "edition/cr-2031-01-01"),
        ("rg:pattern", "is a"),
        ("rg:quote", "Glimmer is a static ability."),
        ("prov:wasDerivedFrom", "entry/glimmer/1"),
        ("rg:factSubject", "term/glimmer"),
        ("rg:factProperty", "rg:hasKind"),
        ("rg:factObject", "game:StaticAbility"),
    }
    assert {
        ("term/glimmer", "rg:hasKind", "game:StaticAbility"),
        ("term/glimmer", "iso-thes:broaderInstantial", "term/static-ability"),
        ("term/glimmer", "rg:represents", "sense/glimmer/1"),
        ("sense/glimmer/1", "rdf:type", "game:StaticAbility"),
        ("sense/glimmer/1", "rdfs:label", "Glimmer"),
    } <= found


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "Glimmer is a keyword that represents two abilities. The first is a static ability. The second is"
            " a triggered ability. Moths hum.",
            "Glimmer is a keyword that represents two abilities. The first is a static ability. The second is"
            " a triggered ability.",
        ),
        (
            "Moths hum. Glimmer represents a static ability and a triggered ability. The first is rare.",
            "Glimmer represents a static ability and a triggered ability.",
        ),
        (
            "An old word that has been renamed. See rule 7.2, “Moth.” See rule 9, “Lamps.”",
            "An old word that has been renamed. See rule 7.2, “Moth.”",
        ),
        (
            "To glimmer, follow these steps in order: Light a lamp. Call a moth. See rule 9, “Lamps.”",
            "To glimmer, follow these steps in order: Light a lamp. Call a moth.",
        ),
    ],
)
def test_a_fact_quotes_all_the_sentences_that_say_it(text: str, quote: str) -> None:
    found = graph_of({"Moth": ["A moth."], "Triggered Ability": ["See nothing."], "Glimmer": [text]})
    assert [o for s, p, o in found if p == "rg:quote" and s.startswith("entry/glimmer/")] == [quote]


def test_items_in_the_next_paragraph_come_from_it() -> None:
    found = graph_of({"Moth": ["The list of moths is as follows:", "gray moth, red moth, and blue moth."]})
    assert {(s, o) for s, p, o in found if p == "prov:wasDerivedFrom"} == {
        ("entry/moth/1/fact/1", "entry/moth/1"),
        *((f"sense/{color}-moth/1", "entry/moth/2") for color in ("gray", "red", "blue")),
    }


def test_a_kind_is_inferred_where_the_sentence_says_less() -> None:
    entries = {
        "Ability": ["See nothing."], "Evasion Ability": ["An ability that moths like."],
        "Hum": ["See nothing."], "Deep Hum": ["A hum variant that moths hear."],
    }  # fmt: skip
    found = graph_of(TERSE | entries, {"400": "Keyword Abilities", "400.2": "Hum", "400.2a": "Some hum."})
    read_by = {s: o for s, p, o in found if p == "rg:pattern"}
    assert {(read_by[s], o) for s, p, o in found if p == "rg:factObject" and s.startswith("entry/")} >= {
        ("inferred", "term/static-ability"), ("inferred", "game:KeywordAbility"), ("opening", "term/hum"),
    }  # fmt: skip


@pytest.mark.parametrize(("text", "kinds"), [("an organized event", []), ("a rare event", ["term/event"])])
def test_a_word_in_its_everyday_sense_is_no_kind(text: str, kinds: list[str]) -> None:
    found = graph_of({"Event": ["Whatever moths do is one."], "Fair": [f"A fair is {text} for all moths."]})
    assert [o for s, p, o in found if p == "skos:broader" and s == "term/fair"] == kinds


def test_a_form_of_another_term_has_a_fact_for_each_statement() -> None:
    text = "Tallglow is a variant of the glimmer ability."
    found = graph_of({"Glimmer": ["Glimmer is a static ability."], "Tallglow": [text]})
    facts = {s for s, p, o in found if p == "rg:factSubject" and o == "term/tallglow"}
    said = {
        (p, o) for s, p, o in found if s in facts and p in ("rg:factProperty", "rg:factObject", "rg:quote")
    }
    assert len(facts) == 2
    assert said == {
        ("rg:factProperty", "rg:hasKind"),
        ("rg:factObject", "game:Ability"),
        ("rg:factProperty", "skos:broader"),
        ("rg:factObject", "term/glimmer"),
        ("rg:quote", text),
    }
    assert ("term/tallglow", "skos:broader", "term/glimmer") in found


def test_what_names_a_class_is_below_the_term_that_names_the_next() -> None:
    """Its entry says what it is a kind of, but perhaps not the narrowest kind."""
    entries = {
        "Ability": ["Text on a moth."],
        "Triggered Ability": ["A kind of ability."],
        "Delayed Triggered Ability": ["An ability that hums later."],
        "State Trigger": ["A triggered ability that hums at dusk."],
    }
    found = graph_of(TERSE | entries)
    assert {(s, o) for s, p, o in found if p == "skos:broader"} == {
        ("term/triggered-ability", "term/ability"),
        ("term/delayed-triggered-ability", "term/triggered-ability"),
        ("term/state-trigger", "term/triggered-ability"),
    }
    told = {s for s, p, o in found if p == "rg:factProperty" and o == "skos:broader"}
    assert len(told) == 3


def test_an_item_with_an_article_is_not_the_term_without() -> None:
    found = graph_of({"Planar Type": ["The planar types are Bog, Fen, and The Lantern."]})
    assert ("term/lantern", "rg:hasKind", "game:PlanarType") not in found
    assert ("sense/the-lantern/1", "rdf:type", "game:PlanarType") in found


def classes(found: set[tuple[str, str, str]], name: str) -> list[set[str]]:
    nodes = sorted(o for s, p, o in found if s == f"term/{name}" and p == "rg:represents")
    return [{o for s, p, o in found if s == node and p == "rdf:type"} for node in nodes]


def test_what_is_two_at_once_are_two_things() -> None:
    found = graph_of({"Ash": ["Ash represents both a static ability and a triggered ability."]})
    assert classes(found, "ash") == [{"game:StaticAbility"}, {"game:TriggeredAbility"}]


def test_two_of_one_kind_are_two_things_however_often_it_is_said() -> None:
    text = "Ash represents two static abilities."
    assert classes(graph_of({"Ash": [text, text]}), "ash") == [{"game:StaticAbility"}, {"game:StaticAbility"}]


def test_kinds_that_agree_are_one_thing() -> None:
    found = graph_of({"Ash": ["Ash is a keyword ability.", "Ash is a static ability."]})
    assert classes(found, "ash") == [{"game:KeywordAbility", "game:StaticAbility"}]


def test_senses_are_things_of_their_own() -> None:
    found = graph_of(TERSE | {"Ember": ["Part of a card.", "A characteristic that moths have."]})
    assert classes(found, "ember") == [{"game:CardPart"}, {"game:Characteristic"}]


def test_lists_have_items_order_and_the_set_they_are_current_with() -> None:
    found = graph_of(
        {
            "Land Type": [
                "The list of land types, updated through the Dusk set, is as follows: Bog, Lantern, Heath."
            ],
            "Night Phase": ["It has two steps: yawn and sleep."],
        }
    )
    assert {
        ("list/land-types/1", "rdf:type", "game:Listing"),
        ("list/land-types/1", "rg:listOf", "game:LandType"),
        ("list/land-types/1", "rg:currentAs", "Dusk"),
        ("list/land-types/1", "rg:hasItem", "sense/bog/1"),
        ("sense/bog/1", "rdf:type", "game:LandType"),
        ("term/lantern", "iso-thes:broaderInstantial", "term/land-type"),
        ("sense/yawn-step/1", "rg:next", "sense/sleep-step/1"),
        ("sense/sleep-step/1", "rg:within", "sense/night-phase/1"),
        ("sense/sleep-step/1", "rg:ordinal", "2"),
        ("sense/night-phase/1", "rdf:type", "game:Phase"),
    } <= found
    assert not [1 for s, p, _ in found if p == "rg:next" and "land" in s]


def represented(found: set[tuple[str, str, str]]) -> set[tuple[str, str]]:
    return {(s, o) for s, p, o in found if p == "rg:represents"}


def test_terms_represent_the_things_of_lists_turns_and_places() -> None:
    """Only what has a term is represented: Bog and Heath, yawn and sleep are no headings here."""
    listed = graph_of({"Land Type": ["The list of land types is as follows: Bog, Lantern, Heath."]})
    assert represented(listed) == {("term/lantern", "sense/lantern/1")}
    assert {o for s, p, o in listed if s == "term/lantern" and p == "rg:hasKind"} == {"game:LandType"}

    divided = graph_of({"Night Phase": ["It has two steps: draw and sleep."]})
    assert represented(divided) == {
        ("term/night-phase", "sense/night-phase/1"),
        ("term/draw-step", "sense/draw-step/1"),
    }
    text = "This step is the second step of the night phase."
    placed = graph_of({"Dusk Step": [text], "Night Phase": ["A."]})
    assert represented(placed) == {
        ("term/dusk-step", "sense/dusk-step/1"),
        ("term/night-phase", "sense/night-phase/1"),
    }
    assert ("term/dusk-step", "rg:hasKind", "game:Step") in placed


def test_steps_are_rules_in_order() -> None:
    found = graph_of({}, RULES)
    assert {
        ("list/burning-oil/1", "rdf:type", "game:Procedure"),
        ("list/burning-oil/1", "rg:hasItem", "rule/300.1a"),
        ("rule/300.1a", "rg:next", "rule/300.1b"),
    } <= found


def test_words_are_values_and_known_replacements_are_terms() -> None:
    found = graph_of(
        {"Candle": ["An obsolete term for a lantern."], "Flare": ['"Flare [cost]" means "Pay [cost]."']}
    )
    assert {
        ("term/candle", "rg:gaveWayTo", "lantern"),
        ("term/candle", "dcterms:isReplacedBy", "term/lantern"),
        ("term/flare", "rg:template", "Flare [cost]"),
        ("entry/flare/1/fact/1", "rg:parameter", "[cost]"),
        ("entry/flare/1/fact/1", "rg:meaning", '"Pay [cost]."'),
        ("entry/flare/1/fact/1", "rg:factValue", "Flare [cost]"),
    } <= found


def test_names_of_kinds_are_joined_to_their_class() -> None:
    found = graph_of(
        {"Hidden Zone": ["See nothing."], "Evasion Ability": ["See nothing."], "Moth": ["See nothing."]}
    )
    joined = {(s, o) for s, p, o in found if p == "rg:namesKind"}
    assert ("term/moth", "rg:namesKind") not in {(s, p) for s, p, _ in found}
    assert joined - {("term/static-ability", "game:StaticAbility")} == {
        ("term/hidden-zone", "game:HiddenZone"),
        ("term/evasion-ability", "game:EvasionAbility"),
    }


def test_game_kinds_are_those_of_the_ontology() -> None:
    graph = Graph().parse(data=read_text("game.ttl"), format="turtle")
    kinds = game_kinds()
    for subject, label in graph.subject_objects(RDFS.label):
        assert kinds.of(str(label)) == str(subject).removeprefix(PREFIXES["game"])
    for one, other in graph.subject_objects(OWL.disjointWith):
        names = [str(it).removeprefix(PREFIXES["game"]) for it in (one, other)]
        assert not kinds.agree(*names)
    assert kinds.agree("KeywordAbility", "StaticAbility")
    assert not kinds.agree("EvasionAbility", "DelayedTriggeredAbility")  # by the classes above them
    assert not kinds.agree("Zone", "Color")  # by a group of disjoint classes
    assert URIRef(GAME.StaticAbility) in set(graph.subjects())


@pytest.mark.parametrize("name", ["defined", "newest", pytest.param("real", marks=EDITIONS)])
def test_evidence_shows_every_item_of_a_list(name: str, request: pytest.FixtureRequest) -> None:
    """The quote names it, or introduces a list of rules or of things that say what unit they are in."""
    session: Session = request.getfixturevalue(name)
    query = "".join(f"PREFIX {name}: <{space}> " for name, space in PREFIXES.items())
    query += """SELECT ?quote ?label ?fact WHERE {
      ?fact rg:factProperty rg:hasItem ; rg:quote ?quote ; rg:factObject ?item . ?item rdfs:label ?label
      MINUS { ?item prov:wasDerivedFrom/(rg:text|dcterms:title) ?any } MINUS { ?item a rg:Rule } }"""
    shown = 0
    for edition in session.editions():
        rows = [*session.select(query, session.scope(edition.id).default_graphs)]
        shown += len(rows)
        for quote, label, fact in rows:
            # "The turn has two phases: dusk and dawn" names the dusk phase; layers are told by number.
            words = re.sub(r"^layer \d+: | \w+$", "", str(label).lower())
            assert words in str(quote).lower().replace("\u2019", "'"), fact
    assert shown > 9
