"""Whose words a quotation has, by what is near it; and numbers that no rule can have."""

from __future__ import annotations

import pytest
import rulesgraph
from measure_quotations import LAYOUTS, written

TRIM = "To trim a lantern means to take one oil from it and turn it to the right."
WRONG = TRIM.replace("one oil", "all oil")
COMETS = "Blue comets fly past seven green planets at noon."

QUOTED = [
    it
    for it in LAYOUTS
    if "{low}" not in it
    and (
        it.lstrip().startswith(">") or any(mark in it for mark in ('"{q}', "“{q}", "„{q}", "''{q}", "blockq"))
    )
]


def not_checked(rules: rulesgraph.Rules, text: str) -> object:
    return (rules.verify(text).checked or {})["not_checked"]


def told(rules: rulesgraph.Rules, text: str) -> list[tuple[object, ...]]:
    return [(row["number"], row["finding"], row["now"]) for row in rules.verify(text)]


@pytest.mark.parametrize("layout", QUOTED)
def test_a_quotation_beside_one_citation_is_checked_in_any_layout(
    mini_rules: rulesgraph.Rules, layout: str
) -> None:
    right, wrong = written(layout, TRIM, "201.2"), written(layout, WRONG, "201.2")
    found = mini_rules.verify(f"{right}\n\n{right}")
    assert not found.rows
    assert mini_rules.verify(wrong).rows or not_checked(mini_rules, wrong)
    unlike = written(layout, COMETS, "201.2")
    assert not mini_rules.verify(unlike).rows
    assert not_checked(mini_rules, unlike)


@pytest.mark.parametrize(
    "text",
    [
        # The ends of a list, or punctuation, decide between two numbers.
        "> {0}\n\nRule 201.2\n\n> {1}\n\nRule 202.1",
        "Rule 201.2\n\n> {0}\n\nRule 202.1\n\n> {1}",
        "### Rule 201.2\n\n> {0}\n\n### Rule 202.1\n\n> {1}",
        "> {0}\n>\n> — Rule 201.2\n\n> {1}\n>\n> — Rule 202.1",
        '"{0}"[^1] and "{1}"[^2]\n\n[^1]: CR 201.2\n[^2]: CR 202.1',
        '[{{"rule": "201.2", "quote": "{0}"}}, {{"rule": "202.1", "quote": "{1}"}}]',
        '[{{"quote": "{0}", "rule": 201.2}}, {{"quote": "{1}", "rule": 202.1}}]',
        '{{"answer": "Yes.", "citations": [{{"rule": "201.2", "quote": "{0}"}}]}}',
    ],
)
def test_each_of_several_quotations_has_its_own_number(mini_rules: rulesgraph.Rules, text: str) -> None:
    moth = "A moth sits on exactly one lantern."
    assert told(mini_rules, text.format(TRIM, moth)) == []
    assert told(mini_rules, text.format(WRONG, moth)) == [("201.2", "words", None)]


NOTED = "A token is a card"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{NOTED}[^1].\n\n[^1]: CR 111.6", ["111.6"]),
        (
            f"Rule 100.1 opens it. {NOTED}.[^a]\n\nMore.\n\n[^a]: See the Comprehensive Rules, 111.6.",
            ["111.6"],
        ),
        # Lists of sources, with a mark or as numbered items; two marks in one sentence, or at one place.
        (f"{NOTED}.[2] It leaves.[1]\n\nSources:\n[1] CR 704.5d\n[2] CR 111.6", ["111.6"]),
        (f"{NOTED} [1].\n\nSources:\n\n1. CR 111.6\n2. CR 704.5d", ["111.6"]),
        (f"Ward is a keyword[^1] and {NOTED}[^2].\n\n[^1]: CR 702.21\n[^2]: CR 111.6", ["111.6"]),
        (f"{NOTED}[^1][^2].\n\n[^1]: CR 702.21\n[^2]: CR 111.6", ["111.6"]),
        # Each sentence with the mark of one note.
        (f"Tokens may be copied[^1]. {NOTED}[^1].\n\n[^1]: CR 111.6", ["111.6"]),
        ("A token isn't a card[^1].\n\n[^1]: CR 111.6", []),
        # What another number in its sentence is about.
        (f"{NOTED} (rule 111.1)[^1].\n\n[^1]: CR 111.6", []),
    ],
)
def test_the_sentence_before_a_mark_is_that_of_its_footnote(
    newest_rules: rulesgraph.Rules, text: str, wrong: list[str]
) -> None:
    assert [row[3] for row in newest_rules.verify(text).rows] == wrong


