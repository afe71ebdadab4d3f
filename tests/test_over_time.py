"""Questions about differences and former states: each difference is told, or that there is none."""

from __future__ import annotations

import re

import pytest
import rulesgraph
from rulesgraph.queries.answering.ask import ask, ask_or_abstain
from rulesgraph.queries.answering.dated import in_numbers_then
from rulesgraph.queries.answering.sentences import UNDATED
from rulesgraph.queries.history.beyond import ALONE
from rulesgraph.queries.history.trace import trace
from rulesgraph.queries.session import Answer, Session
from sweep import PartOf

FACTS = [
    ("was deathtouch a triggered ability in 2009", "cr-2009-05-01, cr-2009-07-11",
     "The editions of 2009 differ: until cr-2009-05-01: is: “…” (502.63a); "
     "from cr-2009-07-11: not stated, but a static ability: “…” This is based on the "
     "wording of cr-2009-05-01 and cr-2009-07-11. In 2009 it changed with cr-2009-07-11, cr-2009-09-04."),
    ("did deathtouch use to be a triggered ability", "cr-2008-02-01, cr-2009-07-11, cr-2025-04-04",
     "Until cr-2009-05-01: is: “…” (502.63a); "
     "from cr-2009-07-11: not stated, but a static ability: “…”"),
    ("was lifelink once a trigger", "cr-2008-02-01, cr-2009-07-11, cr-2025-04-04",
     "Until cr-2009-05-01: is: “…” (502.68a); from cr-2009-07-11: not stated, but a static ability: “…”"),
    ("was lifelink a triggered ability", "cr-2008-02-01, cr-2009-07-11, cr-2025-04-04",
     "Until cr-2009-05-01: is: “…” (502.68a); from cr-2009-07-11: not stated, but a static ability: “…”"),
    ("was deathtouch always a static ability", "cr-2008-02-01, cr-2009-07-11",
     "Until cr-2009-05-01: not stated, but a triggered ability: “…”; "
     "from cr-2009-07-11: is: “…” (702.2a)."),
    ("was the stack always a zone", "cr-2008-02-01, cr-2009-05-01, cr-2009-07-11, cr-2025-04-04",
     "From cr-2008-02-01 to cr-2026-01-16: is: “…” (217.6)."),
    # A term that is gone is in no later edition.
    ("was substance once a static ability", "cr-2008-02-01",
     "From cr-2008-02-01 to cr-2009-05-01: is: “…” (502.49a)."),
    # Today's entry says no kind.
    ("was the planeswalker uniqueness rule a state-based action?", "cr-2009-07-11",
     "In cr-2009-07-11: is: “…”"),
    # *Was X ever Y* does not ask what replaced X, if Y is a kind.
    ("was islandhome ever a static ability", "cr-2009-07-11", "No loaded edition says so."),
    ("was islandhome a keyword ability", "cr-2009-07-11",
     "From cr-2009-07-11 to cr-2026-01-16: was: “…”."),
    ("has hexproof ever been a triggered ability", "cr-2025-04-04", "No loaded edition says so."),
    ("did damage use the stack in 2009", "cr-2009-07-11",
     "Until cr-2009-05-01: 217.6f “…”; from cr-2009-07-11: no sentence has these words."),
    ("did damage ever use the stack", "cr-2008-02-01 to cr-2026-01-16",
     "217.6f, with these words, was last in cr-2009-05-01; removed in cr-2009-07-11."),
]  # fmt: skip


def _unquoted(answer: Answer) -> tuple[str, ...]:
    """Return what comes first without the sentences of the rules in it."""
    return tuple(re.sub("“[^”]*”", "“…”", it) for it in answer.lead)


@pytest.mark.parametrize(("words", "edition", "lead"), FACTS)
def test_what_was_so_is_told_of_each_edition_that_differs(
    words: str, edition: str, lead: str, real: Session
) -> None:
    answer = ask(real, words)
    assert (answer.edition, _unquoted(answer)[0], answer.answered) == (edition, lead, True)


def test_a_year_with_two_texts_has_both(mini: Session) -> None:
    answer = ask(mini, "what did glimmer say in 2031")
    documents = answer.columns.index("document")
    assert [row[documents] for row in answer.rows if row[0] in ("301.2a", "320.2a")] == [
        "cr-2031-02-01",
        "cr-2031-07-01",
    ]


def test_words_that_only_some_editions_have_are_told(real: Session) -> None:
    answer = ask(real, "did lifelink once trigger")
    assert _unquoted(answer) == (
        "Until cr-2009-05-01: 502.68a “…”; from cr-2009-07-11: no sentence has these words.",
    )
    assert [(row[0], row[2]) for row in answer.rows] == [
        ("502.68a", "cr-2008-02-01"),
        ("502.68a", "cr-2009-05-01"),
    ]


@pytest.mark.parametrize("words", ["could a creature ever be a land", "mana used to pay costs"])
def test_what_is_no_question_of_the_past_is_not_read_as_one(words: str, real: Session) -> None:
    assert ask(real, words).answered


