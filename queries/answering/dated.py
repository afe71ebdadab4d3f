"""Answer when something came, changed, or went: a sentence with the date before its history."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from ...loaders.language.dates import period_called
from ...loaders.language.lexicon import How
from ...loaders.language.numbers import number_in
from ...ontology.errors import UsageError
from ..finding.names import identify
from ..finding.recognition import Recognised
from ..history.links import timeline
from ..history.summary import DatedHistory, or_earlier, told_history
from ..history.trace import history_of
from ..searching.scores import Passages
from ..session import Answer, Session
from .newcomers import departed
from .running import said_of_obsolete

_WHEN = re.compile(
    r"\W*(?:since when|when|in (?:which|what) (?:year|edition))\s+(?:did|was|were)\b", re.IGNORECASE
)
_OF_A_GAME = re.compile(r"\b(?:i|me|my|we|our|you|your|he|she|his|her|they|opponents?)\b", re.IGNORECASE)


def life_of(session: Session, it: Recognised | str) -> Answer:
    """Return the history of a rule, given by its number, or of a thing; first its state today."""
    if isinstance(it, str):
        return told_history(session, it)
    if it.how is How.PLAYERS and number_in(it.name):
        said = f"No text has the name “{it.used}”, so it has no date: this is the history of {it.name}."
        return told_history(session, it.name, [said])
    newest = timeline(session)[-1].id
    return told_history(session, it.name, said_of_obsolete(session, {it.iri: it.name}, newest))


def went(session: Session, words: str, limit: int) -> Passages:
    """Return the rules of some words that went (see `departed`), first when the closest of them did."""
    found = departed(session, words, limit)
    if not found.rows:
        return found
    lead = f"{found.rows[0][0] or 'The closest'}, with these words, was {found.rows[0][6]}."
    return found._replace(lead=(lead,), notes=(lead, *found.notes))


def replaced(session: Session, one: str, other: str) -> tuple[Callable[[], Answer], str] | None:
    """Return the history of what replaced another thing, if the rules tell, and its name; None if not.

    The two may be names of one thing at different times; else one of them is obsolete.
    """
    named = [identify(session, it) for it in (one, other)]
    for it, beside in (named, named[::-1]):
        for alias in it.renamed:
            if beside.key in (alias.iri, it.key):
                new, old = (alias.name, it.name) if alias.later else (it.name, alias.name)
                return partial(_renamed, session, new, old), new
    newest = timeline(session)[-1].id
    for it in named:
        if told := said_of_obsolete(session, {it.key: it.name}, newest):
            return partial(told_history, session, it.name, told), it.name
    return None


def _renamed(session: Session, new: str, old: str) -> DatedHistory:
    """Return the history of a thing, first since when it has had its new name."""
    found = told_history(session, new)
    entry = [row for row in found.rows if row[1] is not None and not number_in(str(row[1]))]
    own = [str(row[0]) for row in entry if str(row[1]).split(" (")[0].lower() == new.lower()]
    if not own:
        return found
    said = f"{old} has been called {new} since {own[0]}{or_earlier(session, own[0])}"
    before = [there.id for there, here in pairwise(timeline(session)) if here.id == own[0]]
    said += f"; {before[0]} has the old name." if before else "."
    return found._replace(lead=(said, *found.lead), notes=(said, *found.notes))


def called_in(session: Session, name: str, when: str) -> DatedHistory:
    """Return the last rows of a history up to a time, loaded or not, first the number or name then.

    Raises `UsageError` for words that name no time.
    """
    period = period_called(when)
    if period is None:
        raise UsageError(f"“{when}” is no day, month or year")
    found = history_of(session, name)
    until = [row for row in found.rows if str(row[0])[-10:] <= period.last.isoformat()]
    numbers = [row for row in until if row[1] is None or number_in(str(row[1]))]
    last = (numbers or until)[-1:]
    first = min(found.rows, key=lambda row: str(row[0]))
    if last and last[0][1] is not None:
        said = f"{name} was {last[0][1]} in {when}, since {last[0][0]}."
    else:
        said = f"{name} was not in the rules in {when}: they have it since {first[0]}."
    rows = tuple(until) or (first,)
    return DatedHistory("history", found.columns, rows, found.edition, (said, *found.notes), lead=(said,))


def undated(session: Session, words: str, found: Passages) -> tuple[str, ...]:
    """Return what to say before the closest rules if words ask when the rules changed: no date is known.

    It has since when the closest rule has had its words.
    """
    if not _WHEN.match(words) or _OF_A_GAME.search(words):
        return ()
    number = str(found.rows[0][0] or "") if found.rows else ""
    said = "No date is known for this."
    if number:
        life = told_history(session, number)
        said = " ".join((said, f"The closest rule of today is {number}:", *life.lead[1:2]))
    return (said,)
