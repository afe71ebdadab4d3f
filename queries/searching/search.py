"""Search the passages of editions: the closest to some words, then those that have all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from ...loaders.editions import stored_sets
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError, UsageError, grouped
from ..finding.recognition import recognise
from ..finding.things import Resolution, resolve, section_named
from ..history.summary import numbers_now
from ..session import Cells, Scope, Session, check_limit
from .closest import closest
from .grammar import KINDS, Search, Wanted, marks, read_search
from .scores import COLUMNS, Passages, texts_of
from .terms import nearest_word

OWN = ("number", "headings", "text")
"""The searched fields: a passage's own text, and the headings above it."""

_WEIGHTS = "8.0, 3.0, 1.0, 0.0, 0.0"
"""The weight of a word in each of the index's fields."""

_ROW = "passage.id, passage.place, passage.number, passage.document, passage.line"


class Hit(NamedTuple):
    """One passage: its id in the index, its IRI after that of the edition, and its place in the document."""

    id: int
    place: str
    number: str
    document: str
    line: int
    score: float = 0.0


Fits = tuple[list[Hit], int]
"""The best matching passages, and how many there are in all."""


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
        return [Hit(*row) for row in rows], count
    where = " AND ".join(("words MATCH ?", *conditions))
    joined = f"words JOIN passage ON passage.id = words.rowid WHERE {where}"
    values = [_match(search, any_word), *values]
    rows = index.execute(
        f"SELECT {_ROW}, -bm25(words, {_WEIGHTS}) AS score FROM {joined} ORDER BY score DESC, id LIMIT ?",
        (*values, limit),
    )
    [count] = index.execute(f"SELECT count(*) FROM {joined}", values).fetchone()
    return [Hit(*row) for row in rows], count


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
    """Return which of the required numbers, or parts of them, passages cite, by id."""
    ids = [row.id for row in rows]
    marks = ", ".join("?" * len(ids))
    cited = f"SELECT source, target FROM citation WHERE source IN ({marks}) AND ({_part('target')})"
    return grouped(
        pair for number in search.cites for pair in index.execute(cited, (*ids, *_patterns(number)))
    )


def _match(search: Search, any_word: bool) -> str:
    """Return the words as a query to FTS5; headings count only with their own words."""
    fields = ("number", "text") if search.kinds == ("heading",) else OWN
    joined = (" OR " if any_word else " AND ").join(it.match for it in search.wanted)
    return f"{{{' '.join(fields)}}} : ({joined})"


def _conditions(search: Search) -> tuple[list[str], list[object]]:
    """Return the conditions of a search in SQL, with their values."""
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
    """Return the patterns for the numbers of a thing and its parts: 7 has 702, 702 has 702.19 …"""
    return number, f"{number}[.-]*", f"{number}[0-9][0-9]*" if len(number) == 1 else f"{number}[a-z]*"


LIMIT = 10
"""The default number of passages of a search."""


def search(session: Session, words: str, *, edition: str | None = None, limit: int = LIMIT) -> Passages:
    """Find the rules closest to some words, then others that have all of them; `grammar` reads the text.

    Words beside a condition, in quotes or with an asterisk are matched exactly: if no passage has all of
    them, those that have any are returned.

    Columns: `COLUMNS`; the score only says which of two passages of an answer is better. The edition is the
    one requested, in the words or by `edition`, else the newest that has the numbers of the conditions; of
    editions with the same words, only the newest has a row.

    Raises `UsageError` for a search without words and conditions, or an invalid condition, and
    `UnknownNameError` for an edition that is not loaded, or a number that does not exist.
    """
    check_limit(limit)
    if section := section_named(session, words, edition):
        words, edition = f"in:{section[0]}", section[1]
    asked = read_search(words)
    if not asked.wanted and not (asked.within or asked.kinds or asked.cites):
        raise UsageError(
            "there is nothing to search for", way_out="Give words, or a condition such as in:702."
        )
    numbers = [*asked.within, *asked.cites]
    scope = resolve(session, numbers, asked.edition or edition).scope
    notes: list[str] = []
    is_plain = _is_plain(words, asked)
    nearest = _nearest(session, words, edition, limit) if is_plain else None
    meant = _spelled(asked, [session.index(edition) for edition in scope.editions], notes)
    hits = _hits(session, scope, meant, limit, notes, any_word=not is_plain)
    count = sum(total for _, total in hits.values())
    rows = _rows(session, scope, meant, hits)[:limit]
    if nearest and nearest.rows:
        behind = [] if number_in(words) else _behind(nearest.rows, rows)
        rows = [*nearest.rows, *behind][:limit]
        notes[:] = nearest.notes
    elif len(rows) < count and len(hits) == 1:
        notes.append(f"These are the best {limit} of {count}; --limit gives more.")
    if not rows and edition is None and is_plain and (last := _last_with(session, number_in(words))):
        older = search(session, words, edition=last.scope.label, limit=limit)
        called = numbers_now(session, last.things)
        return older._replace(notes=(*called, *older.notes))
    if not rows:
        others = len(session.editions()) > len(scope.editions)
        notes.append(f"Nothing in {scope.label}{'; edition:all searches every edition' if others else ''}.")
        if stored_sets(session.store):
            notes.append(
                "Cards and the rulings on them are not searched: `rulesgraph show` has them by name."
            )
    marked = marks([str(row[1]) for row in rows], meant.wanted)
    told = tuple(dict.fromkeys(notes))
    return Passages("search", COLUMNS, tuple(rows), scope.label, told, answered=bool(rows), marks=marked)


