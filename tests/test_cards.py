"""Card data: what is read from MTGJSON and Scryfall, what is refused, and what the store has of it."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import rulesgraph
from commands import Run
from measure_cards import CARDS, link_scores
from measure_questions import DAY
from real import rules
from rulesgraph.loaders.build import build as load
from rulesgraph.loaders.build import starter_cards, starter_sources
from rulesgraph.loaders.cards.building import names_in_digest, read_set, with_short_forms
from rulesgraph.loaders.cards.reading import is_card_data, read_cards
from rulesgraph.loaders.cards.records import Card, CardFace, name_keys
from rulesgraph.loaders.cards.texts import CardReader
from rulesgraph.loaders.history.graphs import Digest
from rulesgraph.loaders.history.items import Item
from rulesgraph.loaders.linking.labels import NamedTerm
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import SourceError
from rulesgraph.ontology.iris import Iris
from rulesgraph.queries.cards.naming import cards_in, doubts_about

IRIS = Iris()


def oracle(place: int, name: str, text: object, **more: Any) -> dict[str, Any]:
    """Return a card in the form of Scryfall's bulk file."""
    own = {"name": name, "type_line": "Artifact", "oracle_text": text, "oracle_id": f"id-{place}"}
    return {"object": "card", "layout": "normal", "released_at": "2031-02-01", **own, **more}


def ruling(place: int, words: str) -> dict[str, Any]:
    own = {"oracle_id": f"id-{place}", "source": "wotc", "published_at": "2031-03-01", "comment": words}
    return {"object": "ruling", **own}


LAMPS = [
    oracle(1, "Dim Lamp", "Echo {1}", mana_cost="{1}{W}"),
    oracle(2, "Moth Bell", "Equip {2} (It costs {2}.)"),
]
RULINGS = [ruling(1, "The lamp pays once."), ruling(9, "Of something else.")]


def written(path: Path, content: object, *, lines: bool = False, packed: bool = False) -> Path:
    assert isinstance(content, list | Mapping)
    path.parent.mkdir(exist_ok=True)
    text = "\n".join(map(json.dumps, content)) if lines else json.dumps(content)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_bulk_files_are_read_in_every_form(tmp_path: Path, lines: bool, packed: bool) -> None:
    path = written(tmp_path / "cards", LAMPS + RULINGS, lines=lines, packed=packed)
    assert is_card_data(path)
    found = read_cards(path)
    assert [card.name for card in found.cards] == ["Dim Lamp", "Moth Bell"]
    assert [card.faces[0].cost for card in found.cards] == ["{1}{W}", ""]
    assert [it.text for card in found.cards for it in card.rulings] == ["The lamp pays once."]
    assert list(found.loose) == ["id-9"]
    assert (found.set_id, found.issued) == ("scryfall-2031-03-01", date(2031, 3, 1))


def test_atomic_cards_and_sets_give_the_same_cards(tmp_path: Path) -> None:
    atomic = json.loads(starter_cards().read_text(encoding="utf-8"))
    faces = [dict(face) for own in atomic["data"].values() for face in own]
    meta = {"date": atomic["meta"]["date"]}
    one = {"meta": meta, "data": {"baseSetSize": 1, "cards": faces, "code": "LMP", "tokens": [{}]}}
    every = {"data": {"LMP": one["data"]}, "meta": meta}
    whole = read_cards(starter_cards())
    several = [read_cards(written(tmp_path / name, it)) for name, it in (("one", one), ("every", every))]
    assert [it.cards for it in several] == [whole.cards, whole.cards]
    assert [it.left_out for it in several] == [{"tokens": 1}, {"tokens": 1}]
    assert [whole.set_id, several[0].set_id] == ["rulesgraph-2008-03-17", "mtgjson-lmp-2008-03-17"]
    faced = next(card for card in whole.cards if card.layout == "split")
    assert [(face.name, face.cost) for face in faced.faces] == [("Ebb", "{1}{U}"), ("Tide", "{1}{U}")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (json.dumps(LAMPS)[:-40], "incomplete JSON"),
        ("[" + json.dumps(LAMPS[0]) + ', {"oracle_id": }]', "incomplete JSON"),
        (gzip.compress(json.dumps(LAMPS).encode())[:-30], "Compressed file ended"),
        (json.dumps([*LAMPS, {"oracle_id": "x"}]), "1 of 3 objects are neither"),
        (json.dumps([oracle(1, "Long", "x" * 30_000)]), "more than any card"),
        (json.dumps([oracle(1, "Odd", 3)]), "a text is 3"),
    ],
)
def test_damaged_data_is_refused(tmp_path: Path, content: str | bytes, reason: str) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert is_card_data(path)
    with pytest.raises(SourceError, match=reason):
        read_cards(path)
    report = rulesgraph.build(path, store=tmp_path / "store")
    assert reason in report.refused[0].reason
    assert not (tmp_path / "store").exists()


