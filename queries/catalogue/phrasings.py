"""Words as people ask them are held against the phrasings of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .questions import Question, questions

_HOLE = re.compile(r"\{(\w+)\}")
_CONTRACTIONS = ((r"\bwhat['’]s\b", "what is"), (r"\bwho['’]s\b", "who is"), (r"\bwhere['’]s\b", "where is"))
_SYNONYMS = (
    (r"\b(?:depends? (?:up)?on)\b", "rely on"),
    (r"^what (?=terms|rules|entries|names|documents)", "which "),
)
_FILLERS = re.compile(
    r"^(?:please|hey|so|and|ok(?:ay)?|can you|could you|would you|tell me|show me|list|give me|"
    r"do you know)\b[\s,]*",
    re.IGNORECASE,
)


class Fit(NamedTuple):
    """A question whose phrasing fits some words, and what stands in its holes, by parameter."""

    question: Question
    given: dict[str, str]


def fitting(words: str) -> list[Fit]:
    """Return the questions that some words fit, the one with the most words of its own first.

    Words that fit none are tried again in the words that the catalogue prefers, and as a name.
    """
    asked = tidy(words)
    fits = list(_fitting(asked)) or list(_fitting(_otherwise(asked)))
    if fits:
        return [fit for _, fit in sorted(fits, key=lambda found: found[0])]
    name = asked.lower().replace(" ", "_")
    return [Fit(it, {}) for it in questions() if it.name == name and not it.parameters]


def nearest(words: str) -> Sequence[str]:
    """Return the titles of the questions with the likest wording, quoted."""
    # Only where nothing fits: it takes longer to load than most questions to be answered.
    from rapidfuzz import fuzz, process, utils

    titles = {phrasing: question.title for question in questions() for phrasing in question.phrasings}
    near = process.extract(
        tidy(words), list(titles), scorer=fuzz.token_set_ratio, processor=utils.default_process, limit=8
    )
    return list(dict.fromkeys(f'"{titles[phrasing]}"' for phrasing, _, _ in near))[:3]


def tidy(words: str) -> str:
    """Return the question without what does not change it: case is kept, polite words and marks go.

    >>> tidy("Please tell me:  what's  Landwalk ?")
    'what is Landwalk'
    """
    text = " ".join(words.split()).strip(" ?!.")
    for pattern, plain in _CONTRACTIONS:
        text = re.sub(pattern, plain, text, flags=re.IGNORECASE)
    before = ""
    while before != text:
        before, text = text, _FILLERS.sub("", text).lstrip(" :,")
    return text


def _otherwise(asked: str) -> str:
    """Return the question in the words that the catalogue prefers.

    >>> _otherwise("what terms depend on Moth")
    'which terms rely on Moth'
    """
    for found, preferred in _SYNONYMS:
        asked = re.sub(found, preferred, asked, flags=re.IGNORECASE)
    return asked


def pattern(phrasing: str) -> re.Pattern[str]:
    """Return the pattern of one phrasing: words in any case, a group for each hole.

    >>> pattern("Who cites {concept}?").fullmatch("who cites rule 420")["concept"]
    'rule 420'
    """
    pieces = _HOLE.split(phrasing.strip(" ?."))
    parts = [
        re.escape(piece) if place % 2 == 0 else f"(?P<{piece}>.+?)" for place, piece in enumerate(pieces)
    ]
    return re.compile("".join(parts).replace(r"\ ", r"\s+"), re.IGNORECASE)


def _fitting(asked: str) -> Iterator[tuple[tuple[int, str], Fit]]:
    for question in questions():
        for phrasing in question.phrasings:
            found = pattern(phrasing).fullmatch(asked)
            if found:
                own_words = len(_HOLE.sub("", phrasing).split())
                yield (-own_words, question.name), Fit(question, found.groupdict())
