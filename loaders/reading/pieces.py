"""Collect the lines of a text into pieces (headings, paragraphs, examples …), and make records from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...ontology import slug
from ..language.words import join_wrapped, split_heading
from ..records import Entry, Paragraph
from .lines import Head, Line, Wrapping, goes_on, is_full, without_italics

EXAMPLE = re.compile(r"(?:examples?(?:\s+\d+)?\s*:|(?-i:E)\.\s?g\.[,:]?(?=\s))\s*", re.IGNORECASE)
"""The beginning of an example."""

_ENOUGH = 400
"""How many characters at the end of a piece are examined; no title is as long."""

PieceKind = Literal[
    "section", "chapter", "numbered", "heading", "paragraph",
    "ruling", "example", "note", "loose", "furniture",
]  # fmt: skip


@dataclass(slots=True)
class Piece:
    """Lines that belong together, as `(line of the file, words)`, without the mark of their kind.

    `number` is the printed one, `head` the number of a rule; `mended` are the words where they had to be
    repaired.
    """

    kind: PieceKind
    lines: list[tuple[int, str]]
    number: str = ""
    head: Head | None = None
    mended: str = ""

    @property
    def text(self) -> str:
        """The words."""
        return self.mended or self.found

    @property
    def found(self) -> str:
        """The words as printed, with hard wraps joined, and without italics that span a line break."""
        text = join_wrapped(words for _, words in self.lines)
        return without_italics(text) if len(self.lines) > 1 and "_" in text else text

    @property
    def end(self) -> str:
        """The last words: enough to decide whether another line must follow."""
        place, size = len(self.lines) - 1, len(self.lines[-1][1])
        if not place:  # like most pieces: joining single lines would take a tenth of the whole time
            return self.lines[0][1][-_ENOUGH:]
        while place and size < _ENOUGH:
            place -= 1
            size += len(self.lines[place][1])
        return join_wrapped(words for _, words in self.lines[place:])[-_ENOUGH:]

    @property
    def first_line(self) -> int:
        """The line of the file on which the piece begins."""
        return self.lines[0][0]

    @property
    def last_line(self) -> int:
        """The line of the file on which the piece ends."""
        return self.lines[-1][0]


Opening = Callable[[int, Sequence[Piece]], Piece | None]
"""Returns the piece that the line at a place begins by its own first words, given the pieces before it."""


def collect(lines: Sequence[Line], wrapping: Wrapping, opening: Opening) -> list[Piece]:
    """Return the pieces of some lines in order; every line is in exactly one."""
    pieces: list[Piece] = []
    for place, line in enumerate(lines):
        piece = opening(place, pieces)
        if piece is None and pieces and _goes_on(line, lines[place - 1], pieces[-1], wrapping):
            pieces[-1].lines.append((line.number, line.text))
        else:
            pieces.append(piece or Piece("paragraph", [(line.number, line.text)]))
    return pieces


def _goes_on(line: Line, before: Line, piece: Piece, wrapping: Wrapping) -> bool:
    """Return whether a line continues a piece; an example may be wrapped at an indentation of its own."""
    is_flush = (
        piece.kind == "example" and wrapping.wrapped and not line.apart and line.indent == before.indent
    )
    return (is_flush and is_full(before, line, wrapping)) or goes_on(line, before, piece.end, wrapping)


def example_of(line: Line, mark: re.Pattern[str] | None = EXAMPLE) -> Piece | None:
    """Return the example that a line begins, or None."""
    label = mark.match(line.text) if mark else None
    return Piece("example", [(line.number, line.text[label.end() :])]) if label else None


def paragraph(key: str, piece: Piece) -> Paragraph:
    """Return the record of a piece, without its references."""
    found = piece.found if piece.mended else ""
    return Paragraph(key, piece.number, piece.text, piece.first_line, piece.last_line, as_found=found)


Recording = Callable[[str, Piece], Paragraph]
"""Returns the record of a piece, given its key."""


def listed(pieces: Iterable[Piece], record: Recording = paragraph) -> tuple[Paragraph, ...]:
    """Return the records of pieces of one kind; their keys count from 1."""
    return tuple(record(str(place), it) for place, it in enumerate(pieces, 1))


def paragraphs(pieces: Iterable[Piece], record: Recording = paragraph) -> tuple[Paragraph, ...]:
    """Return the paragraphs, each with the examples after it (an example before all is a paragraph)."""
    groups: list[tuple[Piece, list[Piece]]] = []
    for piece in pieces:
        if piece.kind == "example" and groups:
            groups[-1][1].append(piece)
        else:
            groups.append((piece, []))
    return tuple(
        replace(record(str(place), it), examples=listed(below, record))
        for place, (it, below) in enumerate(groups, 1)
    )


@dataclass(slots=True)
class Draft:
    """An entry while its pieces are collected; the heading has the number, if there is one."""

    heading: Piece
    pieces: list[Piece] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The number of the heading, or its first name."""
        return self.heading.number or slug(split_heading(self.heading.text).names[0])

    def of(self, *kinds: PieceKind) -> list[Piece]:
        """Return its pieces of some kinds."""
        return [it for it in self.pieces if it.kind in kinds]


def in_turn(drafts: Iterable[Draft]) -> Iterator[tuple[Draft, int]]:
    """Yield each draft with its occurrence: 2 for the second one with its key."""
    times: Counter[str] = Counter()
    for draft in drafts:
        key = slug(draft.key)  # *Rune-Tail* and *Rune Tail* have the same IRI
        times[key] += 1
        yield draft, times[key]


def entries(drafts: Iterable[Draft]) -> tuple[Entry, ...]:
    """Return the entries; their keys are their numbers, or made from their first names."""
    return tuple(
        Entry(
            key=draft.key,
            number=draft.heading.number,
            heading=draft.heading.text,
            first_line=draft.heading.first_line,
            last_line=(draft.pieces or [draft.heading])[-1].last_line,
            occurrence=occurrence,
            paragraphs=paragraphs(draft.pieces),
        )
        for draft, occurrence in in_turn(drafts)
    )
