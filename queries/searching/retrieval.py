"""A search becomes the passages of one edition that fit, with what the index says of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from .grammar import KINDS, Search, Wanted

OWN = ("number", "headings", "text")
"""The fields in which a search looks: what a passage says itself, and what stands above it."""

_WEIGHTS = "8.0, 3.0, 1.0, 0.0, 0.0"
"""How much a word counts in each of the index's fields."""

_ROW = (
    "passage.id, passage.place, passage.kind, passage.number, passage.heading, passage.document, passage.line"
)


class Hit(NamedTuple):
    """One passage: its id in the index, its IRI after that of the edition, and its place in the document."""

    id: int
    place: str
    kind: str
    number: str
    heading: str
    document: str
    line: int
    score: float = 0.0


class Fits(NamedTuple):
    """The best of the passages that fit, and how many there are in all."""

    rows: list[Hit]
    total: int


def fitting(index: sqlite3.Connection, search: Search, limit: int, *, any_word: bool = False) -> Fits:
    """Return the passages that have all of the words (`any_word`: one of them) and meet the conditions.

    The best come first; without words, all that meet the conditions in the order of the text.
    """
    conditions, values = _conditions(search)
    if not search.wanted:
        where = " AND ".join(conditions) or "0"
        rows = index.execute(
            f"SELECT {_ROW}, 0.0 FROM passage WHERE {where} ORDER BY id LIMIT ?", (*values, limit)
        )
        [count] = index.execute(f"SELECT count(*) FROM passage WHERE {where}", values).fetchone()
        return Fits([Hit(*row) for row in rows], count)
    where = " AND ".join(("words MATCH ?", *conditions))
    joined = f"words JOIN passage ON passage.id = words.rowid WHERE {where}"
    values = [_match(search, any_word), *values]
    rows = index.execute(
        f"SELECT {_ROW}, -bm25(words, {_WEIGHTS}) AS score FROM {joined} ORDER BY score DESC, id LIMIT ?",
        (*values, limit),
    )
    [count] = index.execute(f"SELECT count(*) FROM {joined}", values).fetchone()
    return Fits([Hit(*row) for row in rows], count)


def places_of(index: sqlite3.Connection, wanted: Wanted, rows: Iterable[Hit]) -> dict[int, str]:
    """Return where passages have a word: id → ``"number"``, ``"heading"`` or ``"text"``, the best one."""
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
    """Return which of the numbers that are to be cited, or parts of them, passages cite, by id."""
    ids = [row.id for row in rows]
    marks = ", ".join("?" * len(ids))
    found: dict[int, list[str]] = {}
    for number in search.cites:
        cited = f"SELECT source, target FROM citation WHERE source IN ({marks}) AND ({_part('target')})"
        for source, target in index.execute(cited, (*ids, *_patterns(number))):
            found.setdefault(source, []).append(target)
    return found


def is_known(index: sqlite3.Connection, wanted: Wanted) -> bool:
    """Tell whether any passage has a word."""
    return (
        index.execute("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (wanted.match,)).fetchone()
        is not None
    )


def _match(search: Search, any_word: bool) -> str:
    """Return the words as FTS5 is asked for them; of headings the own words alone count."""
    fields = ("number", "text") if search.kinds == ("heading",) else OWN
    joined = (" OR " if any_word else " AND ").join(it.match for it in search.wanted)
    return f"{{{' '.join(fields)}}} : ({joined})"


def _conditions(search: Search) -> tuple[list[str], list[object]]:
    """Return the conditions of a search in SQL, with the values that stand in them."""
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
    """Return what the numbers of a thing and of its parts are like: 7 has 702, 702 has 702.19 …"""
    return number, f"{number}.*", f"{number}[0-9][0-9]*" if len(number) == 1 else f"{number}[a-z]*"
