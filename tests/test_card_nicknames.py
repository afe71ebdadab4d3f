"""Short and misspelt names of cards, found by the loaded cards' names, and words that are not names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rulesgraph
from real import rules, rules_without_cases
from rulesgraph import Rules
from rulesgraph.loaders.build import starter_cards
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.answering import carded
from rulesgraph.queries.cards.naming import cards_in
from rulesgraph.queries.cards.nicknames import _players_names

NAMES = (
    "Swords to Plowshares", "Chalice of the Void", "Oblivion Ring", "Melira, Sylvok Outcast",
    "Melira, the Living Cure", "Thalia, Heretic Cathar", "Wipe Away", "Lifelink Marker", "Eternal Witness",
    "Skullclamp", "Skull Prophet", "History of Benalia", "Platinum Angel", "Stoneforge Mystic",
    "Dark Confidant", "The Landwalk Tale", "Redirect Oblivion",
)  # fmt: skip

STARTER = Path(__file__).parent.parent / "loaders" / "starter" / "rules.txt"


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """The starter rules with cards that have names but no words."""
    file = tmp_path_factory.mktemp("cards") / "cards.json"
    own = {"type_line": "Artifact", "layout": "normal", "released_at": "2008-02-01", "oracle_text": ""}
    file.write_text(json.dumps([{"name": it, "oracle_id": it, **own} for it in NAMES]), encoding="utf-8")
    return rulesgraph.build([STARTER, file], store=":memory:").rules


@pytest.mark.parametrize(
    ("words", "used", "cards"),
    [
        ("does swords kill an indestructible creature", "swords", NAMES[:1]),
        ("chalice on one, is my spell countered?", "chalice", NAMES[1:2]),
        ("What if the o-ring leaves first?", "o-ring", NAMES[2:3]),
        ("Can I return a land with E-Wit?", "E-Wit", NAMES[8:9]),
        ("does thalia stop me", "thalia", NAMES[5:6]),
        ("does melira stop me", "melira", NAMES[3:5]),
        ("does thlaia stop me", "thlaia", NAMES[5:6]),
        ("may I swords my creature", "", ()),  # a verb: where any word may be
        ("do they wipe each other out", "", ()),
        ("Wipe the board, then what?", "", ()),
        ("does lifelink stop me", "", ()),  # of the rules
        ("can I Ember Skullclamp", "Skullclamp", NAMES[9:10]),  # what is done to it is no part of its name
        ("eternal question: may I block", "", ()),
        ("an x-ring", "", ()),
    ],
)
def test_short_and_misspelt_names(named: Rules, words: str, used: str, cards: tuple[str, ...]) -> None:
    found = cards_in(named.session, words)
    assert [it.used for it in found] == [used] * bool(used)
    assert [name for it in found for name in (it.begun or {it.name: it.iri})] == [*cards]
    taken = len(cards) == 1 and used != "thlaia"
    assert [bool(it.iri) for it in found] == [taken] * bool(used)
    told = f"“{used}” was taken for {''.join(cards)}, the only card with a name like that"
    assert any(str(note).startswith(told) for note in named.ask(words).notes) == (
        taken and bool(found[0].begun)
    )


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Does Ember Orchid stop Gloom Arbor", ["Ember Orchid", "Gloom Arbor"]),
        ("Ember Orchid", ["Ember Orchid"]),
        ("Do Orchid and Arbory work together?", ["Orchid", "Arbory"]),
        ("How do Arbory and Ember Orchid interact?", ["Arbory", "Ember Orchid"]),
        ("Can Arbory and Orchid be used together?", ["Arbory", "Orchid"]),
        ("Do Lords of Arbory and Orchid work together?", ["Lords of Arbory and Orchid"]),
        ("Can I cast Arbory and Orchid?", ["Arbory and Orchid"]),
        ("Can I Respond To The Orchid Trigger", []),
        ("DOES THE ORCHID STOP ME", []),
        ("Does Ember-Orchid Elder stop me", ["Ember-Orchid Elder"]),
        ("Can I cast Frobnicate, then copy it?", ["Frobnicate"]),
        ("Does Frobnicate end a turn?", ["Frobnicate"]),
        ("Can I copy a Frobnicate or an Ember Orchid?", ["Frobnicate", "Ember Orchid"]),
        ("Does Arena end a turn?", []),
        ("Can my Priority end in a Variant?", []),  # words of the rules
        ("Can I copy Ember Orchid and Orchid to Priority?", ["Ember Orchid", "Orchid to Priority"]),
        ("Is “Orchid to Priority” a spell?", ["Orchid to Priority"]),  # a term ends the name
        ("does zorblax end a turn", ["zorblax"]),
        ("is zorblax a spell?", ["zorblax"]),
        ("does prority end a turn", []),  # misspelled
        ("does a zorblaxed spell end a turn", []),
        ("does nathan lose", []),
        ("Does Nathan lose?", []),  # players
        ("Does Zorbla lose? Zorbla controls a land.", []),
        ("Nora and Nathan attack Nina.", []),
        ("Does Nathan's Ember Orchid stop me?", ["Ember Orchid"]),
    ],
)
def test_unknown_names_have_capitals_where_other_words_have_none(
    named: Rules, words: str, names: list[str]
) -> None:
    assert [it.name for it in cards_in(named.session, words) if not it.iri] == names


@pytest.mark.parametrize(
    ("words", "cards"),
    [
        ("skull clamp on a token", ["Skullclamp"]),
        ("plat angel and infect", ["Platinum Angel"]),
        ("stonforge mystic and a germ", ["Stoneforge Mystic"]),
        ("bob and a land on top", ["Dark Confidant"]),
        ("history of rampage", []),
        ("may I stp my token", ["Swords to Plowshares"]),
        ("bolt a planeswalker", ["Lightning Bolt"]),  # not loaded
    ],
)
def test_joined_shortened_misspelt_and_other_names(named: Rules, words: str, cards: list[str]) -> None:
    found = cards_in(named.session, words)
    assert [it.name for it in found] == cards
    assert [bool(it.iri) for it in found] == [name in NAMES for name in cards]


@pytest.mark.parametrize(
    ("words", "card", "used"),
    [
        ("can I sac skullclamp fanatic", "Skullclamp", "skullclamp"),
        ("can I sac thalia fanatic and draw", "", "thalia fanatic"),
        ("can I sac stoneforge dude and draw", "Stoneforge Mystic", "stoneforge"),
        ("can I redirect oblivion ring", "Oblivion Ring", "oblivion ring"),
        ("who casts redirect oblivion", "Redirect Oblivion", "redirect oblivion"),
        ("what does wipe away do", "Wipe Away", "wipe away"),
    ],
)
def test_a_part_of_a_name_before_another_word_of_a_name_is_not_the_card(
    named: Rules, words: str, card: str, used: str
) -> None:
    found = cards_in(named.session, words)
    assert [(it.name if it.iri else "", it.used) for it in found] == [(card, used)]


def test_rulings_on_a_card_by_the_beginning_of_its_name(named: Rules) -> None:
    understood = named.ask("rulings on chalice").understood
    assert understood is not None
    assert understood.meaning == "What are the rulings about Chalice of the Void? (rulings_about)"


def test_each_nickname_is_one_word_and_means_one_card() -> None:
    assert all(it == it.lower() and " " not in it for it in _players_names())
    assert _players_names()["bob"] == "Dark Confidant"


def test_a_name_in_capitals_is_misspelled_like_any_other(named: Rules) -> None:
    lead = named.ask("Can Stoneforge Mistyc be countered?").lead
    assert lead[0] == "No loaded card is called “Stoneforge Mistyc”. Did you mean Stoneforge Mystic?"
    notes = named.ask("Can Swords to Plowshars be countered?").notes
    assert notes[1].startswith("“Swords to Plowshars” was taken for Swords to Plowshares, ")


@pytest.mark.parametrize(
    ("words", "used", "near"),
    [
        ("Does Wipe end a turn?", "Wipe", "Wipe Away"),
        ("does wipe end a turn", "wipe", "Wipe Away"),
        ("Can I copy a Melyra?", "Melyra", "Melira, Sylvok Outcast; Melira, the Living Cure"),
        ("Can Heretic Cathur be countered?", "Heretic Cathur", "Thalia, Heretic Cathar"),
    ],
)
def test_a_word_that_may_be_another_cards_whole_name_is_asked_about(
    named: Rules, words: str, used: str, near: str
) -> None:
    """An English word, or words like part of a name: a card with that name may not be loaded."""
    found = named.ask(words)
    assert found.lead[0] == f"No loaded card is called “{used}”. Did you mean {near}?"
    assert not found.answered
    assert found.cards is None
    for door in (named.show, named.card):
        with pytest.raises(UnknownNameError, match=near.rpartition("; ")[2]):
            door(used)


def test_owners_in_names_are_not_the_card(named: Rules) -> None:
    assert [it.begun for it in cards_in(named.session, "Can Benalia be a card?")] in ([], [{}])


def test_a_misspelled_term_is_no_misspelled_card(named: Rules) -> None:
    assert cards_in(named.session, "what is the landwlak rule") == ()
    assert [it.begun for it in cards_in(named.session, "the lnadwalk tael")] != []


def test_a_name_that_looks_like_a_card_says_which_cards_are_loaded(named: Rules) -> None:
    with pytest.raises(UnknownNameError, match=r"If this is a card, it is not in Cards of .*\."):
        named.show("Frobnic Wizard")


def test_a_text_that_nearly_names_one_of_several_cards_means_that(named: Rules) -> None:
    [found] = cards_in(named.session, "what does melira, the living cuer's ability do")
    assert (found.used, found.name, bool(found.iri)) == ("melira, the living cuer", NAMES[4], True)
    question = "what does melira, the livid core's ability do"
    [found] = cards_in(named.session, question)
    assert (found.used, [*found.begun], found.iri) == ("melira, the livid core", [NAMES[4]], "")
    assert f"No loaded card is called “{found.used}”. Did you mean {NAMES[4]}?" in named.ask(question).lead


def test_a_card_that_is_taken_is_not_doubted_by_a_word_of_it(named: Rules) -> None:
    [found] = cards_in(named.session, "does dark confidnt trigger at upkeep")
    assert (found.name, bool(found.iri)) == (NAMES[14], True)


@pytest.mark.parametrize(
    ("question", "used", "card"),
    [
        ("melira sylvok outcast", "melira sylvok outcast", NAMES[3]),
        ("does chalice void stop me", "chalice void", NAMES[1]),
        ("melira living cure", "melira living cure", NAMES[4]),  # and not several that begin so
        ("does thalia grimble stop me", "thalia grimble", ""),  # a longer name that is not loaded
        ("Beast Skullclamp", "Beast Skullclamp", ""),
    ],
)
def test_a_longer_name_is_taken_whole_or_not_at_all(
    named: Rules, question: str, used: str, card: str
) -> None:
    [found] = cards_in(named.session, question)
    assert (found.used, found.name if found.iri else "") == (used, card)
    assert any("No loaded card" in it or "no such card" in it for it in named.ask(question).lead) != bool(
        card
    )


@pytest.mark.parametrize(
    ("question", "used"),
    [
        ("What does The One Lamp do?", ["The One Lamp"]),
        ("Can I use The One Lamp on my land?", ["The One Lamp"]),
        ("What does The Library do?", []),  # of the rules
    ],
)
def test_an_article_with_a_capital_within_a_sentence_begins_a_name(
    named: Rules, question: str, used: list[str]
) -> None:
    assert [it.used for it in cards_in(named.session, question)] == used


@pytest.mark.parametrize(("day", "number"), [("2008-02-01", "420.5e"), ("2026-01-16", "704.5j")])
def test_of_two_legendary_cards_the_rule_for_them_is_near(shared: Path, day: str, number: str) -> None:
    own = rules_without_cases(rules(shared, day), starter_cards())  # some cases are about two of a card, too
    for question in ("I control two Merrin, Keeper of Tolls", "I copy Merrin, Keeper of Tolls and keep both"):
        assert number in [row[0] for row in own.ask(question).rows[:3]]
    for question in ("I control Merrin, Keeper of Tolls", "I control two Thornwater Adder"):
        assert number not in [row[0] for row in own.ask(question).rows[:2]]


def test_an_empty_name_is_no_beginning_of_names(named: Rules) -> None:
    for question, name in (("rulings_about", ""), ("rules_of_card", " ")):
        with pytest.raises(UsageError, match="the name is empty"):
            named.ask(question, name)


def test_a_card_called_like_two_types_has_its_rules_and_its_picture(tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    own = {"layout": "normal", "released_at": "2008-02-01", "oracle_text": "Echo {2}"}
    made = {"name": "Artifact Golem", "oracle_id": "1", "type_line": "Artifact Creature — Golem", **own}
    file.write_text(json.dumps([made]), encoding="utf-8")
    rules = rulesgraph.build([STARTER, file], store=":memory:").rules
    assert [row[0] for row in rules.ask("rules_of_card", "Artifact Golem").rows] == ["Echo"]
    drawn = rules.picture(around="artifact golem")
    assert "Echo" in drawn.html
    assert drawn.things == rules.picture(answer=("rules_of_card", "Artifact Golem")).things


def test_where_two_cards_hardly_meet_counts_but_is_not_told(
    named: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ("Static Ability", "502.9a", "Trample is a static ability.", "502.3a", "So is reach.", "made-up")
    leads, rules = [], []
    for is_told in (True, False):
        monkeypatch.setattr(carded, "both", lambda *_, told=is_told: {row: told})
        found = named.ask("does Skullclamp work with Wipe Away in combat")
        leads.append([it for it in found.lead if it.startswith("Both:")])
        rules.append([it[0] for it in found.rows])
    assert [len(it) for it in leads] == [1, 0]
    assert rules[0] == rules[1]


def test_every_door_says_which_card_was_taken(named: Rules) -> None:
    told = f"“swords” was taken for {NAMES[0]}, the only card with a name like that."
    for answer in (named.ask("rules_of_card", "swords"), named.ask("interaction", "swords", NAMES[1])):
        assert told in answer.notes
    assert told in named.show("swords").notes
    assert not [it for it in named.ask("rules_of_card", NAMES[0]).notes if "was taken for" in it]
