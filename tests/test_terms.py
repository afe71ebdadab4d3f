"""Which rule defines a term that no rule is titled after."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.linking.terms import Terms
from rulesgraph.loaders.records import Reference, Target, TargetKind

NAMES = {"lunar": ["Lunar"]}


def pointed(texts: dict[str, str], cited: tuple[str, ...] = ("202", "320.5")) -> dict[str, str]:
    """Return the rules that entries of *Lunar* are sent to which cite `cited`."""
    references = [Reference(0, 0, "", (Target(TargetKind.RULE, number),)) for number in cited]
    titles = {"202": "Moths", "203": "Bags"}
    return Terms(NAMES, [], titles, {"lunar": references}, titles | texts).pointed


@pytest.mark.parametrize(
    "words",
    [
        'Some moths have the subtype "Lunar." A lunar moth sits on two lanterns.',
        'Some moths have the subtype "Lunar". A lunar moth sits on two lanterns.',
        "Some moths are called “Lunars.”",
    ],
)
def test_a_chapter_that_an_entry_names_has_one_rule_that_begins_by_giving_the_name(words: str) -> None:
    assert pointed({"202.3": words, "202.4": "A lunar moth is blue."}) == {"lunar": "202.3"}


@pytest.mark.parametrize(
    "texts",
    [
        {"202.3": "Some moths have the subtype Lunar. They sit on two lanterns."},
        {"202.3": "Choose a word for each. “Lunar” is no colour."},
        {"202.3": "A keeper says “Lunar” before the moth moves."},
        {"202.3a": "Some moths have the subtype “Lunar.”"},
        {"203.3": "Some bags have the subtype “Lunar.”"},
        {"202.3": "Some moths are called “Lunar.”", "202.4": "Some bags are called “Lunar.”"},
    ],
    ids=["not quoted", "not first", "amid the sentence", "a part", "another chapter", "two rules"],
)
def test_no_rule_is_that_one_otherwise(texts: dict[str, str]) -> None:
    assert pointed(texts) == {}


def test_the_one_rule_that_an_entry_names_goes_before_a_part_of_it() -> None:
    texts = {"202": "Lunar Moths", "202.3": "Some moths have the subtype “Lunar.”"}
    assert pointed(texts, ("202",)) == {"lunar": "202"}
