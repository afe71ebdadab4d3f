"""Answer how many there are: by what the same question with *which* finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ...loaders.language.names import plural, singular
from ...ontology import UnknownNameError, counted, grouped, in_a_list
from ..session import Answer
from .histories import WordReading
from .running import NO_LIST

HOW_MANY = re.compile(r"\W*how many\b", re.IGNORECASE)

_OF_COUNTS = ("statistics", "terms_on_cards")
"""Answers that consist of numbers."""

_NAMING = ("term", "source", "rule", "number")
"""Columns with the thing that a row is about, which may have several rows."""


def of_how_many(read: Callable[..., Iterator[WordReading]], words: str, *given: Any) -> Iterator[WordReading]:
    """Yield the readings of words; those of *how many* are also those of *which*.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    many = HOW_MANY.match(words)
    unknown: UnknownNameError | None = None
    try:
        yield from read(words, *given)
    except UnknownNameError as error:
        if not many:
            raise
        unknown = error
    if many:
        yield from read(f"which{words[many.end() :]}", *given)
    if unknown:
        raise unknown


def with_numbers(words: str, answer: Answer, reading: WordReading) -> Answer:
    """Return an answer; if the words ask how many there are, the lead says so, for lists by their names."""
    if answer.name == "parts_of" and HOW_MANY.match(words):
        levels = Counter(str(row["level"]) for row in answer)
        parts = f"These are {in_a_list([counted(number, level) for level, number in levels.items()])}."
        return answer._replace(lead=(parts, *answer.lead), notes=(parts, *answer.notes))
    if not HOW_MANY.match(words) or answer.name in _OF_COUNTS:
        return answer
    if answer.name != "list_items" or not reading.asked:
        number = len({row[0] for row in answer.rows} if answer.columns[0] in _NAMING else answer.rows)
        nouns = {str(row[3]).split()[-1] for row in answer.rows} if answer.name == "steps_of" else set[str]()
        noun = f" {(singular if number == 1 else plural)(*nouns)}" if nouns in ({"phase"}, {"step"}) else ""
        many = f"There {'is' if number == 1 else 'are'} {number:,}{noun}."
        if NO_LIST in answer.notes or answer.name == "narrower_terms":
            many = f"{number:,} {'was' if number == 1 else 'were'} found. {NO_LIST}"
        notes = (many, *(it for it in answer.notes if it != NO_LIST))
        return answer._replace(lead=(many, *answer.lead), notes=notes)
    told = []
    for edition, rows in grouped((str(row["document"]), row) for row in answer).items():
        lists = grouped((str(row["list"]), str(row["item"]).lower()) for row in rows)
        numbers = {name: len({*own}) for name, own in lists.items()}
        said = (f"{it:,} {(singular if it == 1 else plural)(name)}" for name, it in numbers.items())
        told.append(f"{edition} lists {' and '.join(said)}.")
    return answer._replace(lead=(*told, *answer.lead), notes=(*told, *answer.notes))
