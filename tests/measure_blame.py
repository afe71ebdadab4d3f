"""Measure how often `blame` finds where a sentence's wording comes from, and where it first appeared.

`gold/blame.tsv` has 100 sentences of at least four words of cr-2026-04-17, drawn by seed 26 after `blame` was
finished; `sentence` counts from 1 within the rule. The words of each were searched in 101 editions. Every row
where that search and `blame` disagree was checked in the texts, and so was the closest passage in the edition
before the first one. A first edition of ``?`` is older than `blame` reports, and was not looked up. Run as a
program with a store, it prints the figures: `python tests/measure_blame.py STORE`.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import rulesgraph
from rulesgraph import Rules

GOLD = Path(__file__).with_name("gold") / "blame.tsv"
EDITION = "cr-2026-04-17"


def measured(rules: Rules) -> tuple[int, int, int]:
    """Return how many sentences there are, and how often the wording and the first place are right."""
    with GOLD.open(encoding="utf-8") as file:
        gold = list(csv.DictReader(file, delimiter="\t"))
    since = first = 0
    for it in gold:
        told = rules.blame(it["number"], edition=EDITION)[int(it["sentence"]) - 1]
        since += (told["since"], told["number"]) == (it["since"], it["since_number"])
        first += (told["first"], told["first_number"]) == (it["first"], it["first_number"])
    return len(gold), since, first


if __name__ == "__main__":
    found = measured(rulesgraph.open(sys.argv[1]))
    print("{} sentences: {} wordings and {} first places are right".format(*found))
