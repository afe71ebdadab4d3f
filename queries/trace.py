"""A rule number of one edition becomes the numbers and wordings it had before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError, UsageError
from ..ontology.terms import PREFIXES, RG

if TYPE_CHECKING:
    from .editions import Edition
    from .runner import Answer, Row, Session

COLUMNS = ("edition", "number", "change", "confidence")

_CHANGES = {
    RG.unchangedFrom: "unchanged",
    RG.renumberedFrom: "renumbered",
    RG.rewordedFrom: "reworded",
    RG.movedAndRewordedFrom: "moved and reworded",
    RG.splitFrom: "split",
    RG.mergedFrom: "merged",
}
_ONE_LIFE = frozenset(_CHANGES) - {RG.splitFrom, RG.mergedFrom}
_LINKS = " ".join(f"<{link}>" for link in _CHANGES)
_CONFIDENCE = (
    f"OPTIONAL {{ ?new <{RG.hasChange}> ?c . ?c <{RG.changedFrom}> ?old ; <{RG.confidence}> ?sure }}"
)
_HEADING = re.compile(r"rules?\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Hop:
    other: str
    link: str
    sure: float


def trace(
    session: Session, number: str, start: str, end: str | None = None, *, every: bool = False
) -> Answer:
    """Return where a rule went, or came from: one row for each edition in which something happened.

    `number` is a rule number, a range (``502.15-502.17``) or the name of a glossary entry; `start` and
    `end` are editions of the comprehensive rules (`end` is the newest loaded unless given, and may be
    the older one). The first and the last row always stand; with `every`, all editions between do.
    Rows: edition, number (or heading), change against the row's neighbour, confidence (1.0: same words).

    Raises `UnknownNameError` for an edition or a number that is not there.
    """
    from .runner import Answer

    editions = _editions(session)
    first = _place(editions, start, session)
    last = _place(editions, end, session) if end else len(editions) - 1
    rows: list[Row] = []
    notes: list[str] = []
    for wanted in _numbers(number):
        iri, label = _locate(session, editions[first], wanted)
        walk = _Walk(session, editions, first, last, every)
        rows += walk.rows(iri, label)
        notes += walk.meanwhile(iri, label)
    scope = f"{editions[first].id} to {editions[last].id}"
    return Answer("trace", COLUMNS, tuple(rows), scope, tuple(dict.fromkeys(notes)))


def _editions(session: Session) -> list[Edition]:
    """Return the editions of the comprehensive rules, oldest first."""
    found = [e for e in session.editions() if e.issued and e.documents[0].kind == "comprehensive rules"]
    if not found:
        raise UsageError(
            "no edition of the comprehensive rules is loaded", way_out="load some with `rulesgraph build`"
        )
    return sorted(found, key=lambda e: (e.issued, e.id))


def _place(editions: Sequence[Edition], name: str, session: Session) -> int:
    for place, edition in enumerate(editions):
        if name in (edition.id, str(edition.issued)):
            return place
    from .editions import unknown_edition

    if any(edition.id == name for edition in session.editions()):
        raise UsageError(
            f"{name} is no edition of the comprehensive rules", way_out="only those have a history of numbers"
        )
    raise unknown_edition(session, name)


def _numbers(text: str) -> list[str]:
    """Return the rule numbers of a number, list or range; anything else is the name of an entry."""
    from ..loaders.reading.references import find_references

    stem = _HEADING.sub("", text.strip())
    found = [t.key for r in find_references(f"rules {stem}") for t in r.targets if t.kind.value == "rule"]
    return found or [text.strip()]


def _locate(session: Session, edition: Edition, wanted: str) -> tuple[str, str]:
    """Return the IRI and the label of a rule or entry in one edition."""
    document = edition.documents[0].id
    graph = session.iris.document(document)
    rule = session.iris.rule(edition.id, wanted)
    if session.select(
        f"SELECT ?n WHERE {{ GRAPH <{graph}> {{ <{rule}> <{PREFIXES['skos']}notation> ?n }} }}"
    ):
        return rule, wanted
    from ..ontology.iris import slug

    term = session.iris.term(slug(wanted))
    rows = session.select(
        f"SELECT ?e ?title WHERE {{ GRAPH <{graph}> {{ ?e <{RG.defines}> <{term}> ; "
        f"<{PREFIXES['dcterms']}title> ?title }} }} ORDER BY ?e"
    )
    if rows:
        return str(rows[0][0]), str(rows[0][1])
    near = _near(session, graph, wanted)
    raise UnknownNameError("rule or entry", wanted, near, f"looked in {edition.id}")


def _near(session: Session, graph: str, wanted: str) -> list[str]:
    from difflib import get_close_matches

    rows = session.select(
        f"SELECT DISTINCT ?name WHERE {{ GRAPH <{graph}> {{ {{ ?r <{PREFIXES['skos']}notation> ?name }} "
        f"UNION {{ ?e <{RG.defines}> ?t ; <{PREFIXES['dcterms']}title> ?name }} }} }}"
    )
    return get_close_matches(wanted, [str(row[0]) for row in rows], n=3)


class _Walk:
    """One rule followed from edition to edition, in either direction."""

    def __init__(self, session: Session, editions: list[Edition], first: int, last: int, every: bool) -> None:
        self.session = session
        self.editions = editions
        self.first, self.last = first, last
        self.every = every
        self.step = 1 if last >= first else -1

    def rows(self, iri: str, label: str) -> list[Row]:
        """Return the rows of one rule, from its first edition on."""
        rows: list[Row] = [(self.editions[self.first].id, label, "", 1.0)]
        alive = [iri]
        for place in range(self.first, self.last, self.step):
            there = self.editions[place + self.step]
            found: list[Row] = []
            following: list[str] = []
            for item in alive:
                hops = self._hops(item, place)
                following += [hop.other for hop in hops]
                found += [(there.id, self._label(hop.other), _CHANGES[hop.link], hop.sure) for hop in hops]
                if not hops:
                    found.append((there.id, None, "removed" if self.step > 0 else "not there yet", None))
            is_last = place + self.step == self.last
            if self.every or is_last or not following or any(row[2] != "unchanged" for row in found):
                rows += found
            alive = list(dict.fromkeys(following))
            if not alive:
                break
        return rows

    def _hops(self, item: str, place: int) -> list[_Hop]:
        """Return what `item` became in the next edition, or was in the one before."""
        forward = self.step > 0
        later = self.editions[place + 1 if forward else place]
        graph = self.session.iris.history(later.id)
        known, other = ("?old", "?new") if forward else ("?new", "?old")
        rows = self.session.select(
            f"SELECT {other} ?link ?sure WHERE {{ GRAPH <{graph}> {{ VALUES {known} {{ <{item}> }} "
            f"VALUES ?link {{ {_LINKS} }} ?new ?link ?old {_CONFIDENCE} }} }} ORDER BY ?link {other}"
        )
        hops = [
            _Hop(str(there), str(link), float(str(sure)) if sure is not None else 1.0)
            for there, link, sure in rows
        ]
        return sorted(hops, key=lambda hop: hop.link not in _ONE_LIFE)

    def _label(self, iri: str) -> str:
        """Return a rule's number, or an entry's heading."""
        place = self.session.iris.parse(iri)
        if place.kind != "entry":
            return place.key
        rows = self.session.select(
            f"SELECT ?title WHERE {{ GRAPH ?g {{ <{iri}> <{PREFIXES['dcterms']}title> ?title }} }} LIMIT 1"
        )
        return str(rows[0][0]) if rows else place.key

    def meanwhile(self, iri: str, label: str) -> list[str]:
        """Return a remark when the same number means something else at the other end."""
        if self.session.iris.parse(iri).kind != "rule" or self.first == self.last:
            return []
        end = self.editions[self.last]
        rule = self.session.iris.rule(end.id, label)
        graph = self.session.iris.document(end.documents[0].id)
        words = self.session.select(
            f"SELECT ?text WHERE {{ GRAPH <{graph}> {{ <{rule}> <{RG.text}> ?text }} }} LIMIT 1"
        )
        if not words or self._provision(iri) == self._provision(rule):
            return []
        return [f"{label} in {end.id} is another rule: “{_short(str(words[0][0]))}”"]

    def _provision(self, iri: str) -> str:
        edition = self.session.iris.parse(iri).edition
        graph = self.session.iris.history(edition)
        rows = self.session.select(
            f"SELECT ?p WHERE {{ GRAPH <{graph}> {{ <{iri}> <{RG.expressionOf}> ?p }} }}"
        )
        return str(rows[0][0]) if rows else ""


def _short(text: str, width: int = 70) -> str:
    return text if len(text) <= width else text[: width - 1].rsplit(" ", 1)[0] + "…"
