"""Two questions in one, and questions that are long stories."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        ("What is trample, and when was it added?", "What is trample?", "When was trample added?"),
        (
            "what does rule 704.5k say and when did it change",
            "what does 704.5k say",
            "when did 704.5k change",
        ),
        (
            "What did mana burn do and when was it removed?",
            "What is mana burn?",
            "when was mana burn removed",
        ),
    ],
)
def test_the_first_of_two_questions_has_the_rows_and_both_the_lead(
    words: str, first: str, second: str, real: Session
) -> None:
    found, one, other = ask(real, words), ask(real, first), ask(real, second)
    assert found.answered
    assert (found.name, found.rows) == (one.name, one.rows)
    assert other.lead
    assert found.lead == (*one.lead, *other.lead)


def test_a_second_question_without_an_answer_has_the_closest_rules(newest: Session) -> None:
    found = ask(newest, "What is banding and how do I use it in combat?")
    closest = ask(newest, "how do I use banding in combat")
    assert (closest.name, found.rows) == ("closest_rules", ask(newest, "What is banding?").rows)
    one, two, three, *_ = (row["number"] for row in closest)
    told = f"the closest rules are {one}, {two} and {three}."
    assert found.lead == (f"“how do I use banding in combat?”: {told}",)
    # Without a pronoun, it may be about something else.
    assert ask(newest, "what is a token and how many exist").name == "closest_rules"


def test_a_second_question_without_a_lead_is_answered_by_its_numbers(newest: Session) -> None:
    found = ask(newest, "What is hexproof and which rule defines shroud?")
    assert found.rows == ask(newest, "What is hexproof?").rows
    assert found.lead == ("“which rule defines shroud?”: 702.18.",)


@pytest.mark.parametrize(
    "words",
    [
        "Who is the active player and who gets priority?",
        "What happens when a creature dies and when does it trigger?",
        "What is the difference between flying and what reach does?",
    ],
)
def test_what_is_not_two_questions_stays_one(words: str, newest: Session) -> None:
    assert "has the second answer whole" not in " ".join(ask(newest, words).notes)


def test_a_story_is_no_question_of_the_catalogue(newest: Session) -> None:
    """It would take seconds to look for one in it."""
    story = "I attack with a creature that has trample, and my opponent blocks it with a wall. "
    found = ask(newest, story * 5 + "What is trample?")
    assert found.name == "closest_rules"
    assert any(str(row[0]).startswith("702.19") for row in found.rows[:3])


def test_an_unknown_thing_is_named_without_the_second_question(starter_store: Path) -> None:
    with pytest.raises(UnknownNameError, match="is called 'trample'"):
        ask(rulesgraph.open(starter_store).session, "what is trample, and when was it added")
