"""Find the passages that have all of some words and fulfil conditions, unranked by meaning."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...ontology import grouped
from ..session import Scope, Session
from .grammar import KINDS, Search, Wanted
from .scores import PassageRow, texts_of

OWN = ("number", "headings", "text")
"""The searched fields: a passage's own text, and the headings above it."""

_WEIGHTS = "8.0, 3.0, 1.0, 0.0, 0.0"
"""The weight of a word in each field of the index: number, headings, text; the others have none."""

_ROW = "passage.id, passage.place, passage.number, passage.document, passage.line"


class Hit(NamedTuple):
    """A passage: its id in the index, its IRI after that of the edition, and its place in the document."""

    id: int
    place: str
    number: str
    document: str
    line: int
    score: float = 0.0


def fitting(index: sqlite3.Connection, search: Search, *, any_word: bool = False) -> list[Hit]:
    """Return the passages that have all words (`any_word`: one of them) and fulfil the conditions.

    The best come first. Without words, all that fulfil the conditions are returned in the order of the text.
    """
    conditions, values = _conditions(search)
    if not search.wanted:
        where = " AND ".join(conditions) or "0"
        rows = index.execute(f"SELECT {_ROW}, 0.0 FROM passage WHERE {where} ORDER BY id", values)
        return [Hit(*row) for row in rows]
    where = " AND ".join(("words MATCH ?", *conditions))
    joined = f"words JOIN passage ON passage.id = words.rowid WHERE {where}"
    score = f"-bm25(words, {_WEIGHTS}) AS score"
    rows = index.execute(
        f"SELECT {_ROW}, {score} FROM {joined} ORDER BY score DESC, id", (_match(search, any_word), *values)
    )
    return [Hit(*row) for row in rows]


def places_of(index: sqlite3.Connection, wanted: Wanted, rows: Iterable[Hit]) -> dict[int, str]:
    """Return where passages have a word: id → ``"number"``, ``"heading"`` or ``"text"``, the best."""
    ids = [row.id for row in rows]
    marks = ", ".join("?" * len(ids))
    found: dict[int, str] = {}
    for field in OWN:
        match = f"{field} : {wanted.match}"
        for (place,) in index.execute(
            f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({marks})", (match, *ids)
        ):
            found.setdefault(place, field.removesuffix("s"))
    return found


def citations_of(index: sqlite3.Connection, search: Search, rows: Iterable[Hit]) -> dict[int, list[str]]:
    """Return id → which of the required numbers, or parts of them, the passage cites."""
    ids = [row.id for row in rows]
    marks = ", ".join("?" * len(ids))
    cited = f"SELECT source, target FROM citation WHERE source IN ({marks}) AND ({_part('target')})"
    return grouped(
        pair for number in search.cites for pair in index.execute(cited, (*ids, *_patterns(number)))
    )


def _match(search: Search, any_word: bool) -> str:
    """Return the words as an FTS5 query; words of headings count only for the passage of the heading."""
    fields = ("number", "text") if search.kinds == ("heading",) else OWN
    joined = (" OR " if any_word else " AND ").join(it.match for it in search.wanted)
    return f"{{{' '.join(fields)}}} : ({joined})"


def _conditions(search: Search) -> tuple[list[str], list[object]]:
    """Return the conditions of a search in SQL, and their values."""
    conditions: list[str] = []
    values: list[object] = []
    if search.within:
        conditions.append(_any(_part("passage.number") for _ in search.within))
        values += [value for number in search.within for value in _patterns(number)]
    if search.kinds:
        kinds = [kind for name in search.kinds for kind in KINDS[name]]
        fits = [f"passage.kind IN ({', '.join('?' * len(kinds))})"] if kinds else []
        fits += ["passage.heading <> '' AND passage.kind <> 'entry'"] if "heading" in search.kinds else []
        conditions.append(_any(fits))
        values += kinds
    for number in search.cites:
        conditions.append(f"passage.id IN (SELECT source FROM citation WHERE {_part('target')})")
        values += _patterns(number)
    return conditions, values


def _any(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(f'({it})' for it in conditions)})"


def _part(column: str) -> str:
    return f"{column} = ? OR {column} GLOB ? OR {column} GLOB ?"


def _patterns(number: str) -> tuple[str, str, str]:
    """Return the patterns for the numbers of a thing and its parts: 7 contains 702, 702 contains 702.19 …"""
    return number, f"{number}[.-]*", f"{number}[0-9][0-9]*" if len(number) == 1 else f"{number}[a-z]*"


def hits_of(
    session: Session, scope: Scope, meant: Search, notes: list[str], *, any_word: bool
) -> dict[str, list[Hit]]:
    """Return what each edition has with all of the words or, if none has, with `any_word` of them."""

    def found(any_word: bool) -> dict[str, list[Hit]]:
        return {it: fitting(session.index(it), meant, any_word=any_word) for it in scope.editions}

    hits = found(any_word=False)
    if any(hits.values()) or len(meant.wanted) < 2 or not any_word:
        return hits
    hits = found(any_word=True)
    if any(hits.values()):
        notes.append("No passage has all of these words; these have some of them.")
    return hits


def rows_of(
    session: Session, scope: Scope, meant: Search, hits: Mapping[str, Sequence[Hit]]
) -> list[PassageRow]:
    """Return the rows of several editions, best first, each text once, for the newest edition."""
    found: list[PassageRow] = []
    seen: set[str] = set()
    for edition, own in hits.items():
        inside = session.iris.edition(edition) + "/"
        texts = texts_of(session, scope, [inside + row.place for row in own])
        reasons = _reasons(session.index(edition), meant, own)
        for row in own:
            text = texts[inside + row.place]
            if text in seen and len(scope.editions) > 1:
                continue
            seen.add(text)
            score = round(row.score, 3) if meant.wanted else None
            where = edition, row.document, row.line
            iri = inside + row.place
            found.append(PassageRow(row.number or None, text, *where, score, reasons[row.id], iri))
    return sorted(found, key=lambda row: -(row.score or 0.0))


def _reasons(index: sqlite3.Connection, search: Search, rows: Sequence[Hit]) -> dict[int, str]:
    """Return why each passage was found: its words, where they are, and the required numbers it cites."""
    said: dict[int, dict[str, list[str]]] = {row.id: {} for row in rows}
    for wanted in search.wanted:
        for place, where in places_of(index, wanted, rows).items():
            said[place].setdefault(f"in its {where}", []).append(str(wanted))
    cited = citations_of(index, search, rows)
    return {
        row.id: "; ".join(
            (
                *(f"{', '.join(those)} {where}" for where, those in said[row.id].items()),
                *([f"cites {', '.join(cited[row.id])}"] if row.id in cited else []),
            )
        )
        or "meets the conditions"
        for row in rows
    }
