"""Whether one thing is another: what the rules say about it and how, or that they do not say."""

from __future__ import annotations

from functools import partial

import pytest
import rulesgraph
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.readings import readings
from rulesgraph.queries.answering.stated import telling, unlisted
from rulesgraph.queries.session import Session


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("Is a moth a lantern?", "Is Moth a Lantern? (whether)"),
        ("are lanterns considered moths", "Is Lantern a Moth? (whether)"),
        ("does a moth count as a lantern", "Is Moth a Lantern? (whether)"),
        ("is the bag really just a keeper or not", "Is Bag a Keeper? (whether)"),
        # another question, one thing, and three
        ("is a moth on a lantern", ""),
        ("what is a moth lantern", ""),
        ("is a moth", ""),
        ("is a moth a lantern or a keeper", ""),
    ],
)
def test_what_is_asked_of_each_other(words: str, meaning: str, mini: Session) -> None:
    asked = next(readings(mini, words, None), None)
    assert (asked.meaning if asked else "") == meaning


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A moth is a lantern.", "is"),
        ("A moth is a night-lantern.", "is"),
        ("A garden with no moth is a lantern.", None),
        ("While it flutters, a moth isn't a lantern.", "is not"),
        ("Neither the oil nor the moth is considered a lantern", "is not"),
        ("The moth is neither a keeper nor a lantern.", "is not"),
        ("Moth cards aren’t lanterns.", "is not"),
        ("Moths can't be lanterns", "is not"),
        ("A moth becomes a lantern when it is lit.", "can be"),
        ("If a moth is a lantern, it burns.", "can be"),
        ("Some moths are lanterns.", "can be"),
        ("Wick, moth, and oil are lanterns.", "is"),
        ("The moth and the wick are lanterns.", "is"),
        ("The moth and the wick is a lantern.", ""),
        ("A moth is a keeper or a lantern.", "can be"),
        ("A moth on a lamp or a candle represents a lantern.", "in part"),
        ("Moth represents three lanterns.", "is"),
        # of the other, of what belongs to it, of what is only near it, and of what is not so
        ("A lantern is a moth.", ""),
        ("A moth is the lantern of poor keepers.", ""),
        ("A moth is drawn to a lantern.", ""),
        ("A moth sits on a lantern.", ""),
        ("A moth is a pest. A lantern burns.", ""),
        ("Treat it as though that moth were a lantern.", ""),
    ],
)
def test_which_sentences_tell(text: str, says: str) -> None:
    found = telling(f"Keepers wait. {text}", "moths?", "lanterns?")
    assert found == ((says, text) if says else None)


def test_the_sentence_that_decides_is_the_answer(mini: Session) -> None:
    answer = ask(mini, "is a lantern dark", edition="cr-2031-02-01")
    assert [(row["says"], row["number"]) for row in answer] == [("can be", "201.1")]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("is a token a card", [("is not", "108.2b"), ("is not", "111.6")]),
        ("are lands spells", [("is not", "505.6b")]),
        ("is an emblem a permanent", [("is not", "114.5")]),
        ("is a vehicle a creature", [("can be", "301.7b")]),
        ("is trample a static ability", [("is", "702.19a")]),
        # A keyword that stands for several abilities.
        ("is suspend a static ability", [("in part", "702.62a")]),
        ("is cipher a spell ability", [("in part", "702.99a")]),
        ("is flashback a static ability", [("is", "702.34a")]),
        ("Is regeneration a replacement effect?", [("is", "614.8")]),
        # Some activated abilities are mana abilities, on conditions.
        (
            "is a mana ability an activated ability",
            [("can be", "113.4"), ("can be", "605.1"), ("can be", "605.1a")],
        ),
        # One of the things that another is, and what something of it is.
        ("is an emblem an object", [("is", "109.1")]),
        ("is a permanent an object", [("is", "109.1")]),
        # A kind that no term is called.
        ("is the monarch a designation", [("is", "724.1"), ("is", None)]),
        ("Is flashback an alternative cost?", [("names both", "702.34a")]),
    ],
)
def test_whether_a_thing_of_the_newest_rules_is_another(
    words: str, says: list[tuple[str, str | None]], newest_rules: rulesgraph.Rules
) -> None:
    assert [(row["says"], row["number"]) for row in newest_rules.ask(words)] == says


