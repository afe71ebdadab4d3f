"""Questions about the past in a store of one edition: what the bundled list knows, what is not loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from real import AROUND
from real import rules as rules_of
from rulesgraph.queries.answering.ask import ask_or_abstain
from rulesgraph.queries.history.beyond import ALONE
from rulesgraph.queries.searching.scores import Passages


@pytest.fixture(scope="module")
def older_rules(shared: Path, store_of: Callable[..., Path]) -> rulesgraph.Rules:
    """The edition of 2008 alone."""
    return rulesgraph.open(store_of(rules_of(shared, AROUND[0])))


@pytest.mark.parametrize(
    ("words", "lead"),
    [
        ("what happened to rule 408",
         ("Until cr-2009-05-01, 408 was a rule that is now gone, its parts in 116, 117 and 405.",
          "408 was another rule from cr-2009-09-04 to today: `rulesgraph trace 408 --from cr-2026-04-17` "
          "follows it.")),
        ("where did 420 go", ("Until cr-2009-05-01, 420 was a rule that is now 704.",)),
    ],
)  # fmt: skip
def test_what_became_of_a_number_is_told_of_its_last_rule(
    words: str, lead: tuple[str, ...], newest_rules: rulesgraph.Rules, older_rules: rulesgraph.Rules
) -> None:
    for rules in (newest_rules, older_rules):
        answer = rules.ask(words)
        assert answer.lead == lead
        assert answer.rows[0][0] == "cr-1999-04-23"


def test_a_number_of_several_rules_is_that_of_the_loaded_edition_else_the_last(
    newest_rules: rulesgraph.Rules, older_rules: rulesgraph.Rules
) -> None:
    words = "what happend to rule 310.4"  # with a slip
    newest, older = newest_rules.ask(words), older_rules.ask(words)
    assert newest.lead[0] == "Until cr-2022-11-18, 310.4 was a rule that is now 311.4."
    assert older.lead[0] == "Until cr-2009-05-01, 310.4 was a rule that is now gone."
    assert [row[:3] for row in older.rows][-1] == ("cr-2009-07-11", None, "removed")
    assert newest.lead[1].startswith("310.4 was another rule from cr-2009-10-01 to cr-2012-05-01 (now 313.4)")
    # Its number in 2026-01-16 is 728.4: the bundled list knows a later one.
    said = "Until cr-2009-05-01, 506.4 was a rule that is now {}."
    words = "what is old rule 506.4 now"
    assert newest_rules.ask(words).lead[0] == said.format("728.4")
    assert older_rules.ask(words).lead[0] == said.format("729.4")
    assert (
        newest_rules.ask("what became of 702.2").lead[0]
        == "702.2 is in the newest loaded rules, cr-2026-01-16."
    )


@pytest.mark.parametrize(
    ("words", "newest", "older"),
    [
        ("When was the rule for deathtouch changed",
         ("Deathtouch is in the newest loaded rules, cr-2026-01-16, as Deathtouch, 702.2.",
          "In the rules since cr-2007-05-01, as 502.63, 702.2; the words last changed in cr-2025-11-14, "
          "in 702.2c."),
         ("Deathtouch is in the newest loaded rules, cr-2008-02-01, as Deathtouch, 502.63; it was renumbered "
          "in cr-2009-07-11, as 702.2.",
          "In the rules since cr-2007-05-01, as 502.63, 702.2; the words last changed in cr-2025-11-14, "
          "in 702.2c.")),
        ("when did rule 903 come in",
         ("903 is in the newest loaded rules, cr-2026-01-16.",
          "In the rules since cr-2009-10-01; the words last changed in cr-2025-11-14, in 903.4a."),
         ("903 is not in cr-2008-02-01: it came in cr-2009-10-01.",
          "In the rules since cr-2009-10-01; the words last changed in cr-2011-02-04.")),
        ("what changed in trample since 2016",
         ("Yes, Trample changed since 2016. cr-2020-04-17: 702.19b; cr-2021-06-18: 702.19c, 702.19d, 702.19e "
          "and 2 more; cr-2023-04-14: 702.19b and 702.19e.",),
         ("Yes, Trample changed since 2016-01-01. cr-2020-04-17: 702.19b; cr-2021-06-18: 702.19c, 702.19d, "
          "702.19e and 2 more; cr-2023-04-14: 702.19b and 702.19e.",)),
    ],
)  # fmt: skip
def test_the_bundled_list_dates_what_one_edition_does_not(
    words: str,
    newest: tuple[str, ...],
    older: tuple[str, ...],
    newest_rules: rulesgraph.Rules,
    older_rules: rulesgraph.Rules,
) -> None:
    assert newest_rules.ask(words).lead == newest
    assert older_rules.ask(words).lead == older


def test_what_the_rules_once_said_needs_other_editions(
    newest_rules: rulesgraph.Rules, older_rules: rulesgraph.Rules
) -> None:
    for words in ("did damage use to use the stack", "when was damage on the stack removed"):
        today = newest_rules.ask(words)
        assert (today.lead[0], today.answered) == (ALONE, False)
    gone = "310.4, with these words, was last in cr-2008-02-01; removed in cr-2009-07-11."
    for opening in ("when", "wen"):
        assert older_rules.ask(f"{opening} was damage on the stack removed").lead == (gone,)
    assert older_rules.ask("did damage use to use the stack").lead[0] == gone.replace("310.4", "217.6e")


def test_a_thing_that_is_obsolete_says_that_no_other_edition_is_loaded(
    newest_rules: rulesgraph.Rules,
) -> None:
    lead = newest_rules.ask("was there ever a rule for mana burn").lead
    assert lead[0] == "Mana Burn has been obsolete since cr-2026-01-16 or earlier."
    assert lead[1].startswith("Mana Burn is obsolete in cr-2026-01-16: “")
    assert lead[2] == ALONE


def test_a_number_of_a_time_without_text_is_named_as_today(
    newest_rules: rulesgraph.Rules, older_rules: rulesgraph.Rules
) -> None:
    def lead(rules: rulesgraph.Rules, words: str) -> str:
        return ask_or_abstain(rules.session, words, (), None, None, None).lead[0]

    told = "The rule that was 502.3 in 2008 is 702.25 in cr-2026-01-16."
    assert lead(newest_rules, "what was rule 502.3 in 2008") == told
    told = "The rule that was 702.2 in 2010 is 502.63 in cr-2008-02-01. These are the words of cr-2008-02-01."
    assert lead(older_rules, "which rule was 702.2 in 2010") == told
    # The rule with this number in 2008 is another one.
    said = "No loaded edition has the rule that was 310.4 in 2010."
    assert lead(older_rules, "what was 310.4 in 2010") == said
    answer = older_rules.ask("what was 310.4 in 2010")
    assert not answer.answered
    assert isinstance(answer, Passages)
    assert not any(str(row[0]).startswith("310.4") for row in answer.rows)
    assert len(answer.rows) == len(answer.marks) == len(answer.parts)


@pytest.mark.parametrize("verb", ["is", "was"])
def test_a_term_of_a_time_without_text_has_its_number(verb: str, newest_rules: rulesgraph.Rules) -> None:
    for words, told in {
        f"What {verb} exalted in 2008?": "Exalted was 502.83 in 2008, since cr-2008-10-01.",
        f"What {verb} dredge in 2005?": "Dredge was 502.47 in 2005, since cr-2005-10-01.",
    }.items():
        answer = newest_rules.ask(words)
        assert (answer.answered, answer.rows, answer.lead[0]) == (False, (), told)


@pytest.mark.parametrize("words", ["Which rule did 701.18 become?", "What is 701.18 called today?"])
def test_what_a_number_became_is_that_of_the_rule_which_lost_it_last(
    words: str, newest_rules: rulesgraph.Rules
) -> None:
    lead = newest_rules.ask(words).lead
    assert lead[0] == "Until cr-2025-04-04, 701.18 was a rule that is now 701.22."
    assert lead[1].startswith("701.18 was another rule from cr-")


def test_a_number_of_two_rules_in_one_year_is_told_of_both(
    newest_rules: rulesgraph.Rules, older_rules: rulesgraph.Rules
) -> None:
    until = "Until cr-2009-05-01, 103.4 was a rule that is now 101.4."
    words = "what did rule 103.4 say in 2009"
    told = newest_rules.ask(words).lead[0]
    assert told == f"The rule that was 103.4 in 2009 is 103.5 in cr-2026-01-16. {until}"
    assert until in older_rules.ask(words).lead[0]


@pytest.mark.parametrize(
    ("term", "numbers", "since"),
    [("Toughness", "208", "cr-1999-04-23"), ("Daybound", "702.145", "cr-2021-09-24")],
)
def test_a_term_that_shares_a_title_has_the_history_of_its_rule(
    term: str, numbers: str, since: str, newest_rules: rulesgraph.Rules
) -> None:
    for words in (f"The history of {term}", f"What was the first edition with {term}?"):
        standing, began, *_ = newest_rules.ask(words).lead
        assert standing == f"{term} is in the newest loaded rules, cr-2026-01-16, as {term}, {numbers}."
        assert began.startswith(f"In the rules since {since}")


def test_a_heading_in_other_quotes_is_the_same_name(newest_rules: rulesgraph.Rules) -> None:
    [told] = (it for it in newest_rules.ask("The history of Banding").lead if it.startswith("In the rules"))
    assert told.count("Bands with Other") <= 1
