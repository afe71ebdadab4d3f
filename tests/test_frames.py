"""A neutral phrase around a question changes nothing; words that change the question are never ignored."""

from __future__ import annotations

import pytest
from measure_frames import framed, frames, meaning, traps
from rulesgraph import Rules
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session
from sweep import first

QUESTIONS = [
    "What is a moth?",
    "Which terms rely on waning checks?",
    "how do moths and lanterns interact",
    "what breaks when 310 changes",
    "What changed since 2031-02-01?",
    "compare moths and lanterns",
]


def test_seen_and_unseen_phrases_are_disjoint() -> None:
    seen, unseen = frames("seen"), frames("unseen")
    assert not set(seen) & set(unseen)
    assert len(seen + unseen) >= 60
    assert all(it.count("{}") == 1 for it in seen + unseen)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_neutral_phrase_changes_nothing(question: str, mini: Session) -> None:
    plain = meaning(mini, question)
    phrases = frames("seen")[::12]
    kept = [frame for frame in phrases if meaning(mini, framed(frame, question)) == plain]
    assert plain
    assert len(kept) >= 0.9 * len(phrases)


@pytest.mark.parametrize(
    "words",
    [
        "what is a moth without a lantern",
        "what is not a moth",
        "what is a moth compared to a keeper",
        "if a lantern burns what is a moth",
        "what is a moth or a bag",
        "what does a moth send to the keeper",
        "what changed since 2031-02-01 except in 310",
        "grumpy keeper and moth",  # not all keepers
        "no moth and lantern",
        "you can't light moths and lanterns",
    ],
)
def test_a_denial_or_a_second_thing_is_never_left_out(words: str, mini: Session) -> None:
    assert ask(mini, words).name == "closest_rules"


@pytest.mark.parametrize(
    ("words", "plain"),
    first(
        12,
        [*traps("unseen"), *traps("seen")],
        pytest.mark.long(small="test_a_denial_or_a_second_thing_is_never_left_out"),
    ),
)
def test_a_question_with_a_condition_is_not_the_question_without_it(
    words: str, plain: str, newest_rules: Rules
) -> None:
    session = newest_rules.session
    assert meaning(session, plain)
    assert meaning(session, words) != meaning(session, plain)
