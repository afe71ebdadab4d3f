"""Hold the words of editions, piece by piece, as one edition is compared with others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from ...ontology.grouping import grouped
from ...ontology.terms import DCTERMS, RG
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

_NUMBER = r"\b\d{3}(?:\.\d+[a-z]{0,2})?(?:\s*[-–?]\s*(?:\d{3}\.)?\d*[a-z]{0,2})?\b"
_REFERENCE = re.compile(rf"{_NUMBER}(?:(?:,| and|, and| or|, or) {_NUMBER})*")
"""Rules are renumbered between editions that say the same, and a list of numbers may become a range."""

_TRADE_MARK = re.compile(r"\((?:r|tm|c)\)|(?<=[a-z])(?-i:TM)\b", re.IGNORECASE)
_SIGNS = bytes(set(range(128)) - set(b"abcdefghijklmnopqrstuvwxyz0123456789#{}+*"))
_DIGIT = re.compile(r"\d")


class TextPiece(NamedTuple):
    """What stands under a number or a heading of an edition; `kind` is a key of `CALLED`."""

    kind: str
    name: str
    text: str = ""
    line: int = 0

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


class Departure(NamedTuple):
    """Where an edition departs from what others say.

    `lost` tells that nothing stands in the place of the words; `line` is theirs, or the one behind which they
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
        """Return what is under the number or heading of a piece of another edition."""
        return self._places.get(piece.place, ())

    @cached_property
    def unlined(self) -> Collection[tuple[str, str, str]]:
        """The pieces, each as its kind, name and text."""
        return frozenset(it[:3] for it in self.pieces)

    @cached_property
    def keys(self) -> Collection[tuple[str, str]]:
        """The words of each piece as they are compared."""
        return frozenset(it.key for it in self.pieces)

    @cached_property
    def words(self) -> str:
        """All words as they are compared, in one string."""
        return "|".join(it.key[1] for it in self.pieces)

    def says(self, piece: TextPiece) -> bool:
        """Return whether the text of a piece of another edition is anywhere in this one."""
        return piece.key in self.keys

    def confirms(self, piece: TextPiece) -> bool:
        """Return whether the text of a piece of another edition is in this one, and not by chance."""
        if piece.kind == "entry" or len(piece.key[1]) >= TELLING:
            return self.says(piece)
        return any(it.key == piece.key for it in self.under(piece))


def texts_of(session: Session, editions: Iterable[Edition]) -> Iterator[EditionText]:
    """Yield the words of loaded editions of the comprehensive rules, one after the other.

    An engine joins places and words more slowly than both are read: all words are read once.
    """
    words = dict(session.pairs((), RG.text, kept=True))
    for edition in editions:
        graphs = [session.iris.document(it.id) for it in edition.documents]
        titles, lines, places = (
            dict(session.pairs(graphs, name, kept=True)) for name in (DCTERMS.title, RG.firstLine, RG.wording)
        )
        headings = {it: title for it, title in titles.items() if session.iris.parse(it).kind == "entry"}
        pieces = [TextPiece("entry", title, "", int(lines[it])) for it, title in headings.items()]
        for it, wording in places.items():
            place = session.iris.parse(it)
            kind = ("example" if place.parts else "rule") if place.kind == "rule" else "paragraph"
            name = place.key if place.kind == "rule" else headings[session.iris.iri(place.whole)]
            if kind != "paragraph" or len(place.parts) == 1:
                pieces.append(TextPiece(kind, name, words[wording], int(lines[it])))
        yield EditionText(edition.id, sorted(pieces, key=lambda it: (it.line, it.kind, it.name)))


@lru_cache(maxsize=1 << 15)
def words_alone(text: str) -> str:
    """Return the letters and figures of a text, without rule numbers and trade marks."""
    plain = _TRADE_MARK.sub("", text) if "(" in text or "TM" in text else text
    return bare(_REFERENCE.sub("#", plain) if _DIGIT.search(plain) else plain)


def bare(words: str) -> str:
    """Return the letters and figures of some words."""
    return words.casefold().encode("ascii", "ignore").translate(None, _SIGNS).decode()