def test_other_json_is_refused_as_before(tmp_path: Path) -> None:
    path = written(tmp_path / "other.json", {"lamp": ["red", "blue"]})
    assert not is_card_data(path)
    assert "it is data" in rulesgraph.build(path, store=":memory:").refused[0].reason


def test_rulings_join_the_cards_that_are_loaded(tmp_path: Path) -> None:
    cards = written(tmp_path / "cards.json", LAMPS)
    rulings = written(tmp_path / "rulings.json", RULINGS)
    store = tmp_path / "store"
    report = rulesgraph.build(rulings, store=store)
    assert "cards that are not loaded" in report.refused[0].reason
    assert not store.exists()
    for order in ([cards, rulings], [rulings, cards], [rulings]):
        report = rulesgraph.build(order, store=store)
        assert [(it.card_set, it.rulings) for it in report.cards][-1] == ("scryfall-2031-02-01", 1)
        assert report.cards[-1].left_out == {"rulings about cards that are not loaded": 1}


def test_files_of_one_day_are_one_set(tmp_path: Path, run: Run) -> None:
    """Printed sets come in files of their own: all are asked, a card in two of them counts once."""
    day, names = {"date": "2031-02-01"}, {"AAA": "Dim Lamp", "BBB": "Moth Bell", "CCC": "Dim Lamp"}
    for code, name in names.items():
        card = {"name": name, "layout": "normal", "type": "Artifact", "text": f"Of {code}.", "manaValue": 1}
        whole = {"meta": day, "data": {"baseSetSize": 1, "code": code, "cards": [card]}}
        written(tmp_path / "sets" / f"{code}.json", whole)
    store = tmp_path / "store"
    report = rulesgraph.build(tmp_path / "sets", store=store)
    assert [(it.card_set, it.cards) for it in report.cards] == [("mtgjson-2031-02-01", n) for n in (1, 2, 2)]
    assert report.cards[-1].left_out == {"cards whose text differs between files": 1}
    [found] = (read_set(open_store(str(store)), IRIS, it.card_set) for it in report.cards[-1:])
    assert [card.faces[0].text for card in found.cards] == ["Of AAA.", "Of BBB."]
    again = rulesgraph.build(tmp_path / "sets", store=store)
    assert (again.changed, again.cards[-1].former) == (False, 2)
    # One of them alone is a set of its own, and the newest by its name.
    assert run("build", tmp_path / "sets" / "AAA.json", "--store", store)[2].splitlines()[-2] == (
        "Questions use only the newest set of cards, mtgjson-aaa-2031-02-01."
    )


def test_a_smaller_set_says_what_it_replaces(tmp_path: Path, run: Run) -> None:
    one, both = written(tmp_path / "one.json", LAMPS[:1]), written(tmp_path / "both.json", LAMPS)
    run("build", both, "--store", tmp_path / "store")
    told = run("build", one, "--store", tmp_path / "store")[2]
    assert "These replace 2 cards of that date. To keep both, build the files together." in told
    assert "These replace" not in run("build", both, "--store", tmp_path / "store")[2]


def test_a_list_that_a_search_returned_is_read(tmp_path: Path) -> None:
    for key in ("data", "cards"):
        found = read_cards(written(tmp_path / "list.json", {"object": "list", key: LAMPS}))
        assert [card.name for card in found.cards] == ["Dim Lamp", "Moth Bell"]


