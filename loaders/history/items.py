"""Define rules and entries for comparisons between editions, align their texts, and name their changes.

Texts are aligned by the words that they share; a word weighs more the fewer rules have it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain, islice
from math import fsum, log
from sys import intern
from typing import NamedTuple, TypeVar

from ...ontology import RG
from ..language.numbers import ALPHABET
from ..language.words import wording


class ChangeKind(StrEnum):
    """What happened to a rule or an entry."""

    UNCHANGED = "unchanged"
    RENUMBERED = "renumbered"
    REFERENCES = "references"
    REWORDED = "reworded"
    MOVED_AND_REWORDED = "moved and reworded"
    SPLIT = "split"
    MERGED = "merged"
    ADDED = "added"
    REMOVED = "removed"
    FIRST_KNOWN = "first known"


CHANGES = {
    RG.unchangedFrom: ChangeKind.UNCHANGED,
    RG.renumberedFrom: ChangeKind.RENUMBERED,
    RG.referencesChangedFrom: ChangeKind.REFERENCES,
    RG.rewordedFrom: ChangeKind.REWORDED,
    RG.movedAndRewordedFrom: ChangeKind.MOVED_AND_REWORDED,
    RG.splitFrom: ChangeKind.SPLIT,
    RG.mergedFrom: ChangeKind.MERGED,
}
"""The kind of change that each link of a history states."""

DOUBT = 0.7
"""The confidence below which a change is doubtful."""

PARTING = (ChangeKind.SPLIT, ChangeKind.MERGED)
"""The changes that lead from one rule to another: it was split off, or merged into it."""

_NUMBER = re.compile(r"\b\d{3}(?:\.\d+[a-z]{0,2})?(?:[-–][a-z0-9.]+)?\b|\b[A-Z]\d+\.\d+[a-z]?\b")
_ENDINGS = ("ies", "ing", "ed", "es", "s", "y")
"""Endings for the number and the tense of a word."""

_ROOT = 3
"""The minimum number of letters left of a word."""

_TOKEN = re.compile(r"[a-z0-9#]+(?:'[a-z]+)?|[{}+/*]")


# What depends on the words alone is cached: neighbouring editions share most of theirs.


@lru_cache(maxsize=1 << 14)
def masked(text: str) -> str:
    """Return words in lower case with rule numbers as ``#``."""
    return _NUMBER.sub("#", wording(text).casefold())


@lru_cache(maxsize=1 << 14)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(map(intern, _TOKEN.findall(masked(text))))


@lru_cache(maxsize=1 << 14)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(_stem, _tokens(text)))


@lru_cache(maxsize=1 << 14)
def _distinct(text: str) -> frozenset[str]:
    return frozenset(_stems(text))


@cache
def _stem(word: str) -> str:
    """Return a word without the ending of its number or tense, or without a letter after a figure.

    The result need not be a word; it only has to be equal for two forms of one word.
    """
    if word[0].isdigit():
        return intern(word.rstrip(ALPHABET))
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _ROOT:
            word = word[: -len(ending)]
            break
    return intern(word.removesuffix("e") if len(word) > _ROOT else word)


class Item(NamedTuple):
    """One rule or entry of an edition as history sees it.

    `key` is its number (rules) or slug (entries), `parent` the IRI one level up, `title` its title or
    heading, `text` its words; `provision` is the IRI of a rule's provision if the authority file knows its
    text, and `is_settled` says whether that is permanent. Items are listed in the order of their text.
    """

    iri: str
    key: str
    text: str
    parent: str = ""
    title: str = ""
    is_entry: bool = False
    provision: str = ""
    is_settled: bool = False

    @property
    def folded(self) -> str:
        """The words as compared for equality."""
        return wording(self.text)

    @property
    def numberless(self) -> str:
        """The words with rule numbers as ``#``."""
        return _NUMBER.sub("#", self.folded)

    @property
    def masked(self) -> str:
        """The words in lower case with rule numbers as ``#``."""
        return masked(self.text)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words of `masked`."""
        return _tokens(self.text)

    @property
    def stems(self) -> tuple[str, ...]:
        """The words without their endings, as they are compared for likeness."""
        return _stems(self.text)

    @property
    def distinct(self) -> frozenset[str]:
        """The distinct stems."""
        return _distinct(self.text)


class Change(NamedTuple):
    """What happened to one item: `old` and `new` are IRIs, one of them empty for added and removed.

    `confidence` lies between 0 and 1; 1.0 means the same words.
    """

    kind: ChangeKind
    old: str
    new: str
    confidence: float = 1.0


def kind_of(before: Item, after: Item) -> ChangeKind:
    """Return what changed in a continuing item: its number or name, its words, or the numbers it cites."""
    same_words = before.folded == after.folded
    if not same_words and before.numberless == after.numberless:
        return ChangeKind.REFERENCES
    return change_of(before.key == after.key, same_words)


def change_of(same_number: bool, same_words: bool) -> ChangeKind:
    """Return the change of a continuing rule, by its number and the checksum of its words."""
    if same_words:
        return ChangeKind.UNCHANGED if same_number else ChangeKind.RENUMBERED
    return ChangeKind.REWORDED if same_number else ChangeKind.MOVED_AND_REWORDED


# -- alignment --------------------------------------------------------------------------------------

OPENING = 12
"""The number of words that open a rule."""

_FIRST = 8
"""The number of words at the start of a rule that contain its subject."""

_LONE = 0.5
"""The weight of a shared word without a shared neighbour; most of them occur by chance."""

_TELLING = 12
"""One word in this many says what a text is about."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """What two texts share, in order; all figures lie between 0 and 1.

    `alike` is the share of both texts, `kept` that of the earlier one, `opening` that of its first words.
    `blocks` are (start before, start after, length).
    """

    alike: float
    kept: float
    opening: float
    blocks: tuple[tuple[int, int, int], ...]

    def places(self, side: int) -> set[int]:
        """Return the places of shared words before (`side` 0) or after (1), without isolated ones."""
        return {
            place
            for block in self.blocks
            if block[2] > 1
            for place in range(block[side], block[side] + block[2])
        }


def common_blocks(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of words that two texts share in order: (start in one, start in the other, length)."""
    from rapidfuzz.distance import Indel  # a build of one edition compares nothing

    for op in Indel.opcodes(one, other):
        if op.tag == "equal":
            yield op.src_start, op.dest_start, op.src_end - op.src_start


