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
    ],
)
def test_words_of_another_rule_are_told_with_the_right_wording(
    mini_rules: rulesgraph.Rules, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = mini_rules.verify(text)
    assert [(row["number"], row["now"], row["wording"]) for row in found] == expected


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
    ],
)
def test_a_name_beside_a_number_is_of_this_number(
    newest_rules: rulesgraph.Rules, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = newest_rules.verify(text)
    assert [(row["number"], row["finding"], row["severity"], row["now"]) for row in found] == expected
