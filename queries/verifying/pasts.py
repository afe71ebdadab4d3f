"""Follow rules that are cited by their IRIs through the loaded editions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...loaders.language.numbers import parent, wholes
from ...ontology.grouping import grouped
from ..history.links import ending, links_along
from ..session import Edition, Session
from .judging import Finding

_AT_ONCE = 500
"""How many values stand in one query."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a rule of the edition `last` is in another: `now` are its numbers there.

    Where it is none, `gone` is the first edition without it (seen from `last`), and `instead` are the numbers
    of what took its place: what it was part of, where that went on, else where most of its parts went, or
    those of what it was part of.
    """

    last: str
    now: tuple[str, ...] = ()
    gone: str = ""
    instead: tuple[str, ...] = ()


def found_for(session: Session, query: str, name: str, values: Iterable[str]) -> defaultdict[str, list[str]]:
    """Return what a query finds for each value of its parameter: it gives the value first, then a thing."""
    wanted = list(dict.fromkeys(values))
    some = ({name: wanted[start : start + _AT_ONCE]} for start in range(0, len(wanted), _AT_ONCE))
    rows = (row for it in some for row in session.run("verifying", query, None, it))
    return grouped((str(value), str(thing)) for value, thing in rows)


def nearest(session: Session, rules: Sequence[str], places: Mapping[str, int], target: int) -> str:
    """Return the rule of the edition at `target`, else of the nearest before it, else of the first after it.

    `places` are those of the editions; ``""`` where all rules are of others.
    """
    found = {
        place: rule
        for rule in reversed(rules)
        if (place := places.get(session.iris.parse(rule).edition)) is not None
    }
    before = [place for place in found if place <= target]
    return found[max(before) if before else min(found)] if found else ""


class Whereabouts:
    """Follows rules through editions of the comprehensive rules, oldest first, to the edition at `target`."""

    def __init__(self, session: Session, editions: Sequence[Edition], target: int) -> None:
        self._session = session
        self._editions = editions
        self._target = target
        self._places = {edition.id: place for place, edition in enumerate(editions)}

    def endings(self, rules: Iterable[str]) -> dict[str, Ending]:
        """Return what becomes of some rules, by their IRIs in other editions."""
        within = {rule: self._wholes(rule) for rule in rules}
        ends = self._follow([whole for held in within.values() for whole in held])
        lost = [held for held in within.values() if not any(ends[whole][0] for whole in held)]
        parts = found_for(self._session, "parts", "rule", [whole for held in lost for whole in held])
        ends |= self._follow([part for held in parts.values() for part in held if part not in ends])
        endings = {}
        for rule, held in within.items():
            now, gone = ends[rule]
            instead: tuple[str, ...] = ()
            if not now:
                above = (self._numbers(ends[whole][0]) for whole in held)
                scattered = (
                    self._most([end for part in parts.get(whole, ()) for end in ends[part][0]])
                    for whole in held
                )
                instead = next(filter(None, (*above, *scattered)), ())
            endings[rule] = Ending(self._edition(rule), self._numbers(now), gone, instead)
        return endings

    def _most(self, rules: Sequence[str]) -> tuple[str, ...]:
        """Return the numbers of what most of some rules are part of, at most three."""
        wholes = Counter(parent(self._session.iris.parse(rule).key) for rule in rules)
        return tuple(number for number, _ in wholes.most_common(3))

    def _follow(self, rules: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str]]:
        """Return, for each rule, what it is in the target edition, or the edition in which it is gone."""
        starting = grouped((self._places[self._edition(rule)], rule) for rule in dict.fromkeys(rules))
        ends: dict[str, tuple[tuple[str, ...], str]] = {}
        for place, held in starting.items():
            low, high = sorted((place, self._target))
            path = self._editions[low : high + 1][:: 1 if place == low else -1]
            links = links_along(self._session, path, held)
            ends |= {rule: ending(path, links, rule) for rule in held}
        return ends

    def _edition(self, rule: str) -> str:
        return self._session.iris.parse(rule).edition

    def _wholes(self, rule: str) -> list[str]:
        """Return a rule and what it is part of by its number, up to its chapter, the nearest first."""
        place = self._session.iris.parse(rule)
        return [self._session.iris.rule(place.edition, number) for number in wholes(place.key)]

    def _numbers(self, rules: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._session.iris.parse(rule).key for rule in rules))


def ended(it: Finding, number: str, ending: Ending, here: str, *, before: bool) -> Finding:
    """Return what a finding becomes when the rule that had a number is followed to the edition `here`.

    `before` tells whether it was followed from an older edition. One that kept its number stays as it is.
    """
    if ending.now == (number,):
        return it
    if ending.now:
        there = ", ".join(ending.now)
        return it._replace(
            kind="moved", message=f"{number} of {ending.last} is {there} in {here}", now=ending.now
        )
    if not before:
        return it._replace(
            kind="newer",
            message=f"{number} is newer than {here}: it came with {ending.last}",
            now=ending.instead,
        )
    instead = f"; see {', '.join(ending.instead)} instead" if ending.instead else ""
    return it._replace(
        kind="gone",
        message=f"{number} of {ending.last} has been gone since {ending.gone}{instead}",
        now=ending.instead,
    )
