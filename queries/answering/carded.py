"""Answer questions in words about cards: what they have, their rulings, and their rules."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ...loaders.language.dates import period_called
from ...ontology import UnknownNameError
from ..cards.asking import answer_with_cards
from ..cards.current import cards_called, current_cards
from ..cards.meeting import both, meeting
from ..cards.naming import cards_in
from ..cards.ruled import rulings_changed
from ..catalogue.matching import Fit, fitting
from ..catalogue.questions import question
from ..finding.names import capital
from ..session import Answer, Session, Understood
from .card_lists import list_asked, list_of, listed
from .moment import TimeSpan, moment_beside, since_called, timed
from .running import answer_to
from .slots import SlotValues, WordReading, computed
from .understanding import LONG_AGO, NO_YEAR, meanings, name_alone, thing_named

ChangesReader = Callable[[Session, SlotValues], WordReading | None]
"""Reads what changed for a card, from the values of the slots of a question."""


def closest_to(session: Session, words: str, edition: str | None, limit: int | None) -> Answer | None:
    """Return the rules closest to a question that names cards, at the time that it names, or None."""
    moment = moment_beside(session, words, edition)
    then = moment.edition if moment else ""
    rest = moment.rest if moment and then else LONG_AGO.sub("", words)
    cards = current_cards(session)
    # Short names are words like others (*Fry*), but not if nothing else is asked.
    if cards_called(session, [rest]) and not thing_named(session, rest, then or edition):
        rest = f"[[{rest}]]"
    found = answer_with_cards(session, cards, rest, then or edition, limit, both) if cards else None
    is_of_then = moment or (edition is None and LONG_AGO.search(words))
    if found is None or not is_of_then or found.name == "card_text":
        return found
    if moment is None:
        said = NO_YEAR
    elif moment.unknown:
        said = f"{capital(moment.unknown.what)}: these are from {found.edition}."
    else:
        said = f"The rules are those of {found.edition}; the cards and rulings are today’s."
    is_answered = found.answered and bool(then)
    return found._replace(lead=(said, *found.lead), notes=(said, *found.notes), answered=is_answered)


def of_cards(session: Session, words: str, edition: str | None, changes: ChangesReader) -> Answer | None:
    """Answer a question about cards from the catalogue or `computed.txt`; None for other words.

    Those of `computed.txt` ask where two cards meet, which rulings on a card are out of date, or which of its
    rules changed.
    """
    if several := listed(session, words, edition):
        return several
    asked = None
    with suppress(UnknownNameError):  # what is not about cards may need no loaded edition
        found = meanings(session, words, edition)
        asked = next((it for it in found if it.edition or it.question.area == "cards"), None)
    if asked and asked.question.area == "cards":
        where = asked.edition or edition
        if of := list_asked(session, asked.question.name, asked.names):
            return list_of(session, of, where)
        told = Understood(asked.meaning, asked=(asked.question.name, *asked.args))
        return answer_to(session, asked.question, asked.args, where)._replace(understood=told)
    cards = {it.used.lower(): it.name for it in cards_in(session, words) if it.iri}
    among = [question("interaction"), *(it for it in computed() if it.area == "cards")]
    for fit in fitting(timed(session, words), among) if cards else ():
        given = {slot: _meant(session, slot, said, cards) for slot, said in fit.given.items()}
        answer_to_fit = _answer(session, fit, given, edition, changes) if all(given.values()) else None
        if answer_to_fit:
            return answer_to_fit
    return None


def _meant(session: Session, slot: str, said: str, cards: dict[str, str]) -> str | TimeSpan | None:
    """Return what fills a slot: a day as in ``"2031-02"``, a time, or a card; nothing for other words."""
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