def test_a_list_of_a_year_tells_which_editions_are_not_loaded(real: Session) -> None:
    said = ask(real, "list the zones of 2009").lead[0]
    assert said == (
        "The editions of 2009 differ: the rows are from cr-2009-05-01 and cr-2009-07-11, in this order. "
        "This is from cr-2009-05-01 and cr-2009-07-11: cr-2009-09-04 and cr-2009-10-01 are not loaded."
    )


def test_one_edition_does_not_tell_what_others_say(newest_rules: rulesgraph.Rules) -> None:
    answer = newest_rules.ask("was deathtouch always a static ability")
    assert not answer.answered
    assert _unquoted(answer) == (
        "In cr-2026-01-16: is: “…” (702.2a).",
        ALONE,
    )


def test_what_is_not_found_of_the_past_is_not_answered_by_the_present(real: Session) -> None:
    answer = ask(real, "could players once respond to combat damage")
    assert not answer.answered
    assert answer.lead[0].startswith("What the rules once said about this was not found")


@pytest.mark.parametrize("words", ["what did exile say in 2008", "what was exile in 2008"])
def test_a_text_under_its_former_name_is_found(words: str, real: Session) -> None:
    answer = ask(real, words)
    assert answer.edition == "cr-2008-02-01"
    assert "217.7b" in {row[0] for row in answer.rows}


def test_a_time_before_all_editions_is_an_answer(real: Session) -> None:
    answer = ask_or_abstain(real, "what did trample say in 1995", (), None, None, None)
    assert not answer.answered
    assert answer.lead == (
        "No edition of 1995 is known. The oldest is cr-1999-04-23; it has Trample.",
        "No loaded edition was in force in 1995.",
        "The oldest that is loaded is cr-2008-02-01.",
    )


def test_another_rule_with_the_number_is_not_that_of_the_time(real: Session) -> None:
    answer = ask(real, "what did rule 702.18 say in 2012")
    assert (answer.edition, answer.answered) == ("cr-2009-07-11", True)
    assert answer.rows[0][:2] == ("702.17", "Trample")
    assert answer.lead == (
        "The rule that was 702.18 in 2012 is 702.19 in cr-2026-01-16, 702.17 in cr-2009-07-11 "
        "and 502.9 in cr-2009-05-01. This is 702.17 of cr-2009-07-11. This wording is from cr-2009-07-11. "
        "Before 2012 it changed with cr-2010-02-01.",
    )


def test_an_exact_day_is_not_answered_by_an_older_text_in_silence(real: Session) -> None:
    answer = ask(real, "what did rule 704.5k say on 2016-12-01")
    assert (answer.edition, answer.rows[0][0]) == ("cr-2009-07-11", "704.5k")
    assert answer.lead == (
        "This wording is from cr-2009-07-11. Before 2016-12-01 it changed with cr-2013-07-13.",
    )
    assert ask(real, "what did rule 704.5k say on 2009-07-11").lead == ()
    answer = ask(real, "what was rule 701.18 on 2022-03-01")
    assert (answer.rows[0][1], answer.edition) == ("Scry", "cr-2009-07-11")


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("what changed from 2025-06-06 to 2026-01-16", "What changed from 2025-06-06 to 2026-01-16?"),
        ("what changed in the rules in 2025", "What changed in 2025?"),
        (
            "what changed from 2025-04-04 to 2026-01-16",
            "What changed between cr-2025-04-04 and cr-2026-01-16?",
        ),
        ("what changed between 2008 and 2009", "What changed between cr-2008-02-01 and cr-2009-07-11?"),
    ],
)
def test_changes_between_days_are_those_between_them(words: str, meaning: str, real: Session) -> None:
    understood = ask(real, words).understood
    assert understood
    assert understood.meaning == meaning


@pytest.mark.parametrize("what", ["definition of permanent", "wording of 704.5k", "meaning of trample"])
def test_changes_of_the_words_of_a_thing_are_those_of_the_thing(what: str, real: Session) -> None:
    assert ask(real, f"has the {what} changed since 2010").name == "diff"


def test_a_sentence_that_denies_or_sets_a_condition_is_not_when_something_came(real: Session) -> None:
    answer = ask(real, "since when may players look at face-down cards")
    assert (answer.answered, answer.lead[0]) == (False, UNDATED)


def test_what_is_asked_of_a_time_without_text_is_not_answered_by_today(real: Session) -> None:
    answer = ask(real, "could you have two legendary creatures in 2005")
    assert not answer.answered
    assert answer.lead[0] == "No loaded edition was in force in 2005: these are from cr-2026-01-16."


