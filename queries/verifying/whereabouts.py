"""Rules of other editions become what they are in one edition: where each went, or when it was removed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...loaders.language.numbers import parent
from ..history.steps import steps
from ..session import Edition, Session


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


class Whereabouts:
    """Follows rules through editions of the comprehensive rules, oldest first, to the edition at `target`."""

    def __init__(self, session: Session, editions: Sequence[Edition], target: int) -> None:
        self._session = session
        self._editions = editions
        self._target = target
        self._places = {edition.id: place for place, edition in enumerate(editions)}

    def endings(self, rules: Iterable[str]) -> dict[str, Ending]:
        """Return what becomes of some rules, by their IRIs in other editions."""
        wholes = {rule: self._wholes(rule) for rule in rules}
        ends = self._follow([whole for held in wholes.values() for whole in held])
        lost = [held for held in wholes.values() if not any(ends[whole][0] for whole in held)]
        parts = self._parts([whole for held in lost for whole in held])
        ends |= self._follow([part for held in parts.values() for part in held if part not in ends])
        endings = {}
        for rule, held in wholes.items():
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

    def _parts(self, rules: Sequence[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        if rules:
            wanted = list(dict.fromkeys(rules))
            for rule, part in self._session.run("verifying", "parts", None, {"rule": wanted}):
                found[str(rule)].append(str(part))
        return found

    def _most(self, rules: Sequence[str]) -> tuple[str, ...]:
        """Return the numbers of what most of some rules are part of, at most three."""
        wholes = Counter(parent(self._session.iris.parse(rule).key) for rule in rules)
        return tuple(number for number, _ in wholes.most_common(3))

    def _follow(self, rules: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str]]:
        """Return, for each rule, what it is in the target edition, or the edition in which it is gone."""
        ends: dict[str, tuple[tuple[str, ...], str]] = {}
        for forward in (True, False):
            begin: dict[int, list[str]] = defaultdict(list)
            for rule in rules:
                place = self._places[self._edition(rule)]
                if (place <= self._target) is forward:
                    begin[place].append(rule)
            ends |= self._walk(begin, forward)
        return ends

    def _walk(self, begin: dict[int, list[str]], forward: bool) -> dict[str, tuple[tuple[str, ...], str]]:
        step = 1 if forward else -1
        alive: dict[str, tuple[str, ...]] = {}
        gone: dict[str, str] = {}
        if not begin:
            return {}
        for place in range(min(begin) if forward else max(begin), self._target, step):
            alive |= {rule: (rule,) for rule in begin.get(place, ())}
            later = self._editions[place + 1 if forward else place]
            there = self._editions[place + step].id
            items = list(dict.fromkeys(item for held in alive.values() for item in held))
            following: dict[str, list[str]] = defaultdict(list)
            for link in steps(self._session, later.id, items, forward=forward):
                following[link.item].append(link.other)
            for rule, held in list(alive.items()):
                alive[rule] = tuple(dict.fromkeys(n for item in held for n in following.get(item, ())))
                if not alive[rule]:
                    gone[rule] = there
                    del alive[rule]
        alive |= {rule: (rule,) for rule in begin.get(self._target, ())}
        return {rule: (alive.get(rule, ()), gone.get(rule, "")) for held in begin.values() for rule in held}

    def _edition(self, rule: str) -> str:
        return self._session.iris.parse(rule).edition

    def _wholes(self, rule: str) -> list[str]:
        """Return a rule and what it is part of by its number, up to its chapter, the nearest first."""
        place = self._session.iris.parse(rule)
        number, wholes = place.key, [rule]
        while "." in number:
            number = parent(number)
            wholes.append(self._session.iris.rule(place.edition, number))
        return wholes

    def _numbers(self, rules: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._session.iris.parse(rule).key for rule in rules))
