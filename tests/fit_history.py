"""Fit the weights that detect splits and merges to the part of the gold that is not held out; print them.

This is a logistic regression with a small penalty on large weights: the odds that an earlier rule lost
something to a later one (`loaders/history/sources.py`). Its rows are the pairs that the program itself
considers for each rule of the gold. Rows of the halves called `unseen` are not used.

    .venv/bin/python tests/fit_history.py
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from measure_changes import GoldRow, true_parts
from measure_history import digest, gold
from numpy.typing import NDArray
from rulesgraph.loaders.history.items import Item
from rulesgraph.loaders.history.matching import paired
from rulesgraph.loaders.history.pairing import Pairing
from rulesgraph.loaders.history.sources import BEFORE, WEIGHTS, Flow, flows
from shared import documents

TABLES = ("history_changes.tsv", "history_drawn.tsv", "history_neighbours.tsv")
PENALTY = 0.3
STEPS = 50

Candidate = tuple[Sequence[float], bool]


def rows() -> dict[tuple[str, str], list[GoldRow]]:
    """Return the rows that may be used, by the days of their editions."""
    found: dict[tuple[str, str], list[GoldRow]] = defaultdict(list)
    for row in (row for table in TABLES for row in gold(table)):
        if row["half"] != "unseen" and row["old"] != "-":
            found[row["before"], row["after"]].append(row)
    return found


def losses(row: GoldRow, old: Item, pairing: Pairing, found: Sequence[Flow]) -> Iterator[Candidate]:
    """Yield what a rule may have lost to others than its successor."""
    right = frozenset[str]().union(*true_parts(row))
    for flow in found:
        if flow.old is old and pairing.successor.get(old.iri) != flow.new.iri:
            yield flow.loss, flow.new.key in right


def samples(shared: Path) -> list[Candidate]:
    """Return all pairs, and whether one lost something to the other."""
    made: list[Candidate] = []
    for (before, after), mine in sorted(rows().items()):
        old, new = ([it for it in digest(shared, day).items if not it.is_entry] for day in (before, after))
        pairing, scales, _ = paired(old, new)
        found = flows(pairing, scales)
        by_key = {it.key: it for it in old}
        for row in mine:
            made += losses(row, by_key[row["old"]], pairing, found)
    return made


def fitted(made: Sequence[Candidate]) -> NDArray[np.float64]:
    """Return the weights, the constant first (Newton's method)."""
    given = np.array([[1.0, *evidence] for evidence, _ in made])
    right = np.array([is_right for _, is_right in made], float)
    weights = np.zeros(given.shape[1])
    penalty = PENALTY * np.eye(len(weights))
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (right - said) - penalty @ weights
        curve = (given * (said * (1 - said))[:, None]).T @ given + penalty
        weights += np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Print the weights beside those in use."""
    made = samples(documents())
    print(f"{len(made)} pairs, {sum(right for _, right in made)} right")
    for name, value, used in zip(("before", *WEIGHTS._fields), fitted(made), (BEFORE, *WEIGHTS), strict=True):
        print(f"{name}: {value:.2f} (in use: {used})")


if __name__ == "__main__":
    main()
