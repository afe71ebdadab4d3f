"""The parts that facts are read with: the noun of a phrase, the items of a list, the verb of a sentence."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.facts.kinds import has_main_verb, items_in, noun_phrase


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a static ability that sings", "static ability"),
        ("one of the three special kinds of evasion abilities", "evasion abilities"),
        ("a marker placed on a moth", "marker"),  # a participle that describes the noun before it
        ("part of the turn", "part of the turn"),  # a label that continues over "of"
        ("part of the box", "part"),
        ("the fifth and final phase of the turn", "phase"),
    ],
)
def test_noun_phrases(text: str, words: str) -> None:
    assert " ".join(noun_phrase(text).words) == words


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("oil, wick, and glass.", ("oil", "wick", "glass")),
        ("oil and wick", ("oil", "wick")),
        ("oil, power and glow, and wick", ("oil", "power and glow", "wick")),
        ("oil (see rule 3), wick", ("oil", "wick")),
        ("oil, which is dear, and wick", ()),
        ("oil, wick, and so on", ()),
    ],
)
def test_items(text: str, items: tuple[str, ...]) -> None:
    assert items_in(text) == items


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" that is lit", False),
        (" is lit", True),
        (" a keeper may light", False),
        (" with oil that burns is dear", False),  # the second verb belongs to none that is counted
    ],
)
def test_main_verbs(text: str, expected: bool) -> None:
    assert has_main_verb(text) is expected
