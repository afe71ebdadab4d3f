"""Find the IRIs of a store in a text, and tell where the rules that they name stand now.

The IRI of a rule names its edition, so that a number which another rule has now does not count for it: the
rule is followed through the editions to the one that a text is held against. Words quoted beside an IRI are
not judged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...loaders.language.numbers import parent, wholes
from ...ontology.grouping import grouped
from ...ontology.iris import Place
from ..history.links import ending, links_along
from ..session import Edition, Session
from .judging import STANDS, Finding

_IRI = r"(?:edition|provision|term)/[^\s<>\"“”'`|\\^{}()\[\],;]+"
_TRAILING = ".:!?*_/…"
_KINDS = frozenset(("rule", "section", "entry", "provision", "term"))


class CitedIri(NamedTuple):
    """One place where a text names a thing of the store by its IRI: offsets into it, end exclusive."""

    start: int
    end: int
    place: Place


IriFinding = tuple[CitedIri, Finding, str | None]
"""What is to be said of an IRI, and the IRI of the rule that it names, in the edition of the text."""


def cited_iris(session: Session, text: str) -> list[CitedIri]:
    """Return the IRIs under the base of a store that stand in a text and name what can be cited."""
    found = []
    for match in re.finditer(re.escape(session.iris.base) + _IRI, text):
        iri = match[0].rstrip(_TRAILING)
        place = session.iris.parse(iri)
        if place.kind in _KINDS:
            found.append(CitedIri(match.start(), match.start() + len(iri), place))
    return found


def without(text: str, found: Sequence[CitedIri]) -> str:
    """Return a text of the same length in which nothing is left to be read of some IRIs.

    >>> without("see a/b now", [CitedIri(4, 7, Place("term", key="b"))])
    'see xxx now'
    """
    pieces, done = [], 0
    for it in found:
        pieces += [text[done : it.start], "x" * (it.end - it.start)]
        done = it.end
    return "".join((*pieces, text[done:]))


def judged_iris(
    session: Session, found: Sequence[CitedIri], target: Edition, editions: Sequence[Edition]
) -> list[IriFinding]:
    """Return what is to be said of some IRIs, in their order, in the edition `target`.

    `editions` are those of the comprehensive rules, oldest first; without `target` among them no rule is
    followed.
    """
    iris = session.iris
    named = {it: iris.iri(it.place.whole) for it in found}
    there = found_for(session, "present", "item", sorted(named.values()))
    places = {edition.id: n for n, edition in enumerate(editions)}
    here = places.get(target.id)
    rules = {
        it: (nearest(session, there[iri], places, here) if here is not None else "")
        or next(iter(there[iri]), "")
        for it, iri in named.items()
    }
    followed = {
        rule
        for rule in rules.values()
        if rule and here is not None and (at := iris.parse(rule)).kind == "rule" and at.edition in places
    }
    endings: dict[str, Ending] = {}
    if any(iris.parse(rule).edition != target.id for rule in followed):
        endings = Whereabouts(session, editions, places[target.id]).endings(sorted(followed))
    loaded = {edition.id for edition in session.editions()}
    told: list[IriFinding] = []
    for it, rule in rules.items():
        finding, now = Finding(STANDS), rule or None
        if not rule:
            finding = _absent(it.place, loaded)
        elif rule in endings:
            number = iris.parse(rule).key
            ending = endings[rule]
            before = places[ending.last] <= places[target.id]
            finding = ended(Finding(STANDS), number, ending, target.id, before=before)
            now = iris.rule(target.id, number) if finding.kind == STANDS else None
        told.append((it, finding, now))
    return told


def _absent(place: Place, loaded: set[str]) -> Finding:
    if place.kind not in {"provision", "term"} and place.edition not in loaded:
        return Finding("not loaded", f"the edition {place.edition} is not loaded")
    if place.kind == "provision":
        return Finding("unknown", f"no loaded edition has a rule of the provision {place.name}")
    if place.kind == "term":
        return Finding("unknown", f"no loaded edition has the term {place.name}")
    return Finding("unknown", f"{place.edition} has no {place.kind} {place.name}")


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
