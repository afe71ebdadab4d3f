"""Define rules and entries for comparisons between editions, and the changes between them."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, lru_cache
from sys import intern
from typing import NamedTuple

from ...ontology.terms import RG
from ..language.numbers import ALPHABET
from ..language.words import wording


class ChangeKind(StrEnum):
    """What became of a rule or an entry."""

    UNCHANGED = "unchanged"
    RENUMBERED = "renumbered"
    REFERENCES = "references"
    REWORDED = "reworded"
    MOVED_AND_REWORDED = "moved and reworded"
    SPLIT = "split"
    MERGED = "merged"
    ADDED = "added"
    REMOVED = "removed"


CHANGES = {
    RG.unchangedFrom: ChangeKind.UNCHANGED,
    RG.renumberedFrom: ChangeKind.RENUMBERED,
    RG.referencesChangedFrom: ChangeKind.REFERENCES,
    RG.rewordedFrom: ChangeKind.REWORDED,
    RG.movedAndRewordedFrom: ChangeKind.MOVED_AND_REWORDED,
    RG.splitFrom: ChangeKind.SPLIT,
    RG.mergedFrom: ChangeKind.MERGED,
}
"""What the links of a history say."""

PARTING = (ChangeKind.SPLIT, ChangeKind.MERGED)
"""What leads from one rule to another: it was split off, or merged into it."""

_NUMBER = re.compile(r"\b\d{3}(?:\.\d+[a-z]{0,2})?(?:[-–][a-z0-9.]+)?\b|\b[A-Z]\d+\.\d+[a-z]?\b")
_ENDINGS = ("ies", "ing", "ed", "es", "s", "y")
"""Endings that mark the number and the tense of a word."""

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
    """Return a word without the ending of its number or tense; a letter after a figure goes too.

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
    heading, `text` its words; `provision` is the IRI of a rule's, where the authority file knows the text
    that it is part of, and `is_settled` says whether that is a permanent one. Items are listed in the order
    of their text.
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
    """What became of one item: `old` and `new` are IRIs, one of them empty for added and removed.

    `confidence` lies between 0 and 1; 1.0 means the same words.
    """

    kind: ChangeKind
    old: str
    new: str
    confidence: float = 1.0


def kind_of(before: Item, after: Item) -> ChangeKind:
    """Return what changed in a continuing item: its number or name, its words, or the numbers it cites."""
    same_number = before.key == after.key
    if before.folded == after.folded:
        return ChangeKind.UNCHANGED if same_number else ChangeKind.RENUMBERED
    if before.numberless == after.numberless:
        return ChangeKind.REFERENCES
    return ChangeKind.REWORDED if same_number else ChangeKind.MOVED_AND_REWORDED
