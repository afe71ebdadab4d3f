"""Typed searches, with the rules that people are looking for (`gold/searches.tsv`)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

GOLD = Path(__file__).parent / "gold" / "searches.tsv"


class Typed(NamedTuple):
    """Words, and numbers of rules of 2026-01-16; any of these rules is the one they look for."""

    words: str
    rules: tuple[str, ...]

    def place(self, numbers: Sequence[object]) -> int:
        """Return the place, from 1, of the first of these rules among some numbers; 0 if none is there."""
        return next((place for place, it in enumerate(numbers, start=1) if it in self.rules), 0)


def typed(half: str) -> list[Typed]:
    """Return the searches of a half: ``"tuned"`` or ``"unseen"``."""
    with GOLD.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [Typed(row["words"], tuple(row["rules"].split())) for row in rows if row["half"] == half]