def test_a_set_is_read_back_as_it_was() -> None:
    store = open_store(":memory:", write=True)
    load([starter_cards()], store)
    found = read_cards(starter_cards())
    assert read_set(store, IRIS, found.set_id) == found


def test_cards_are_in_no_edition_and_links_follow_the_names(tmp_path: Path) -> None:
    """The order of loading makes no difference, and cards leave no trace in the editions."""
    plain, before, after = (tmp_path / name for name in ("plain", "before", "after"))
    load(starter_sources(), plain)
    rulesgraph.build(store=before)
    load([starter_cards()], after)
    load(starter_sources(), after)

    def quads(store: Path) -> dict[str, list[str]]:
        opened = open_store(store)
        return {graph: sorted(opened.graph_lines(graph)) for graph in opened.graphs()}

    found = quads(before)
    assert found == quads(after)
    own = IRIS.cards("rulesgraph-2008-03-17")
    assert {graph for graph in found if graph.startswith(own)} == {own, f"{own}/links"}
    others = quads(plain)
    catalog = IRIS.graph("catalog")
    assert {graph for graph in others if others[graph] != found[graph]} == {catalog}
    links = found[f"{own}/links"]
    types = {line.split()[2] for line in links if "ns#hasType" in line}
    labelled = {
        line.split()[0]
        for graph in (links, found[IRIS.graph("terms")])
        for line in graph
        if "prefLabel" in line
    }
    assert types
    assert types <= labelled
    rulesgraph.open(before).drop("rulesgraph-2008-03-17")
    assert quads(before) == others


NAMES = {
    "echo": ("Echo",),
    "ward": ("Ward",),
    "oil": ("Oil",),
    "landwalk": ("Landwalk",),
    "moonwalk": ("Moonwalk",),
    "fear": ("Fear",),
    "instead": ("Instead",),
    "upkeep-step": with_short_forms("upkeep-step", ("Upkeep Step",)),
}
TEXTS = ("Oil is paid.", "A creature has fear.")


@pytest.mark.parametrize(
    ("text", "terms", "keywords"),
    [
        ("Echo {1}, ward {2}", {"echo", "ward"}, [("echo", "{1}"), ("ward", "{2}")]),
        ("Ward—Pay 3 oil.", {"ward", "oil"}, [("ward", "Pay 3 oil")]),
        ("Echo (It has to pay oil.)", {"echo"}, [("echo", "")]),  # reminder text is no mention
        ("Target lamp gains fear.", {"fear"}, []),  # what it gives, it is not printed with
        ("Oily deed — Each player loses 1 oil.", {"oil"}, []),  # an ability word
        ("Search for a card named Fear Itself.", set(), []),
        ("Fear Bell gives light. It has fear.", {"fear"}, []),  # its own name
        ("Wickwalk", {"landwalk"}, [("landwalk", "Wick")]),
        ("Target lamp gains wickwalk.", set(), []),
        ("{T}, Oil Moth Urn: It glows.", {"oil"}, []),  # a capital that opens a part of a sentence
        ("It glows instead.", {"instead"}, []),
        ("At the beginning of your upkeep, it glows.", {"upkeep-step"}, []),
        ("Echo {2}. It glows once.", {"echo"}, [("echo", "{2}")]),
        (
            "Moonwalk",
            {"moonwalk", "landwalk"},
            [("landwalk", "Moon"), ("moonwalk", "")],
        ),  # a variant with a name
        ("Ward lamp you control", {"ward"}, [("ward", "lamp you control")]),  # a quality, and no sentence
        ("Ward lamps can't glow.", {"ward"}, []),
        (
            "Ward from moths, from oil, and from bells",
            {"ward", "oil"},
            [("ward", "from moths, from oil, from bells")],
        ),
        (
            "Fear, ward from bells that are dim, echo 6",
            {"fear", "ward", "echo"},
            [("fear", ""), ("ward", "from bells that are dim"), ("echo", "6")],
        ),
        ("Gloom, fear", {"fear"}, [("fear", "")]),  # the edition does not know the first
        ("Fear, glowing lamps glow.", {"fear"}, []),
        (
            "Ward — Each lamp, if you have it, glows.",
            {"ward"},
            [("ward", "Each lamp, if you have it, glows")],
        ),
        ("Ward Moth 3", {"ward"}, [("ward", "Moth 3")]),
        (
            "Ward X, where X is the number of moths.",
            {"ward"},
            [("ward", "X, where X is the number of moths")],
        ),
        ("Fear of moths — It can't glow.", set(), []),  # an ability word that begins like a keyword
        ("8+ | Fear, echo {1}", {"fear", "echo"}, [("fear", ""), ("echo", "{1}")]),
        ('Ward lamps have "Glow"', {"ward"}, []),
    ],
)
def test_words_of_a_card_are_read(text: str, terms: set[str], keywords: list[tuple[str, str]]) -> None:
    reader = CardReader(NAMES, TEXTS, ["echo", "ward", "landwalk", "fear"])
    face = CardFace("Fear Bell", "Artifact", text)
    found, printed = reader.read(Card("Fear Bell", "normal", (face,)), face)
    assert set(found) == terms
    assert printed == keywords


