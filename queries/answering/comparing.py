"""Questions about two things or two times at once, for which the catalogue has no query of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from shlex import quote
from typing import NamedTuple

from ..catalogue.phrasings import frame_words, splits, tidy, written_out
from ..catalogue.questions import question
from ..finding.names import number_in
from ..recognising.recognition import Recognised
from ..session import Answer, Session
from .moment import edition_called
from .respelling import respelled
from .running import answer_to
from .understanding import thing_named

_RULES = (
    "(what |what has |what is |what are |which rules |what rules |which rules have |how have the rules |)"
)
_CHANGED = (
    "(changed|changes|different|differs|differ|new|the difference|difference|the differences|differences"
    "|the changes|were changed|are different|are new|were added|was added|has changed|have changed"
    "|got changed) "
)
_DIFFERENCE = (
    f"{_RULES}{_CHANGED}(between|from) {{}} (and|to|until|till|vs) {{}}",
    "(compare|diff|difference of) {} (and|with|to|against) {}",
    "how (did|do) (the |)rules (change|differ) (between|from) {} (and|to) {}",
)
_SINCE = (
    f"{_RULES}{_CHANGED}(since|after) {{}}",
    "how (did|do) (the |)rules (change|differ) (since|after|from) {}",
)
_FATE = (
    "what (happened|has happened) (to|with) {}",
    "what became of {}",
    "where (did|has) {} (go|gone|moved to|move to)",
    "where is {} now",
    "(what is |)(the |)history of {}",
    "what (was|is) {} (called|numbered) (before|now|earlier)",
)
_CHAIN = (
    "why does {} (rely on|depend on|need|rest on) {}",
    "how does {} (rely on|depend on|rest on|lead to) {}",
    "how (is|are) {} (related|connected|linked) to {}",
)
_APART = (
    "(what is |)(the |)difference between {} and {}",
    "how (is|are|does|do) {} (different|differ) from {}",
    "what (distinguishes|separates) {} from {}",
)


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
    for asked in dict.fromkeys((tidy(words), tidy(respelled(session, words, _frame_words())))):
        for it in _compared(session, asked):
            found = True
            yield it
        if found:
            return


def _compared(session: Session, asked: str) -> Iterator[Confrontation]:
    for before, after in _given(_DIFFERENCE, asked):
        one, other = (edition_called(session, it) for it in (before, after))
        if one and other:
            yield _difference(session, one, other)
    for (before,) in _given(_SINCE, asked):
        yield from _since(session, before)
    for (name,) in _given(_FATE, asked):
        number = number_in(name)
        if number:
            yield _fate(session, number)
    for pair in _given(_CHAIN, asked):
        named = _things(session, pair)
        if named:
            yield _chain(session, *named)
    for pair in _given(_APART, asked):
        named = _things(session, pair)
        if named:
            yield _apart(session, *named)


def _given(wordings: Sequence[str], asked: str) -> Iterator[tuple[str, ...]]:
    for wording in wordings:
        for plain in written_out(wording):
            yield from splits(plain.split("{}"), asked)


@cache
def _frame_words() -> frozenset[str]:
    """Return the words that these questions are worded with, and those of the catalogue."""
    wordings = (*_DIFFERENCE, *_SINCE, *_FATE, *_CHAIN, *_APART)
    return frame_words() | frozenset(re.findall(r"[a-z]+", " ".join(wordings)))


def _things(session: Session, pair: Sequence[str]) -> list[Recognised]:
    """Return the two things that two names stand for, or none where one stands for nothing."""
    named = [thing_named(session, words) for words in pair]
    things = [it[1][0] for it in named if it and it[1]]
    return things if len(things) == len(pair) else []


def _difference(session: Session, before: str, after: str) -> Confrontation:
    from ..history.diff import diff

    command = f"rulesgraph diff {before} {after}"

    def answer() -> Answer:
        changes = diff(session, before, after).changes
        return replace(changes, notes=(*changes.notes, f"{command} begins with a summary by chapter."))

    return Confrontation(f"What changed between {before} and {after}?", command, answer)


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
    from ..finding.things import resolve
    from ..history.life import life_of

    def answer() -> Answer:
        return life_of(session, number, resolve(session, (number,)).scope.editions[0])

    return Confrontation(f"What became of rule {number}?", f"rulesgraph trace {number}", answer)


def _chain(session: Session, one: Recognised, other: Recognised) -> Confrontation:
    from ..reliance.interaction import why_and_where

    return Confrontation(
        f"By which chain does {one.name} rely on {other.name}?",
        f"rulesgraph why {quote(one.name)} {quote(other.name)}",
        lambda: why_and_where(session, one.name, other.name),
        (one, other),
    )


def _apart(session: Session, one: Recognised, other: Recognised) -> Confrontation:
    def answer() -> Answer:
        asked = question("definition")
        first, second = (answer_to(session, asked, (it.name,), None) for it in (one, other))
        rows = tuple(dict.fromkeys((*first.rows, *second.rows)))
        return Answer("definition", first.columns, rows, first.edition, (*first.notes, *second.notes))

    meaning = f"What is {one.name}, and what is {other.name}?"
    return Confrontation(meaning, f"rulesgraph ask definition {quote(one.name)}", answer, (one, other))
