"""Find the IRIs of a store in a text, and where the rules they name are now.

The IRI of a rule names its edition, so the rule that has the number now does not count: the named rule is
followed through the editions to the one that a text is checked against. Words quoted beside an IRI are not
judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...ontology.grouping import grouped
from ...ontology.iris import Place
from ..session import Session
from .judging import STANDS, Finding
from .meanings import Meanings

_IRI = r"(?:edition|provision|term)/[^\s<>\"“”'`|\\^{}()\[\],;]+"
_TRAILING = ".:!?*_/…"
_KINDS = frozenset(("rule", "section", "entry", "provision", "term"))


class CitedIri(NamedTuple):
    """One place where a text names a thing of the store by its IRI: offsets into it, end exclusive."""

    start: int
    end: int
    place: Place


IriFinding = tuple[CitedIri, Finding, str | None]
"""The finding on an IRI, and the IRI of the rule that it names, in the edition of the text."""


def cited_iris(session: Session, text: str) -> list[CitedIri]:
    """Return the IRIs in a text that are under the base of a store and name something citable."""
    found = []
    for match in re.finditer(re.escape(session.iris.base) + _IRI, text):
        iri = match[0].rstrip(_TRAILING)
        place = session.iris.parse(iri)
        if place.kind in _KINDS:
            found.append(CitedIri(match.start(), match.start() + len(iri), place))
    return found


def without(text: str, found: Sequence[CitedIri]) -> str:
    """Return a text of the same length in which some IRIs are made unreadable.

    >>> without("see a/b now", [CitedIri(4, 7, Place("term", key="b"))])
    'see xxx now'
    """
    pieces, done = [], 0
    for it in found:
        pieces += [text[done : it.start], "x" * (it.end - it.start)]
        done = it.end
    return "".join((*pieces, text[done:]))


_AT_ONCE = 500
"""The number of values in one query."""


def judged_iris(
    session: Session, found: Sequence[CitedIri], here: str, meanings: Meanings | None
) -> list[IriFinding]:
    """Return the findings about some IRIs, in order, in the edition `here`.

    `meanings` say what became of rules; without them none is followed.
    """
    iris = session.iris
    named = {it: iris.iri(it.place.whole) for it in found}
    wanted = sorted(set(named.values()))
    rows = (
        row
        for start in range(0, len(wanted), _AT_ONCE)
        for row in session.run("verifying", "present", None, {"item": wanted[start : start + _AT_ONCE]})
    )
    standing = grouped((str(item), str(rule)) for item, rule in rows)
    loaded = {edition.id for edition in session.editions()}
    told: list[IriFinding] = []
    for it, iri in named.items():
        rule = _nearest(session, standing.get(iri, ()), here)
        place = iris.parse(rule)
        finding, now = Finding(STANDS), rule or None
        if not rule:
            finding = _absent(it.place, loaded)
        elif meanings and place.kind == "rule" and place.edition in meanings.editions:
            if place.edition != here:
                finding = _followed(meanings, place)
            now = iris.rule(here, place.key) if finding.kind == STANDS else None
        told.append((it, finding, now))
    return told


def _nearest(session: Session, things: Sequence[str], here: str) -> str:
    """Return the IRI in an edition, else in the nearest before it, else in the first after it, else ``""``.

    A provision is a rule in each edition that has it.
    """
    found = {session.iris.parse(it).edition: it for it in reversed(things)}
    before = [edition for edition in found if edition <= here]
    return found[max(before) if before else min(found)] if found else ""


def _followed(meanings: Meanings, place: Place) -> Finding:
    """Return what became of a rule of another edition; one that kept its number is correct."""
    number, edition, here = place.key, place.edition, meanings.here
    then = meanings.at(number, edition)
    if then and then.now == (number,):
        return Finding(STANDS)
    if then and then.now:
        return Finding("moved", f"{number} of {edition} is {', '.join(then.now)} in {here}", then.now)
    if edition > here:
        came = then.first if then else edition
        return Finding("newer", f"{number} is newer than {here}: it came with {came}")
    more, now = meanings.after_removal(number, edition)
    since = meanings.after(then.last if then else edition)
    return Finding("gone", f"{number} of {edition} has been gone since {since}{more}", now)


def _absent(place: Place, loaded: set[str]) -> Finding:
    if place.kind not in {"provision", "term"} and place.edition not in loaded:
        return Finding("not loaded", f"the edition {place.edition} is not loaded")
    if place.kind == "provision":
        return Finding("unknown", f"no loaded edition has a rule of the provision {place.name}")
    if place.kind == "term":
        return Finding("unknown", f"no loaded edition has the term {place.name}")
    return Finding("unknown", f"{place.edition} has no {place.kind} {place.name}")
