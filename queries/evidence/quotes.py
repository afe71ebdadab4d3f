"""Extract the sentence around a position in a text, for quotation."""

from __future__ import annotations

import re

from ...loaders.language.sentences import sentences
from ...loaders.language.words import fold

_POINTER = re.compile(r"\W*(?:(?:Also )?see|For (?:more|details|further)|Refer to)\b", re.IGNORECASE)
_BACK_REFERENCE = re.compile(
    r"\W*(?:This|That|These|Those)(?: [\"“][^\"”]{1,30}[\"”])? (?:is|are)\b", re.IGNORECASE
)


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the sentence or sentences around the span `start`, `end`, with white space folded.

    A sentence that only points elsewhere ("See rule 1.2.") comes with the one before it, which is what
    it is said about, and so does one that speaks of what was just said ("This is a check.").

    >>> sentence_around("It dies. This is a check. See 1.2.", 30, 33)
    'It dies. This is a check. See 1.2.'
    """
    spans = sentences(text)
    first = last = None
    for index, (a, b) in enumerate(spans):
        if a < end and start < b:
            first = index if first is None else first
            last = index
    if first is None or last is None:
        return fold(text)
    for leaning in (_POINTER, _BACK_REFERENCE):
        if first == 0 or _parted(text, spans[first - 1], spans[first]):
            break
        if leaning.match(text, spans[first][0]):
            first -= 1
    return fold(text[spans[first][0] : spans[last][1]])


def cut(text: str, span: tuple[int, int] | None) -> str:
    """Return the sentence around a span, or the whole text where no place in it is known."""
    return sentence_around(text, *span) if span else fold(text)


def opening(text: str) -> str:
    """Return the first sentence: what a rule says about the term in its title."""
    start, end = next(iter(sentences(text)), (0, 0))
    return fold(text[start:end])


def _parted(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two sentences are in different paragraphs."""
    return "\n" in text[one[1] : other[0]]
