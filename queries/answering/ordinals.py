"""Words that name one step by its place become the question for all of them, and the place."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..catalogue.phrasings import tidy
from ..session import Answer

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PLACE = re.compile(
    r"(?:(?:what|which) (?:is|was) )?(?:the )?"
    r"(?:(?P<what>step|stage|phase) (?:number )?#?(?P<figure>\d{1,2})"
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th)|last|final) (?P<named>step|stage|phase))"
    r"(?: (?:of|in|for|to) (?P<whole>.+))?",
    re.IGNORECASE,
)


class Placed(NamedTuple):
    """The place of a step, 0 for the last, and the words that ask for all steps."""

    place: int
    words: str


def placed(words: str) -> Placed | None:
    """Return the step that words name by its place; phases of nothing that is named are those of a turn.

    >>> placed("what's the third step of Combat?")
    Placed(place=3, words='what are the steps of Combat')
    >>> placed("phase 2"), placed("step 2"), placed("the end step")
    (Placed(place=2, words='what are the steps of turn'), None, None)
    """
    match = _PLACE.fullmatch(tidy(words))
    whole = match and (match["whole"] or ("turn" if "phase" in (match["what"], match["named"]) else ""))
    if not match or not whole:
        return None
    said = (match["figure"] or match["ordinal"]).lower()
    figures = re.match(r"\d+", said)
    place = int(figures[0]) if figures else _ORDINALS.index(said) + 1 if said in _ORDINALS else 0
    return Placed(place, f"what are the steps of {whole}")


def at_place(answer: Answer, place: int) -> Answer:
    """Return the rows of an answer about steps that stand at a place, 0 for the last, and of how many."""
    column = answer.columns.index("step")
    steps = [row[column] for row in answer.rows]
    wanted = place or max((it for it in steps if isinstance(it, int)), default=0)
    rows = tuple(row for row in answer.rows if row[column] == wanted)
    note = f"It is one of {len(steps)}." if rows else f"There are {len(steps)}."
    return answer._replace(rows=rows, notes=(*answer.notes, *([note] if steps else [])))
