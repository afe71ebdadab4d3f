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


def test_what_came_and_went_between_the_first_edition_and_the_last_was_removed(real: Session) -> None:
    """The first and the last edition alone show none of it."""
    editions = [it.id for it in real.editions()][::-1]
    newest = editions[-1]

    def listed(kind: str, edition: str) -> list[str]:
        return [str(row["item"]) for row in ask(real, "list_items", [kind], edition=edition)]

    found = ask(real, "Which keyword abilities were removed?")
    names = [str(row["item"]) for row in found]
    today = {it.lower() for it in listed("keyword ability", newest)}
    had = {it for edition in editions[:-1] for it in listed("keyword ability", edition)}
    lost = {it for it in had if it.lower() not in today}
    assert {*names} == lost - {"Bands with Other"}  # part of Banding today
    assert {"Substance", "Imprint"} <= {*names}
    assert f"{newest} lacks {len(names)} keyword abilities of {len(editions) - 1} older" in found.lead[0]
    assert f"No longer keyword abilities, but still in {newest}: " in found.lead[1]
    none = ask(real, "Which supertypes were removed?")
    assert (none.rows, none.answered) == ((), True)
    assert none.lead[0].startswith(f"{newest} has all supertypes of {len(editions) - 1} older")


def test_things_with_other_numbers_today_have_them_in_a_note(real: Session) -> None:
    found = ask(real, "which keyword abilities were added between cr-2008-02-01 and cr-2009-07-11")
    assert len(found) == 9
    [note] = [it for it in found.notes if it.startswith("In cr-2026-01-16 they have other numbers: ")]
    for row in found:
        assert ask(real, "rule_text", [str(row["rule"])], edition=str(row["document"])).rows
        [now] = [it for it in ask(real, "list_items", ["keyword ability"]) if it["item"] == row["item"]]
        assert (f"{now['rule']} ({row['item']})" in note) is (now["rule"] != row["rule"])


def test_what_went_since_a_year_is_dated_by_all_loaded_editions(real: Session) -> None:
    """The time begins between two loaded editions: what went between them has a date only by its rule."""
    editions = [it.id for it in real.editions()][::-1]
    ever = ask(real, "Which keyword abilities were removed?")
    since = ask(real, "Which keyword abilities were removed since 2009?")
    first = max(it for it in editions if it < "cr-2009")
    known = {row["item"] for row in ever if str(row["document"]) > first}
    assert known <= {row["item"] for row in since} <= {row["item"] for row in ever}
    assert "Imprint" in known
    types = ask(real, "Which creature types were removed since 2012?")
    [told] = [it for it in types.lead if it.startswith("Perhaps also, but without a known date: ")]
    assert "Hound" in told
    assert "that went since 2012" in types.lead[0]
