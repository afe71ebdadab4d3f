"""Rules and entries of one edition become what they were in the edition before, or became in the next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...ontology.terms import RG
from ..session import Session

CHANGES = {
    RG.unchangedFrom: "unchanged",
    RG.renumberedFrom: "renumbered",
    RG.referencesChangedFrom: "references",
    RG.rewordedFrom: "reworded",
    RG.movedAndRewordedFrom: "moved and reworded",
    RG.splitFrom: "split",
    RG.mergedFrom: "merged",
}
"""What the links of a history say."""

_ONE_LIFE = frozenset(CHANGES) - {RG.splitFrom, RG.mergedFrom}


class Step(NamedTuple):
    """One link of a history from `item` to `other`: `change` is a value of `CHANGES`, `sure` at most 1."""

    item: str
    other: str
    change: str
    sure: float
    same_life: bool
    """False where a rule was split off, or merged into another."""


def steps(session: Session, items: Iterable[str], later: str, *, forward: bool) -> list[Step]:
    """Return what some items became in the edition `later`, or were in the one before it."""
    query, known = ("later", "old") if forward else ("earlier", "new")
    rows = session.run("history", query, (session.iris.history(later),), {known: items})
    found = [
        Step(str(item), str(other), CHANGES[str(link)], _confidence(sure), str(link) in _ONE_LIFE)
        for item, other, link, sure in rows
    ]
    return sorted(found, key=lambda step: not step.same_life)


def _confidence(sure: object) -> float:
    return float(str(sure)) if sure is not None else 1.0