_Key = TypeVar("_Key")


class Scales:
    """Weigh the words of two editions: the fewer rules have a word, the more it says about them."""

    def __init__(self, items: Sequence[Item]) -> None:
        spread = Counter(chain.from_iterable(item.distinct for item in items))
        # A word tokenised differently within a rule counts as the rarest.
        self._weights: dict[str, float] = defaultdict(lambda: log(1 + len(items)))
        self._weights |= {token: log(1 + len(items) / count) for token, count in spread.items()}
        self.total = {item.iri: self.weight(item.stems) for item in items}
        """The weight of all words of each item, by its IRI."""
        self.breadth = {item.iri: self.weight(item.distinct) for item in items}
        """The weight of its distinct words."""
        self._known: dict[tuple[str, str], Alignment] = {}
        self._telling: dict[frozenset[str], list[str]] = {}

    def weight(self, tokens: Iterable[str]) -> float:
        """Return the total weight of words, the same in any order."""
        return fsum(map(self._weights.__getitem__, tokens))

    def are_of_one(self, one: frozenset[str], other: frozenset[str]) -> bool:
        """Return whether the other text has one of the most telling words of a text.

        If not, they say the same about different things: "Several instances of dusk are redundant."
        """
        return any(not there.isdisjoint(self.telling(here)) for here, there in ((one, other), (other, one)))

    def telling(self, words: frozenset[str]) -> list[str]:
        """Return the few words that say what a text is about, the rarest first; results are cached."""
        if words not in self._telling:
            self._telling[words] = self.rarest(words)[: 1 + len(words) // _TELLING]
        return self._telling[words]

    def at(self, words: Sequence[str], places: Iterable[int]) -> float:
        """Return the weight of the words at some places of a sentence."""
        return self.weight(map(words.__getitem__, places))

    def begun(self, old: Item, new: Item) -> float:
        """Return the share of an earlier text's first words that are near the beginning of a later one."""
        first, there = old.stems[:_FIRST], new.stems[: 2 * _FIRST]
        return self.weight(word for word in first if word in there) / (self.weight(first) or 1.0)

    def rarest(self, words: Collection[str]) -> list[str]:
        """Return words, the rarest first."""
        return sorted(words, key=lambda word: (-self._weights[word], word))

    def votes(
        self, words: Iterable[str], holders: Mapping[str, Sequence[_Key]], most: int, count: int
    ) -> dict[_Key, float]:
        """Return the weight of words for the items with them: the first `count` that at most `most` have."""
        found: dict[_Key, float] = defaultdict(float)
        telling = (word for word in words if 0 < len(holders.get(word, ())) <= most)
        for word in islice(telling, count):
            weight = self._weights[word]
            for holder in holders[word]:
                found[holder] += weight
        return found

    def align(self, old: Item, new: Item) -> Alignment:
        """Align two texts; results are cached."""
        key = (old.iri, new.iri)
        if key not in self._known:
            self._known[key] = self._aligned(old, new)
        return self._known[key]

    def _aligned(self, old: Item, new: Item) -> Alignment:
        blocks = tuple(common_blocks(old.stems, new.stems))
        before, after = self.total[old.iri], self.total[new.iri]
        shared = self.shared(old, blocks)
        first = self.weight(old.stems[:OPENING])
        opened = self.shared(old, [(i, j, min(n, OPENING - i)) for i, j, n in blocks if i < OPENING])
        return Alignment(
            alike=2 * shared / (before + after) if shared else 0.0,
            kept=shared / before if shared else 0.0,
            opening=opened / first if shared else 0.0,
            blocks=blocks,
        )

    def shared(self, old: Item, blocks: Iterable[tuple[int, int, int]]) -> float:
        """Return the weight of blocks of the earlier text."""
        found = 0.0
        for start, _, length in blocks:
            found += self.weight(old.stems[start : start + length]) * (1.0 if length > 1 else _LONE)
        return found
