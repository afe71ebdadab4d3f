"""Lists with a part left out, figures of a sibling, obsolete terms and editions beside the statement."""

from __future__ import annotations

import pytest
import rulesgraph

SHORT = [
    ("The colors are white, blue, and black (rule 105.1).", "105.1 also lists red and green"),
    ("The supertypes are basic, legendary, and snow (rule 205.4a).", "205.4a also lists ongoing and world"),
    ("There are five public zones: graveyard, battlefield, stack, exile, and command (rule 400.2).",
     "400.2 also lists ante"),
]  # fmt: skip


def told(rules: rulesgraph.Rules, text: str) -> list[str]:
    return [str(row["message"]) for row in rules.verify(text)]


@pytest.mark.parametrize(("text", "message"), SHORT)
def test_a_list_without_some_of_its_items_is_told(
    text: str, message: str, newest_rules: rulesgraph.Rules
) -> None:
    assert told(newest_rules, text) == [message]


@pytest.mark.parametrize(
    "text",
    [
        "There are five colors: white, blue, black, red, and green (rule 105.1).",
        "The colors include white, blue, and black (rule 105.1).",
        "My creatures are white, blue, and black (rule 105.1).",
        "The hidden zones are library and hand (rule 400.2).",
        "The other colors are white, blue, and black (rule 105.1).",
        # What is said of the list is not said of the rule's.
        "The hidden zones are library and hand (rule 400.1).",
        "The main phases are precombat main and postcombat main (rule 500.1).",
        "My deck colors are red and green (rule 105.1).",
        "Azorius colors are white and blue (rule 105.1).",
        "Basic land types: Plains, Island, Swamp, Mountain, and Forest (rule 205.3i).",
        "The numeric characteristics are power, toughness, and loyalty (rule 109.3).",
    ],
)
def test_a_whole_list_or_a_part_of_one_is_no_finding(text: str, newest_rules: rulesgraph.Rules) -> None:
    assert told(newest_rules, text) == []


def test_a_figure_is_that_of_a_sibling(newest_rules: rulesgraph.Rules) -> None:
    text = "Limited decks have a minimum of 40 cards (rule 100.2a)."
    assert told(newest_rules, text) == ["100.2a has “60” where these words have “40”; 100.2b has that"]
    assert told(newest_rules, text.replace("100.2a", "100.2b")) == []


@pytest.mark.parametrize(
    "lead",
    [
        "As of CR 2026-01-16: ",
        "Under CR 2026-01-16, ",
        "By the rules of 2026-01-16, ",
        "As of the 2026-01-16 rules, ",
        "With CR 2026-01-16, ",
    ],
)
def test_a_statement_is_compared_without_the_edition_before_it(
    lead: str, newest_rules: rulesgraph.Rules
) -> None:
    wrong, right = (
        f"{lead}deathtouch is a {kind} ability (rule 702.2a)." for kind in ("triggered", "static")
    )
    [message] = told(newest_rules, wrong)
    assert message.startswith("these words say of what kind it is")
    assert told(newest_rules, right) == []


def test_an_obsolete_term_belongs_to_the_number_beside_it(newest_rules: rulesgraph.Rules) -> None:
    lines = (
        "613.1d layer 4, type-changing effects",
        "704.5j legend rule",
        "510.1c damage assignment order",
    )
    [message] = told(newest_rules, "\n".join(f"- CR {it}" for it in lines))
    assert message.startswith("“Damage Assignment Order” is obsolete")
    assert message.endswith("510.1c is not about it")
