"""Search the passages of editions: those closest to some words, then those that have all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ...loaders.editions import stored_sets
from ...loaders.indexing.index import without_index
from ...loaders.language.numbers import number_in
from ...loaders.store import open_store
from ...loaders.workers import FEW, Progress, Workers
from ...ontology import UnknownNameError, UsageError
from ..finding.recognition import recognise
from ..finding.things import Resolution, resolve, section_named
from ..history.summary import numbers_now
from ..session import Session, check_limit
from .closest import closest
from .exact import Hit, hits_of, rows_of
from .grammar import Search, Wanted, marks, read_search
from .scores import COLUMNS, PassageRow, Passages
from .terms import nearest_word

LIMIT = 10
"""The default number of passages that a search returns."""

_ALL = 100_000
"""More rules than an edition has."""


def search(
    session: Session, words: str, *, edition: str | None = None, limit: int | None = LIMIT
) -> Passages:
    """Find the rules closest to some words, then others that have all of them; `grammar` reads the text.

    Words with a condition, in quotes or with an asterisk must all be there, in any form: *moths* is *moth*.
    If no passage has all of them, those with any of them are returned.

    Columns: `COLUMNS`. Scores only compare passages within one answer. The edition is the one requested, in
    the words or by `edition`, or else the newest that has the numbers in the conditions. Of editions with the
    same words, only the newest has a row.

    Raises `UsageError` for a search without words and conditions, or with an invalid condition, and
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
    if session.progress and len(scope.editions) >= FEW:  # a service has threads, which make forking unsafe
        _make_indexes(session, scope.editions, session.progress)
    is_plain = _is_plain(words, asked)
    nearest = _nearest(session, words, edition) if is_plain else None
    meant = _spelled(asked, [session.index(edition) for edition in scope.editions], notes)
    hits = hits_of(session, scope, meant, notes, any_word=not is_plain)
    several = len(hits) > 1  # the same words in several editions count once
    most = None if several else limit
    found = rows_of(session, scope, meant, {edition: own[:most] for edition, own in hits.items()})
    places = {row.iri for row in found} if several else _places(session, hits)
    if nearest and nearest.rows:
        places = {row.iri for row in nearest.passages}.union(() if number_in(words) else places)
        behind = [] if number_in(words) else _behind(nearest.passages[:limit], found)
        found = [*nearest.passages[:limit], *behind]
        notes[:] = nearest.notes
    rows = found[:limit]
    left = len(places) - len(rows)
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
    marked = marks([row.text for row in rows], meant.wanted)
    told = tuple(dict.fromkeys(notes))
    return Passages(
        "search", COLUMNS, tuple(rows), scope.label, told, answered=bool(rows), marks=marked, more=left
    )


def _make_indexes(session: Session, editions: Sequence[str], progress: Progress) -> None:
    """Make the indexes that several editions lack, with one process for each processor."""
    documents = {it: session.scope(it).documents for it in editions}
    jobs = [(session.store.location, it) for it in without_index(session.store, session.iris, documents)]
    if len(jobs) >= FEW:
        with Workers() as workers:
            for _ in workers.map(_make_index, jobs, lambda n: progress("indexing", n, len(jobs)), start=True):
                pass


def _make_index(job: tuple[str, str]) -> None:
    """Make the index of an edition of the store at a location, in a process of its own."""
    location, edition = job
    Session(open_store(location)).index(edition)


def _places(session: Session, hits: Mapping[str, Sequence[Hit]]) -> set[str]:
    """Return the IRIs of what was found."""
    return {f"{session.iris.edition(it)}/{row.place}" for it, own in hits.items() for row in own}


def _last_with(session: Session, number: str) -> Resolution | None:
    """Return the thing with a number in the newest edition that has it, if that is an older one."""
    with suppress(UnknownNameError):
        found = resolve(session, [number] if number else [])
        return None if found.scope == session.current else found
    return None


def _nearest(session: Session, words: str, edition: str | None) -> Passages:
    """Return the closest rules, all of them; a bare number is that of a rule."""
    number = number_in(words)
    recognised = recognise(session, f"rule {number}" if number else words, edition)
    return closest(session, recognised, limit=_ALL, least=0.0)


def _is_plain(words: str, asked: Search) -> bool:
    """Return whether a search is only words, without a condition, quotes or an asterisk."""
    conditions = (asked.within, asked.kinds, asked.cites, asked.edition)
    return (
        not any(conditions)
        and not any(it.prefix for it in asked.wanted)
        and not any(it in words for it in '"“”„')
    )


def _behind(nearest: Sequence[PassageRow], rows: Sequence[PassageRow]) -> list[PassageRow]:
    """Return the passages in `rows` that are not among the nearest, with scores below theirs."""
    seen = {row.iri for row in nearest}
    most = max((row.score or 0.0 for row in rows), default=0.0) or 1.0
    share = (nearest[-1].score or 0.0) / most
    return [row._replace(score=round(share * (row.score or 0.0), 3)) for row in rows if row.iri not in seen]


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
