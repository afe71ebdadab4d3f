"""Sweeps over many cases, of which `make test` tries the first few."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, cases: Iterable[Any], rest: pytest.MarkDecorator) -> list[Any]:
    """Return the cases of a parametrised test; those after the first `count` bear the mark `rest`."""
    return [
        case if at < count else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=rest)
        for at, case in enumerate(cases)
    ]
