"""Questions about two things or two times at once, for which the catalogue has no query of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from shlex import quote
from typing import NamedTuple

from ...loaders.language.names import plural
from ...ontology.iris import slug
from ..catalogue.pairs import (
    APART,
    CHAIN,
    DIFFERENCE,
    FATE,
    HOW_CHANGED,
    KINDS_BETWEEN,
    KINDS_IN,
    KINDS_SINCE,
    LIFE,
    NEW_BETWEEN,
    NEW_IN,
    NEW_SINCE,
    SINCE,
    THEN,
    WHAT_CHANGED,
    WHEREABOUTS,
    WITHIN,
    WITHIN_SINCE,
)
from ..catalogue.phrasings import beginning, splits, tidy, written_out
from ..catalogue.questions import question
from ..finding.kinds import GameKind, kind_called
from ..finding.names import number_in
from ..recognising.recognition import Recognised
from ..session import Answer, Session, with_history
from .moment import edition_called, from_their_start
from .newcomers import newcomers
from .respelling import respelled
from .running import answer_to
from .understanding import thing_named


class Confrontation(NamedTuple):
    """What words ask: its meaning as a sentence, a command that asks the same, and what answers it.

    `settled` is true where nothing found is an answer too.
    """

    meaning: str
    command: str
    answer: Callable[[], Answer]
    things: tuple[Recognised, ...] = ()
    settled: bool = False


def comparisons(session: Session, words: str) -> Iterator[Confrontation]:
    """Yield what `words` may ask of two things or times, the likeliest first; nearly all ask nothing of it.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    found = False
    words = from_their_start(session, words)
    for asked in dict.fromkeys((tidy(words), tidy(respelled(session, words)))):
        for it in _compared(session, asked):
            found = True
            yield it
        if found:
            return


def whereabouts(session: Session, words: str) -> Iterator[Confrontation]:
    """Yield the lives of what `words` ask the fate of, for where nothing took its place."""
    for (name,) in _given(WHEREABOUTS, tidy(words)):
        yield from _life(session, name)


def _compared(session: Session, asked: str) -> Iterator[Confrontation]:
    yield from _ways_of_change(session, asked)
    for name, before, after in (
        *_given(WITHIN, asked),
        *((*it, "now") for it in _given(WITHIN_SINCE, asked)),
    ):
        number, one, other = number_in(name), *(edition_called(session, it) for it in (before, after))
        if number and one and other:
            yield _difference(session, one, other, number)
    for before, after in _given(DIFFERENCE, asked):
        one, other = (edition_called(session, it) for it in (before, after))
        if one and other:
            yield _difference(session, one, other)
    for (before,) in _given(SINCE, asked):
        yield from _since(session, before)
    for name, day in _given(THEN, asked):
        number = number_in(name)
        if number and edition_called(session, day):
            yield _fate(session, number)
    for (name,) in _given(FATE, asked):
        number = number_in(name)
        if number:
            yield _fate(session, number)
    for (name,) in _given(LIFE, asked):
        yield from _life(session, name)
    for pair in _given(CHAIN, asked):
        named = _things(session, pair)
        if named:
            yield _chain(session, *named)
    for pair in _given(APART, asked):
        named = _things(session, pair)
        if named:
            yield _apart(session, *named)


def _ways_of_change(session: Session, asked: str) -> Iterator[Confrontation]:
    for what, how, *times in (
        *_given(KINDS_BETWEEN, asked),
        *((*it, "now") for it in _given(KINDS_SINCE, asked)),
        *_given(KINDS_IN, asked),
        *((what, "new", *times) for what, *times in (*_given(NEW_BETWEEN, asked), *_given(NEW_IN, asked))),
        *((what, "new", time, "now") for what, time in _given(NEW_SINCE, asked)),
    ):
        kind = None if what.lower() in WHAT_CHANGED else _kind(session, what)
        if how.lower() in HOW_CHANGED and (kind or what.lower() in WHAT_CHANGED):
            sort = kind or WHAT_CHANGED[what.lower()]
            yield from _changed(session, sort, HOW_CHANGED[how.lower()], times)


def _kind(session: Session, words: str) -> GameKind | None:
    """Return the kind that words name, by a label of the vocabulary or in players' words: *keywords*."""
    named = thing_named(session, words)
    return kind_called(session, words) or (kind_called(session, named[0]) if named else None)


def _given(wordings: tuple[str, ...], asked: str) -> Iterator[tuple[str, ...]]:
    for pieces in beginning(_by_opening(wordings), asked):
        yield from splits(pieces, asked)


@cache
def _by_opening(wordings: tuple[str, ...]) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for wording in wordings:
        for plain in written_out(wording):
            pieces = plain.split("{}")
            found.setdefault(pieces[0], []).append(pieces)
    return found


