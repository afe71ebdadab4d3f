"""The tenures of a rule: runs of editions in which it has one number and wording, and what changed then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from .items import ChangeKind, change_of


class Successor(NamedTuple):
    """What replaced a name or a provision; `since` is the first edition known to have it."""

    old: str
    new: str
    since: str


class Stage(NamedTuple):
    """A change of a rule in an edition: its number there, the kind of change, the checksum of its words.

    `change` is None at its beginning, `number` ``""`` at its removal; `sure` is as for a tenure.
    """

    edition: str
    number: str
    change: ChangeKind | None
    words: str = ""
    sure: float | None = None


class Tenure(NamedTuple):
    """A run of editions in which a provision has one number and wording.

    `change` is the change that began it, None if unknown; `sources` are the provisions, as ids or IRIs, that
    a first one was split off from, and those merged into it. `until` is the first edition without it, ``""``
    if unknown. `words` is a checksum, if the file has it. `is_dated` says whether it began exactly in its
    first edition, not somewhere between that and the one before. `sure` is the confidence of a doubtful
    change.
    """

    number: str
    first: str
    last: str
    until: str = ""
    change: ChangeKind | None = None
    sources: tuple[str, ...] = ()
    words: str = ""
    is_dated: bool = True
    sure: float | None = None


def without_slips(tenures: Sequence[Tenure]) -> list[Tenure]:
    """Leave out what only one edition says if its neighbours on both sides agree.

    Many editions survive in one copy, and some of these are damaged or misprinted.
    """
    kept: list[Tenure] = []
    for it in tenures:
        slip = kept[-1] if len(kept) > 1 and kept[-1].first == kept[-1].last else None
        if slip and _is_same(kept[-2], it):
            kept[-2:] = [kept[-2]._replace(last=it.last)]
        elif kept and _is_same(kept[-1], it):
            kept[-1] = kept[-1]._replace(last=it.last)
        else:
            kept.append(it)
    return kept


def _is_same(one: Tenure, other: Tenure) -> bool:
    return (one.number, one.words) == (other.number, other.words)


def stages_of(own: Sequence[Tenure]) -> list[Stage]:
    """Return the changes of a provision, given its tenures, the oldest first."""
    first = Stage(own[0].first, own[0].number, None, own[0].words)
    changes = (change_of(was.number == it.number, was.words == it.words) for was, it in pairwise(own))
    later = zip(own[1:], changes, strict=True)
    return [first, *(Stage(it.first, it.number, change, it.words, it.sure) for it, change in later)]


class Calendar:
    """All editions that are loaded or covered by the authority file, in order."""

    def __init__(self, covered: Sequence[str], loaded: Mapping[str, str]) -> None:
        """Take the ids of the covered editions, and the loaded ones with their days."""
        days = {name: name.removeprefix("cr-") for name in covered} | dict(loaded)
        self._names = sorted(days, key=lambda name: (days[name], name))
        self.order = {name: place for place, name in enumerate(self._names)}
        self.covered = frozenset(covered)
        self.loaded = frozenset(loaded)
        self.compared = {new for old, new in pairwise(self._names) if {old, new} <= self.loaded}
        """The loaded editions whose predecessor is loaded too: their links say what changed."""

    def beside(self, edition: str, steps: int) -> str:
        """Return the edition `steps` after another (before it, if negative); ``""`` if there is none."""
        place = self.order[edition] + steps
        return self._names[place] if 0 <= place < len(self._names) else ""
