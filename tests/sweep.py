"""Sweeps over many cases, of which `make test` runs the first few; properties with expensive examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import settings


def first(count: int, cases: Iterable[Any], rest: pytest.MarkDecorator) -> list[Any]:
    """Return the cases of a parametrised test; those after the first `count` get the mark `rest`."""
    return [
        case if at < count else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=rest)
        for at, case in enumerate(cases)
    ]


OneCase = TypeVar("OneCase")

MOST_LEFT_OUT = 2 / 3
"""The largest share of the long cases of a test that a drawn run leaves out."""


class PartOf:
    """Draws some of the many cases of a test, by its name; in a run that is not drawn, all."""

    def __init__(self, name: str, *, is_whole: bool) -> None:
        self.name = name
        self.is_whole = is_whole

    def __call__(self, cases: Iterable[OneCase], count: int) -> list[OneCase]:
        """Return `count` of the cases, in their order."""
        every = list(cases)
        if self.is_whole or len(every) <= count:
            return every
        return [every[at] for at in sorted(Random(self.name).sample(range(len(every)), count))]


def left_out(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the long cases that a drawn run leaves out: of each test with several, by its name."""
    families = defaultdict(list)
    for item in items:
        if item.get_closest_marker("long"):
            families[item.nodeid.partition("[")[0]].append(item)
    absent = []
    for name, own in families.items():
        in_order = sorted(own, key=lambda it: it.nodeid)
        absent += Random(name).sample(in_order, int(len(own) * MOST_LEFT_OUT))
    return absent


def part_of_the_examples(part: float) -> settings:
    """Return the settings for a property that is tried on only some of the usual examples."""
    return settings(max_examples=max(1, round(settings().max_examples * part)))
