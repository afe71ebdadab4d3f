"""Answer questions in words that ask about cards themselves: what they have, their rulings, their rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from ...loaders.language.dates import period_called
from ...ontology.errors import UnknownNameError
from ..cards.meeting import meeting
from ..cards.naming import cards_in
from ..cards.ruled import rulings_changed
from ..catalogue.matching import Fit, fitting
from ..catalogue.questions import question
from ..session import Answer, Session, Understood
from .card_lists import listed
from .histories import SlotValues, WordReading, computed
from .moment import TimeSpan, from_their_start, since_called
from .running import answer_to
from .understanding import meanings, name_alone

_LISTS = ("cards_with", "cards_with_both")
_NAMING = re.compile(r"\b(?:mention|name|touch|make|create)(?:e?s)?\b", re.IGNORECASE)
"""Words of questions about cards that name something: whether they have it does not matter."""

_HAVING = re.compile(r"\b(?:have|has|with)\b", re.IGNORECASE)
"""Words of questions about cards that have something. Without, a type is meant: *which cards are auras*."""

ChangesReader = Callable[[Session, SlotValues], WordReading | None]
"""Reads what changed for a card, from the values of the slots of a question."""


def of_cards(session: Session, words: str, edition: str | None, changes: ChangesReader) -> Answer | None:
    """Return the answer to a question about cards of the catalogue or in `computed.txt`, else None.

    They ask where two cards meet, which rulings on a card are out of date, or which of its rules changed.
    """
    asked = None
    with suppress(UnknownNameError):  # what is not about cards may need no loaded edition
        asked = next((it for it in meanings(session, words, edition) if it.question.area == "cards"), None)
    if asked:
        answer = answer_to(session, asked.question, asked.args, asked.edition or edition)
        told = Understood(asked.meaning, asked=(asked.question.name, *asked.args))
        if asked.question.name in _LISTS:
            answer = _counted(answer, words)
        return answer._replace(understood=told)
    if several := listed(session, words, edition):
        return several
    cards = {it.used.lower(): it.name for it in cards_in(session, words) if it.iri}
    among = [question("interaction"), *(it for it in computed() if it.area == "cards")]
    for fit in fitting(from_their_start(session, words), among) if cards else ():
        given = {slot: _meant(session, slot, said, cards) for slot, said in fit.given.items()}
        answer_to_fit = _answer(session, fit, given, edition, changes) if all(given.values()) else None
        if answer_to_fit:
            return answer_to_fit
    return None


def _counted(answer: Answer, words: str) -> Answer:
    """Return a list of cards, first how many have what is asked, and how many only name it.

    Those that only name a type are left out if words ask which are of it. If they ask which cards name a
    thing, all are in the order of their names.
    """
    if not answer.rows:
        said = "No loaded card has it, or names it."
        return answer._replace(lead=(said,), notes=(said, *answer.notes))
    if _NAMING.search(words):
        return answer._replace(rows=tuple(sorted(answer.rows, key=lambda row: str(row[0]).lower())))
    ways = {str(row[2]) for row in answer.rows} - {"named"}
    having = {row[0] for row in answer.rows if row[2] != "named"}
    more = {row[0] for row in answer.rows} - having
    what = "both" if answer.name == _LISTS[1] else f"this {' or '.join(sorted(ways)) or 'printed on them'}"
    said = f"Cards with {what}: {len(having):,}."
    said += f" Others that name it, or give it to something: {len(more):,}." if more else ""
    rows = answer.rows
    if "type" in ways and not _HAVING.search(words):
        rows = tuple(row for row in rows if row[2] == "type")
    return answer._replace(rows=rows, lead=(said, *answer.lead), notes=(said, *answer.notes))


def _meant(session: Session, slot: str, said: str, cards: dict[str, str]) -> str | TimeSpan | None:
    """Return what fills a slot: a day as in ``"2031-02"``, a time, a card; nothing if the words do not."""
    if slot == "day":
        day = period_called(said)
        return day.name if day else ""
    if slot in ("before", "after"):
        return since_called(session, said)
    return cards.get(name_alone(said).lower(), "")


def _answer(
    session: Session, fit: Fit, given: SlotValues, edition: str | None, changes: ChangesReader
) -> Answer | None:
    title = fit.question.title.format(**given)
    if fit.question.name == "interaction":
        names = tuple(given.values())
        answer = meeting(session, names[0], names[1], edition)
        told = Understood(title, asked=(fit.question.name, *names))
        return answer._replace(understood=told) if answer and answer.rows else None
    if fit.question.name == "changed_for":
        reading = changes(session, given)
        if reading is None:
            return None
        return reading.answer()._replace(understood=Understood(reading.meaning, others=(reading.command,)))
    changed = rulings_changed(session, given["card"], edition, of=given.get("day", ""))
    return changed._replace(understood=Understood(title))
