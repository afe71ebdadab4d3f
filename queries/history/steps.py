"""The links of a history: what rules and entries were in the edition before, or became in the next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...loaders.history.items import ChangeKind
from ...ontology.terms import RG
from ..session import Session

CHANGES = {
    RG.unchangedFrom: ChangeKind.UNCHANGED,
    RG.renumberedFrom: ChangeKind.RENUMBERED,
    RG.referencesChangedFrom: ChangeKind.REFERENCES,
    RG.rewordedFrom: ChangeKind.REWORDED,
    RG.movedAndRewordedFrom: ChangeKind.MOVED_AND_REWORDED,
    RG.splitFrom: ChangeKind.SPLIT,
    RG.mergedFrom: ChangeKind.MERGED,
}
"""What the links of a history say."""

PARTING = (ChangeKind.SPLIT, ChangeKind.MERGED)
"""What leads from one rule to another one: it was split off, or merged into it."""


class Step(NamedTuple):
    """One link of a history from `item` to `other`: `change` is a value of `CHANGES`, `sure` at most 1."""

    item: str
    other: str
    change: ChangeKind
    sure: float

    @property
    def same_life(self) -> bool:
        """False where a rule was split off, or merged into another."""
        return self.change not in PARTING


def steps(
    session: Session, later: str, items: Iterable[str] | None = None, *, forward: bool = True
) -> list[Step]:
    """Return what items became in the edition `later`, or were in the one before it; None: all of them.

    Those of one life come first, then by IRI.
    """
    known = "old" if forward else "new"
    values = {} if items is None else {known: list(items)}
    found = []
    for old, new, link, sure in session.run("history", "links", (session.iris.history(later),), values):
        item, other = (str(old), str(new)) if forward else (str(new), str(old))
        found.append(Step(item, other, CHANGES[str(link)], 1.0 if sure is None else float(str(sure))))
    return sorted(found, key=lambda step: (not step.same_life, step.item, step.other))
