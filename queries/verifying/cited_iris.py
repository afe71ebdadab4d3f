"""Find the IRIs of a store in a text, and tell where the rules that they name stand now.

The IRI of a rule names its edition, so that a number which another rule has now does not count for it: the
rule is followed through the editions to the one that a text is held against. Words quoted beside an IRI are
not judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...ontology.iris import Place
from ..session import Edition, Session
from .judging import STANDS, Finding
from .pasts import Ending, Whereabouts, ended, found_for, nearest

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
