"""Lists of the cards with a term or two: asked in words, complete, and equal to what they join."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from asking import session_on
from real import rules
from rulesgraph.loaders.build import build, starter_cards
from rulesgraph.loaders.store import open_store
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.cards.current import NO_CARDS, required_cards
from rulesgraph.queries.cards.meeting import why_card
from rulesgraph.queries.catalogue.matching import fitting
from rulesgraph.queries.catalogue.questions import question
from rulesgraph.queries.searching.search import search
from rulesgraph.queries.session import Session

TERMS = ("Artifact", "Creature", "Equip", "Evoke", "Lifelink", "Protection")


@pytest.fixture(scope="module")
def carded() -> Session:
    """A session over the starter rules and the starter cards."""
    store = open_store(":memory:", write=True)
    assert not build(store=store).refused
    return Session(store)


@pytest.mark.parametrize(
    ("words", "cards"),
    [
        ("How many cards have lifelink?", ["Quickglass Blade", "Thornwater Adder"]),
        ("list cards with lifelink", ["Quickglass Blade", "Thornwater Adder"]),
        ("give me a list of all the cards with lifelink", ["Quickglass Blade", "Thornwater Adder"]),
        ("Name some cards that have lifelink.", ["Quickglass Blade", "Thornwater Adder"]),
        ("which creatures have lifelink", ["Thornwater Adder"]),
        ("snakes with lifelink", ["Thornwater Adder"]),  # a type that no entry defines
        ("list artifacts with lifelink", ["Quickglass Blade"]),
        ("cards with lifelink and equip", ["Quickglass Blade"]),
        ("which cards have both protection and lifelink", []),
        ("legendary creatures with protection", ["Merrin, Keeper of Tolls"]),
        ("which artifact creatures have protection", []),
        ("human advisors with protection", ["Merrin, Keeper of Tolls"]),
    ],
)
def test_lists_of_cards(carded: Session, words: str, cards: list[str]) -> None:
    found = ask(carded, words)
    assert found.name in ("cards_with", "cards_with_both"), words
    assert [row[0] for row in found.rows] == cards


@pytest.mark.parametrize(
    ("words", "lead", "rows"),
    [
        (
            "which cards have lifelink",
            "Cards with Lifelink: 0. Others that name it, or give it to something: 2.",
            [("Quickglass Blade", "named"), ("Thornwater Adder", "named")],
        ),
        (
            "how many cards have protection",
            "Cards with Protection: 2.",
            [("Merrin, Keeper of Tolls", "keyword"), ("Wicker Saint", "keyword")],
        ),
        (
            "snakes with lifelink",
            "Snakes with Lifelink: 0. Others that name it, or give it to something: 1.",
            [("Thornwater Adder", "named")],
        ),
        (
            "which cards have evoke and protection",
            "Cards with Evoke and Protection: 1.",
            [("Wicker Saint", "both")],
        ),
        ("which cards mention evoke", "Cards that name Evoke: 1.", [("Wicker Saint", "keyword")]),
        (
            "how many artifact cards are there",
            "Artifact cards: 2.",
            [("Quickglass Blade", "type"), ("Slow Lantern", "type")],
        ),
        (
            "which cards are legendary creatures",
            "Cards that are legendary creatures: 1.",
            [("Merrin, Keeper of Tolls", "type")],
        ),
        (
            "cards with lifelink or evoke",
            "Cards with Lifelink or Evoke: 1. Others that name it, or give it to something: 2.",
            [("Wicker Saint", "keyword"), ("Quickglass Blade", "named"), ("Thornwater Adder", "named")],
        ),
        (
            "which cards have protection, evoke or lifelink",
            "Cards with Protection, Evoke or Lifelink: 2. Others that name it, or give it to something: 2.",
            [
                ("Merrin, Keeper of Tolls", "keyword"),
                ("Wicker Saint", "keyword"),
                ("Quickglass Blade", "named"),
                ("Thornwater Adder", "named"),
            ],
        ),
        (
            "creatures with protection but not evoke",
            "Creatures with Protection, without Evoke: 1.",
            [("Merrin, Keeper of Tolls", "both")],
        ),
        (
            "which cards with protection also have evoke",
            "Cards with Protection and Evoke: 1.",
            [("Wicker Saint", "both")],
        ),
        (
            "which cards have protection, evoke and lifelink",
            "Cards with Protection, Evoke and Lifelink: 0.",
            [],
        ),
        (
            "which creatures are without protection",
            "Creatures, without Protection: 2.",
            [("Harbor Watchman", "type"), ("Thornwater Adder", "type")],
        ),
        ("how many snakes are there", "Snakes: 1.", [("Thornwater Adder", "type")]),
        ("which cards have equip 2", "Cards with Equip 2: 1.", [("Quickglass Blade", "keyword")]),
        (
            "which cards have protection from red",
            "Cards with Protection from red: 2.",
            [("Merrin, Keeper of Tolls", "keyword"), ("Wicker Saint", "keyword")],
        ),
        (
            "which cards have protection from artifacts",
            "Cards with Protection from artifacts: 1.",
            [("Wicker Saint", "keyword")],
        ),
        (
            "which cards are artifacts or snakes",
            "Cards that are Artifacts or snakes: 3.",
            [("Quickglass Blade", "type"), ("Slow Lantern", "type"), ("Thornwater Adder", "type")],
        ),
        (
            "which artifacts have equip and echo",
            "Artifacts with Equip and Echo: 0.",
            [],
        ),
        (
            "which cards grant lifelink",
            "Cards that name Lifelink: 2.",
            [("Quickglass Blade", "named"), ("Thornwater Adder", "named")],
        ),
    ],
)
def test_cards_are_listed_by_what_they_have_and_lack(
    carded: Session, words: str, lead: str, rows: list[tuple[str, str]]
) -> None:
    found = ask(carded, words)
    assert [(row[0], row[2]) for row in found.rows] == rows
    assert found.lead == (lead,)


@pytest.mark.parametrize(
    ("words", "unknown"),
    [
        ("which red cards have lifelink", "red"),
        ("which cards give creatures lifelink", "creatures lifelink"),
        ("which cards have lifelink or evoke and protection", "have lifelink or evoke and protection"),
        ("which creatures with protection can attack", ""),  # a question about the game
        ("creatures with lifelink while a player is poisoned", ""),
    ],
)
def test_a_list_by_what_is_unknown_is_not_called_answered(carded: Session, words: str, unknown: str) -> None:
    found = ask(carded, words)
    assert found.name == "closest_rules"
    told = [it for it in found.lead if it.startswith("This may ask for a list of cards")]
    assert told == (
        [
            f"This may ask for a list of cards, but “{unknown}” is not a term, type or keyword."
            " `rulesgraph ask cards_with TERM` lists cards with a term."
        ]
        if unknown
        else []
    )
    assert found.answered is not bool(unknown)


@pytest.fixture(scope="module")
def newest_with_cards(shared: Path, store_of: Callable[..., Path]) -> Session:
    """The newest edition with the starter cards."""
    return session_on(store_of(rules(shared, "2026-01-16"), starter_cards()))


def test_types_of_cards_are_no_cards(newest_with_cards: Session) -> None:
    for words in ("what are the card types", "what were the card types in 2026"):
        found = ask(newest_with_cards, words)
        assert (found.name, found.answered) in {("list_items", True), ("definition", True)}
    # What a deck must have is no list of cards.
    found = ask(newest_with_cards, "how many cards must a sealed deck have")
    assert (found.name, found.answered, found[0]["number"]) == ("closest_rules", True, "100.2b")


@pytest.mark.parametrize("day", ["2008-02-01", "2026-01-16"])
def test_without_cards_a_list_of_them_is_not_called_answered(
    shared: Path, store_of: Callable[..., Path], day: str
) -> None:
    session = session_on(store_of(rules(shared, day)))
    for words in ("which cards have flying", "which creatures have flying or fear", "list cards with fear"):
        found = ask(session, words)
        assert (found.lead[0], found.answered) == (NO_CARDS, False), words
    assert NO_CARDS not in ask(session, "which creatures with flying can block").lead


@pytest.mark.parametrize(
    "words",
    [
        "which cards are in my library",
        "how many cards are in a library",
        "what cards should a lantern have",
        "which players have priority",  # no type of cards
        "artifact cards",
    ],
)
def test_what_is_asked_of_a_game_is_no_list_of_cards(carded: Session, words: str) -> None:
    assert ask(carded, words).name == "closest_rules"


def test_two_terms_are_on_the_cards_that_have_each(carded: Session) -> None:
    def having(name: str, *terms: str) -> set[object]:
        return {row[0] for row in ask(carded, name, terms).rows}

    own = {term: having("cards_with", term) for term in TERMS}
    both = {pair: having("cards_with_both", *pair) for pair in combinations(TERMS, 2)}
    assert [pair for pair, cards in both.items() if not cards <= own[pair[0]] & own[pair[1]]] == []
    assert {pair: cards for pair, cards in both.items() if cards} == {
        ("Artifact", "Equip"): {"Quickglass Blade"},
        ("Artifact", "Lifelink"): {"Quickglass Blade"},
        ("Creature", "Evoke"): {"Wicker Saint"},
        ("Creature", "Lifelink"): {"Thornwater Adder"},
        ("Creature", "Protection"): {"Merrin, Keeper of Tolls", "Wicker Saint"},
        ("Equip", "Lifelink"): {"Quickglass Blade"},
        ("Evoke", "Protection"): {"Wicker Saint"},
    }


def test_a_card_meets_a_rule_where_that_names_what_the_card_does(newest_with_cards: Session) -> None:
    session = newest_with_cards
    quote = "The bearer of Quickglass Blade has lifelink."
    for number, own in (("702.15b", ["702.15b"]), ("702.15", [f"702.15{it}" for it in "abcdef"])):
        found = ask(session, "interaction", ("Quickglass Blade", number)).rows
        assert [row[:3] for row in found] == [("Lifelink (702.15)", "Quickglass Blade", quote)]
        assert found[0][3] in own
        [turned] = ask(session, "interaction", (number, "Quickglass Blade")).rows
        assert (turned[0], *turned[3:5], *turned[1:3]) == found[0][:5]
        assert why_card(session, "Quickglass Blade", number, None, None) is not None


@pytest.mark.parametrize(
    ("words", "fits"),
    [("which moths have oil", True), ("which moths had oil", True), ("which moths oil", False)],
)
def test_what_is_between_two_things_is_said(words: str, fits: bool) -> None:
    assert bool(fitting(words, [question("cards_with_both")])) is fits


def test_what_is_in_no_rule_may_be_a_card_that_is_not_loaded(carded: Session) -> None:
    title = required_cards(carded).title
    found = ask(carded, "xylophony and zzyzzy")
    assert (found.rows, found.notes[-1]) == ((), f"If you mean cards, they are not in {title}.")
    assert search(carded, "kind:ruling lanternfall").notes[-1] == (
        "Cards and the rulings on them are not searched: `rulesgraph show` has them by name."
    )
