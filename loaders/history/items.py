"""Rules and entries as history sees them: their words as compared, and what can become of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from rapidfuzz.distance import Indel, LCSseq

from ..language.words import wording


class ChangeKind(StrEnum):
    """What became of a rule or an entry."""

    UNCHANGED = "unchanged"
    RENUMBERED = "renumbered"
    REWORDED = "reworded"
    MOVED_AND_REWORDED = "moved and reworded"
    SPLIT = "split"
    MERGED = "merged"
    ADDED = "added"
    REMOVED = "removed"


_NUMBER = re.compile(r"\b\d{3}(?:\.\d+[a-z]{0,2})?(?:[-–][a-z0-9.]+)?\b|\b[A-Z]\d+\.\d+[a-z]?\b")
_TOKEN = re.compile(r"[a-z0-9#]+(?:'[a-z]+)?|[{}+/*]")


@dataclass(frozen=True)
class Item:
    """One rule or entry of an edition as history sees it.

    `key` is its number (rules) or slug (entries), `parent` the IRI one level up, `title` its title or
    heading, `text` its words. Items are listed in the order of their text.
    """

    iri: str
    key: str
    text: str
    parent: str = ""
    title: str = ""
    is_entry: bool = False

    @cached_property
    def folded(self) -> str:
        """The words as compared for equality."""
        return wording(self.text)

    @cached_property
    def masked(self) -> str:
        """The words in lower case with rule numbers as ``#``."""
        return _NUMBER.sub("#", self.folded.casefold())

    @cached_property
    def tokens(self) -> list[str]:
        """The words of `masked`."""
        return _TOKEN.findall(self.masked)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one item: `old` and `new` are IRIs, one of them empty for added and removed.

    `confidence` lies between 0 and 1; 1.0 means the same words.
    """

    kind: ChangeKind
    old: str
    new: str
    confidence: float = 1.0


def similarity(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the share of words that two texts have in common in the same order, from 0 to 1.

    A text of ten words or more that stands whole in the other counts as much alike: it was split off,
    or taken in.
    """
    alike = Indel.normalized_similarity(a, b)
    short, long = sorted((a, b), key=len)
    if len(short) >= 10:
        share = contained(short, long)
        if share >= 0.9:
            alike = max(alike, 0.85 * share)
    return alike


def contained(part: Sequence[str], whole: Sequence[str]) -> float:
    """Return the share of `part`'s words that stand in `whole` in the same order."""
    return LCSseq.similarity(part, whole) / len(part) if part else 0.0
