"""What changed in a time of which no editions are loaded is known from the bundled list of all editions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from asking import session_on
from real import FAR_APART, rules
from rulesgraph import UnknownNameError
from rulesgraph.queries.answering.ask import ask, ask_or_abstain
from rulesgraph.queries.history.diff import diff
from rulesgraph.queries.session import Answer, Session


def _sides(answer: Answer) -> set[tuple[object, ...]]:
    return {(it["change"], it["before"] or "", it["after"] or "") for it in answer}


@pytest.fixture(scope="module")
def of_2008(shared: Path, store_of: Callable[..., Path]) -> Session:
    """A session over a single edition, of 2008."""
    return session_on(store_of(rules(shared, "2008-02-01")))


def test_the_list_and_two_loaded_editions_tell_the_same_changes(real: Session, newest: Session) -> None:
    """The list ignores references, whose change is all that a comparison says of some moved rules."""
    compared = diff(real, "cr-2009-05-01", "cr-2009-07-11").changes
    by_words = {it[:1] + it[2:4] for it in compared.rows if it[1] == "rule"}
    moved = {it[1:] for it in by_words if it[0] == "references" and it[1] != it[2]}
    listed = _sides(ask(newest, "which rules changed in cr-2009-07-11"))
    known = {it for it in listed if it[1:] not in moved}
    assert known == {it for it in by_words if it[0] != "references"}
    assert {it[1:] for it in listed - known} == moved
    assert {it[0] for it in listed - known} == {"renumbered", "moved and reworded"}


@pytest.mark.parametrize(
    "question",
    [
        "removed rules in 2009",
        "which rules were added in 2025?",
        "which rules were split in 2009?",
        "which rules were reworded in 2012?",
    ],
)
def test_it_does_not_matter_which_editions_are_loaded(
    question: str, newest: Session, of_2008: Session, real: Session
) -> None:
    found = [ask(it, question) for it in (newest, of_2008, real)]
    assert all(it.answered and it.rows for it in found)
    assert {tuple(row[:4] for row in it.rows) for it in found} == {tuple(row[:4] for row in found[0].rows)}


def test_words_are_shown_where_a_loaded_edition_has_them(of_2008: Session, newest: Session) -> None:
    then, now = (ask(it, "which rules were removed in 2009") for it in (of_2008, newest))
    assert {it["old"] for it in now} == {""}
    assert sum(bool(it["old"]) for it in then) > len(then) * 0.8
    of_decks = next(it["old"] for it in then if it["before"] == "100.3")
    assert "sealed deck" in str(of_decks)


def test_nothing_removed_is_an_answer_where_the_list_is_whole(newest: Session) -> None:
    found = ask(newest, "which rules were removed in 2025?")
    assert (found.rows, found.answered) == ((), True)
    assert found.lead[0].startswith("By the bundled list of all editions, ")
    assert found.lead[0].endswith("no rule was removed in 2025.")


@pytest.mark.parametrize("question", ["new keyword abilities in 2025", "new keyword actions since 2015"])
def test_new_things_of_a_kind_are_the_same_with_and_without_older_editions(
    question: str, newest: Session, real: Session
) -> None:
    one, several = ask(newest, question), ask(real, question)
    assert [it["item"] for it in one] == [it["item"] for it in several]
    assert one.rows


def test_a_time_after_the_loaded_edition_is_known_of_rules_alone(of_2008: Session, newest: Session) -> None:
    since = ask(of_2008, "which rules were reworded since 2016?")
    assert _sides(since) == _sides(ask(newest, "which rules were reworded since 2016?"))
    none = ask_or_abstain(of_2008, "new keyword abilities since 2020", (), None, None, None)
    assert (none.rows, none.answered) == ((), False)


def test_what_has_no_date_is_counted_and_is_no_answer(newest: Session, of_2008: Session) -> None:
    types = ask(newest, "which creature types were added in 2020?")
    assert (types.rows, types.answered) == ((), False)
    assert "no rule of its own gives it a date" in types.lead[0]
    none = ask(of_2008, "which designations were added in 2006?")
    assert (none.rows, none.answered) == ((), False)


def test_an_edition_alone_tells_its_own_changes(newest: Session) -> None:
    found = ask(newest, "what is new since the last edition")
    assert found.rows
    assert {it["edition"] for it in found} == {"cr-2026-01-16"}


@pytest.mark.parametrize("words", ["which rules were removed in 2009?", "which rules are new since 2016?"])
def test_the_list_is_not_of_another_game(words: str, mini: Session) -> None:
    with pytest.raises(UnknownNameError, match="no loaded edition was in force in 20"):
        ask(mini, words)


@pytest.mark.long(small="test_it_does_not_matter_which_editions_are_loaded")
def test_years_are_told_alike(shared: Path, store_of: Callable[..., Path], newest: Session) -> None:
    several = session_on(store_of(*(rules(shared, day) for day in FAR_APART)))
    for year in ("2003", "2009", "2013", "2021", "2025"):
        for how in ("added", "removed"):
            question = f"which rules were {how} in {year}?"
            one, other = (_sides(ask(it, question)) for it in (newest, several))
            assert one == other, question
