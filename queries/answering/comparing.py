"""Answer questions about two things or two dates at once, for which the catalogue has no query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from ...loaders.language.lexicon import How
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError
from ..catalogue.matching import fitting
from ..catalogue.questions import ParameterKind, Question, question
from ..finding.recognition import Recognised
from ..session import Answer, Session, with_history
from .changes import HOW, OF_A_TIME, from_the_list, thing_meant
from .histories import OF_ONE_THING, SlotValues, WordReading, computed
from .moment import TimeSpan, since_called, span_called, timed
from .neutral import is_neutral
from .running import answer_to, command
from .spelling import respelled
from .understanding import name_alone, named_as, thing_named

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PLACE = re.compile(rf"#?(\d{{1,2}})(?:st|nd|rd|th)?|{'|'.join(_ORDINALS)}|last|final", re.IGNORECASE)


_CHANGED_IN = re.compile(
    r"\b(rules|terms|entries|keywords|abilities|actions|added|removed|changed|reworded|renumbered|split|merged)"
    r" ((?:19|20)\d\d)(?=\W*$)",
    re.IGNORECASE,
)
"""A year without a preposition after words for what changed: *removed rules 2009*."""

_VERSUS = re.compile(r"(.+?) (?:vs\.?|versus) (.+)", re.IGNORECASE)


def comparisons(session: Session, words: str, *, around: bool = False) -> Iterator[WordReading]:
    """Yield the readings of `words` about two things or times, the likeliest first; most have none.

    `around` is that of `understanding.meanings`. Raises `UnknownNameError` for an edition that is not loaded.
    """
    among = [it for it in computed() if it.name != "whereabouts" and it.area != "cards"]
    words = timed(session, _CHANGED_IN.sub(r"\1 in \2", words))
    versus = _VERSUS.fullmatch(words)
    if versus and all(thing_named(session, it) for it in versus.groups()):
        meeting = answer_to(session, question("interaction"), versus.groups(), None)
        words = words if meeting.rows and meeting.answered else f"compare {versus[1]} and {versus[2]}"
    for asked in dict.fromkeys((words, respelled(session, words))):
        if found := [*_computed(session, asked, among, around)]:
            yield from found
            return


def whereabouts(session: Session, words: str, *, around: bool = False) -> Iterator[WordReading]:
    """Yield readings for the history of the subject of `words`, if nothing replaced it."""
    among = [it for it in computed() if it.name == "whereabouts"]
    for it in _computed(session, words, among, around):
        yield it._replace(loose=True, settled=False)


def _computed(session: Session, words: str, among: Sequence[Question], around: bool) -> Iterator[WordReading]:
    unknown: UnknownNameError | None = None
    known: WordReading | None = None
    found = False
    for fit in fitting(words, among, around=around):
        # *Who sang in 2019* does not ask about changes, so it needs no edition of 2019.
        is_change = fit.given.get("how", "new").lower() in HOW
        if fit.question.name == "changed_during" and " different" in words:
            continue  # it compares the rules of then with those of today
        if is_change and is_neutral(session, words, fit, None):
            kinds = {it.name: it.kind for it in fit.question.parameters}
            own: list[WordReading] = []
            try:
                given = {name: _meant(session, kinds[name], said) for name, said in fit.given.items()}
                if None in given.values():
                    continue
                own += _ANSWERED[fit.question.name](session, given)
            except UnknownNameError as error:  # another fit may need no loaded edition
                unknown = unknown or error
            found = found or bool(own)
            yield from own
            known = known or (None if own else from_the_list(session, fit.question.name, fit.given))
    if known and not found:
        yield known
    elif unknown and not found:
        raise unknown


def _meant(session: Session, kind: ParameterKind, said: str) -> str | TimeSpan | Recognised | None:
    """Return the value of a slot: a number, the time since an edition or a period, a thing, words."""
    if kind is ParameterKind.RULE:
        return number_in(name_alone(said)) or None
    if kind is ParameterKind.EDITION:
        return since_called(session, said)
    if kind is ParameterKind.PERIOD:
        return span_called(session, said)
    if kind is ParameterKind.THING:
        return thing_meant(session, said)
    if kind is ParameterKind.PROCEDURE:
        steps = named_as(session, kind, said, None)
        return steps and (steps[1][0].name if steps[1] else steps[0])
    return said


def _gone(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for removed rules, if words name nothing today."""
    words = f"{name_alone(given['what'])} {given.get('doing', '')}".strip()
    if thing_named(session, words) is None and with_history(session.editions()):
        # Few questions need this.
        from .sentences import MOST_GONE, went

        meaning = f"Which rules with “{words}” are gone, and since when?"
        answer = partial(went, session, words, MOST_GONE)
        yield WordReading(meaning, command("search", words, edition="all"), answer)


