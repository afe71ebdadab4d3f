"""What one edition says, piece by piece, as it is compared with what others say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple

_NUMBER = r"\b\d{3}(?:\.\d+[a-z]{0,2})?(?:\s*[-–?]\s*(?:\d{3}\.)?\d*[a-z]{0,2})?\b"
_REFERENCE = re.compile(rf"{_NUMBER}(?:(?:,| and|, and| or|, or) {_NUMBER})*")
"""Numbers of rules move between editions that say the same, and a run of them may be one range."""

_TRADE_MARK = re.compile(r"\((?:r|tm|c)\)|(?<=[a-z])(?-i:TM)\b", re.IGNORECASE)
_SIGNS = bytes(set(range(128)) - set(b"abcdefghijklmnopqrstuvwxyz0123456789#{}+*"))
"""What stands between letters and figures, as bytes."""

_DIGIT = re.compile(r"\d")

TELLING = 25
"""Letters from which words are not the same by chance: several chapters can have one title."""


class DepositionKind(Enum):
    """What is said where, in the words of a finding."""

    RULE = "rule"
    EXAMPLE = "an example of rule"
    ENTRY = "the glossary entry"
    PARAGRAPH = "a paragraph of the glossary entry"


class Deposition(NamedTuple):
    """Words of an edition: `name` is the number or heading that they stand under, `line` the first one."""

    kind: DepositionKind
    name: str
    text: str
    line: int


@dataclass(frozen=True)
class Witness:
    """What one edition says, `name` its id, in the order of the text."""

    name: str
    pieces: Sequence[Deposition]

    @cached_property
    def raw(self) -> frozenset[tuple[DepositionKind, str]]:
        """The words as they are printed."""
        return frozenset((it.kind, it.text) for it in self.pieces)

    @cached_property
    def keys(self) -> frozenset[tuple[DepositionKind, str]]:
        """The words as compared; of entries the headings."""
        return frozenset(map(key_of, self.pieces))

    @cached_property
    def run(self) -> str:
        """All words as compared, in one run."""
        return "|".join(key_of(it)[1] for it in self.pieces)

    @cached_property
    def places(self) -> dict[tuple[DepositionKind, str], list[Deposition]]:
        """What stands under each number or heading."""
        found: dict[tuple[DepositionKind, str], list[Deposition]] = {}
        for it in self.pieces:
            found.setdefault((it.kind, bare(it.name)), []).append(it)
        return found

    def under(self, piece: Deposition) -> list[Deposition]:
        """Return what stands under the number or heading of a piece of another edition."""
        return self.places.get((piece.kind, bare(piece.name)), [])

    def holds(self, piece: Deposition) -> bool:
        """Tell whether the words of a piece of another edition stand here, wherever that is."""
        return (piece.text != "" and (piece.kind, piece.text) in self.raw) or key_of(piece) in self.keys

    def bears_out(self, piece: Deposition) -> bool:
        """Tell whether the words of a piece of another edition stand here, and not by chance."""
        if piece.kind is DepositionKind.ENTRY or len(key_of(piece)[1]) >= TELLING:
            return self.holds(piece)
        return any(key_of(it) == key_of(piece) for it in self.under(piece))


@lru_cache(maxsize=1 << 15)
def key_of(piece: Deposition) -> tuple[DepositionKind, str]:
    """Return what two printings of the same words share: letters and figures, without numbers of rules."""
    if piece.kind is DepositionKind.ENTRY:
        return piece.kind, bare(piece.name)
    return piece.kind, words_alone(piece.text)


def words_alone(text: str) -> str:
    """Return the letters and figures of a text, without numbers of rules and marks of trade."""
    plain = _TRADE_MARK.sub("", text) if "(" in text or "TM" in text else text
    return bare(_REFERENCE.sub("#", plain) if _DIGIT.search(plain) else plain)


def bare(words: str) -> str:
    """Return the letters and figures of some words."""
    return words.casefold().encode("ascii", "ignore").translate(None, _SIGNS).decode()
