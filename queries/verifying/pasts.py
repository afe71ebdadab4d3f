"""Finds what happened to a rule that is cited wrongly: it moved, was removed, or was reworded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...loaders.language.numbers import parent
from ..history.links import steps
from ..session import Edition, Session
from .rulebook import Rulebook, fold_item, holds, pieces, title_key

STANDS = "stands"
"""What `finding` says of a citation that nothing is wrong with; only `every` shows such."""


class Finding(NamedTuple):
    """What is to be said of one number of a citation; `now` are the numbers to look at instead."""

    kind: str
    message: str = ""
    now: tuple[str, ...] = ()
    quote: str = ""


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


class Pasts:
    """Looks for rules in the other editions, and follows them to the one that a text is held against.

    `others` are the rules of other editions with numbers that this one lacks, by number.
    """

    def __init__(
        self,
        session: Session,
        book: Rulebook,
        editions: Sequence[Edition],
        others: dict[str, list[str]],
    ) -> None:
        self._session = session
        self._book = book
        self._editions = editions
        self._places = {edition.id: place for place, edition in enumerate(editions)}
        self._target = self._places[book.edition.id]
        self._others = others

    def settle(self, doubtful: Sequence[tuple[str, Finding]]) -> list[Finding]:
        """Return better findings for some numbers, in their order."""
        texts = self._texts({number for number, it in doubtful if it.quote})
        origins = [
            (it.quote and self._with_words(number, it, texts))
            or (self._standing(number) if it.kind == "unknown" else "")
            for number, it in doubtful
        ]
        walks = Whereabouts(self._session, self._editions, self._target)
        endings = walks.endings(origin for origin in origins if origin)
        return [
            self._told(number, it, endings[origin]) if origin else it
            for (number, it), origin in zip(doubtful, origins, strict=True)
        ]

    def _standing(self, number: str) -> str:
        """Return the rule that had a number: in the nearest edition before, else in the first one after."""
        found = {
            self._places[edition]: item
            for item in reversed(self._others.get(number, ()))
            if (edition := self._session.iris.parse(item).edition) in self._places
        }
        before = [place for place in found if place < self._target]
        if not found:
            return ""
        return found[max(before) if before else min(found)]

    def _texts(self, numbers: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return title and folded words of the rules with some numbers in the other editions, by IRI."""
        iris = self._session.iris
        others = [it.id for it in self._editions if it.id != self._book.edition.id]
        wanted = [iris.rule(edition, number) for number in sorted(numbers) for edition in others]
        found: dict[str, tuple[str, str]] = {}
        for start in range(0, len(wanted), 500):
            rows = self._session.run("verifying", "elsewhere", None, {"item": wanted[start : start + 500]})
            found |= {str(item): (str(title or ""), fold_item((str(text),))) for item, title, text in rows}
        return found

    def _with_words(self, number: str, it: Finding, texts: dict[str, tuple[str, str]]) -> str:
        """Return the rule that had the number and the words quoted, in an edition before, or after."""
        parts = pieces(it.quote)
        earlier = range(self._target - 1, -1, -1)
        for place in (*earlier, *range(self._target + 1, len(self._editions))):
            rule = self._session.iris.rule(self._editions[place].id, number)
            title, words = texts.get(rule, ("", ""))
            if title and title_key(title) == title_key(it.quote):
                return rule
            if it.kind != "title" and words and holds(words, parts):
                return rule
        return ""

    def _told(self, number: str, it: Finding, ending: Ending) -> Finding:
        if ending.now == (number,):
            return it._replace(kind="reworded", message=f"so {number} read in {ending.last}", now=())
        before = self._places[ending.last] < self._target
        return ended(it, number, ending, self._book.edition.id, before=before)


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
            kind="later", message=f"{number} came after {here}, with {ending.last}", now=ending.instead
        )
    instead = f"; see {', '.join(ending.instead)} instead" if ending.instead else ""
    return it._replace(
        kind="removed",
        message=f"{number} of {ending.last} is gone since {ending.gone}{instead}",
        now=ending.instead,
    )