@pytest.mark.parametrize(
    "text",
    [
        f"Rule 201.2\n\n> {WRONG}\n\nRule 310.2",
        f'Rule 201.2 hints "{WRONG}" beside rule 310.2.',
        f'{{"rules": ["CR 201.2", "CR 310.2"], "quote": "{WRONG}"}}',
        # Another sentence introduces the words.
        f'Keepers agree: "{WRONG}" More is in rule 201.2.',
        # Nothing but nearness says that they are of the rule, and they are not like it.
        f'By rule 201.2 my song "{COMETS}" wins.',
        f'{{"rule": "201.2", "note": "{COMETS}"}}',
        # Words without quotation marks, nearly those of the rule.
        f"{TRIM.replace('turn', 'move')} (rule 201.2)",
        f"### Rule 201.2\n\n{TRIM.replace('turn', 'move')}",
    ],
)
def test_a_quotation_that_is_not_clearly_of_a_rule_is_not_checked(
    mini_rules: rulesgraph.Rules, text: str
) -> None:
    assert not mini_rules.verify(text).rows
    assert not_checked(mini_rules, text)
    assert not mini_rules.verify(text.replace("all oil", "one oil").replace("move", "turn")).rows


def test_keys_numbers_and_commas_of_json_are_no_quotations(newest_rules: rulesgraph.Rules) -> None:
    found = newest_rules.verify('{"citations":["704.5a","702.999a","950.1"]}', every=True)
    assert [(row["number"], row["finding"]) for row in found] == [
        *(("704.5a", "stands"), ("702.999a", "unknown"), ("950.1", "unread")),
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("CR 1.1", "1.1"),
        ("rule 50.3", "50.3"),
        ("Rule 1000.1", "1000.1"),
        ("(CR 7042.5a)", "7042.5a"),
        ("rule 702.1000", "702.1000"),
        ("rule 704.5.1", "704.5.1"),
        ("rule 99 of the Comprehensive Rules", "99"),
        ('{"rule": "50.3"}', "50.3"),
        ("It breaks the MTG rule 50.3, or", "50.3"),
        # What is written apart is one number.
        ("rule 704.5 (q)", "704.5q"),
        ("rule 704,5a", "704.5a"),
        ("CR704-5a", "704.5a"),
        ("rule 704.5 subsection a", "704.5a"),
        ("rule 702.2 c", "702.2c"),
        # Others have rules, too.
        ("rule 1 of our club", None),
        ("rule 1.1 of the floor rules", None),
        ("Floor rule 1.1", None),
        ("A CR 5 monster with a CR2032 battery", None),
        ("Rule 1: be kind.", None),
        ("We broke ESLint rule 2.0 and MISRA C rule 14.4.", None),
        ("It fails by Sonar rule 4.2.", None),
        # Figures are no rules.
        ("| model | rules |\n|---|---|\n| rules | 63.3 |", None),
        ("Pass rate with rules 66.7 in all.", None),
        ('{"rules": "1.2.3"}', None),
        ("rule = 1.5", None),
        ("rule: 1.5", None),
        ("A CR 0.25 beast", None),
        ('{"RuleNumber": 100, "RuleAction": "accept"}', None),
        ('{"rule": 704.999, "Title": "Late"}', "704.999"),
    ],
)
def test_a_number_is_read_whole_even_if_no_rule_can_have_it(
    newest_rules: rulesgraph.Rules, text: str, number: str | None
) -> None:
    found = newest_rules.verify(text, every=True).records()
    assert [row["number"] for row in found] == ([number] if number else [])
    is_possible = number is None or number.startswith(("704.5a", "704.5q", "702.2c"))
    assert [row["finding"] for row in found if not is_possible] == ["unknown"] * (not is_possible)


def test_the_only_rule_with_a_sentence_is_told_before_what_a_number_was(
    newest_rules: rulesgraph.Rules,
) -> None:
    for right, wrong in (("702.111c", "702.110a"), ("118.13", "118.3c"), ("613.5", "613.8a")):
        words = newest_rules.rule(right).text.partition(". ")[0].rstrip(".") + "."
        for text in (f"{words} (CR {wrong})", f'"{words}" (CR {wrong})', f"Rule {wrong} reads: {words}"):
            assert told(newest_rules, text) == [(wrong, "words", right)]


def test_a_figure_at_the_end_of_a_sentence_counts(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("119.1c").text.partition(".")[0]
    wrong = words.replace("40", "30")
    assert wrong != words
    for text in ("{}. (CR 119.1c)", '{{"rule": "119.1c", "quote": "{}."}}'):
        assert told(newest_rules, text.format(wrong)) == [("119.1c", "words", None)]
        assert told(newest_rules, text.format(words)) == []


def test_quotation_marks_inside_a_quotation_may_be_left_out(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("700.4").text.translate(dict.fromkeys(map(ord, '“”"')))
    assert not told(newest_rules, f'CR 700.4: "{words}"')
    assert told(newest_rules, f'CR 700.4: "{words.replace("graveyard", "library")}"')


def test_sentences_joined_by_and_are_compared_as_two(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("704.5f").text.rstrip(".").replace(". R", ", and r")
    assert words.count(".") == 0
    assert not_checked(newest_rules, f"{words} (rule 704.5f).") == 0
    [row] = newest_rules.verify(f"{words.replace('can’t', 'can')} (rule 704.5f).")
    assert row["message"] == "these are nearly the words of 704.5f, which has “can't” instead of “can”"
    # What has no marks is no quotation.
    found = newest_rules.verify(f"{words.replace('a creature', 'some creature')} (rule 704.5f).")
    note = "1 citation, 0 findings, 1 sentence in nearly the words of the rule, not checked"
    assert found.notes == (note,)
