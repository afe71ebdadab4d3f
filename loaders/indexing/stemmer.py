"""Reduce words to their stems, so that a search finds all forms of a word."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence, Set
from contextlib import closing
from functools import lru_cache

from ..language.everyday import FUNCTION_WORDS
from ..language.names import singular
from ..language.verbs import NOUNS_OF_VERBS, unbent
from ..language.words import telling_words

TOKENIZER = "porter unicode61 remove_diacritics 2"
"""SQLite's tokenizer and stemmer: case, accents and endings do not count."""

_NOT = re.compile(r"(?:\b(ca|wo|sha))?n['’]t\b", re.IGNORECASE)
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}

_WORDS = re.compile(r"([^\W\d_]{3,})")
_SIGNED = re.compile(r"[+\-−–]\d+/[+\-−–]\d+")
_IN_LETTERS = str.maketrans({"+": "plus", "/": ""} | dict.fromkeys("-−–", "minus"))
_SHORT = 3
"""A word of up to this many letters is not a plural: *gas*."""

_STEMS: dict[str, str] = {}
"""The stems of words looked up so far, ``""`` for anything but a word: questions share most words."""

_MOST_STEMS = 1 << 14

_DEATH = {"death": "dies", "died": "dies", "dying": "dies"}
"""Replacements for *dies*, so that it is not a *die* to be rolled."""


def without_contractions(text: str) -> str:
    """Return a text with *not* in full, so that *won't* is not a form of *won*.

    >>> without_contractions("It can't, and won’t.")
    'It can not, and will not.'
    """
    return _NOT.sub(_in_full, text) if "'" in text or "’" in text else text


def _in_full(match: re.Match[str]) -> str:
    return f"{_FULL[match[1].lower()] if match[1] else ''} not"


@lru_cache(maxsize=1 << 14)
def in_plain_forms(text: str) -> str:
    """Return a text with singular nouns, plain forms of irregular verbs, and verbs for their nouns.

    The stemmer does not know that *elves* is *elf*, *drawn* is *draw* and *dying* is *dies*, nor that a
    *payment* is what one *pays*, and would treat +1/+1 and -1/-1 as the same figures. Small words stay: they
    are not searched.

    >>> in_plain_forms("Dwarves drew lanterns; their choice was made")
    'Dwarf draw lantern; their choose was made'
    >>> in_plain_forms("a +1/+1 counter")
    'a plus1plus1 counter'
    """
    parts = _WORDS.split(text)
    parts[1::2] = map(_plain, parts[1::2])
    return _SIGNED.sub(lambda match: match[0].translate(_IN_LETTERS), "".join(parts))


@lru_cache(maxsize=1 << 14)
def _plain(word: str) -> str:
    """Return the plain form of a word. An edition has some nine thousand, most of them many times."""
    one = singular(word) if len(word) > _SHORT else word
    small = one.lower()
    if small in FUNCTION_WORDS:
        return one
    plain = _DEATH.get(small) or NOUNS_OF_VERBS.get(small) or unbent(small)
    return one if plain == small else plain


def stems(words: Iterable[str]) -> dict[str, str]:
    """Return the stem of each word; what the index does not count as a word is left out.

    >>> stems(["lanterns", "Elves", "?"])
    {'lanterns': 'lantern', 'Elves': 'elf'}
    """
    found = {word: _STEMS.get(word) for word in words}
    fresh = _stemmed([word for word, stem in found.items() if stem is None])
    if len(_STEMS) + len(fresh) <= _MOST_STEMS:
        _STEMS.update(fresh)
    return {word: stem for word, stem in (found | fresh).items() if stem}


def telling_stems(text: str) -> Set[str]:
    """Return the stems of the words that say what a text is about, as a set in their order.

    >>> [*telling_stems("The Moth's wing is of 2 lamps")]
    ['moth', 'wing', '2', 'lamp']
    """
    return dict.fromkeys(stems(telling_words(text)).values()).keys()


def _stemmed(words: Sequence[str]) -> dict[str, str]:
    if not words:
        return {}
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE VIRTUAL TABLE it USING fts5(word, content='', tokenize='{TOKENIZER}')")
        database.execute("CREATE VIRTUAL TABLE token USING fts5vocab(it, instance)")
        alike = (in_plain_forms(word) for word in words)
        database.executemany("INSERT INTO it(rowid, word) VALUES (?, ?)", enumerate(alike))
        rows = database.execute("SELECT doc, term FROM token ORDER BY doc, offset")
        return dict.fromkeys(words, "") | {words[place]: term for place, term in rows}