def _last_with(session: Session, number: str) -> Resolution | None:
    """Return the thing with a number in the newest edition that has it, if that is an older one."""
    with suppress(UnknownNameError):
        found = resolve(session, [number] if number else [])
        return None if found.scope == session.current else found
    return None


def _hits(
    session: Session, scope: Scope, meant: Search, limit: int, notes: list[str], *, any_word: bool
) -> dict[str, Fits]:
    """Return what each edition has of all the words, or if none has, of `any_word` of them."""

    def found(any_word: bool) -> dict[str, Fits]:
        return {
            edition: fitting(session.index(edition), meant, limit, any_word=any_word)
            for edition in scope.editions
        }

    hits = found(any_word=False)
    if any(rows for rows, _ in hits.values()) or len(meant.wanted) < 2 or not any_word:
        return hits
    hits = found(any_word=True)
    if any(rows for rows, _ in hits.values()):
        notes.append("No passage has all of these words; these have some of them.")
    return hits


def _nearest(session: Session, words: str, edition: str | None, limit: int) -> Passages:
    """Return the closest rules; a number alone is that of a rule."""
    number = number_in(words)
    recognised = recognise(session, f"rule {number}" if number else words, edition)
    return closest(session, recognised, limit=limit, least=0.0)


def _is_plain(words: str, asked: Search) -> bool:
    """Return whether a search is only words, without a condition, quotes or an asterisk."""
    conditions = (asked.within, asked.kinds, asked.cites, asked.edition)
    return (
        not any(conditions)
        and not any(it.prefix for it in asked.wanted)
        and not any(it in words for it in '"“”„')
    )


def _behind(nearest: Sequence[Cells], rows: Sequence[Cells]) -> list[Cells]:
    """Return the passages of `rows` that are not among the nearest, with scores below theirs."""
    seen = {row[7] for row in nearest}
    least = float(str(nearest[-1][5]))
    most = max((float(str(row[5])) for row in rows), default=0.0) or 1.0
    return [
        (*row[:5], round(least * float(str(row[5])) / most, 3), *row[6:])
        for row in rows
        if row[7] not in seen
    ]


def _spelled(asked: Search, indexes: Sequence[sqlite3.Connection], notes: list[str]) -> Search:
    """Return the search with unknown words corrected to known ones."""
    meant: list[Wanted] = []
    for wanted in asked.wanted:
        near = ""
        if len(wanted.words) == 1 and not wanted.prefix and not any(map(wanted.is_in, indexes)):
            near = next(filter(None, (nearest_word(it, wanted.words[0]) for it in indexes)), "")
        if near:
            notes.append(f"No passage has {wanted}; searched for “{near}”.")
        meant.append(Wanted((near,), said=near) if near else wanted)
    return asked._replace(wanted=tuple(dict.fromkeys(meant)))


def _rows(session: Session, scope: Scope, meant: Search, hits: Mapping[str, Fits]) -> list[Cells]:
    """Return the rows of several editions, the best first, each text once, in the newest."""
    found: list[Cells] = []
    seen: set[str] = set()
    for edition, (own, _) in hits.items():
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
            found.append((row.number or None, text, *where, score, reasons[row.id], inside + row.place))
    return sorted(found, key=lambda cells: -float(str(cells[5] or 0)))


def _reasons(index: sqlite3.Connection, search: Search, rows: Sequence[Hit]) -> dict[int, str]:
    """Return why each passage was found: its words, their places, and the required numbers that it cites."""
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
