"""What the whole sentence around a number says is matched with its rule, or counted as not checked."""

from __future__ import annotations

from itertools import pairwise

import pytest
import rulesgraph
from rulesgraph.loaders.language.words import sentences


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # A number in brackets in mid-sentence, and behind *see*; of a sibling, and of the whole of both.
        (
            "Hexproof (rule 702.11b) means it can't be the target of spells or abilities you control.",
            "702.11b has “opponents” where these words have “you”",
        ),
        (
            "Deathtouch is an activated ability, see rule 702.2a.",
            "these words say of what kind it is, and 702.2a says something else",
        ),
        (
            "Deathtouch is an activated ability (see rule 702.2a).",
            "these words say of what kind it is, and 702.2a says something else",
        ),
        (
            "Deathtouch is an activated ability. See rule 702.2a.",
            "these words say of what kind it is, and 702.2a says something else",
        ),
        (
            "Lifelink (rule 702.15b) is a triggered ability.",
            "these words say of what kind it is, and 702.15a says something else",
        ),
        (
            "Lifelink (702.15) is a triggered ability.",
            "these words say of what kind it is, and 702.15a says something else",
        ),
    ],
)
def test_a_sentence_around_a_number_is_compared(
    newest_rules: rulesgraph.Rules, text: str, message: str
) -> None:
    [row] = newest_rules.verify(text)
    assert (row["finding"], row["severity"], row["message"]) == ("words", "warning", message)


@pytest.mark.parametrize(
    "text",
    [
        "Shroud (rule 702.18a) only stops spells your opponents control.",
        "Under the legend rule (704.5j), the opponent chooses one of the legendary permanents.",
        'The "legend rule" (rule 704.5j) lets your opponent choose one.',
        "Hexproof (702.11a) stops your own spells.",
        "Hexproof stops your own spells. See rule 702.11a.",
        "Each player starts with 25 life (rule 103.4).",
        "In the rules of 2008, deathtouch was a static ability (rule 502.63a).",
        # A word turns what the rule says.
        "The active player receives priority before a spell or ability resolves (rule 117.3b).",
        "A player may activate a mana ability only when they have priority (rule 117.1d).",
        "If a token is on the battlefield, it ceases to exist (rule 704.5d).",
        "If a commander would be put into its owner's hand, its owner must put it into the command zone"
        " instead (rule 903.9b).",
    ],
)
def test_a_sentence_that_its_rule_does_not_say_is_not_checked(
    newest_rules: rulesgraph.Rules, text: str
) -> None:
    answer = newest_rules.verify(text)
    assert answer.checked
    assert (answer.rows, answer.checked["not_checked"]) == ((), 1)


@pytest.mark.parametrize(
    "text",
    [
        "See rule 702.19, Trample.",
        "Trample (rule 702.19) is a static ability.",
        "Lifelink is a static ability (see rule 702.15a).",
        "Each player starts with 20 life (rule 103.4).",
        "As of 2016, scry was rule 701.18.",
        "Scry was rule 701.18 in 2020.",
    ],
)
def test_a_title_and_what_the_rule_says_are_checked(newest_rules: rulesgraph.Rules, text: str) -> None:
    answer = newest_rules.verify(text)
    assert answer.checked
    assert (answer.rows, answer.checked["notes"], answer.checked["not_checked"]) == ((), 0, 0)


def test_a_sentence_is_divided_among_its_numbers(newest_rules: rulesgraph.Rules) -> None:
    text = "Combat damage is dealt at the same time (rule 510.2), and lifelink (rule 702.15b) is a keyword."
    found = newest_rules.verify(text, every=True).records()
    assert [(row["number"], row["finding"]) for row in found if row["finding"] != "unread"] == [
        ("510.2", "stands"),
        ("702.15b", "stands"),
    ]


def test_the_year_of_a_change_does_not_date_a_number_of_today(newest_rules: rulesgraph.Rules) -> None:
    text = "The rules were changed in 2009 so that combat damage no longer uses the stack (rule 510.2)."
    row, *_ = newest_rules.verify(text, every=True)
    assert (row["number"], row["finding"], row["now"]) == ("510.2", "stands", None)


@pytest.mark.parametrize(
    "text",
    [
        "Monarch is rule 724; the initiative is rule 725; dungeons is rule 309.",
        "Copying objects is covered by rule 707 and rolling a die by rule 706.",
        # In small letters it is a time, not the words on old cards.
        "Damage wears off at end of turn (rule 514.2).",
    ],
)
def test_words_before_a_number_are_not_those_of_the_next(newest_rules: rulesgraph.Rules, text: str) -> None:
    assert newest_rules.verify(text).rows == ()


def test_two_sentences_of_a_rule_are_its_own(newest_rules: rulesgraph.Rules) -> None:
    """Together they may be more like a rule about the same than like each of themselves."""
    texts = {it.number: it.text for it in newest_rules.rules() if it.number[:3] in {"607", "614"}}
    said = {number: [text[a:b] for a, b in sentences(text)] for number, text in texts.items()}
    both = [(it, f"{one} {other} (rule {it})") for it, own in said.items() for one, other in pairwise(own)]
    assert len(both) > 40
    found = [row for it, text in both for row in newest_rules.verify(text) if row["number"] == it]
    assert found == []


def test_numbers_with_too_few_words_to_compare_are_counted(newest_rules: rulesgraph.Rules) -> None:
    """Nothing contradicts them, but neither was anything beside them compared."""

    def by_number(text: str) -> object:
        found = newest_rules.verify(text)
        assert found.rows == ()
        assert found.checked
        return found.checked["by_number"]

    short = [
        "See rule 704.5a.",
        "Loser: 1 life (704.5a).",
        "Fractions allowed (107.1).",
        "Dice (705.1).",
        "Sacrifice is destruction (701.21a).",
    ]
    assert [by_number(it) for it in short] == [1] * len(short)
    assert by_number(" ".join(short)) == len(short)
    compared = [
        "Trample (702.19b).",
        "Trample: a static ability (702.19a).",
        'Rule 704.5j ("legend rule").',
        "A player with 0 or less life loses the game (704.5a).",
    ]
    assert [by_number(it) for it in compared] == [0] * len(compared)
    words = newest_rules.rule("704.5a").text
    assert by_number(f"{words} (rule 704.5a)") == 0
