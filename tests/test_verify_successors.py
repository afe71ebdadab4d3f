"""What `verify` says about words that rules have lost: in a rule's successor, and in a cited rule."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
import rulesgraph
from rulesgraph.queries.verifying.verify import books
from rulesgraph.queries.verifying.wordings import FORMER
from sweep import PartOf

HERE = "cr-2026-01-16"
LOST = "500.5 and 500.5a have been reworded since, and lack"
BURNT = "When a phase ends, a player with unused mana loses that much life"
STACK = "Combat damage goes on the stack (rule 310.4)."


def test_a_successor_that_lacks_the_words_is_said_to(
    newest_rules: rulesgraph.Rules, real_rules: rulesgraph.Rules
) -> None:
    for rules in (newest_rules, real_rules):
        [row] = rules.verify(f"{BURNT} (rule 300.3).")
        assert (row["finding"], row["now"]) == ("gone", "500.5, 500.5a")
        assert str(row["message"]).endswith(f"; {LOST} “unused”, “loses” and “life”")
    # Words that its older wording lacks as well were not lost.
    [row] = real_rules.verify("A lonely wizard gets sad when a phase ends and mana is unused (rule 300.3).")
    assert "reworded" not in str(row["message"])
    # Nor does a rule lack anything whose words are the same: only the name is obsolete.
    [row] = newest_rules.verify("Bury means to destroy a creature that can't be regenerated (rule 701.7).")
    assert (row["finding"], row["now"]) == ("stale", "701.8")
    assert str(row["message"]).endswith(f"701.7 is “Create” in {HERE}; “Bury” is obsolete in {HERE}")


def test_the_number_of_the_successor_does_not_make_old_words_right(
    newest_rules: rulesgraph.Rules, real_rules: rulesgraph.Rules
) -> None:
    [row] = real_rules.verify(f"{BURNT} (rule 500.5).")
    assert (row["finding"], row["severity"], row["now"]) == ("words", "warning", None)
    was = "these are words of 300.3 in cr-2009-05-01; 500.5 has been reworded since"
    assert row["message"] == f"{was}, and lacks “unused”, “loses” and “life”"
    [row] = newest_rules.verify("Unspent mana causes mana burn at the end of each step (rule 500.5).")
    assert row["finding"] == "topic"
    assert row["message"] == f"“Mana Burn” is obsolete in {HERE}, and 500.5 is not about it"
    assert not real_rules.verify(f"{BURNT} (rule 300.3).", edition="cr-2008-02-01").rows


@pytest.mark.parametrize(
    "text",
    [
        "Until 2009, unspent mana made its player lose life (rule 500.5).",
        "Nobody loses life for unused mana when a phase ends (rule 500.5).",
        "Unused mana is lost when a phase ends, without loss of life (rule 500.5).",
        "Since mana burn is gone, mana just empties at the end of each step (rule 500.5).",
        "Mana burn no longer exists (rule 500.5).",
        "Creatures that are in play can attack (rule 508.1).",  # only the name of the thing is obsolete
    ],
)
def test_a_sentence_about_the_past_or_a_denial_is_not_told(text: str, real_rules: rulesgraph.Rules) -> None:
    assert not real_rules.verify(text).rows


def test_a_rule_that_is_gone_has_no_successor_by_an_older_form_of_it(
    newest_rules: rulesgraph.Rules, real_rules: rulesgraph.Rules
) -> None:
    """Only one of its three parts went anywhere, and that is no rule for the others."""
    gone = "has been gone since cr-2009-07-11; only 1 of its 3 parts is left, in 120.1"
    means = f"310.4 is “Defense is a characteristic that battles have.” in {HERE}"
    for rules in (newest_rules, real_rules):
        [row] = rules.verify(STACK)
        assert (row["finding"], row["severity"], row["now"]) == ("stale", "error", None)
        assert row["message"] == f"310.4 of cr-2009-05-01 {gone}; {means}"
    [row] = real_rules.verify(STACK, written="2008-02-01")
    assert (row["finding"], row["severity"], row["now"]) == ("moved", "warning", None)
    assert row["message"] == f"310.4 of cr-2008-02-01 {gone}; {means}"
    assert not real_rules.verify(STACK, edition="cr-2008-02-01").rows


def test_words_of_a_gone_rule_are_told_where_its_text_is_loaded(real_rules: rulesgraph.Rules) -> None:
    """None of its heirs says which rule the number was."""
    text = "If the creature is not in play any more, its last known information is used (rule 310.4b)."
    [row] = real_rules.verify(text)
    assert (row["finding"], row["severity"], row["now"]) == ("stale", "warning", None)
    assert str(row["message"]).startswith("310.4b of cr-2009-05-01 has been gone since cr-2009-07-11; ")


@pytest.mark.parametrize("edition", ["cr-2008-02-01", HERE])
def test_exact_words_of_an_edition_are_right_beside_older_ones(
    edition: str, real_rules: rulesgraph.Rules
) -> None:
    """Of rules drawn by seed: those before them had other words."""
    rules = [it for it in real_rules.rules(edition=edition) if "." in it.number and len(it.text.split()) > 7]
    text = "\n\n".join(
        f"{it.text.rstrip('.')} (rule {it.number})." for it in random.Random(143).sample(rules, 150)
    )
    assert real_rules.verify(text, edition=edition).rows == ()


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("On the battlefield X counts as zero, so its mana value is 2 (rule 202.3e).", ""),
        ("Mana burn counts as damage (rule 500.5).", "“Mana Burn” is obsolete"),
        ("Only permanents and players can be picked, and that card is in exile (rule 701.34a).", ""),
        ("None of its activated abilities work, and one of them asks for tapping (rule 701.35a).", ""),
        ("That card is in exile (rule 701.34a).", "the words around it name “exile”, 701.13"),
        ("My card was not cast (rule 702.44b).", "the words around it name “cast”, 701.5"),
    ],
)
def test_a_word_of_a_sentence_is_no_name_of_its_citation(
    text: str, finding: str, newest_rules: rulesgraph.Rules
) -> None:
    """Nor is one that rules still use the name of an obsolete term."""
    messages = [str(row["message"]) for row in newest_rules.verify(text)]
    assert len(messages) == bool(finding)
    assert all(finding in it for it in messages)


def _unlike_trace(rules: rulesgraph.Rules, before: str, after: str, part_of: PartOf) -> Iterator[str]:
    """Yield where `verify` disagrees with `trace` about a number written against an edition."""
    numbers = part_of([it for it in books(rules.session, before)[0].titles if "." in it], 250)
    text = "\n\n".join(f"See rule {it}." for it in numbers)
    found = [*rules.verify(text, edition=after, written=before, every=True)]
    assert [row["number"] for row in found] == numbers
    for row in found:
        number, said = str(row["number"]), f"{row['finding']} {row['now']} {row['message']}"
        ends = rules.trace(number, before, after).rows
        there = {str(it[1]) for it in ends if it[0] == after and it[2] != "removed"}
        is_gone = f"{number} of {before} has been gone since" in said
        now = {number} if row["finding"] == "stands" else {*str(row["now"]).split(", ")}
        if (is_gone != (not there)) or not (is_gone or now <= there):
            yield f"{number}: verify {said}, trace {sorted(there)}"
        if {*re.findall(r"of (cr-[\d-]+)", said)} - {before}:
            yield f"{number}: {said}"


def test_verify_and_trace_agree_about_the_mini_game(mini_rules: rulesgraph.Rules, part_of: PartOf) -> None:
    assert list(_unlike_trace(mini_rules, "cr-2031-02-01", "cr-2031-07-01", part_of)) == []


@pytest.mark.long(small="test_verify_and_trace_agree_about_the_mini_game")
@pytest.mark.parametrize("before", ["cr-2008-02-01", "cr-2009-07-11", "cr-2025-04-04"])
def test_verify_and_trace_agree_about_every_number(
    before: str, real_rules: rulesgraph.Rules, part_of: PartOf
) -> None:
    assert list(_unlike_trace(real_rules, before, HERE, part_of)) == []


@pytest.mark.parametrize("strict", [False, True])
def test_an_older_wording_of_the_same_rule_is_told_only_where_it_is_quoted(
    real_rules: rulesgraph.Rules, strict: bool
) -> None:
    """Without quotation marks it may mean the same as today's words, and counts as not checked."""
    words = real_rules.rule("702.146b", edition="cr-2025-04-04").text.partition(". ")[0]
    [row] = real_rules.verify(f"“{words}” (rule 702.146b)", strict=strict)
    assert (row["finding"], row["severity"]) == ("words", "warning")
    found = real_rules.verify(f"{words} (rule 702.146b).", strict=strict)
    assert "1 sentence in words that the rule no longer has, not checked" in found.notes[0]
    told = [(row["finding"], row["severity"], row["message"]) for row in found]
    assert told == [("unread", "warning", FORMER)] * strict


