"""Names that are everyday words are told from those that mean the thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...loaders.language.everyday import BESIDE, COMMON_OPENINGS, COMPANY, JOINING, UNMARKED
from ...loaders.language.sentences import sentence_at
from .tokens import Word

_NEAR = 60
"""How many characters from a name what tells its sense is looked for."""

_QUOTES = "\"“”„'‘’"
_SHOUTED = 0.8
"""The share of words with capitals from which on a capital says nothing."""


class Sense:
    """What the neighbourhood of a name says about it; made once for a text and its words."""

    def __init__(self, text: str, words: Sequence[Word], named: set[int]) -> None:
        """Take a text, its words, and the places of those that are part of a name of some length."""
        self._text = text
        self._words = words
        self._named = named
        capitals = sum(text[word.start].isupper() for word in words)
        self._capitals_count = capitals <= _SHOUTED * len(words)

    def means(self, first: int, end: int) -> bool:
        """Tell whether the words from `first` to before `end`, which are a name, mean what is called so."""
        if first == 0 and end == len(self._words):
            return True
        start, stop = self._words[first].start, self._words[end - 1].end
        surface = self._text[start:stop]
        small = surface.lower()
        if self._is_quoted(start, stop):
            return True
        if len(surface) == 1:
            return surface.isupper() and not (surface in "IA" or self._opens(first))
        if small in UNMARKED:
            return self._capitals_count and surface.istitle() and not self._opens(first)
        return not self._is_everyday(small, start, stop) and not self._is_proper(first, end)

    def _is_quoted(self, start: int, stop: int) -> bool:
        before, after = self._text[start - 1 : start], self._text[stop : stop + 1]
        return bool(before) and before in _QUOTES and bool(after) and after in _QUOTES

    def _opens(self, place: int) -> bool:
        """Tell whether a word opens a sentence, so that its capital says nothing."""
        before = self._text[: self._words[place].start].rstrip(" \t\n" + _QUOTES + "([")
        return not before or before[-1] in ".!?:;—–-"

    def _is_everyday(self, small: str, start: int, stop: int) -> bool:
        """Tell whether the words around a name, `small` in small letters, show that it is not meant."""
        beside, company = BESIDE.get(small), COMPANY.get(small)
        around = f"{self._text[max(0, start - _NEAR) : start]}<>{self._text[stop : stop + _NEAR]}"
        if beside and re.search(beside, around, re.IGNORECASE):
            return True
        return company is not None and not re.search(company, sentence_at(self._text, start), re.IGNORECASE)

    def _is_proper(self, first: int, end: int) -> bool:
        """Tell whether a single word with a capital is part of a longer name, a card's: *Wall of Omens*."""
        word = self._text[self._words[first].start : self._words[first].end]
        if end - first > 1 or not self._capitals_count or not word[0].isupper():
            return False
        return any(self._is_foreign(place) for place in self._beside(first))

    def _beside(self, first: int) -> list[int]:
        """Return the words with capitals that only spaces and small words part from the one at `first`."""
        found = []
        for step in (-1, 1):
            place = first + step
            while 0 <= place < len(self._words):
                left, right = sorted((place, place - step))
                gap = self._text[self._words[left].end : self._words[right].start]
                word = self._text[self._words[place].start : self._words[place].end]
                if gap.strip() or not (word[0].isupper() or word in JOINING):
                    break
                if word not in JOINING:
                    found.append(place)
                place += step
        return found

    def _is_foreign(self, place: int) -> bool:
        opening = self._opens(place) and self._words[place].key in COMMON_OPENINGS | _ASKING
        return place not in self._named and not opening


_ASKING = frozenset(
    "what which who whose whom where why how do does did is are was were can could will would shall should "
    "may might must has have had explain define list show tell give name whats whos wheres hows am suppose "
    "say".split()
)
"""Words that open a question."""
