"""A search becomes an answer: the passages that have the words, the best first, with where they stand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...ontology.errors import UsageError
from ..finding.things import resolve
from ..session import Cells, Scope, Session
from .found import COLUMNS, Passages, texts_of
from .grammar import Search, Wanted, read_search
from .marks import marks
from .retrieval import Fits, citations_of, fitting, is_known, places_of
from .spelling import nearest_word

LIMIT = 10
"""How many passages a search gives unless another number is asked for."""


class _Hits(NamedTuple):
    """What one edition gives."""

    edition: str
    fits: Fits
    search: Search
    opened: sqlite3.Connection


def search(session: Session, words: str, *, edition: str | None = None, limit: int = LIMIT) -> Passages:
    """Find the passages that have all of the words, or else any; see `grammar` for what may be typed.

    Columns: `COLUMNS`; the score tells which of two passages of an answer is better, and nothing else. The
    edition is the one that is asked for, in the words or by `edition`, else the newest in which the numbers
    of the conditions stand; of editions that say the same in the same words, the newest alone is told.

    Raises `UsageError` for a search without words and conditions, or a condition that is wrong, and
    `UnknownNameError` for an edition that is not loaded, or a number that stands nowhere.
    """
    asked = read_search(words)
    if not asked.wanted and not (asked.within or asked.kinds or asked.cites):
        raise UsageError(
            "there is nothing to search for", way_out="Give words, or a condition such as in:702."
        )
    numbers = [*asked.within, *asked.cites]
    scope = resolve(session, numbers, asked.edition or edition).scope
    notes: list[str] = []
    hits = _hits(session, scope, asked, limit, notes)
    count = sum(hit.fits.total for hit in hits)
    rows = _rows(session, scope, hits)[:limit]
    if len(rows) < count and len(hits) == 1:
        notes.append(f"These are the best {limit} of {count}; --limit gives more.")
    if not rows and len(session.editions()) > len(scope.editions):
        notes.append(f"Nothing in {scope.label}; edition:all searches every edition.")
    marked = marks([str(row[1]) for row in rows], hits[0].search.wanted if hits else ())
    return Passages("search", COLUMNS, tuple(rows), scope.label, tuple(dict.fromkeys(notes)), marks=marked)


def _hits(session: Session, scope: Scope, asked: Search, limit: int, notes: list[str]) -> list[_Hits]:
    """Return what each edition has of all the words, or where none has, of any of them."""
    opened = [(edition, session.index(edition)) for edition in scope.editions]
    meant = _spelled(asked, [index for _, index in opened], notes)
    hits = [_Hits(edition, fitting(index, meant, limit), meant, index) for edition, index in opened]
    if any(hit.fits.rows for hit in hits) or len(meant.wanted) < 2:
        return hits
    hits = [
        _Hits(edition, fitting(index, meant, limit, any_word=True), meant, index) for edition, index in opened
    ]
    if any(hit.fits.rows for hit in hits):
        notes.append("No passage has all of these words; these have some of them.")
    return hits


def _spelled(asked: Search, indexes: Sequence[sqlite3.Connection], notes: list[str]) -> Search:
    """Return the search with the words that nothing has spelled as something has them."""
    meant: list[Wanted] = []
    for wanted in asked.wanted:
        near = ""
        if len(wanted.words) == 1 and not wanted.prefix and not any(is_known(it, wanted) for it in indexes):
            near = next(filter(None, (nearest_word(it, wanted.words[0]) for it in indexes)), "")
        if near:
            notes.append(f"Nothing has {wanted}; looked for “{near}”.")
        meant.append(Wanted((near,), said=near) if near else wanted)
    return asked._replace(wanted=tuple(dict.fromkeys(meant)))


def _rows(session: Session, scope: Scope, hits: Iterable[_Hits]) -> list[Cells]:
    """Return the rows of several editions, the best first, each text once: where it stands newest."""
    found: list[Cells] = []
    seen: set[str] = set()
    for hit in hits:
        inside = session.iris.edition(hit.edition) + "/"
        texts = texts_of(session, scope, [inside + row.place for row in hit.fits.rows])
        reasons = _reasons(hit)
        for row in hit.fits.rows:
            text = texts[inside + row.place]
            if text in seen and len(scope.editions) > 1:
                continue
            seen.add(text)
            score = round(row.score, 3) if hit.search.wanted else None
            found.append(
                (
                    row.number or None,
                    text,
                    hit.edition,
                    row.document,
                    row.line,
                    score,
                    reasons[row.id],
                    inside + row.place,
                )
            )
    return sorted(found, key=lambda cells: -float(str(cells[5] or 0)))


def _reasons(hit: _Hits) -> dict[int, str]:
    """Return why each passage was found: which words it has, where, and what it cites of what was asked."""
    said: dict[int, dict[str, list[str]]] = {row.id: {} for row in hit.fits.rows}
    for wanted in hit.search.wanted:
        for place, where in places_of(hit.opened, wanted, hit.fits.rows).items():
            said[place].setdefault(f"in its {where}", []).append(str(wanted))
    cited = citations_of(hit.opened, hit.search, hit.fits.rows)
    return {
        row.id: "; ".join(
            (
                *(f"{', '.join(those)} {where}" for where, those in said[row.id].items()),
                *([f"cites {', '.join(cited[row.id])}"] if row.id in cited else []),
            )
        )
        or "meets the conditions"
        for row in hit.fits.rows
    }
