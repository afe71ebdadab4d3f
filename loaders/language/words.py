"""Words as printed become words as compared: hard wraps joined, white space folded, quotes straight."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_SPACE = re.compile(r"[\s\u200b\ufeff]+")
_BROKEN_COMPOUND = re.compile(r"\w-$")
_SUSPENDED = re.compile(r"(?:and|or|to)\b", re.IGNORECASE)
_STRAIGHT = (("“", '"'), ("”", '"'), ("„", '"'), ("«", '"'), ("»", '"'), ("‘", "'"), ("’", "'"))

_FOLDS = str.maketrans(
    {
        "“": '"',
        "”": '"',
        "„": '"',
        "’": "'",
        "‘": "'",
        "—": "-",
        "–": "-",
        "−": "-",
        "…": "...",
        "\u00a0": " ",
        "_": "",
    }
)
_MARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
_RUN = re.compile(r"\s+")

_QUOTED = 60
"""Characters that show which text is meant."""


def fold(text: str) -> str:
    """Return `text` with every run of white space as one space, none at its ends.

    >>> fold("  the  keeper\\n waits ")
    'the keeper waits'
    """
    return _SPACE.sub(" ", text.replace("\u00ad", "")).strip()


def join_wrapped(lines: Iterable[str]) -> str:
    """Return hard-wrapped `lines` as one folded text; a compound broken at its hyphen closes again.

    A suspended hyphen ("power-" / "and toughness-changing") keeps its space.

    >>> join_wrapped(["a state-", "  based effect"])
    'a state-based effect'
    """
    joined: list[str] = []
    for line in filter(None, map(fold, lines)):
        if joined:
            compound = _BROKEN_COMPOUND.search(joined[-1][-2:])
            joined.append("" if compound and line[0].isalpha() and not _SUSPENDED.match(line) else " ")
        joined.append(line)
    return "".join(joined)


def straight(text: str) -> str:
    """Return `text` with straight quotation marks and apostrophes; its length does not change."""
    if not text.isascii():
        for curly, plain in _STRAIGHT:
            text = text.replace(curly, plain)
    return text


def normalise(text: str) -> str:
    """Return the form in which copies of one text are equal: NFC, straight quotes, white space folded."""
    return fold(straight(unicodedata.normalize("NFC", text)))


def fragment_id(normalised: str) -> str:
    """Return ``fragment-`` and the first 8 hex digits of the SHA-256 of a normalised text."""
    from hashlib import sha256  # it brings OpenSSL, and answers need the other functions here

    return f"fragment-{sha256(normalised.encode()).hexdigest()[:8]}"


def count_lines(lines: Iterable[str]) -> int:
    """Return the number of lines that hold more than white space."""
    return sum(1 for line in lines if fold(line))


def unbalanced_quotes(text: str) -> bool:
    """Tell whether a double quote in `text` is opened or closed only once."""
    return bool(text.count('"') % 2) or text.count("“") != text.count("”")


@lru_cache(maxsize=1 << 14)
def wording(text: str) -> str:
    """Return what two printings of the same words share: quotes, dashes, marks and emphasis are folded.

    >>> wording("The  “Magic”™ game—yes")
    'The "Magic" game-yes'
    """
    return _RUN.sub(" ", _MARKS.sub("", unicodedata.normalize("NFC", text).translate(_FOLDS))).strip()


def beginning(text: str, most: int = _QUOTED) -> str:
    """Return the first words of a text, as many as `most` characters hold.

    >>> beginning("the keeper waits for the boat", 20)
    'the keeper waits for'
    """
    return text if len(text) <= most else text[: most + 1].rpartition(" ")[0] or text[:most]


def ending(text: str, most: int = _QUOTED) -> str:
    """Return the last words of a text, as many as `most` characters hold.

    >>> ending("the keeper waits for the boat", 10)
    'the boat'
    """
    return text if len(text) <= most else text[-most - 1 :].partition(" ")[2] or text[-most:]
