"""A rule number of one edition becomes the numbers and wordings it had before and after."""

from __future__ import annotations

import re

from ...ontology.errors import UnknownNameError
from ...ontology.iris import slug
from ..session import Answer, Cells, Edition, Session
from .steps import Step, steps
from .timeline import place_in, timeline

COLUMNS = ("edition", "number", "change", "confidence")

_HEADING = re.compile(r"rules?\s+", re.IGNORECASE)


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
    editions = timeline(session)
    first = place_in(editions, start, session)
    last = place_in(editions, end, session) if end else len(editions) - 1
    rows: list[Cells] = []
    notes: list[str] = []
    for wanted in _numbers(number):
        iri, label = _locate(session, editions[first], wanted)
        trail = _Trail(session, editions, first, last, every)
        rows += trail.rows(iri, label)
        notes += trail.meanwhile(iri, label)
    scope = f"{editions[first].id} to {editions[last].id}"
    return Answer("trace", COLUMNS, tuple(rows), scope, tuple(dict.fromkeys(notes)))


def _numbers(text: str) -> list[str]:
    """Return the rule numbers of a number, list or range; anything else is the name of an entry."""
    # Reading references loads a grammar; `trace` alone needs it.
    from ...loaders.reading.references import find_references

    stem = _HEADING.sub("", text.strip())
    found = [t.key for r in find_references(f"rules {stem}") for t in r.targets if t.kind.value == "rule"]
    return found or [text.strip()]


def _locate(session: Session, edition: Edition, wanted: str) -> tuple[str, str]:
    """Return the IRI and the label of a rule or entry in one edition."""
    document = (session.iris.document(edition.documents[0].id),)
    rule = session.iris.rule(edition.id, wanted)
    if session.run("history", "numbered", document, {"rule": [rule]}):
        return rule, wanted
    term = session.iris.term(slug(wanted))
    rows = session.run("history", "entries_of", document, {"term": [term]})
    if rows:
        return str(rows[0][0]), str(rows[0][1])
    # Only for what is unknown.
    from difflib import get_close_matches

    names = [str(row[0]) for row in session.run("history", "names", document)]
    near = get_close_matches(wanted, names, n=3)
    raise UnknownNameError("rule or entry", wanted, near, f"looked in {edition.id}")


class _Trail:
    """One rule followed from edition to edition, in either direction."""

    def __init__(self, session: Session, editions: list[Edition], first: int, last: int, every: bool) -> None:
        self.session = session
        self.editions = editions
        self.first, self.last = first, last
        self.every = every
        self.step = 1 if last >= first else -1

    def rows(self, iri: str, label: str) -> list[Cells]:
        """Return the rows of one rule, from its first edition on."""
        rows: list[Cells] = [(self.editions[self.first].id, label, "", 1.0)]
        alive = [iri]
        for place in range(self.first, self.last, self.step):
            there = self.editions[place + self.step]
            found: list[Cells] = []
            following: list[str] = []
            for item in alive:
                taken = self._steps(item, place)
                following += [step.other for step in taken]
                found += [(there.id, self._label(step.other), step.change, step.sure) for step in taken]
                if not taken:
                    found.append((there.id, None, "removed" if self.step > 0 else "not there yet", None))
            is_last = place + self.step == self.last
            if self.every or is_last or not following or any(row[2] != "unchanged" for row in found):
                rows += found
            alive = list(dict.fromkeys(following))
            if not alive:
                break
        return rows

    def _steps(self, item: str, place: int) -> list[Step]:
        """Return what `item` became in the next edition, or was in the one before."""
        forward = self.step > 0
        later = self.editions[place + 1 if forward else place]
        return steps(self.session, [item], later.id, forward=forward)

    def _label(self, iri: str) -> str:
        """Return a rule's number, or an entry's heading."""
        place = self.session.iris.parse(iri)
        if place.kind != "entry":
            return place.key
        rows = self.session.run("history", "titles", None, {"entry": [iri]})
        return str(rows[0][1]) if rows else place.key

    def meanwhile(self, iri: str, label: str) -> list[str]:
        """Return a remark when the same number means something else at the other end."""
        if self.session.iris.parse(iri).kind != "rule" or self.first == self.last:
            return []
        end = self.editions[self.last]
        rule = self.session.iris.rule(end.id, label)
        document = (self.session.iris.document(end.documents[0].id),)
        words = self.session.run("history", "text", document, {"rule": [rule]})
        if not words or self._provision(iri) == self._provision(rule):
            return []
        return [f"{label} in {end.id} is another rule: “{_short(str(words[0][0]))}”"]

    def _provision(self, iri: str) -> str:
        edition = self.session.iris.parse(iri).edition
        history = (self.session.iris.history(edition),)
        rows = self.session.run("history", "provision", history, {"rule": [iri]})
        return str(rows[0][0]) if rows else ""


def _short(text: str, width: int = 70) -> str:
    return text if len(text) <= width else text[: width - 1].rsplit(" ", 1)[0] + "…"
