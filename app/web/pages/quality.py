"""How right the graph is, as it was measured for this release, for the page about the data."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ....ontology.resources import packaged

QUALITY_FILE = "quality.tsv"
"""What was measured, a figure a line: the rows of the table in the README, to which a test holds it."""


class QualityFigure(NamedTuple):
    """How right a kind of statement is in an edition, on so many of the gold; `aim` is for both figures."""

    kind: str
    where: str
    gold: str
    precision: str
    recall: str
    aim: str

    @property
    def is_below(self) -> bool:
        """Whether precision or recall does not reach its aim."""
        aims = self.aim.split(" / ")
        return float(self.precision) < float(aims[0]) or float(self.recall) < float(aims[1])


@cache
def quality_figures() -> tuple[QualityFigure, ...]:
    """Return all figures, in the order of the README."""
    text = packaged(__package__, QUALITY_FILE).decode("utf-8")
    return tuple(QualityFigure(*line.split("\t")) for line in text.splitlines())