def test_ability_words_are_those_that_a_rule_lists() -> None:
    texts = [*TEXTS, "The ability words are dim glow, fear, and moth's oath."]
    face = CardFace(
        "Moth Bell", "Artifact", "Dim glow — It glows.\n• Moth's oath — {1}: It glows.\nFear — No.\nDim — No."
    )
    card = Card("Moth Bell", "normal", (face,))
    reader = CardReader(NAMES, texts, ["echo"])
    assert reader.ability_words(face) == {
        "dim-glow": "Dim glow",
        "moth-s-oath": "Moth's oath",
        "fear": "Fear",
    }
    assert reader.read(card, face) == (["fear"], [])
    assert CardReader(NAMES, TEXTS, ["echo"]).ability_words(face) == {}


def test_variants_of_keywords_are_keywords() -> None:
    """A variant of a keyword has no rule: its entry points to that of the keyword."""
    items = (
        Item("502", "502", "", title="Keyword Abilities"),
        Item("502.3", "502.3", "Echo {1} is paid.", parent="502", title="Echo"),
        Item("echo", "echo", "A keyword. See rule 502.3.", title="Echo", is_entry=True),
        Item("megaecho", "megaecho", "A variant of echo. See rule 502.3b.", title="Megaecho", is_entry=True),
        Item("oil", "oil", "It burns. See rule 109.", title="Oil", is_entry=True),
    )
    names = (
        NamedTerm("echo", ("Echo",), ("Echo",)),
        *(NamedTerm(it, (it.title(),), ()) for it in ("megaecho", "oil")),
    )
    assert names_in_digest(Digest(items, names, frozenset())).keywords == {"echo", "megaecho"}


@pytest.mark.long(small="test_words_of_a_card_are_read")
def test_links_of_real_cards_are_right(shared: Path) -> None:
    built = rulesgraph.build([rules(shared, DAY), shared / CARDS], store=":memory:").rules
    for part in ("tuned", "unseen"):
        for score in link_scores(built, part).values():
            assert (score.precision >= 0.99, score.recall >= 0.98) == (True, True), (part, score)
    of_words = {
        word: Counter(row["has"] for row in built.ask("cards_with", word))
        for word in ("Landfall", "Raid", "Threshold", "Will of the council", "Islandwalk", "Enchant")
    }
    assert of_words == {
        "Landfall": {"ability word": 58},
        "Raid": {"ability word": 16},
        "Threshold": {"ability word": 15},
        "Will of the council": {"ability word": 2},
        "Islandwalk": {"keyword": 7, "named": 3},
        "Enchant": {"keyword": 262, "named": 22},
    }
    typed = "GRAPH ?g { ?term a rg:Term } GRAPH ?h { ?term a ?kind } FILTER(REGEX(STR(?kind), STR(game:)))"
    assert [*built.sparql(f"SELECT ?term {{ {typed} }}")] == []  # a name is no instance of a kind of thing
    raiders = built.ask("cards_with", "Raid")
    assert all(str(row["quote"]).lstrip("• ").startswith("Raid — ") for row in raiders)
    both = [row for row in built.ask("cards_with_both", "Artifact", "Creature") if row["has"] == "both"]
    assert len(both) == 330
    assert [row["quote"] for row in both] == [row["types"] for row in both]
    # A name of one word, even an everyday one, is never told as that of no loaded card.
    titles = "SELECT DISTINCT ?name { GRAPH ?g { ?card a rg:Card ; dcterms:title ?name } }"
    names = [name for (name,) in built.sparql(titles).rows if str(name).isalpha()]
    forms = ("{} and poison", "{}: how much damage", "{}, infect", "{} with infect", "{} & infect")
    doubts = [
        doubt
        for name in names
        for form in forms
        for doubt in doubts_about(cards_in(built.session, form.format(name)), "")
        if f"“{name}”" in doubt
    ]
    assert (len(names), doubts) == (479, [])


