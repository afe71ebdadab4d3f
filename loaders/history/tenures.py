"""Join what links tell of loaded editions with what the authority file tells of all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from .items import ChangeKind
from .lives import Tenure, change_of
from .runs import LoadedRun


class Calendar:
    """All editions that are loaded or that the authority file covers, in their order."""

    def __init__(self, covered: Sequence[str], loaded: Mapping[str, str]) -> None:
        """Take the ids of the covered editions, and the loaded ones with their days."""
        days = {name: name.removeprefix("cr-") for name in covered} | dict(loaded)
        self._names = sorted(days, key=lambda name: (days[name], name))
        self.order = {name: place for place, name in enumerate(self._names)}
        self.covered = frozenset(covered)
        self.loaded = frozenset(loaded)
        self.compared = {new for old, new in pairwise(self._names) if {old, new} <= self.loaded}
        """The loaded editions whose neighbour before is loaded as well: their links say how they came."""

    def beside(self, edition: str, steps: int) -> str:
        """Return the edition so many steps behind one (before it: below 0), ``""`` where there is none."""
        place = self.order[edition] + steps
        return self._names[place] if 0 <= place < len(self._names) else ""


Lasting = TypeVar("Lasting", LoadedRun, Tenure)

WordsOf = Callable[[str, str], str]
"""Returns the checksum of the words of a rule, by its edition and number."""


def tenures_over(
    runs: Sequence[LoadedRun], told: Sequence[Tenure], calendar: Calendar, words_of: WordsOf
) -> list[Tenure]:
    """Return the tenures of a provision, oldest first.

    `told` is what the authority file tells, which decides on the editions that it covers; it is empty for a
    provision that it does not know. On others `runs` decide, which is what links tell.
    """
    turns = {edition for run in runs for edition in (run.first, run.last)}
    turns |= {edition for it in told for edition in (it.first, it.last)}
    if told:  # links over a gap say nothing of what happened within it
        apart = calendar.loaded - calendar.covered - calendar.compared
        turns |= {edition for edition in apart for run in runs if run.first <= edition <= run.last}
    found: list[Tenure] = []
    for edition in sorted(turns, key=calendar.order.__getitem__):
        run = _standing(runs, edition) if edition in calendar.loaded else None
        known = _standing(told, edition) if edition in calendar.covered else None
        former = found[-1] if found else None
        links = run if edition in calendar.compared else None
        begun: Tenure | None
        if known and not (links and calendar.beside(edition, -1) not in calendar.covered):
            begun = known._replace(last=edition) if known.first == edition else None
        elif run and former and told and not links:
            change = change_of(former.number == run.number, former.words == words_of(edition, run.number))
            begun = _begun(run._replace(change=change, sources=()), edition, former)
        elif run:
            begun = _begun(run, edition, former) if run.first == edition else None
            begun = begun and begun._replace(is_dated=links is not None)
        else:
            continue
        if begun:
            found.append(begun)
        elif found:
            found[-1] = found[-1]._replace(last=edition)
    ends = [calendar.beside(it.last, 1) for it in found]
    known_ends = (end if told or end in calendar.loaded else "" for end in ends)
    return [it._replace(until=end) for it, end in zip(found, known_ends, strict=True)]


def _standing(stretches: Sequence[Lasting], edition: str) -> Lasting | None:
    """Return which of several stretches an edition lies in."""
    return next((it for it in stretches if it.first <= edition <= it.last), None)


def _begun(run: LoadedRun, edition: str, former: Tenure | None) -> Tenure | None:
    """Return the tenure that a run begins, None where nothing but numbers of cited rules changed."""
    same = run.change is ChangeKind.UNCHANGED or run.change is ChangeKind.REFERENCES
    if former and same and former.number == run.number:
        return None
    return Tenure(run.number, edition, edition, "", run.change, run.sources, is_dated=False)
