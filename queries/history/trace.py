"""A rule number of one edition becomes the numbers and wordings it had before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...ontology.errors import UnknownNameError
from ...ontology.iris import slug
from ..finding.names import Named, number_in
from ..finding.numbering import nearest_numbers, place_among
from ..finding.things import editions_with
from ..session import Answer, Cells, Edition, Session
from .outcomes import Journey, journey, outcomes, reach
from .outline import label, outline
from .timeline import path_between, timeline
from .trail import COLUMNS, Trail, gone

_HEADING = re.compile(r"rules?\s+", re.IGNORECASE)


def trace(
    session: Session, number: str, start: str, end: str | None = None, *, every: bool = False
) -> Answer:
    """Return where a rule went, or came from: one row for each edition in which something happened.

    `number` is a rule number, a range (``502.15-502.17``) or the name of a glossary entry; `start` and
    `end` are editions of the comprehensive rules (`end` is the newest loaded unless given, and may be
    the older one). The first and the last row always stand; with `every`, all editions between do.
    Rows: edition, number (or heading), change against the row's neighbour, confidence (1.0: same words).
    Over several editions a note says what the whole way comes to, in the words of `diff`.

    Raises `UnknownNameError` for an edition or a number that is not there.
    """
    path = path_between(timeline(session), start, end, session)
    rows: list[Cells] = []
    notes: list[str] = []
    for wanted in numbers_in(number):
        iri, name = locate(session, path[0], wanted)
        links = journey(session, path, {iri})
        rows += Trail(session, path, links, every).rows(iri, name)
        notes += _summary(session, path, links, iri)
        notes += _meanwhile(session, path, links, iri)
    scope = f"{path[0].id} to {path[-1].id}"
    return Answer("trace", COLUMNS, tuple(rows), scope, tuple(dict.fromkeys(notes)))


def numbers_in(text: str) -> list[str]:
    """Return the rule numbers of a number, list or range; anything else is the name of an entry."""
    stem = _HEADING.sub("", text.strip())
    if number_in(stem) or not any(it.isdigit() for it in stem):
        return [number_in(stem) or text.strip()]
    # Reading references loads a grammar; lists and ranges alone need it.
    from ...loaders.reading.references import find_references

    found = [t.key for r in find_references(f"rules {stem}") for t in r.targets if t.kind.value == "rule"]
    return found or [text.strip()]


def locate(session: Session, edition: Edition, wanted: str) -> tuple[str, str]:
    """Return the IRI and the label of a rule or entry in one edition."""
    document = (session.iris.document(edition.documents[0].id),)
    rule = session.iris.rule(edition.id, wanted)
    if session.run("history", "numbered", document, {"rule": [rule]}):
        return rule, wanted
    rows = session.run("history", "entries_of", document, {"term": [session.iris.term(slug(wanted))]})
    if rows:
        return str(rows[0][0]), str(rows[0][1])
    number = number_in(wanted)
    headed = None if number else _headed(session, document, wanted)
    if headed:
        return headed
    # Only for what is unknown.
    from difflib import get_close_matches

    names = [str(row[0]) for row in session.run("history", "names", document)]
    looked = f"looked in {edition.id}"
    if not number:
        raise UnknownNameError("rule or entry", wanted, get_close_matches(wanted, names, n=3), looked)
    others = sorted(editions_with(session, Named("number", number, number), False))
    place = f"it stands in {', '.join(others[-5:])}" if others else place_among(number, names)
    near = [] if others else nearest_numbers(number, names)
    raise UnknownNameError("rule or entry", wanted, near, f"{looked}: {place}" if place else looked)


def _headed(session: Session, document: Sequence[str], wanted: str) -> tuple[str, str] | None:
    """Return the IRI and the label of the one entry with a heading, or a name in it; else of the one rule."""
    # Most names are those of terms.
    from ...loaders.language.names import split_heading
    from ..finding.namesakes import the_one_called

    entries, rules = [], []
    for iri, title, number in session.run("history", "headings", document):
        if number:
            rules.append((str(title), (str(iri), str(number))))
        else:
            names = (str(title), *split_heading(str(title)).names)
            entries += [(name, (str(iri), str(title))) for name in names]
    return the_one_called(entries, wanted, bent=False) or the_one_called(rules, wanted, bent=False)


def _summary(session: Session, path: Sequence[Edition], links: Journey, iri: str) -> list[str]:
    """Return what a way of several editions comes to, in a sentence."""
    if len(path) < 3:
        return []
    first, last = path[0], path[-1]
    before = outline(session, first, {iri})
    after = outline(session, last, reach(links, iri))
    found = [f"{it.change}: {label(after[it.after])}" for it in outcomes(links, before, after)]
    told = "; ".join(found) if found else gone(path)
    return [f"{label(before[iri])} of {first.id} in {last.id}: {told}"]


def _meanwhile(session: Session, path: Sequence[Edition], links: Journey, iri: str) -> list[str]:
    """Return a remark when the same number means something else at the other end."""
    here = session.iris.parse(iri)
    rule = session.iris.rule(path[-1].id, here.key)
    if here.kind != "rule" or rule in reach(links, iri):
        return []
    found = outline(session, path[-1], {rule})
    return [f"{here.key} in {path[-1].id} is another rule: “{_short(it.text)}”" for it in found.values()]


def _short(text: str, width: int = 70) -> str:
    return text if len(text) <= width else text[: width - 1].rsplit(" ", 1)[0] + "…"
