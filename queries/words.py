"""A question in words becomes a question of the catalogue with its arguments, by the headers' patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError, UsageError
from . import catalog, lookup

if TYPE_CHECKING:
    from .catalog import Question
    from .runner import Session

_HOLE = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"^(?:the|an?|rule|rules|term|terms|entry|entries|concept)\s+", re.IGNORECASE)
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


def match(session: Session, words: str) -> tuple[Question, tuple[str, ...]]:
    """Return the question that `words` ask, with its arguments.

    Of several patterns that fit, one whose arguments all stand for something is taken, then the one with
    the most words of its own. Raises `UnknownNameError` with the nearest questions when none fits, and
    with the nearest names when one does but names something unknown.
    """
    asked = tidy(words)
    fitting = sorted(_fitting(asked), key=lambda fit: fit[0])
    fitting = fitting or sorted(_fitting(_otherwise(asked)), key=lambda fit: fit[0])
    if not fitting:
        for question in catalog.questions():
            if question.name == asked.lower().replace(" ", "_") and not question.parameters:
                return question, ()
        raise UnknownNameError(
            "question", words, _nearest(asked), "rulesgraph ask --list shows all questions"
        )
    unknown: UsageError | None = None
    for _, question, args in fitting:
        try:
            return question, _known(session, question, args)
        except UsageError as error:
            unknown = unknown or error
    assert unknown is not None
    raise unknown


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


def _fitting(asked: str) -> Iterator[tuple[tuple[int, str], Question, dict[str, str]]]:
    for question in catalog.questions():
        for phrasing in question.phrasings:
            found = pattern(phrasing).fullmatch(asked)
            if found:
                own_words = len(_HOLE.sub("", phrasing).split())
                yield (-own_words, question.name), question, found.groupdict()


def _known(session: Session, question: Question, args: dict[str, str]) -> tuple[str, ...]:
    """Return the arguments in the order of the parameters, each as something that stands for something."""
    from .ask import THINGS

    ready = []
    for parameter in question.parameters:
        given = args[parameter.name]
        if parameter.name not in THINGS:
            ready.append(given)
            continue
        bare = _ARTICLE.sub("", given)
        try:
            lookup.identify(session, given)
        except UsageError:
            if bare == given:
                raise
            lookup.identify(session, bare)
            given = bare
        ready.append(given)
    return tuple(ready)


def _nearest(asked: str) -> Sequence[str]:
    """Return the questions with the likest wording."""
    from rapidfuzz import fuzz, process, utils

    titles = {phrasing: question.title for question in catalog.questions() for phrasing in question.phrasings}
    near = process.extract(
        asked, list(titles), scorer=fuzz.token_set_ratio, processor=utils.default_process, limit=8
    )
    return list(dict.fromkeys(f'"{titles[phrasing]}"' for phrasing, _, _ in near))[:3]
