"""A text becomes one in which words that are forms of one word have one stem."""

from __future__ import annotations

import re
from functools import lru_cache

from ..language.names import singular

_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)

_WORD = re.compile(r"[^\W\d_]{4,}")


_one = lru_cache(maxsize=1 << 14)(singular)
"""The singular of a word: an edition has some nine thousand, most of them many times."""


def without_contractions(text: str) -> str:
    """Return a text with *not* in full, so that *won't* is no form of *won*.

    >>> without_contractions("It can't, and won’t.")
    'It ca not, and wo not.'
    """
    return _NOT.sub(" not", text)


@lru_cache(maxsize=1 << 14)
def in_singular(text: str) -> str:
    """Return a text with its nouns in the singular: the stemmer does not know that *elves* are *elf*.

    >>> in_singular("Dwarves and lanterns")
    'Dwarf and lantern'
    """
    return _WORD.sub(lambda word: _one(word[0]), text)
