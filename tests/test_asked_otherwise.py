"""Questions that are asked in other words than usual, and what is said where an answer is not a whole one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from real import rules
from rulesgraph import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.unloaded import most_changed
from rulesgraph.queries.session import Session


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("what's the step after declare blockers", "what comes after declare blockers?"),
        ("which is the step before declare blockers", "what comes before declare blockers?"),
        ("what does 704 cover", "what does rule 704 say?"),
        ("is there a rule 704.5k", "what does rule 704.5k say?"),
        ("what does the glossary say about bury", "what is bury?"),
        ("did exile have another name", "how was exile called before?"),
        ("what is the battlefield's old name", "how was the battlefield called before?"),
        ("what was removed from the rules in 2009", "which rules were removed in 2009?"),
        ("what was added to the rules since 2025", "which rules were added since 2025?"),
        ("which glossary terms were added in 2009", "which entries were added in 2009?"),
    ],
)
def test_other_words_are_the_same_question(words: str, same: str, real: Session) -> None:
    found, usual = ask(real, words), ask(real, same)
    assert (found.name, found.rows) == (usual.name, usual.rows)
    assert found.rows


def test_a_rule_that_is_not_there_is_named(newest: Session) -> None:
    with pytest.raises(UnknownNameError, match=r"702\.200") as refusal:
        ask(newest, "is there a rule 702.200")
    assert "702 ends at 702." in str(refusal.value)


def test_that_no_rule_says_so_comes_first(newest: Session) -> None:
    found = ask(newest, "is a planeswalker a creature")
    assert found.lead[0] == "No rule says in so many words whether Planeswalker is a Creature."
    assert not found.answered


def test_nothing_removed_is_no_answer_where_changes_are_undated(real: Session) -> None:
    """The rules of 2008 to 2009 are loaded, but no edition of 2012."""
    found = ask(real, "which terms were removed in 2011")
    assert found.name == "diff"
    assert any("have no known date" in it for it in found.notes)
    assert found.answered == bool(found.rows)


def test_changes_of_many_years_are_called_so(real: Session) -> None:
    told = [it for it in ask(real, "what changed").notes if it.startswith("These are all changes since")]
    assert len(told) == 1
    assert told[0].startswith("These are all changes since cr-2025-04-04: ")
    assert "not loaded" in told[0]


def test_each_edition_of_a_year_has_its_own_number(real: Session) -> None:
    found = ask(real, "how many keyword abilities were there in 2009")
    said = [it for it in found.lead if " lists " in it]
    assert [it.split()[0] for it in said] == ["cr-2009-05-01", "cr-2009-07-11"]
    for it in said:
        assert int(it.split()[2]) == len([row for row in found.records() if row["document"] == it.split()[0]])


def test_a_name_of_several_terms_is_that_of_the_edition(shared: Path, store_of: Callable[..., Path]) -> None:
    """*APNAP* was a term of its own in 2003, and is short for another in 2008."""
    older = shared / "corpora" / "more" / "2003-10-01.txt"
    store = rulesgraph.open(store_of(older, rules(shared, "2008-02-01")))
    for edition in (None, "cr-2003-10-01"):
        documents = {row["document"] for row in store.ask("what is an APNAP", edition=edition).records()}
        assert documents == {edition or "cr-2008-02-01"}


@pytest.mark.parametrize(
    ("words", "name", "cells"),
    [
        ("What step follows upkeep?", "next_after", ("upkeep step", "draw step")),
        (
            "Which step precedes combat damage?",
            "next_before",
            ("combat damage step", "declare blockers step"),
        ),
        ("Which phase is the upkeep step in?", "place_in_turn", ("upkeep step", 2, "beginning phase")),
        ("What is sublayer 7b?", "closest_rules", ("613.4b",)),
        ("layer 4", "closest_rules", ("613.1d",)),
        ("Is Adventure a spell type?", "lists_with", ("spell types", "Adventure")),
        ("What is an adventure?", "definition", (None,)),
    ],
)
def test_places_and_labels_are_asked_for_in_many_ways(
    words: str, name: str, cells: tuple[object, ...], newest: Session
) -> None:
    found = ask(newest, words)
    assert (found.name, found.rows[0][: len(cells)]) == (name, cells)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Is upkeep part of the beginning phase?", "Upkeep step is part of beginning phase."),
        ("Is the upkeep step in the combat phase?", "Upkeep step is not part of combat phase."),
    ],
)
def test_a_part_of_the_turn_is_in_one_phase(words: str, said: str, real: Session) -> None:
    for edition in ("cr-2026-01-16", "cr-2008-02-01"):
        assert ask(real, words, edition=edition).lead[0] == said


@pytest.mark.parametrize("words", ["Has trample ever been reworded?", "Has trample been renumbered?"])
def test_whether_something_changed_is_its_history(words: str, newest: Session) -> None:
    assert ask(newest, words).name == "history"


def test_the_list_knows_which_rules_were_renumbered_most(newest: Session, real: Session) -> None:
    """With one edition, the bundled list answers; with several, the store says the same."""
    asked = "Which rules were renumbered most often?"
    alone, known = ask(newest, asked), ask(real, asked)
    assert (alone.name, known.name) == ("most_changed", "most_renumbered")
    both = most_changed(real, "renumbered")
    assert {(row[0], row[2]) for row in both.rows} == {(row[0], row[2]) for row in known.rows}
    reworded = ask(newest, "Which rule was reworded most often?")
    assert (reworded.name, reworded.rows[0][0]) == ("most_changed", "205.3m")
    assert ask(newest, "the most renumbered rules").rows == alone.rows


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("did mana burn exist in 2009", "Mana Burn was obsolete by the end of 2009."),
        ("did the planeswalker uniqueness rule exist in 2020",
         "Planeswalker Uniqueness Rule was not in the rules in 2020: it was removed in cr-2017-09-29."),
    ],
)  # fmt: skip
def test_what_is_gone_did_not_exist(words: str, said: str, real_rules: rulesgraph.Rules) -> None:
    assert real_rules.ask(words).lead[0].startswith(said)


def test_a_rule_about_an_obsolete_word_is_not_obsolete(real: Session) -> None:
    found = ask(real, "what is the legend rule", edition="cr-2008-02-01")
    assert found.rows[0][0] == "420.5e"
    assert found.lead == ()
    assert ask(real, "can I bury a creature", edition="cr-2008-02-01").lead[0].startswith("Bury is obsolete")


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("rule 104.3 plz", "rule 104.3"),
        ("which state-based actions are there? list all", "which state-based actions are there?"),
    ],
)
def test_asking_once_more_changes_nothing(words: str, same: str, newest: Session) -> None:
    assert ask(newest, words).rows == ask(newest, same).rows