@pytest.mark.long(small="test_what_was_so_is_told_of_each_edition_that_differs")
@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
def test_a_kind_by_its_short_name_is_that_kind(edition: str, real: Session, part_of: PartOf) -> None:
    """*A trigger* and *a static* are kinds of abilities, for some of the keyword abilities."""
    names = [str(row[0]) for row in ask(real, "terms_of_kind", ["keyword ability"], edition=edition).rows]
    assert len(names) > 60
    some = [it for it in dict.fromkeys(names) if not it.endswith("!")][::12]  # where a sentence ends
    for name in part_of(some, 3):
        for short, kind in (("trigger", "triggered ability"), ("static", "static ability")):
            said, meant = (ask(real, f"is {name} a {it}", edition=edition) for it in (short, kind))
            assert (said.name, said.rows) == (meant.name, meant.rows), (name, short)


BETWEEN = "What changed in Moth between cr-2031-02-01 and cr-2031-07-01?"


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("moth in February 2031 vs July 2031", BETWEEN),
        ("moth in February 2031 versus now", BETWEEN),
        ("what is the difference between moth in February 2031 and now", BETWEEN),
        ("when did the moth change its wording", "What is the history of Moth?"),
    ],
)
def test_two_times_are_compared(words: str, meaning: str, mini: Session) -> None:
    understood = ask(mini, words).understood
    assert understood
    assert understood.meaning == meaning


def test_a_year_needs_no_preposition_to_be_compared(real: Session) -> None:
    understood = ask(real, "deathtouch 2008 vs 2025").understood
    assert understood
    assert understood.meaning == "What changed in Deathtouch between cr-2008-02-01 and cr-2025-04-04?"


@pytest.mark.parametrize(
    "words",
    [
        "was deathtouch different in 2008",
        "did deathtouch work differently in 2008",
        "is deathtouch different now than in 2008",
    ],
)
def test_what_was_different_then_is_compared_with_today(words: str, real: Session) -> None:
    """That nothing changed in that year does not mean that it was the same."""
    answer = ask(real, words)
    assert answer.understood
    assert answer.understood.meaning.startswith("What changed in Deathtouch since 2008-12-31")
    assert ("moved and reworded", "rule", "702.2a") in {(row[0], row[1], row[3]) for row in answer.rows}


@pytest.mark.parametrize(
    ("words", "edition", "number", "told"),
    [
        # The edition asked lacks the number, but another one of that year has it.
        ("What did rule 502.9b say in 2009?", "cr-2009-05-01", "502.9b",
         "502.9b is a number of cr-2009-05-01; it is 702.17b in cr-2009-07-11."),
        ("What did rule 310.4 say in 2009?", "cr-2009-05-01", "310.4",
         "310.4 is a number of cr-2009-05-01; cr-2009-07-11 does not have that rule."),
        # None of that time has it: the rule is followed.
        ("What did rule 420.5e say in 2025?", "cr-2025-04-04", "704.5j",
         "420.5e of cr-2009-05-01 was 704.5j in cr-2025-04-04."),
        ("What did rule 502.15a say in 2010?", "cr-2009-07-11", "702.23a",
         "502.15a of cr-2009-05-01 was 702.23a in cr-2009-07-11."),
        ("702.19 in 2008", "cr-2008-02-01", "502.9",
         "No rule was 702.19 in cr-2008-02-01: today’s 702.19 was 502.9 then."),
        # The number is right.
        ("What did rule 502.9b say in 2008?", "cr-2008-02-01", "502.9b", ""),
        ("What did rule 702.19b say in 2025?", "cr-2025-04-04", "702.19b", ""),
    ],
)  # fmt: skip
def test_a_number_of_another_time_is_followed_to_the_one_asked(
    words: str, edition: str, number: str, told: str, real: Session
) -> None:
    """The newest number of the rule was looked up in the older edition, where it is another rule."""
    answer = ask(real, words)
    assert (answer.name, answer.edition, answer[0]["number"]) == ("rule_text", edition, number)
    assert [it for it in answer.lead if number in it or told in it][:1] == [told] * bool(told)


def test_every_old_number_is_followed_as_trace_follows_it(real: Session) -> None:
    numbers = [str(row["number"]) for row in ask(real, "parts_of", ["502"], edition="cr-2009-05-01")]
    for number in [it for it in numbers if it.count(".") and int(re.findall(r"\d+", it)[1]) > 4][::12]:
        *_, row = trace(real, number, "cr-2009-05-01", "cr-2026-01-16").records()
        asked, edition, told = in_numbers_then(real, f"What did rule {number} say in 2026?")
        there = row["number"] if row["number"] and row["edition"] == "cr-2026-01-16" else None
        assert (edition, told != "") == (("cr-2026-01-16", True) if there else ("", False)), number
        assert f"rule {there} say" in asked or not there


def test_a_number_of_a_time_between_loaded_editions_is_that_of_its_rule(real: Session) -> None:
    """In 2010 it was another rule than the one that has the number in the last edition before, or today."""
    answer = ask(real, "What did rule 702.84 say in 2010?")
    assert answer.rows[0][:2] == ("702.87", "Level Up")
    assert answer.lead[0].startswith("The rule that was 702.84 in 2010 is 702.87 in cr-2026-01-16. These are")
