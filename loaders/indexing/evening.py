"""A text becomes one in which words that are forms of one word have one stem."""

from __future__ import annotations

import re
from functools import lru_cache

from ..language.function_words import FUNCTION_WORDS
from ..language.names import singular
from ..language.verbs import NOUNS_OF_VERBS, unbent

_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)

_WORDS = re.compile(r"([^\W\d_]{3,})")
_SHORT = 3
"""Up to how many letters a word is no plural: *gas*."""

_DEATH = {"death": "dies", "died": "dies", "dying": "dies"}
"""Words for what *dies*, so that it is no *die* to be rolled."""


def without_contractions(text: str) -> str:
    """Return a text with *not* in full, so that *won't* is no form of *won*.

    >>> without_contractions("It can't, and won’t.")
    'It ca not, and wo not.'
    """
    return _NOT.sub(" not", text) if "'" in text or "’" in text else text


@lru_cache(maxsize=1 << 14)
def in_plain_forms(text: str) -> str:
    """Return a text with nouns in the singular, irregular verbs unbent, and verbs for the nouns of them.

    The stemmer does not know that *elves* are *elf*, that *drawn* is *draw* and *dying* is *dies*, nor that a
    *payment* is what one *pays*. Small words stay: they are not looked for.

    >>> in_plain_forms("Dwarves drew lanterns; their choice was made")
    'Dwarf draw lantern; their choose was made'
    """
    parts = _WORDS.split(text)
    parts[1::2] = map(_plain, parts[1::2])
    return "".join(parts)


@lru_cache(maxsize=1 << 14)
def _plain(word: str) -> str:
    """Return the plain form of a word: an edition has some nine thousand, most of them many times."""
    one = singular(word) if len(word) > _SHORT else word
    small = one.lower()
    if small in FUNCTION_WORDS:
        return one
    plain = _DEATH.get(small) or NOUNS_OF_VERBS.get(small) or unbent(small)
    return one if plain == small else plain