def _chain(session: Session, given: SlotValues) -> Iterator[WordReading]:
    from ..reliance.interaction import why_and_where

    one, other = given["concept"], given["other"]
    if not isinstance(one, str) and not isinstance(other, str):
        yield WordReading(
            f"Through which links does {one.name} rely on {other.name}?",
            command("why", one.name, other.name),
            lambda: why_and_where(session, one.name, other.name),
            (one, other),
        )


def _apart(session: Session, given: SlotValues) -> Iterator[WordReading]:
    one, other = given["concept"], given["other"]
    if isinstance(one, str) or isinstance(other, str):
        return
    asked = question("definition")
    same = one.iri == other.iri
    if same and one.how is other.how is How.PLAYERS:  # *+1/+1 counter vs -1/-1 counter*
        return
    yield WordReading(
        f"What is {one.name}, which is both of these?"
        if same
        else f"What is {one.name}, and what is {other.name}?",
        command("ask", "definition", one.name),
        partial(answer_to, session, asked, (one.name,), None)
        if same
        else partial(_both_defined, session, one.name, other.name),
        (one, other),
    )


def _both_defined(session: Session, *names: str) -> Answer:
    """Yield the reading for the definitions of two terms."""
    first, second = (answer_to(session, question("definition"), (name,), None) for name in names)
    rows = tuple(dict.fromkeys((*first.rows, *second.rows)))
    span = " to ".join(dict.fromkeys((first.edition, second.edition)))
    return Answer("definition", first.columns, rows, span, (*first.notes, *second.notes))


def _step_at(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for one step of a procedure, by its place; a phase alone is one of the turn."""
    said = _PLACE.fullmatch(given["place"])
    if not said:
        return
    whole, word = given.get("concept", "turn"), said[0].lower()
    place = int(said[1]) if said[1] else _ORDINALS.index(word) + 1 if word in _ORDINALS else 0
    asked = question("steps_of")

    def answer() -> Answer:
        found = answer_to(session, asked, (whole,), None)
        column = found.columns.index("step")
        steps = [row[column] for row in found.rows]
        wanted = place or max((it for it in steps if isinstance(it, int)), default=0)
        rows = tuple(row for row in found.rows if row[column] == wanted)
        note = f"It is one of {len(steps)}." if rows else f"There are {len(steps)}."
        return found._replace(rows=rows or found.rows, notes=(*found.notes, *([note] if steps else [])))

    which = f"number {place}" if place else "the last"
    meaning = f"{asked.title.format(concept=whole)} {which.capitalize()}"
    yield WordReading(meaning, command("ask", "steps_of", whole), answer)


_ANSWERED: Mapping[str, Callable[[Session, SlotValues], Iterator[WordReading]]] = {
    "gone": _gone,
    "stopped": _gone,
    "chain": _chain,
    "apart": _apart,
    "step_at": _step_at,
    **OF_A_TIME,
    **OF_ONE_THING,
}
"""The function for each of the questions of `computed.txt`."""
