"""The words beside a citation: whose name they are, and which rule has them."""

from __future__ import annotations

import pytest
import rulesgraph

MOTH = "A moth sits on exactly one lantern."
TRIM = "To trim a lantern means to take one oil from it and turn it to the right."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What a misquotation should be.
        (
            'Rule 201.2: "to trim a lantern means to take one oil from it and turn it to the left"',
            [("201.2", None, TRIM)],
        ),
        (f'Rule 201.1 says "{TRIM}"', [("201.1", "201.2", TRIM)]),
        (
            'Rule 201.1 says "to trim a lantern means to take all oil from it and turn it to the right"',
            [("201.1", "201.2", TRIM)],
        ),
        # Words of another rule without quotation marks.
        (f"{TRIM} (rule 310.2)", [("310.2", "201.2", TRIM)]),
        (f"As you know: {TRIM} (rule 310.2)", [("310.2", "201.2", TRIM)]),
        (f"By rule 310.2, {TRIM[0].lower()}{TRIM[1:]} It is so.", [("310.2", "201.2", TRIM)]),
        (f"{TRIM} (rule 201.2)", []),
        (f"{TRIM} (rule 201)", []),
        (f"{TRIM} (rules 201.2 and 310.2)", []),
        (f"{TRIM} See rule 310.2.", []),  # sends to more than was said
        (f"Lamps dim (rule 310.2). {TRIM}", []),
        (f"Lamps dim by rule 310.2. {TRIM}", []),
        (f"{MOTH} (rule 310.2)", []),  # too few words
        # A number in brackets, after a dash or "is" owns the words before it, whatever else is cited.
        (f'Trimming is in rule 201.2. "{TRIM}" (rule 310.2).', [("310.2", "201.2", TRIM)]),
        (f'Trimming (rule 201) means that "{TRIM}" (rule 310.2).', [("310.2", "201.2", TRIM)]),
        (f'By rule 201 and rule 310, "{TRIM}" (rule 320.2).', [("320.2", "201.2", TRIM)]),
        (f'Lamps dim by rule 310.2. "{TRIM}" is CR 201.2.', []),
        (f'Trim it by rule 201.2. "{TRIM}" is CR 310.2.', [("310.2", "201.2", TRIM)]),
        (f'"{TRIM}" (rule 310.2, rule 201.2)', []),
        (f'"{TRIM}" [310.2][201.2]', []),
        (f'[201.2] Keepers know: "{TRIM}" [310.2] The dusk checks are as follows:', []),
        (f'"{TRIM}" (rule 310.2; see also rule 201)', []),
        # A colon joins words to the citation of its sentence.
        (f'Trimming (rule 310.2) is a thing that keepers do: "{TRIM}"', [("310.2", "201.2", TRIM)]),
        (f'Trimming (rule 310.2) is easy. Keepers agree: "{TRIM}"', []),
        # The right wording is one of the cited rule, or there is none.
        ('"The dusk checks are all made as follows here" (rule 310.2a)', [("310.2a", None, None)]),
    ],
)
def test_words_of_another_rule_are_told_with_the_right_wording(
    mini_rules: rulesgraph.Rules, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = mini_rules.verify(text)
    assert [(row["number"], row["now"], row["wording"]) for row in found] == expected


def test_words_of_a_part_are_not_those_of_its_sibling(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("702.2c").text
    for text in (
        f'Deathtouch (rule 702.2) says that "{words}" (rule 702.2b).',
        f'Deathtouch is described in rule 702.2. "{words}" (rule 702.2b).',
        f'By rule 702.2 and rule 702.19, "{words}" (rule 702.2b).',
    ):
        assert [(row["number"], row["now"]) for row in newest_rules.verify(text)] == [("702.2b", "702.2c")]


def test_a_meaning_in_the_glossary_is_not_of_the_section_with_its_number(
    newest_rules: rulesgraph.Rules,
) -> None:
    words = newest_rules.term("Ability").definition.splitlines()[0]
    [row] = newest_rules.verify(f'"{words}" (rule 104.3c)')
    assert (row["finding"], row["wording"]) == ("words", None)


WARD, VIGILANCE = ("702.20", "topic", "error", "702.21"), ("702.19", "stale", "error", "702.20")
"""What is wrong where these two numbers have the names of the next."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ward (702.20), vigilance (702.19)", [WARD, VIGILANCE]),
        ("**Ward** (see CR 702.20a) is like vigilance.", [("702.20a", "topic", "error", "702.21")]),
        ("702.20 (ward), 702.19 (vigilance)", [WARD, VIGILANCE]),
        ("rule 702.20, ward, and rule 702.19, vigilance, apply", [WARD, VIGILANCE]),
        ("See 702.20 on ward, and 702.19 on vigilance.", [WARD, VIGILANCE]),
        # Each end of a list shows how it goes.
        ("Ward, 702.20, vigilance, 702.19, apply.", [WARD, VIGILANCE]),
        ("702.20, ward, 702.19, vigilance", [WARD, VIGILANCE]),
        ("| Ward | 702.20 |\n| Vigilance | 702.19 |", [WARD, VIGILANCE]),
        ("| 702.20 | Ward |\n| 702.19 | Vigilance |", [WARD, VIGILANCE]),
        ("- Ward: 702.20\n- Vigilance: 702.19", [WARD, VIGILANCE]),
        # Neither end does: the owner of the name is unknown.
        ("See rule 702.19, vigilance, 702.20.", []),
        ("Trample (702.19), vigilance (702.20), ward (702.21)", []),
        ("Flying (702.9) with reach (702.17); flying creatures (702.17b)", []),
        ("creatures with trample and deathtouch (702.19b)", []),
        ("Trample and deathtouch (702.19, 702.2)", []),
        # Names of single rules: what the glossary sends to, or what a rule is called.
        ("the legend rule (704.5k)", [("704.5k", "topic", "warning", "704.5j")]),
        ("704.5k, the “legend rule,” applies", [("704.5k", "topic", "warning", "704.5j")]),
        ("the legend rule (704.5j), the world rule (704.5k)", []),
        ("the legend rule (704.5)", []),
        ("CR 704.5k, the “legend rule for enchantments”", []),
        (
            "The legend rule is rule 704.5k. State-based actions are checked all the time.",
            [("704.5k", "topic", "warning", "704.5j")],
        ),
        # What begins the sentence is its subject, and a verb is not.
        (
            "Vigilance means attacking does not cause it to tap (rule 702.21b).",
            [("702.21b", "topic", "error", "702.20")],
        ),
        ("Attacking does not cause it to tap (rule 701.26).", []),
        ("Vigilance is no reason to tap (rule 701.26).", []),
        # A right number is right, whatever its neighbour is.
        *(
            (f"{name} (702.15) {more}; see rule 702.16b.", [("702.15", "stale", "error", "702.16")])
            for name in ("Protection", "Protection from red")
            for more in ("means the creature cannot be blocked", "stops blocks", "stops targeting")
        ),
    ],
)
def test_a_name_beside_a_number_is_of_this_number(
    newest_rules: rulesgraph.Rules, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = newest_rules.verify(text)
    assert [(row["number"], row["finding"], row["severity"], row["now"]) for row in found] == expected


def test_words_of_the_rule_show_that_its_number_is_right(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("702.16b").text
    found = newest_rules.verify(f'This creature cannot be blocked; see rule 702.16b: "{words}"')
    assert not found.rows


def test_a_name_counts_more_than_the_edition_written_against(newest_rules: rulesgraph.Rules) -> None:
    text = "Scry (CR 701.18), search (CR 701.18)"
    found = newest_rules.verify(text, written="2019-10-04")
    assert [(row["finding"], row["now"]) for row in found] == [("topic", "701.22"), ("moved", "701.23")]


@pytest.mark.parametrize("mark", ["8. ", "8) ", "a) ", "(a) ", "* ", "- ", "+ ", "• ", "1. First\n   - "])
@pytest.mark.parametrize("indent", ["", "   "])
def test_the_lines_of_one_item_belong_together(mini_rules: rulesgraph.Rules, mark: str, indent: str) -> None:
    words = f"To trim a lantern means to take one oil from it and\n{indent}turn it to the right"
    right = f'{mark}Trimming: "{words}" (201.2)\n'
    assert not mini_rules.verify(right).rows
    [row] = mini_rules.verify(right.replace("one oil", "all oil"))
    assert (row["number"], row["finding"]) == ("201.2", "words")


@pytest.mark.parametrize(
    ("text", "number", "now"),
    [
        ("Stack (rule 406).", "406", "405"),
        ("Stack: rule 406", "406", "405"),
        ("See rule 406 (Stack).", "406", "405"),
        ("Damage wears off in the cleanup step (rule 513.2).", "513.2", "514"),
        ("Mulligans are explained in rule 104.5.", "104.5", "103.5"),
        ("The layer system is explained in rule 603.", "603", "613"),
        ("They annihilate each other: +1/+1 and -1/-1 counters (704.5r)", "704.5r", "704.5q"),
        ("layer 7b (rule 613.4d)", "613.4d", "613.4b"),
    ],
)
def test_the_name_of_another_chapter_or_step_is_told(
    newest_rules: rulesgraph.Rules, text: str, number: str, now: str
) -> None:
    assert [(row["number"], row["now"]) for row in newest_rules.verify(text)] == [(number, now)]
    assert not newest_rules.verify(text.replace(number, now)).rows


def test_a_step_after_another_is_not_that(newest_rules: rulesgraph.Rules) -> None:
    assert not newest_rules.verify("That is after the combat damage step (rule 511.1).").rows


def test_words_of_a_glossary_entry_are_right_beside_the_rule_of_its_term(
    newest_rules: rulesgraph.Rules,
) -> None:
    words = newest_rules.term("Haste").definition
    assert not newest_rules.verify(f'Haste (rule 702.10) is "{words}"').rows
    [row] = newest_rules.verify(f'Flash is "{words}" (rule 702.8)')
    assert row["message"] == "these are words of “Haste” in the glossary, not of 702.8"


@pytest.mark.parametrize(
    ("number", "right", "wrong", "told"),
    [
        ("704.5a", "0 or less", "5 or less", "“0” instead of “5”"),
        ("702.2c", "of combat", "of noncombat", "“combat” instead of “noncombat”"),
        ("702.10b", "can attack", "can't attack", "“can” instead of “can't”"),
        ("903.10a", "21", "20", "“21” instead of “20”"),
    ],
)
def test_a_changed_figure_or_negation_in_the_words_of_a_rule_is_told(
    newest_rules: rulesgraph.Rules, number: str, right: str, wrong: str, told: str
) -> None:
    words = newest_rules.rule(number).text
    assert not newest_rules.verify(f"{words} (rule {number})").rows
    [row] = newest_rules.verify(f"{words.replace(right, wrong)} (rule {number})")
    assert row["message"] == f"these are nearly the words of {number}, which has {told}"