def _things(session: Session, pair: Sequence[str]) -> list[Recognised]:
    """Return the two things that two names stand for, or none where one stands for nothing."""
    named = [thing_named(session, words) for words in pair]
    things = [it[1][0] for it in named if it and it[1]]
    return things if len(things) == len(pair) else []


def _difference(session: Session, before: str, after: str, within: str | None = None) -> Confrontation:
    from ..history.diff import diff

    command = f"rulesgraph diff {before} {after}" + (f" --within {within}" if within else "")
    where = f" in {within}" if within else ""

    def answer() -> Answer:
        changes = diff(session, before, after, within=within).changes
        return changes._replace(notes=(*changes.notes, f"{command} begins with a summary by chapter."))

    return Confrontation(f"What changed{where} between {before} and {after}?", command, answer)


def _changed(
    session: Session, what: str | GameKind, how: str, times: Sequence[str]
) -> Iterator[Confrontation]:
    """Yield which rules, entries, or entries of a kind changed in one way, between two times or in one."""
    from ..history.diff import diff

    editions = [edition_called(session, it) for it in times]
    if len(editions) == 1 and editions[0]:
        editions.insert(0, _before(session, editions[0]))
    before, after = editions if all(editions) else ("", "")
    if not before or not after:
        return

    def answer() -> Answer:
        if isinstance(what, GameKind) and how in ("added", "removed"):
            return newcomers(session, what.label, *((before, after) if how == "added" else (after, before)))
        changes = diff(session, before, after, only=how).changes
        if isinstance(what, str):
            return changes._replace(rows=tuple(row for row in changes.rows if row[1] == what))
        those = answer_to(session, question("terms_of_kind"), (what.label,), after).rows
        names = {slug(str(row[0])) for row in those}
        return changes._replace(
            rows=tuple(row for row in changes.rows if row[1] == "entry" and slug(str(row[3])) in names)
        )

    said = plural(what.label) if isinstance(what, GameKind) else "rules" if what == "rule" else "entries"
    meaning = f"Which {said} were {how} between {before} and {after}?"
    asked = f"diff {before} {after} --only {how}" if isinstance(what, str) else f"ask {quote(meaning)}"
    yield Confrontation(meaning, f"rulesgraph {asked}", answer, settled=True)


def _before(session: Session, edition: str) -> str:
    """Return the edition of the rules before one, ``""`` for the first."""
    followed = [it.id for it in with_history(session.editions())]
    place = followed.index(edition) if edition in followed else 0
    return followed[place - 1] if place else ""


def _since(session: Session, words: str) -> Iterator[Confrontation]:
    """Yield what changed since an edition; since the newest one, what changed in it."""
    before, newest = edition_called(session, words), edition_called(session, "now")
    if before is None or not newest:
        return
    if before == newest:
        before = edition_called(session, "the last edition")
    if before:
        yield _difference(session, before, newest)
    else:
        asked = question("changed_rules")
        answer = partial(answer_to, session, asked, (), None)
        yield Confrontation(asked.title, f"rulesgraph ask {asked.name}", answer, settled=True)


def _fate(session: Session, number: str) -> Confrontation:
    from ..history.life import life_of

    command = f"rulesgraph trace {number}"
    return Confrontation(f"What became of rule {number}?", command, lambda: life_of(session, number))


def _life(session: Session, name: str) -> Iterator[Confrontation]:
    """Yield the life of what a name stands for: of a rule by its number, or of the entry of a term."""
    from ..history.life import life_of

    if number_in(name):
        yield _fate(session, number_in(name))
        return
    for it in _things(session, (name,)):
        command = f"rulesgraph trace {quote(it.name)}"
        meaning = f"What is the history of {it.name}?"
        yield Confrontation(meaning, command, partial(life_of, session, it.name), (it,))


def _chain(session: Session, one: Recognised, other: Recognised) -> Confrontation:
    from ..reliance.interaction import why_and_where

    return Confrontation(
        f"By which chain does {one.name} rely on {other.name}?",
        f"rulesgraph why {quote(one.name)} {quote(other.name)}",
        lambda: why_and_where(session, one.name, other.name),
        (one, other),
    )


def _apart(session: Session, one: Recognised, other: Recognised) -> Confrontation:
    if one.iri == other.iri:
        meaning = f"What is {one.name}, which is both of these?"
        command = f"rulesgraph ask definition {quote(one.name)}"
        single = partial(answer_to, session, question("definition"), (one.name,), None)
        return Confrontation(meaning, command, single, (one, other))

    def answer() -> Answer:
        asked = question("definition")
        first, second = (answer_to(session, asked, (it.name,), None) for it in (one, other))
        rows = tuple(dict.fromkeys((*first.rows, *second.rows)))
        return Answer("definition", first.columns, rows, first.edition, (*first.notes, *second.notes))

    meaning = f"What is {one.name}, and what is {other.name}?"
    return Confrontation(meaning, f"rulesgraph ask definition {quote(one.name)}", answer, (one, other))
