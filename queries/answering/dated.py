"""Answer when something came, changed, or went: a sentence with the date before its history."""

from __future__ import annotations

import re

from ...loaders.language.dates import period_called
from ...loaders.language.numbers import number_in
from ...ontology.errors import UsageError
from ..history.summary import DatedHistory, told_history
from ..history.trace import history_of
from ..searching.scores import Passages
from ..session import Session

_WHEN = re.compile(
    r"\W*(?:since when|when|in (?:which|what) (?:year|edition))\s+(?:did|was|were)\b", re.IGNORECASE
)
_OF_A_GAME = re.compile(r"\b(?:i|me|my|we|our|you|your|he|she|his|her|they|opponents?)\b", re.IGNORECASE)


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
