"""Return whole texts: a heading with the rules below it, a definition with its chapter, all with a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..catalogue.questions import question
from ..session import Answer, Session
from .running import answer_to, command

_HAPPENS = re.compile(r"\bhappens (?:in|during|at)\b", re.IGNORECASE)
_OF_THE_TURN = (" step", " phase")

_WITH_WORDS = re.compile(
    r"\W*(?:which|what|list|show(?: me)?|find|give me|all)\b.*?\b(?:rules|texts|passages|sentences|entries)\b"
    r".*?\b(?:mention|contain|use|say|have|with|include)(?:s|ing)?\b.*?\b(?:words?|phrase|text|string) "
    r"(?:[\"'“‘](?P<phrase>[^\"”’]+?)[\"'”’]|(?P<word>[\w/-]+))\W*",
    re.IGNORECASE,
)

EVERY_PASSAGE = 10_000
"""More than an edition has passages."""


def is_of_turn(words: str, name: str) -> bool:
    """Return whether words ask for everything that happens in a part of the turn, not only what it is."""
    return name.lower().endswith(_OF_THE_TURN) and _HAPPENS.search(words) is not None


def words_asked_for(words: str) -> str:
    """Return the words of which a question wants every text, ``""`` for other questions.

    >>> words_asked_for("which rules contain the word “moth”?"), words_asked_for("which rules mention moths?")
    ('moth', '')
    """
    asked = _WITH_WORDS.fullmatch(words)
    return (asked["phrase"] or asked["word"]) if asked else ""


def with_parts(
    session: Session, text: Callable[[], Answer], args: Sequence[str], edition: str | None
) -> Answer:
    """Return the text of a rule; for a bare heading or the opening of a list, with the rules below it.

    For other rules, a note names their parts.
    """
    found = text()
    parts = answer_to(session, question("parts_of"), tuple(args), edition) if found.rows else found
    if all(row[1] == row[2] or str(row[2]).endswith(":") for row in found.rows):
        rows = ((number, *told) for number, _, *told in parts.rows)
        return found._replace(rows=(*found.rows, *rows))
    below = [str(row[0]) for row in parts.rows if row[0]]
    if not below:
        return found
    told = f"{below[0]} to {below[-1]} are parts of it" if len(below) > 1 else f"{below[0]} is a part of it"
    typed = command("ask", "parts_of", *args, edition=edition)
    return found._replace(notes=(*found.notes, f"{told}: `{typed}`."))


def with_chapter(session: Session, definition: Callable[[], Answer], edition: str | None) -> Answer:
    """Return a definition with all rules of the chapter whose heading it has, without examples."""
    found = definition()
    chapter = next((str(row[0]) for row in found.rows if row[0] and "." not in str(row[0])), "")
    if not chapter:
        return found
    parts = answer_to(session, question("parts_of"), (chapter,), edition)
    shown = {row[0] for row in found.rows}
    rest = (row for row in parts.records() if row["number"] and row["number"] not in shown)
    rows = (tuple(row.get(column) for column in found.columns) for row in rest)
    return found._replace(rows=(*found.rows, *rows))
