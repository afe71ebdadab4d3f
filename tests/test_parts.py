"""Which rules of a later edition are parts of one of an earlier edition."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.history.alignment import Scales
from rulesgraph.loaders.history.items import Change, ChangeKind, Item
from rulesgraph.loaders.history.pairing import Finder, Pairing
from rulesgraph.loaders.history.parts import splits

HEAD = "Every keeper lights three lanterns before the evening."
TAIL = "dark lamps go back into the bag"
OTHER = "A gull may steal one crumb from the pier each morning of the voyage."
MORE = "while gulls steal nothing from anybody today or ever"
"""Behind it stand so many other words that about two fifths of the new rule come from the old one."""


def item(edition: str, number: str, text: str) -> Item:
    return Item(f"{edition}/{number}", number, text, f"{edition}/{number.partition('.')[0]}")


def found(pairs: list[tuple[int, int]], more: str = MORE) -> list[Change]:
    """Return the splits between three rules, where some of the old ones go on as some of the new ones."""
    old = [item("a", "100.1", f"{HEAD} Then {TAIL}."), item("a", "300.1", OTHER)]
    new = [
        item("b", "100.1", HEAD),
        item("b", "100.2", f"{TAIL.capitalize()} {more}."),
        item("b", "300.1", OTHER),
    ]
    scales = Scales([*old, *new])
    pairing = Pairing(old, new)
    for before, after in pairs:
        pairing.pair(old[before], new[after], 1.0)
    return list(splits(pairing, scales, Finder.of_rules(old, scales)))


PART = Change(ChangeKind.SPLIT, "a/100.1", "b/100.2", 0.39)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        # the old rule goes on as another one, and the new one comes from nowhere else: little is enough
        ([(0, 0), (1, 2)], [PART]),
        # the new rule is where another one went: it takes more to be a part of this one as well
        ([(0, 0), (1, 1)], [Change(ChangeKind.SPLIT, "a/300.1", "b/300.1", 1.0)]),
        # the old rule goes on as nothing: it takes more for a part to be its heir
        ([(1, 2)], [Change(ChangeKind.SPLIT, "a/100.1", "b/100.1", 1.0)]),
    ],
)
def test_how_much_of_a_rule_makes_it_a_part(pairs: list[tuple[int, int]], expected: list[Change]) -> None:
    assert found(pairs) == expected


def test_what_has_more_of_the_words_is_a_part_wherever_it_goes_on() -> None:
    part = Change(ChangeKind.SPLIT, "a/100.1", "b/100.2", 0.5)
    others = Change(ChangeKind.SPLIT, "a/300.1", "b/300.1", 1.0)
    assert found([(0, 0), (1, 1)], "while gulls steal nothing from anybody") == [part, others]
    assert (
        found([(0, 0), (1, 2)], "while some gulls steal nothing from anybody today or ever after that") == []
    )
