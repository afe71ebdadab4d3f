"""Hold the words of editions, piece by piece, as one edition is compared with others.

Other editions are known either by their words or, without a word, by checksums of their sentences. A piece
has its words in the first case and its checksums in both, so one model serves for both comparisons.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple

from ...loaders.language.sentences import between_stops
from ...ontology.grouping import grouped
from ..session import Edition, Session

CALLED = {
    "rule": "rule",
    "example": "an example of rule",
    "entry": "the glossary entry",
    "paragraph": "a paragraph of the glossary entry",
}
"""What messages call each kind of piece."""

TELLING = 25
"""Letters from which words are not the same by chance: several chapters can have one title."""

APART = 12
"""Letters more or less that neither a slip nor another way to print the same words accounts for."""

_NUMBER = r"\b\d{3}(?:\.\d+[a-z]{0,2})?(?:\s*[-–?]\s*(?:\d{3}\.)?\d*[a-z]{0,2})?\b"
_REFERENCE = re.compile(rf"{_NUMBER}(?:(?:,| and|, and| or|, or) {_NUMBER})*")
"""Rules are renumbered between editions that say the same, and a list of numbers may become a range."""

_TRADE_MARK = re.compile(r"\((?:r|tm|c)\)|(?<=[a-z])(?-i:TM)\b", re.IGNORECASE)
_SIGNS = bytes(set(range(128)) - set(b"abcdefghijklmnopqrstuvwxyz0123456789#{}+*"))
_DIGIT = re.compile(r"\d")

# A checksum is six letters of Base64: four for the hash, two for the length. It is written so in the bundled
# file; 24 bits are enough, because a sentence is compared with those of one edition at a time.
_HASH_BYTES, _LETTERS, _LONGEST = 3, 6, 4095


class TextPiece(NamedTuple):
    """The words under a number or a heading of an edition.

    `kind` is a key of `CALLED`, `line` the first line. Of an edition known by checksums alone, `text` is
    empty and `run` has the checksums of the sentences, one behind the other.
    """

    kind: str
    name: str
    text: str = ""
    line: int = 0
    run: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """The kind, and the name as two editions share it."""
        return self.kind, bare(self.name)

    @property
    def called(self) -> str:
        """What messages call the piece."""
        return f"{CALLED[self.kind]} {self.name}"

    @property
    def key(self) -> tuple[str, str]:
        """What two printings of the same words share; an entry is known by its heading."""
        return self.place if self.kind == "entry" else (self.kind, words_alone(self.text))

    @property
    def checksums(self) -> str:
        """The checksums of the sentences, one behind the other."""
        return self.run or _checksums_of(self.text)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The checksum of each sentence; sentences of a few words are left out, they recur by chance."""
        return _each(self.checksums)


class Departure(NamedTuple):
    """Where an edition departs from what others say.

    `lost` says that nothing stands in the place of the words; `line` is theirs, or the one behind which they
    would stand; `quote` is what stands there.
    """

    lost: bool
    name: str
    line: int
    message: str
    quote: str


@dataclass(frozen=True)
class EditionText:
    """What the edition with the id `name` says, in the order of its text."""

    name: str
    pieces: Sequence[TextPiece]

    @cached_property
    def _places(self) -> Mapping[tuple[str, str], list[TextPiece]]:
        return grouped((it.place, it) for it in self.pieces)

    def under(self, piece: TextPiece) -> Sequence[TextPiece]:
        """Return what stands under the number or heading of a piece of another edition."""
        return self._places.get(piece.place, ())

    # -- by words -----------------------------------------------------------------------------------

    @cached_property
    def keys(self) -> Collection[tuple[str, str]]:
        """The words of each piece as they are compared."""
        return frozenset(it.key for it in self.pieces)

    @cached_property
    def words(self) -> str:
        """All words as they are compared, in one string."""
        return "|".join(it.key[1] for it in self.pieces)

    def says(self, piece: TextPiece) -> bool:
        """Return whether the words of a piece of another edition stand here, wherever that is."""
        return piece.key in self.keys

    def confirms(self, piece: TextPiece) -> bool:
        """Return whether the words of a piece of another edition stand here, and not by chance."""
        if piece.kind == "entry" or len(piece.key[1]) >= TELLING:
            return self.says(piece)
        return any(it.key == piece.key for it in self.under(piece))

    # -- by checksums -------------------------------------------------------------------------------

    @cached_property
    def _wholes(self) -> Collection[tuple[str, str]]:
        return {(it.kind, it.checksums) for it in self.pieces}

    @cached_property
    def sentences(self) -> Counter[str]:
        """The checksums of all sentences, and how often each stands here."""
        return Counter(one for it in self.pieces for one in it.sentences)

    def has(self, piece: TextPiece) -> bool:
        """Return whether a piece stands anywhere here, by its checksums; without any, by its name."""
        return (piece.kind, piece.checksums) in self._wholes if piece.checksums else bool(self.under(piece))


def text_of(session: Session, edition: Edition) -> EditionText:
    """Return the words of a loaded edition of the comprehensive rules."""
    graphs = [session.iris.document(document.id) for document in edition.documents]
    rows = session.run("checking", "said", graphs, kept=True)
    pieces = [TextPiece(str(kind), str(name), str(text), int(str(line))) for kind, name, text, line in rows]
    return EditionText(edition.id, pieces)


@lru_cache(maxsize=1 << 15)
def words_alone(text: str) -> str:
    """Return the letters and figures of a text, without rule numbers and trade marks."""
    plain = _TRADE_MARK.sub("", text) if "(" in text or "TM" in text else text
    return bare(_REFERENCE.sub("#", plain) if _DIGIT.search(plain) else plain)


def bare(words: str) -> str:
    """Return the letters and figures of some words."""
    return words.casefold().encode("ascii", "ignore").translate(None, _SIGNS).decode()


def checksum(words: str) -> str:
    """Return the checksum of a word or a sentence, in four letters."""
    return b64encode(blake2b(words.encode(), digest_size=_HASH_BYTES).digest()).decode()


def letters_in(sentences: Sequence[str]) -> int:
    """Return how many letters and figures sentences have, from their checksums; at most 4,095 each."""
    return sum(int.from_bytes(b64decode(f"{it[-2:]}A=")) >> 4 for it in sentences)


# Neighbouring editions share most of their texts, so what follows from the words alone is remembered.


@lru_cache(maxsize=1 << 14)
def _checksums_of(text: str) -> str:
    keys = (words_alone(it) for it in between_stops(text))
    return "".join(checksum(it) + _length(len(it)) for it in keys if len(it) >= TELLING)


def _length(letters: int) -> str:
    return b64encode((min(letters, _LONGEST) << 4).to_bytes(2)).decode()[:2]


@lru_cache(maxsize=1 << 14)
def _each(run: str) -> tuple[str, ...]:
    return tuple(run[at : at + _LETTERS] for at in range(0, len(run), _LETTERS))
