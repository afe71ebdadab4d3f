"""Compare the defects reported in three editions with the verdicts of `defects.tsv`.

Every finding was looked up in its file. A finding without a verdict counts as wrong.
"""

from __future__ import annotations

from pathlib import Path

from measure import Score, gold
from real import parsed, rules
from rulesgraph.loaders.linking.defects import find_defects
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.ontology.iris import Iris

AUDITED = ("cr-2008-02-01", "cr-2016-11-11", "cr-2025-06-06")


def verdicts() -> dict[tuple[str, str, str], str]:
    """Return (edition, code, subject) → "true" or "false"."""
    return {(row["edition"], row["code"], row["subject"]): row["verdict"] for row in gold("defects.tsv")}


def scores(shared: Path) -> dict[str, Score]:
    """Return edition → how many of the defects found in reading and linking it are true, wrong, missed."""
    found: dict[str, Score] = {}
    for edition in AUDITED:
        document = parsed(rules(shared, edition.removeprefix("cr-")))
        problems = (*document.problems, *find_defects(EditionView([document], Iris())))
        said = {(edition, it.code, it.subject) for it in problems}
        true = {key for key, verdict in verdicts().items() if key[0] == edition and verdict == "true"}
        found[edition] = Score(len(said & true), len(said - true), len(true - said))
    return found
