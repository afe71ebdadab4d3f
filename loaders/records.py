"""Define the records of a document, which know nothing about RDF.

Every record keeps its words (`text`, white space folded, hard wraps joined) and its lines in the *original
file* (`first_line`, `last_line`, from 1, inclusive). Offsets in references are code points into `text`, from
0, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import chain
from typing import Protocol

from ..ontology.terms import DocumentKind
from .language.numbers import level, parent
from .language.words import split_heading


class Severity(StrEnum):
    """How much a problem in a source matters to its reader."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class TargetKind(StrEnum):
    """What a reference points to."""

    RULE = "rule"
    SECTION = "section"
    ENTRY = "entry"
    TERM = "term"


class _Placed(Protocol):
    """Something on some lines of a file: a record, or a part of a text while it is read."""

    @property
    def first_line(self) -> int: ...
    @property
    def last_line(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Problem:
    """A defect of the source that does not prevent loading it.

    `code` is a short kebab-case name (`missing-date`), `subject` the number or heading concerned, `quote` a
    few words from the place.
    """

    code: str
    message: str
    severity: Severity = Severity.WARNING
    first_line: int = 0
    last_line: int = 0
    subject: str = ""
    quote: str = ""

    @classmethod
    def at(
        cls,
        place: _Placed | int,
        code: str,
        message: str,
        subject: str = "",
        quote: str = "",
        severity: Severity = Severity.WARNING,
    ) -> Problem:
        """Return a problem at a place: a record with its lines, or one line."""
        first, last = (place, place) if isinstance(place, int) else (place.first_line, place.last_line)
        return cls(code, message, severity, first, last, subject, quote)


@dataclass(frozen=True, slots=True)
class Target:
    """Something that a reference points to: `("rule", "420.5a")`, `("term", "Landwalk")`."""

    kind: TargetKind
    key: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One explicit reference as written; a range or list has several targets, in order."""

    start: int
    end: int
    surface: str
    targets: tuple[Target, ...]
    quoted_title: str | None = None


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who says something, and as of when: ``[CompRules 2003/07/01]``."""

    authority: str
    as_of: date | None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, a ruling, an "also see" note or an example; the field that contains it says which.

    `text` has no number, no label (``Example:``) and no attribution. `key` distinguishes it from its
    siblings: the letter of a paragraph if one is printed (``a`` of ``G16.2a``), otherwise its position, from
    1. `number` is the printed one (``G16.2a``, ``G12.12.Ruling.1``), or empty.
    """

    key: str
    number: str
    text: str
    first_line: int
    last_line: int
    references: tuple[Reference, ...] = ()
    attributions: tuple[Attribution, ...] = ()
    examples: tuple[Paragraph, ...] = ()
    as_found: str = ""
    """The words before they were repaired, if they were (web copies)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a heading and everything under its number.

    `number` is the printed one (``G16.26``, or a rule number on a rulings site's rule page) or empty
    (official glossaries); `key` identifies it within its edition (the number, else the slug of the first
    name); `heading` is as printed, or empty if it is missing; `occurrence` counts entries of the same key
    from 1.
    """

    key: str
    number: str
    heading: str
    first_line: int
    last_line: int
    occurrence: int = 1
    paragraphs: tuple[Paragraph, ...] = ()
    notes: tuple[Paragraph, ...] = ()
    rulings: tuple[Paragraph, ...] = ()
    is_rule: bool = False
    """True on rule pages of a rulings site: its number, and those of its paragraphs, are rule numbers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names in its heading, without the state marker; none without a heading."""
        return split_heading(self.heading).names if self.heading else ()

    @property
    def status(self) -> str:
        """The state in its heading: ``"obsolete"``, ``"informal"`` or empty."""
        return split_heading(self.heading).status


@dataclass(frozen=True, slots=True)
class Rule:
    """A chapter (``420``), rule (``420.5``) or subrule (``420.5a``) of the comprehensive rules.

    `number` is the canonical one, `printed` the one in the source where it differs (``606. 8b``). `title` is
    set for chapters and for rules that consist of a title; `text` has the words (for those, the title), with
    further paragraphs on their own lines.
    """

    number: str
    text: str
    first_line: int
    last_line: int
    title: str | None = None
    printed: str = ""
    occurrence: int = 1
    references: tuple[Reference, ...] = ()
    examples: tuple[Paragraph, ...] = ()

    @property
    def level(self) -> str:
        """``"chapter"``, ``"rule"`` or ``"subrule"``."""
        return level(self.number)

    @property
    def parent(self) -> str:
        """The number one level up: the section's digit for a chapter."""
        return parent(self.number)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the comprehensive rules: `number` ``"4"`` and its title."""

    number: str
    title: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Document:
    """Everything one document says.

    `document` and `edition` are the ids in IRIs. `paragraphs` are those under no entry (glossary prose);
    `furniture` are the non-blank lines without a record: contents, introduction, credits, release lines.
    `lines` counts the non-blank lines, `unaccounted` those that are in no record, furniture or problem
    (always 0 for a loaded document).
    """

    kind: DocumentKind
    document: str
    edition: str
    title: str
    issued: date | None
    checksum: str
    encoding: str
    lines: int
    sections: tuple[Section, ...] = ()
    rules: tuple[Rule, ...] = ()
    entries: tuple[Entry, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    problems: tuple[Problem, ...] = ()
    furniture: tuple[int, ...] = ()
    unaccounted: tuple[int, ...] = ()

    @property
    def units(self) -> Iterator[Rule | Paragraph]:
        """Everything that has words: rules, paragraphs, rulings, notes and examples."""
        yield from self.rules
        yield from (example for rule in self.rules for example in rule.examples)
        entries = (chain(it.paragraphs, it.rulings, it.notes) for it in self.entries)
        for unit in chain(self.paragraphs, *entries):
            yield unit
            yield from unit.examples


SUSPECTED_SHIFT = "suspected-shift"
"""The code of the problem that a redirect is under its neighbour's number."""