def test_keys_of_names() -> None:
    faces = {
        "Oru, First of the Walkers": "",
        "Cancel": "",
        "Lamp Glimmerwick": "",
        "Lamp Bearer": "Cancel it.",
        "Dim Light": "It casts a dim light.",
    }
    cards = [Card(name, "normal", (CardFace(name, "", text),)) for name, text in faces.items()]
    found = name_keys(cards)
    assert found["Oru, First of the Walkers"]["partKey"] == ["first of the walkers"]
    assert (found["Cancel"]["nameKey"], found["Cancel"]["plainNameKey"]) == ([], ["cancel"])
    assert found["Dim Light"]["plainNameKey"] == ["dim light"]
    assert found["Lamp Glimmerwick"]["partKey"] == ["glimmerwick"]
    assert found["Lamp Bearer"]["partKey"] == []


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (
            "2026-01-16",
            {
                "Night Ink": [("Counter", "Counter target spell.", "701.6", "Counter")],
                "Slow Oak": [("Counter", "This enters with a +1/+1 counter on it.", "122", "Counters")],
                "Red Wick": [
                    ("Counter", "It can't be countered.", "701.6", "Counter"),
                    ("Counter", "Put an oil counter on it.", "122", "Counters"),
                    ("Exile", "{T}: Exile it.", "701.13", "Exile"),
                    ("Exile", "You may cast a spell from exile.", "406", "Exile"),
                ],
            },
        ),
        (
            "2008-02-01",
            {
                "Night Ink": [("Counter", "Counter target spell.", "501.3", "Counter")],
                "Wet Rope": [("Tap", "Tap target creature.", "501.7", "Tap")],
            },
        ),
    ],
)
def test_a_verb_and_a_noun_with_one_name_have_their_own_rules(
    shared: Path, tmp_path: Path, day: str, expected: dict[str, list[tuple[str, str, str, str]]]
) -> None:
    texts = {
        "Night Ink": "Counter target spell.",
        "Slow Oak": "This enters with a +1/+1 counter on it.",
        "Red Wick": "It can't be countered.\nPut an oil counter on it.\n{T}: Exile it.\n"
        "You may cast a spell from exile.",
        "Wet Rope": "Tap target creature.",
    }
    own = {"type_line": "Artifact", "layout": "normal", "released_at": "2008-01-01"}
    cards = [{"name": name, "oracle_text": text, "oracle_id": name, **own} for name, text in texts.items()]
    (tmp_path / "cards.json").write_text(json.dumps(cards), encoding="utf-8")
    rules_of = rulesgraph.build([rules(shared, day), tmp_path / "cards.json"], store=":memory:").rules
    for name, rows in expected.items():
        terms = {row[0] for row in rows}
        [touched] = [it for it in rules_of.show(name).tables if it.name == "touches"]
        assert sorted(row for row in touched.rows if row[0] in terms) == sorted(rows)
        answer = rules_of.ask("rules_of_card", name)
        assert sorted(row for row in answer.rows if row[0] in terms) == sorted(rows)
    # The thing has no rule of its own in 2008.
    met = {"Red Wick": [f"Counter ({expected['Night Ink'][0][2]})"]}
    for other, grounds in (met | ({"Slow Oak": []} if day == "2026-01-16" else {})).items():
        found = [str(row[0]) for row in rules_of.ask("interaction", "Night Ink", other).rows]
        assert [it for it in found if it.startswith("Counter (")] == grounds
