"""Sweeps over many cases, of which `make test` runs the first few; properties with expensive examples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def first(count: int, cases: Iterable[Any], rest: pytest.MarkDecorator) -> list[Any]:
    """Return the cases of a parametrised test; those after the first `count` get the mark `rest`."""
    return [
        case if at < count else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=rest)
        for at, case in enumerate(cases)
    ]


def part_of_the_examples(part: float) -> settings:
    """Return the settings for a property that is tried on only some of the usual examples."""
    return settings(max_examples=max(1, round(settings().max_examples * part)))
