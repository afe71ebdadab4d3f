"""Lists of things of a kind: those of a whole turn, of all editions, and those that are gone."""

from __future__ import annotations

import pytest
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session


@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
@pytest.mark.parametrize(
    "words",
    ["What are the steps of the turn?", "how many steps are in a turn", "list every step of a turn in order"],
)
def test_the_steps_of_a_turn_are_those_of_its_phases(words: str, edition: str, real: Session) -> None:
    steps = [
        row[3]
        for phase in ("beginning phase", "combat phase", "ending phase" if "2026" in edition else "end phase")
        for row in ask(real, "steps_of", [phase], edition=edition).rows
    ]
    assert [row["item"] for row in ask(real, words, edition=edition)] == steps
    assert len(steps) == 10


def test_a_kind_without_a_list_has_no_answer_rather_than_none(newest: Session) -> None:
    assert not ask(newest, "list_items", ["mana symbol"]).answered
    assert ask(newest, "list_items", ["zone"]).answered
    assert ask(newest, "cited_by", ["100.1a"]).answered


def test_all_that_ever_was_of_a_kind(real: Session, newest: Session) -> None:
    found = ask(real, "How many keyword abilities have ever existed?")
    today = ask(real, "list_items", ["keyword ability"])
    gone = [row["item"] for row in found][len(today) :]
    assert [row["item"] for row in found][: len(today)] == [row["item"] for row in today]
    assert {"Substance", "Imprint"} <= {*gone} == {*gone} - {row["item"] for row in today}
    assert found.lead[0] == f"There are {len(found)}."
    assert f"older loaded editions have {len(gone)} more: " in found.lead[1]
    for name in gone:
        assert any(
            name in {row["item"] for row in ask(real, "list_items", ["keyword ability"], edition=it.id)}
            for it in real.editions()
        )
    assert len(ask(newest, "Which keyword abilities have ever existed?")) == 188


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("Which keyword abilities of 2008 no longer exist in 2026?",
         "which keyword abilities were removed between cr-2008-02-01 and cr-2026-01-16"),
        ("Which creature types were there in 2008 that are gone in 2026?",
         "which creature types were removed between cr-2008-02-01 and cr-2026-01-16"),
    ],
)  # fmt: skip
def test_what_an_edition_had_that_another_lacks(words: str, same: str, real: Session) -> None:
    found = ask(real, words)
    assert found.rows == ask(real, same).rows
    assert found.rows