@pytest.mark.parametrize(
    "text",
    [
        "According to the Comprehensive Rules effective February 1, 2008: {}",
        "As of CR 2008-02-01, {}",
        "As of CR 2008-02-01 {}",
        "(rules of 2008-02-01)\n\n{}",
        "# Edition: cr-2008-02-01\n\n{}",
        "Under the February 1, 2008 Comprehensive Rules, {}",
    ],
)
def test_an_edition_named_at_the_head_of_a_text_is_that_of_its_citations(
    text: str, newest_rules: rulesgraph.Rules, real_rules: rulesgraph.Rules
) -> None:
    said = "rule 420.5e is the legend rule. You take mana burn (rule 300.3), not rule 420.99."
    found = real_rules.verify(text.format(said))
    assert [(row["number"], row["edition"]) for row in found] == [("420.99", "cr-2008-02-01")]
    assert found.notes[0] == "The text names cr-2008-02-01: it was checked against that edition."
    chosen = real_rules.verify(text.format(said), edition="cr-2026-01-16")
    assert [(row["number"], row["finding"]) for row in chosen][-2:] == [
        ("300.3", "moved"),
        ("420.99", "unknown"),
    ]
    found = newest_rules.verify(
        text.format("rule 420.5e is the legend rule. You take mana burn (rule 300.3).")
    )
    assert [(row["finding"], row["now"]) for row in found][-1:] == [("moved", "500.5")]
    assert found.notes[0].startswith(
        "The text names rules of 2008-02-01 that are not loaded: its numbers are "
    )
    # Another time beside it, or what is said of today: each number is judged by the words beside it.
    for more in ("Today it is rule 704.5j.", "In 2009 it was rule 704.5k."):
        assert not any("names" in note for note in real_rules.verify(f"{text.format(said)} {more}").notes)


