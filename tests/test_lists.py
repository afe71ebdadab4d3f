"""Lists are complete: what real editions list, item by item, against the gold in `lists.tsv`.

`measure_lists` says how the gold was made.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import real
from measure_lists import facts, gold, listed
from rulesgraph.loaders.facts.context import Listing
from sweep import first
from test_fact_graph import classes, graph_of
from test_facts import facts_of, keys


@pytest.mark.parametrize(
    ("day", "kind"),
    first(14, sorted(gold(), reverse=True), pytest.mark.long(small="test_a_list_of_a_real_edition_is_whole")),
)
def test_a_list_of_a_real_edition_is_whole(shared: Path, day: str, kind: str) -> None:
    assert listed(shared, day, kind) == [gold()[day, kind]]


@pytest.mark.parametrize(
    "day",
    first(
        2,
        ("2008-02-01", "2026-01-16", "2016-11-11"),
        pytest.mark.long(small="test_what_a_list_says_of_its_items_is_so"),
    ),
)
def test_what_a_list_says_of_its_items_is_so(shared: Path, day: str) -> None:
    graph = facts(real.rules(shared, day))
    for it in list(graph):
        for cls in graph[it].get("listOf", ()):
            assert [item for item in graph[it]["hasItem"] if cls not in graph[item]["type"]] == []


CHAPTER = {
    "700": "Land Types", "700.1": "Some words are not headings.", "700.2": "Bog", "700.3": "Fen And Heath",
    "700.2a": "A bog is wet.", "700.4": "Moor",
}  # fmt: skip


def test_headings_below_a_kind_are_its_things() -> None:
    assert keys(facts_of({}, CHAPTER)) == [
        "land-types 3 plain none", "bog LandType", "fen-and-heath LandType", "moor LandType",
    ]  # fmt: skip
    found = graph_of({}, CHAPTER)
    assert {(p, o) for s, p, o in found if s == "list/land-types/1" and p != "rg:inEdition"} == {
        ("rdf:type", "game:Listing"), ("rdfs:label", "Land Types"), ("rg:listOf", "game:LandType"),
        ("rg:hasItem", "sense/bog/1"), ("rg:hasItem", "sense/fen-and-heath/1"),
        ("rg:hasItem", "sense/moor/1"),
    }  # fmt: skip
    assert ("sense/bog/1", "prov:wasDerivedFrom", "rule/700.2") in found


@pytest.mark.parametrize(
    "rules",
    [
        # two headings are no list, nor are fewer than half of the rules
        {"700": "Land Types", "700.1": "Bog", "700.2": "Fen"},
        {"700": "Land Types", "700.1": "Bog", "700.2": "Fen", "700.3": "Moor"}
        | {f"700.{n}": "It is wet." for n in (4, 5, 6)},
        # headings that repeat the kind divide the subject
        {"700": "Land Types", "700.1": "Land Types At Night", "700.2": "Bog", "700.3": "Fen"},
        # no kind
        {"700": "Lanterns", "700.1": "Bog", "700.2": "Fen", "700.3": "Moor"},
    ],
)
def test_other_headings_are_no_list(rules: dict[str, str]) -> None:
    assert keys(facts_of({}, rules)) == []


def test_a_list_is_one_however_often_it_is_told() -> None:
    found = graph_of(
        {"Land Type": ["The land types are bog, fen, and heath."]},
        {
            "300.1": "One land type is two words long: Far Moor.",
            "300.2": "The land types are bog, fen, and heath.",
        },
    )
    assert {s for s, p, o in found if (p, o) == ("rdf:type", "game:Listing")} == {"list/land-types/1"}
    assert {o for s, p, o in found if (s, p) == ("list/land-types/1", "rdfs:label")} == {"land types"}
    assert {o for s, p, o in found if (s, p) == ("list/land-types/1", "rg:hasItem")} == {
        f"sense/{name}/1" for name in ("bog", "fen", "heath", "far-moor")
    }


def test_what_rules_of_a_list_state_is_of_its_kind() -> None:
    rules = {"800.5": "The state-based actions are as follows:", "800.5a": "A moth without light rests."}
    found = graph_of({}, rules)
    about = {(p, o) for s, p, o in found if s == "sense/state-based-action-800-5a/1" and p != "rg:inEdition"}
    assert about == {
        ("rdf:type", "game:StateBasedAction"), ("rdfs:label", "state-based action 800.5a"),
        ("skos:notation", "800.5a"), ("prov:wasDerivedFrom", "rule/800.5a"),
    }  # fmt: skip


def test_the_parts_of_the_turn_are_lists_too() -> None:
    found = graph_of(
        {},
        {
            "500.1": "The dusk phase consists of two steps: rest and hum.",
            "600.1": "The noon phase consists of two steps: sing and flutter.",
        },
    )
    assert {o for s, p, o in found if (s, p) == ("list/steps/1", "rg:hasItem")} == {
        f"sense/{name}-step/1" for name in ("rest", "hum", "sing", "flutter")
    }


def test_a_division_told_twice_in_other_names_has_its_parts_once() -> None:
    """Most of its parts are in the same places, otherwise it is a different division."""
    entries = {"Evening": ["Each evening is divided into three phases: dusk, second noon, and night."]}
    rules = {"500.1": "An evening consists of three phases: dusk, late noon, and night."}
    found = graph_of(entries, rules)
    phases = ["sense/dusk-phase/1", "sense/late-noon-phase/1", "sense/night-phase/1"]
    assert sorted(s for s, p, o in found if (p, o) == ("rdf:type", "game:Phase")) == phases
    assert sorted((o, s) for s, p, o in found if p == "rg:ordinal") == [
        (str(place), phase) for place, phase in enumerate(phases, start=1)
    ]
    other = {"500.1": "An evening consists of three phases: morning, late noon, and night."}
    assert {s for s, p, o in graph_of(entries, other) if (p, o) == ("rdf:type", "game:Phase")} == {
        "sense/dusk-phase/1", "sense/late-noon-phase/1", "sense/morning-phase/1", "sense/night-phase/1",
        "sense/second-noon-phase/1",
    }  # fmt: skip


def test_several_things_are_of_one_kind() -> None:
    said = {
        "400.2": "Hidden zones are dark. Moths hide. Lantern and Ember Zone are hidden zones, even if lit."
    }
    assert keys(facts_of({}, said)) == ["hidden-zones 2 plain none"]
    assert keys(facts_of({}, {"400.2": "Lantern and dust are hidden zones."})) == []


def test_what_a_rule_says_of_its_own_thing_and_another_is_no_list() -> None:
    rules = {"502.6": "Moth", "502.6b": "Moth and Ember Zone are evasion abilities."}
    assert sorted(keys(facts_of({}, rules))) == ["ember-zone EvasionAbility", "moth EvasionAbility"]


def test_so_many_things_are_the_rules_below() -> None:
    rules = {
        "116.2": "There are thirteen special actions:", "116.2a": "Lighting a lantern.", "116.2b": "Resting."
    }  # fmt: skip
    assert keys(facts_of({"Special Action": ["See rule 116."]}, rules)) == ["special-actions 2 plain none"]
    odd = {"116.2": "There are thirteen odd candles:", "116.2a": "A black one.", "116.2b": "A tall one."}
    assert keys(facts_of({}, odd)) == []


def test_what_is_additional_is_on_the_same_list() -> None:
    rules = {
        "800.5": "The state-based actions are as follows:", "800.5a": "A moth without light rests.",
        "800.6": "Some long evenings include additional state-based actions that keepers seldom meet:",
        "800.6a": "A moth without oil rests, too.",
    }  # fmt: skip
    assert {o for s, p, o in graph_of({}, rules) if p == "rg:hasItem"} == {
        "sense/state-based-action-800-5a/1", "sense/state-based-action-800-6a/1",
    }  # fmt: skip
    odd = {"800.6": "Some long evenings include additional candles:", "800.6a": "A black one."}
    assert keys(facts_of({}, odd)) == []


def test_a_kind_is_no_thing_of_its_kind() -> None:
    found = graph_of(
        {"Zone": ["See nothing."], "Hidden Zone": ["A hidden zone is a zone in which moths hide."]}
    )
    assert classes(found, "hidden-zone") == []
    assert ("term/hidden-zone", "skos:broader", "term/zone") in found
    assert [o for s, p, o in found if (s, p) == ("term/hidden-zone", "rg:hasKind")] == []


def test_a_part_of_a_kind_is_not_of_that_kind() -> None:
    found = graph_of({"Card": ["See nothing."], "Wick": ["A wick is a part of a card."]})
    assert ("term/wick", "rg:hasKind", "game:CardPart") in found
    assert [o for s, p, o in found if (s, p) == ("term/wick", "skos:broader")] == []


def test_a_wording_with_a_parameter_in_its_first_word() -> None:
    entries = {"Hum": ["See nothing."], "Typehum": ["See nothing."]}
    rules = {"300.1": "Hum", "300.1a": '"[Type]hum [cost]" means "[Cost]: Seek a moth of that type."'}
    assert keys(facts_of(entries, rules)) == ["typehum type-hum-cost 2"]
    assert keys(facts_of({"Hum": ["See nothing."]}, rules)) == ["hum type-hum-cost 2"]


def test_parts_that_open_alike_are_a_list() -> None:
    """There is no list if one part begins differently, or if the rule does not name the kind."""
    entries = {"Lamp": ["A lamp burns."]}
    rules = {
        "500": "Strays",
        "500.1": "Moths are quick. Some of them bring a stray lamp.",
        "500.1a": "A Tall lamp is red.",
        "500.1b": "An Old Tin lamp is dented.",
        "500.1c": "A Mute lamp has no bell.",
    }
    [found] = [fact for fact in facts_of(entries, rules) if fact.pattern == "as follows"]
    listing = found.statement
    assert isinstance(listing, Listing)
    assert (listing.name, listing.items) == ("stray lamps", ("Tall lamp", "Old Tin lamp", "Mute lamp"))
    assert [rule.label for rule in listing.rules] == ["500.1a", "500.1b", "500.1c"]
    assert found.quote == "Some of them bring a stray lamp."
    for other in (
        {"500.1": "Moths are quick."},
        {"500.1b": "Lamps glow."},
        {"500.1b": "An Old moth is dented."},
    ):
        assert "as follows" not in [fact.pattern for fact in facts_of(entries, rules | other)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There are two status categories: lit/unlit and full/empty.", ["status 4 plain none"]),
        (
            "A moth has a value in each of two status categories, each of which has two "
            "possible values: lit/unlit, and full/empty.",
            ["status 4 plain none"],
        ),
        ("There are two status categories: lit/unlit/dim and full/empty.", []),  # no pairs
        ("There are two status categories: lit and unlit.", []),
        ("There are two bramble categories: lit/unlit and full/empty.", []),  # no kind
    ],
)
def test_what_stands_in_pairs_is_a_list(text: str, expected: list[str]) -> None:
    assert keys([it for it in facts_of({"Status": [text]}) if isinstance(it.statement, Listing)]) == expected


def test_two_names_of_one_heading_are_two_things_of_a_list() -> None:
    text = "There are two status categories: lit/unlit and full/empty."
    found = graph_of({"Lit, Unlit": ["A status a moth may have."], "Status": [text]})
    items = {o for s, p, o in found if (s, p) == ("list/statuses/1", "rg:hasItem")}
    assert items == {"sense/lit/1", "sense/lit/2", "sense/full/1", "sense/empty/1"}
    labels = {o for s, p, o in found if s in ("sense/lit/1", "sense/lit/2") and p == "rdfs:label"}
    assert labels == {"lit", "unlit"}


def test_a_list_goes_on_in_the_next_paragraph() -> None:
    text = ["The list of land types, updated through the Dusk set, is as follows:", "Bog, Fen, Heath"]
    assert keys(facts_of({"Land Type": text})) == ["land-types 3 plain dusk"]
