"""How many there are is what the same question with *which* finds."""

from __future__ import annotations

import pytest
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session

ASKED = [
    "obsolete terms are there",
    "keyword abilities were added since 2016",
    "state-based actions were added since 2020",
    "rules were added in 2025",
    "rules cite 704.5",
    "terms rely on priority",
    "rules mention deathtouch",
    "kinds of keyword counters are there",
    "kinds of counters are there",
    "terms were renamed",
]


@pytest.mark.parametrize("asked", ASKED)
def test_how_many_is_the_number_of_which(asked: str, real: Session) -> None:
    which, many = ask(real, f"Which {asked}?"), ask(real, f"How many {asked}?")
    assert (many.name, many.rows) == (which.name, which.rows)
    assert which.name != "closest_rules"
    first = many.columns[0] in ("term", "source", "rule", "number")
    number = len({row[0] for row in many.rows} if first else many.rows)
    assert many.lead[0].startswith((f"There are {number:,}.", f"{number:,} were found. No rule lists these"))


@pytest.mark.parametrize(
    "words", ["How many cards can I have in my hand?", "How many creatures can block one attacker?"]
)
def test_a_situation_is_not_counted(words: str, newest: Session) -> None:
    found = ask(newest, words)
    assert found.name == "closest_rules"
    assert not any(it.startswith("There are") for it in found.lead)


def test_a_list_by_its_parts_is_the_same_in_other_words(newest: Session) -> None:
    rows = {
        ask(newest, words).rows for words in ("List all parts of a card", "What are the parts of a card?")
    }
    assert len(rows) == 1
    assert len(rows.pop()) > 10