def test_another_rule_that_had_the_number_later_does_not_count(newest_rules: rulesgraph.Rules) -> None:
    """Until 2009 two rules in turn were 217.6e, and 405.5 is what the second became."""
    for written, now in (("2008-02-01", None), ("2009-05-01", "405.5")):
        [row] = newest_rules.verify("See rule 217.6e.", written=written)
        assert row["now"] == now
        assert str(row["message"]).startswith(f"217.6e of cr-{written} ")


def test_to_see_says_nothing_of_a_rule_that_is_gone(real_rules: rulesgraph.Rules) -> None:
    assert not real_rules.verify("See rule 609.5.").rows


def test_an_obsolete_term_of_the_sentence_before_is_not_told(newest_rules: rulesgraph.Rules) -> None:
    """Only the sentence of the citation tells what its rule was about."""
    [row] = newest_rules.verify("You take mana burn. The legend rule keeps one legend (rule 420.5e).")
    assert "obsolete" not in str(row["message"])
    [row] = newest_rules.verify("You take mana burn when a phase ends (rule 300.3).")
    assert "“Mana Burn” is obsolete" in str(row["message"])


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("The starting player draws on turn one (rule 103.8a).", False),
        ("Storm copies are cast (702.40a).", False),
        ("Vigilance creatures tap when attacking (702.20b).", False),
        ("The rest are exiled (704.5j).", False),
        ("Flying is an evasion ability (702.9a).", True),
        ("The legend rule (704.5j).", True),
    ],
)
def test_words_of_a_rule_in_another_order_are_not_checked(
    text: str, is_read: bool, newest_rules: rulesgraph.Rules
) -> None:
    """All telling words may be those of a rule, and the sentence false."""
    kinds = [row["finding"] for row in newest_rules.verify(text, every=True)]
    assert kinds == (["stands"] if is_read else ["stands", "unread"])


@pytest.mark.parametrize(
    ("text", "finding", "severity"),
    [
        ("In cr-2008-02-01, trample was rule 502.9.", "stands", ""),
        ("Trample (rule 502.9, edition cr-2008-02-01) is old.", "stale", "note"),
        ("Trample (rule 502.9, 2008-02-01) is old.", "stale", "note"),
        ("In cr-2025-04-04, scry was rule 701.18.", "stands", ""),
        ("In 2010, trample was rule 702.19.", "topic", "error"),
        ("In April 2025 fight was rule 701.14.", "topic", "error"),
        ("In 2019, trample was rule 702.19.", "stands", ""),
        ("In 2010, trample was rule 702.17.", "stands", ""),
    ],
)
def test_a_day_or_the_id_of_an_edition_is_the_time_of_a_number(
    text: str, finding: str, severity: str, newest_rules: rulesgraph.Rules
) -> None:
    """A number must belong to its rule at the time that the sentence names."""
    [row] = newest_rules.verify(text, every=True)
    assert (row["finding"], row["severity"] or "") == (finding, severity)
