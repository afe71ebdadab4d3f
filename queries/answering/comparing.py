"""Questions about two things or two times at once, for which the catalogue has no query of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from ..catalogue.phrasings import splits, tidy, written_out
from ..catalogue.questions import question
from ..finding.names import number_in
from ..recognising.recognition import Recognised, recognise
from ..session import Answer, Session
from .moment import edition_of
from .running import answer_to
from .understanding import thing_named

_DIFFERENCE = (
    "(what |what has |what is |)(changed|changes|different|differs|the differences|differences|the changes) "
    "(between|from) {} (and|to|until|till|vs) {}",
    "(compare|diff) {} (and|with|to|against) {}",
    "how did the rules change (between|from) {} (and|to) {}",
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
    """What words ask: its meaning as a sentence, a command that asks the same, and what answers it."""

    meaning: str
    command: str
    answer: Callable[[], Answer]
    things: tuple[Recognised, ...] = ()


def comparisons(session: Session, words: str) -> Iterator[Confrontation]:
    """Yield what `words` may ask of two things or times, the likeliest first; nearly all ask nothing of it.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    asked = tidy(words)
    for before, after in _given(_DIFFERENCE, asked):
        one, other = _edition(session, before), _edition(session, after)
        if one and other:
            yield _difference(session, one, other)
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


def _edition(session: Session, words: str) -> str:
    things = [it for it in recognise(session, f"in {words}").things if it.kind in ("edition", "date")]
    return edition_of(session, things[0]) if len(things) == 1 else ""


def _things(session: Session, pair: Sequence[str]) -> list[Recognised]:
    """Return the two things that two names stand for, or none where one stands for nothing."""
    named = [thing_named(session, words) for words in pair]
    things = [it[1][0] for it in named if it and it[1]]
    return things if len(things) == len(pair) else []


def _difference(session: Session, before: str, after: str) -> Confrontation:
    from ..history.diff import diff

    return Confrontation(
        f"What changed between {before} and {after}?",
        f"rulesgraph diff {before} {after}",
        lambda: diff(session, before, after).changes,
    )


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
