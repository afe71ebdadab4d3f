"""Find what happened to a rule that is cited wrongly: it moved, was removed, or was reworded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...loaders.history.lives import bundled_lives
from ...loaders.language.numbers import parent, wholes
from ...ontology.grouping import grouped
from ..history.links import ending, links_along
from ..session import Edition, Session
from .rulebook import Rulebook, fold_item, holds, pieces, title_key

_AT_ONCE = 500
"""How many values stand in one query."""

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
            or (self._nearest(number) if it.kind == "unknown" and not self._had_since(number) else "")
            for number, it in doubtful
        ]
        walks = Whereabouts(self._session, self._editions, self._target)
        endings = walks.endings(origin for origin in origins if origin)
        return [
            self._told(number, it, endings[origin]) if origin else self._unloaded(number, it)
            for (number, it), origin in zip(doubtful, origins, strict=True)
        ]

    def _unloaded(self, number: str, it: Finding) -> Finding:
        """Return what the bundled authority file knows of a number that no loaded edition has."""
        lives, here = bundled_lives(), self._book.edition
        held = lives.holders(number) if it.kind == "unknown" and here.id in self._places else []
        if not held:
            return it
        covered = [name for name in lives.editions if name <= here.id]
        before = [(provision, own) for provision, own in held if own.first <= here.id]
        provision, own = before[0] if before else held[-1]
        if not before or not covered:
            return ended(it, number, Ending(own.first), here.id, before=False)
        reached = lives.became(provision, own.last, covered[-1])
        iris = [self._session.iris.provision(it) for it in reached]
        scope = self._session.scope(here.id)
        rows = self._session.run("recognising", "rules_of", scope, {"provision": iris}) if iris else []
        ending = Ending(own.last, tuple(str(now) for _, _, now in rows), lives.end(provision))
        return ended(it, number, ending, here.id, before=True)

    def _had_since(self, number: str) -> bool:
        """Tell whether an edition that is not loaded gave a number to another rule than the nearest."""
        lives, here = bundled_lives(), self._book.edition.id
        before = [(provision, own) for provision, own in lives.holders(number) if own.last < here]
        rule = self._nearest(number)
        if not before or not rule:
            return False
        provision, own = before[0]
        edition = self._session.iris.parse(rule).edition
        if edition > here:
            return here in lives.editions
        return own.last > edition and lives.holding(number, edition) != provision

    def _nearest(self, number: str) -> str:
        """Return the rule that had a number in the edition nearest to this one."""
        return nearest(self._session, self._others.get(number, ()), self._places, self._target)

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
            return it._replace(kind="reworded", message=f"{number} read like this in {ending.last}", now=())
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
            kind="later",
            message=f"{number} is newer than {here}: it came with {ending.last}",
            now=ending.instead,
        )
    instead = f"; see {', '.join(ending.instead)} instead" if ending.instead else ""
    return it._replace(
        kind="removed",
        message=f"{number} of {ending.last} has been gone since {ending.gone}{instead}",
        now=ending.instead,
    )