@pytest.mark.parametrize(
    ("words", "name", "remark"),
    [
        (
            "is flashback an alternative cost",
            "whether",
            "No rule says in so many words whether Flashback is an Alternative Cost.",
        ),
        (
            "is ward an activated ability",
            "kinds_of",
            "No rule says in so many words whether Ward is an Activated Ability.",
        ),
        (
            "is a player an object",
            "closest_rules",
            "No rule says in so many words whether Player is an Object.",
        ),
        (
            "are planeswalkers creatures",
            "closest_rules",
            "No rule says in so many words whether Planeswalker is a Creature.",
        ),
    ],
)
def test_where_no_rule_says_it_the_answer_says_so(
    words: str, name: str, remark: str, newest_rules: rulesgraph.Rules
) -> None:
    answer = newest_rules.ask(words)
    assert (answer.name, answer.notes[0]) == (name, remark)


@pytest.mark.parametrize(
    "words",
    [
        *("can I counter a land", "does a planeswalker have summoning sickness"),
        *(
            "Can I counter a triggered ability?",
            "Can planeswalkers be attacked?",
            "Can a creature be tapped?",
            "Is double strike rule 702.4?",
        ),
    ],
)
def test_what_asks_only_nearly_whether_is_no_such_question(
    words: str, newest_rules: rulesgraph.Rules
) -> None:
    answer = newest_rules.ask(words)
    assert answer.name == "closest_rules"
    assert not [note for note in answer.notes if "whether" in note]


@pytest.mark.parametrize(
    ("words", "says", "number"),
    [
        ("Is planeswalker a permanent type?", "is", "110.4"),
        ("Is the library a zone?", "is", "400.1"),
        ("Is deathtouch a counter?", "can be", "122.1b"),
    ],
)
def test_what_is_on_the_list_of_a_kind_is_of_that_kind(
    words: str, says: str, number: str, newest: Session
) -> None:
    assert (says, number) in [row[:2] for row in ask(newest, words).rows]


def test_the_heading_of_a_rule_is_told_beside_an_entry_that_says_otherwise(newest: Session) -> None:
    assert (
        "By the heading of its rule, Endure is a keyword action."
        in ask(newest, "Is endure a keyword ability?").notes
    )
    assert not any("By the heading" in it for it in ask(newest, "Is trample a keyword ability?").notes)


def test_what_is_not_said_is_told_with_both_names(newest: Session) -> None:
    found = ask(newest, "whether", ["Kindred", "permanent type"])
    assert found.notes[0] == "No rule says in so many words whether Kindred is a permanent type."


@pytest.mark.parametrize(
    ("words", "lead"),
    [
        (
            "is emblem a zone",
            (
                "No rule says in so many words whether Emblem is a Zone.",
                "“Emblem” is not on the list of zones, which has 7: "
                "battlefield, command, exile, graveyard, hand, library, stack.",
            ),
        ),
        ("is purple a color", ("“purple” is not on the list of colors, which has 5: "
                               "black, blue, green, red, white.",)),
        ("is Lord a creature type?", ("“Lord” is not on the list of creature types, which has {types}."
                                      " Time Lord is.",)),
        ("is Gobblin a creature type", ("“Gobblin” is not on the list of creature types, which has {types}."
                                        " Did you mean Goblin?",)),
        # a form of something on the list, part of a name on it, and a list of sentences
        ("is islandwalk a keyword ability",
         ("No rule says in so many words whether Islandwalk is a Keyword Ability.",)),
        ("is casting a spell a special action", ()),
    ],
)  # fmt: skip
def test_what_is_not_on_the_list_of_a_kind_is_told(
    words: str, lead: tuple[str, ...], newest: Session
) -> None:
    types = len(ask(newest, "list_items", ["creature type"]))
    assert ask(newest, words).lead == tuple(it.format(types=types) for it in lead)


@pytest.mark.parametrize("kind", ["zone", "card type", "phase", "keyword action", "color", "creature type"])
def test_nothing_on_a_list_is_said_not_to_be_there(kind: str, real: Session) -> None:
    for edition in real.editions():
        listed = ask(real, "list_items", [kind], edition=edition.id)
        items = {str(row["item"]) for row in listed}
        told = partial(unlisted, kind=kind, ask=lambda *_, listed=listed: listed)
        assert not [it for item in items for it in told(item)]


def test_words_that_only_name_both_are_no_answer(newest: Session) -> None:
    found = ask(newest, "whether", ["Emblem", "zone"])
    assert {row[0] for row in found.rows} == {"names both"}
    assert (found.answered, bool(found.lead)) == (False, True)
    assert ask(newest, "whether", ["Stack", "zone"]).answered
