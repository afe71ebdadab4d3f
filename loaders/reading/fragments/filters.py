"""Words that a reading site broke become whole again: filtered words, quotes turned to one side.

The steps are small, in a declared order, and each leaves alone what it is not sure of.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ...language.words import fold

_BROKEN = re.compile(r"(?<![\w.+@/])[A-Za-z]+(?:\.\+?[A-Za-z]+){2,}(?![\w@/]|\.\w)")
_SEPARATOR = re.compile(r"\.\+?")
_ABBREVIATION = re.compile(r"(?:e\.g|i\.e|a\.k\.a|a\.m|p\.m|n\.b|q\.v)\.", re.IGNORECASE)
_HOST = re.compile(
    r"www\.|.*\.(?:com|org|net|edu|gov|info|io|co|uk|de|txt|html?|aspx?|php|pdf)$", re.IGNORECASE
)
_CURLY = re.compile("[“”]")
_BEFORE_OPENING = re.compile(r"(?:^|[\s(\[{—–/-])$")


def mend(text: str) -> str:
    """Return the words of a web copy repaired: white space, then filtered words, then quotes."""
    return turn_quotes(join_filtered(fold(text)))


def join_filtered(text: str) -> str:
    """Return `text` with the words closed up that a filter took apart around single letters.

    Broken is a word of three pieces or more, joined by dots (``.`` or ``.+``), where each dot has a single
    small letter, neither first nor last, on a side of it. Abbreviations, initials, addresses and words
    of single letters alone stay.

    >>> join_filtered("cla.s.sical th.i.+mbles, e.g. from www.x.com")
    'classical thimbles, e.g. from www.x.com'
    """
    return _BROKEN.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    word = match[0]
    pieces = _SEPARATOR.split(word)
    is_set_apart = [0 < place < len(pieces) - 1 and len(piece) == 1 for place, piece in enumerate(pieces)]
    is_filtered = all(left or right for left, right in pairwise(is_set_apart))
    is_small = all(piece.islower() for piece in pieces[1:])
    is_initials = "+" not in word and all(len(piece) == 1 for piece in pieces)
    if not is_filtered or not is_small or is_initials or _ABBREVIATION.match(word) or _HOST.match(word):
        return word
    return "".join(pieces)


def turn_quotes(text: str) -> str:
    """Return `text` with its curly double quotes opening and closing as their places ask.

    Text with as many opening as closing quotes is left as it is. What stands at the beginning or
    behind white space, a dash or a bracket opens.

    >>> turn_quotes("the ”keeper” waits (”here”)")
    'the “keeper” waits (“here”)'
    """
    if text.count("“") == text.count("”"):
        return text
    return _CURLY.sub(lambda match: "“" if _BEFORE_OPENING.search(text[: match.start()]) else "”", text)
