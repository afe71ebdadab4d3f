"""How well questions find their rules: the target shares must not be lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from measure_questions import (
    KnownQuestion,
    Tried,
    asked,
    known_questions,
    own_questions,
    parts,
    share,
    table,
)
from rulesgraph import Rules
from sweep import PartOf

KEYWORDS_ALONE = {
    "definition": (0.86, 0.71),
    "interaction": (0.44, 0.31),
    "keyword": (0.94, 0.88),
    "timing": (0.50, 0.29),
}
"""What the better of two keyword searches finds of each kind of question: lenient among the first ten, strict
among the first five."""


@pytest.fixture(scope="module")
def found(newest_rules: Rules, shared: Path) -> list[Tried]:
    return asked(newest_rules, known_questions(shared))


@pytest.mark.long(small="test_a_few_of_our_own_questions_find_their_rules")
def test_questions_find_their_rules(found: list[Tried]) -> None:
    shares = {name: (share(own, "lenient", 10), share(own, "strict", 5)) for name, own in parts(found)}
    assert [shares["all"][place] >= least for place, least in enumerate((0.82, 0.66))] == [True, True]
    plain = shares["in plain words"]
    assert [plain[place] >= least for place, least in enumerate((0.75, 0.56))] == [True, True]
    below = {
        kind: shares[kind]
        for kind, least in KEYWORDS_ALONE.items()
        if any(own < one for own, one in zip(shares[kind], least, strict=True))
    }
    assert below == {}


def test_a_few_of_our_own_questions_find_their_rules(newest_rules: Rules) -> None:
    few = asked(newest_rules, own_questions("unseen")[::12])
    assert (len(few), share(few, "lenient", 10), share(few, "strict", 5)) == (10, 1.0, 0.9)


@pytest.mark.long(small="test_a_few_of_our_own_questions_find_their_rules")
@pytest.mark.parametrize(
    ("half", "number", "least"),
    [("unseen", 109, (0.85, 0.70)), ("tuned", 125, (0.80, 0.68))],
)
def test_our_own_questions_find_their_rules(
    newest_rules: Rules, half: str, number: int, least: tuple[float, float], part_of: PartOf
) -> None:
    known = list(own_questions(half))
    assert len(known) == number
    own = asked(newest_rules, part_of(known, 50))
    reached = share(own, "lenient", 10), share(own, "strict", 5)
    less = 0 if part_of.is_whole else 0.05
    assert [it >= one - less for it, one in zip(reached, least, strict=True)] == [True, True]


def test_places_are_those_of_the_first_right_number() -> None:
    known = KnownQuestion("x", "", ("100.1a", "200.2"), "", "")
    assert (Tried(known, ("300.1", "100.1", "200.2a", "200.2")).strict) == 4
    assert (Tried(known, ("300.1", "100.1", "200.2a", "200.2")).lenient) == 2
    assert (Tried(known, ("300.1", "100.1b")).strict, Tried(known, ("300.1", "100.1b")).lenient) == (0, 0)
    assert (Tried(known, ("300.1", "200.2b")).strict, Tried(known, ("300.1", "200.2b")).lenient) == (0, 2)


def test_the_table_has_a_line_for_all_of_them() -> None:
    one = KnownQuestion("x", "", ("100.1",), "keyword", "plain")
    other = KnownQuestion("y", "", ("100.2",), "keyword", "rules")
    assert table([Tried(one, ("100.1",)), Tried(other, ("1", "100.2a"))]).splitlines()[2] == (
        "| all | 2 | 0.50 | 0.50 | 0.50 | 1.00 | 1.00 |"
    )
