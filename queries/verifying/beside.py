"""Find the words that stand beside a citation: what its author says that the rule is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from .citations import Citation

_FARTHEST_BEHIND, _FARTHEST_BEFORE = 260, 200
_SHORTEST_SENTENCE = 25
_LIST = re.compile(
    r"[\s,;/&+|]*(?:and|or|through|to|[-–—])?\s*(?:\([^()]{0,30}\))?[\s,;/&+|]*(?:and|or)?\s*", re.IGNORECASE
)
"""What stands between the citations of one list; the words beside it are those of each."""

_SENTENCE = re.compile(rf"(?s).{{{_SHORTEST_SENTENCE},}}?[.!?](?=\s+[A-Z]|$)")
_LAST_SENTENCE = re.compile(r"(?s).*[.!?]\s+(?=\S)")
_FEW_WORDS = 4
"""*(See also rule …)* is about the sentence before it."""


_CONTRASTS = re.compile(
    r"\b(?:exceptions? (?:to|from)|unlike|contrary to|overrides?|rather than|not)\s+$", re.IGNORECASE
)
"""Before a citation of what does not apply to what is said."""


class Beside(NamedTuple):
    """The words beside a citation: behind it in its sentence, before it, farther behind, the code below.

    `others` are the numbers of the other citations in its passage.
    """

    near: str
    before: str
    far: str
    code: str
    others: frozenset[str]


def beside(found: Sequence[Citation]) -> list[Beside]:
    """Return the words beside each of the citations of one passage, in order."""
    if not found:
        return []
    text = found[0].passage.text
    joined = [bool(_LIST.fullmatch(text, one.end, following.start)) for one, following in pairwise(found)]
    everywhere = frozenset(number for it in found for number in it.numbers)
    told = []
    for place, it in enumerate(found):
        last = place
        while last < len(joined) and joined[last]:
            last += 1
        first = place
        while first and joined[first - 1]:
            first -= 1
        if _CONTRASTS.search(text, max(0, it.start - 20), it.start):
            told.append(Beside("", "", "", "", frozenset()))
            continue
        until = found[last + 1].start if last + 1 < len(found) else len(text)
        far = text[found[last].end : min(until, found[last].end + _FARTHEST_BEHIND)]
        since = found[first - 1].end if first else 0
        before = text[max(since, found[first].start - _FARTHEST_BEFORE) : found[first].start]
        rest = _last_sentences(before)
        near = match[0] if (match := _SENTENCE.match(far)) else far
        told.append(Beside(near, rest, far, it.passage.code, everywhere.difference(it.numbers)))
    return told


def _last_sentences(text: str) -> str:
    """Return the last sentence of a text, and the one before it where the last says too little."""
    match = _LAST_SENTENCE.match(text)
    if match and len(text[match.end() :].split()) < _FEW_WORDS:
        match = _LAST_SENTENCE.match(text, 0, match.end() - 1)
    return text[match.end() :] if match else text


def texts_of(several: Iterable[Beside]) -> list[str]:
    """Return the texts of some words beside citations, four of each, in order."""
    return [text for it in several for text in it[:4]]
