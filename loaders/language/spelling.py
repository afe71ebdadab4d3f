"""Correct misspelled words: find the intended known word, and leave English words as they are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

_SHORTEST = 5
"""The minimum number of letters in a word that may count as misspelled."""

_LONG = 8
"""The number of letters from which two slips are forgiven, not one."""

_LIST = ("symspellpy", "frequency_dictionary_en_82_765.txt")
"""The package with a list of English words, and its file: each line has a word and how often it is used."""


def corrected(
    word: str, known: frozenset[str], uses: Mapping[str, int] | None = None, shortest: int = _SHORTEST
) -> str:
    """Return the known word that a misspelled one, in small letters, was meant to be, or ``""``.

    Its first letter must be right. One slip is forgiven, two in a long word: a letter that is missing, too
    many, wrong, or swapped with the next. Words of less than five letters, where `shortest` allows them, must
    have the right letters. Of several equally near words the most used one is returned, if `uses` has how
    often each is used, and else none. English words are never misspelled.

    >>> corrected("latnern", frozenset({"lantern", "lamp"})), corrected("lamb", frozenset({"lamp"}))
    ('lantern', '')
    """
    near = _closest(word, known, shortest)
    if not near or (len(near) > 1 and uses is None) or is_english(word):
        return ""
    return min(near, key=lambda it: (-uses.get(it, 0), it)) if uses else near[0]


@lru_cache(maxsize=8192)
def _closest(word: str, known: frozenset[str], shortest: int) -> tuple[str, ...]:
    """Return the known words that are the fewest slips away, if they are near enough."""
    if len(word) < shortest or not word.isalpha():
        return ()
    slips = 2 if len(word) >= _LONG else 1
    likely = [it for it in known if _may_be(word, it, slips, shortest)]
    if not likely:
        return ()
    # Most words are near to none, and the library takes as long to load as a question to be answered.
    from rapidfuzz.distance import OSA

    far = {it: OSA.distance(word, it, score_cutoff=slips) for it in likely}
    least = min(far.values())
    return tuple(it for it, slip in far.items() if slip == least) if least <= slips else ()


def _may_be(word: str, other: str, slips: int, shortest: int) -> bool:
    """Return whether two words can be within some slips of each other, judging only by their letters."""
    if word[0] != other[0] or len(other) < shortest or abs(len(word) - len(other)) > slips:
        return False
    one, two = Counter(word), Counter(other)
    allowed = slips if len(word) >= _SHORTEST else 0
    return max((one - two).total(), (two - one).total()) <= allowed


def is_english(word: str, least: int = 0) -> bool:
    """Return whether a word is English, in any case, and used at least so often in the texts counted.

    >>> is_english("Lanterns"), is_english("lanterm"), is_english("ebullience", least=1_000_000)
    (True, False, False)
    """
    _, _, after = _words().partition(f"\n{word.lower()} ")
    return bool(after) and int(after[: after.index("\n")]) >= least


@cache
def english_words() -> frozenset[str]:
    """Return all known English words, for callers that check thousands."""
    return frozenset(line.partition(" ")[0] for line in _words().splitlines())


@cache
def _words() -> str:
    # Searching one text takes a tenth of the time of making a set of its words.
    package, name = _LIST
    # Neither its package nor `importlib.resources` is imported: each would take longer than the reading.
    spec: Any = find_spec(package)
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), name))
    return "\n" + data.decode("utf-8-sig").replace("\r\n", "\n")
