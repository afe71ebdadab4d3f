"""Align two texts by the words they share; a word weighs more the fewer rules have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain
from math import fsum, log

from .items import Item

OPENING = 12
"""The number of words that open a rule."""

_FIRST = 8
"""The number of words at the start of a rule that contain its subject."""

_LONE = 0.5
"""The weight of a shared word without a shared neighbour; most of them occur by chance."""

_TELLING = 12
"""One in so many words says what a text is about."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """What two texts share, in order; all figures lie between 0 and 1.

    `alike` is the share of both texts, `kept` that of the earlier one, `taken` that of the later one,
    `opening` that of the earlier one's first words. `blocks` are (start before, start after, length).
    """

    alike: float
    kept: float
    taken: float
    opening: float
    blocks: tuple[tuple[int, int, int], ...]

    def places(self, side: int) -> set[int]:
        """Return the places of shared words before (`side` 0) or after (1), without lone ones."""
        return {
            place
            for block in self.blocks
            if block[2] > 1
            for place in range(block[side], block[side] + block[2])
        }


class Scales:
    """Weigh the words of two editions: a word in few rules says much about each of them."""

    def __init__(self, items: Sequence[Item]) -> None:
        spread = Counter(chain.from_iterable(item.distinct for item in items))
        self._weights = {token: log(1 + len(items) / count) for token, count in spread.items()}
        self._most = log(1 + len(items))
        self._totals: dict[str, float] = {}
        self._breadths: dict[str, float] = {}
        self._known: dict[tuple[str, str], Alignment] = {}

    def weight(self, tokens: Iterable[str]) -> float:
        """Return the total weight of words, the same in any order."""
        return fsum(map(self._weights.__getitem__, tokens))

    def weight_of(self, word: str) -> float:
        """Return the weight of a word; one tokenised differently within a rule counts as the rarest."""
        return self._weights.get(word, self._most)

    def are_of_one(self, one: Collection[str], other: Collection[str]) -> bool:
        """Return whether one of the most telling words of a text is in the other.

        Where none is, the same is said about different things: "Several instances of dusk are redundant."
        """
        return any(
            word in there
            for here, there in ((one, other), (other, one))
            for word in nsmallest(
                1 + len(here) // _TELLING, here, key=lambda word: (-self.weight_of(word), word)
            )
        )

    def at(self, words: Sequence[str], places: Iterable[int]) -> float:
        """Return the weight of the words at some places of a sentence."""
        return fsum(self.weight_of(words[place]) for place in places)

    def total(self, item: Item) -> float:
        """Return the weight of all words of an item."""
        if item.iri not in self._totals:
            self._totals[item.iri] = self.weight(item.stems)
        return self._totals[item.iri]

    def breadth(self, item: Item) -> float:
        """Return the weight of the distinct words of an item."""
        if item.iri not in self._breadths:
            self._breadths[item.iri] = self.weight(item.distinct)
        return self._breadths[item.iri]

    def begun(self, old: Item, new: Item) -> float:
        """Return the share of an earlier text's first words that are near the beginning of a later one."""
        first, there = old.stems[:_FIRST], new.stems[: 2 * _FIRST]
        return self.weight(word for word in first if word in there) / (self.weight(first) or 1.0)

    def rarest(self, item: Item, count: int) -> list[str]:
        """Return the `count` most telling words of an item, the rarest first."""
        return sorted(item.distinct, key=lambda token: (-self._weights[token], token))[:count]

    def align(self, old: Item, new: Item) -> Alignment:
        """Align two texts; results are cached."""
        key = (old.iri, new.iri)
        if key not in self._known:
            self._known[key] = self._aligned(old, new)
        return self._known[key]

    def _aligned(self, old: Item, new: Item) -> Alignment:
        from rapidfuzz.distance import Indel  # a build of one edition compares nothing

        blocks = tuple(
            (op.src_start, op.dest_start, op.src_end - op.src_start)
            for op in Indel.opcodes(old.stems, new.stems)
            if op.tag == "equal"
        )
        before, after = self.total(old), self.total(new)
        shared = self.shared(old, blocks)
        first = self.weight(old.stems[:OPENING])
        opened = self.shared(old, [(i, j, min(n, OPENING - i)) for i, j, n in blocks if i < OPENING])
        return Alignment(
            alike=2 * shared / (before + after) if shared else 0.0,
            kept=shared / before if shared else 0.0,
            taken=shared / after if shared else 0.0,
            opening=opened / first if shared else 0.0,
            blocks=blocks,
        )

    def shared(self, old: Item, blocks: Iterable[tuple[int, int, int]]) -> float:
        """Return the weight of blocks of the earlier text."""
        found = 0.0
        for start, _, length in blocks:
            found += self.weight(old.stems[start : start + length]) * (1.0 if length > 1 else _LONE)
        return found
