"""Split a rules text into its parts: front, rules, glossary, back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest

from ...language.dates import DAY, day_of
from ...language.numbers import order, successors
from ...language.words import ends_paragraph
from ...records import Entry, Rule, Section
from ..lines import Head, Line, read_head
from ..source import Source

GLOSSARY = re.compile(r"(?:appendix\s+\w+\W+)?(?:the\s+)?glossary(?:\s+of\s+terms)?[\s.:\d]*", re.IGNORECASE)
_BACK = re.compile(
    r"(?:credits|index|questions\?|customer service(?: information)?|legal(?: information)?|"
    r"(?:the )?end(?: of (?:the )?(?:file|document|rules))?)[\s.:]*",
    re.IGNORECASE,
)
_BACK_TEXT = re.compile(
    r"(?:magic: the gathering\W*(?:\(r\)\W*)?original game design|published by wizards|©|\(c\)\s?\d{4}|"
    r"copyright\b|these rules are (?:effective|current) as of|all trademarks)",
    re.IGNORECASE,
)
_SECTION = re.compile(r"(?P<number>[1-9])\.?\s+(?P<title>[A-Z“\"].*)")
_LEADER = re.compile(r"\s*(?:[.·…_]\s?){3,}.*$")
_AS_OF = re.compile(
    r"\b(?:effective|current|updated|valid|in force|dated|as of)\b\W*(?:(?:as\s+of|on|from|since)\b\W*)?",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\b(?:rules?|version|edition|released?|revis|updated?|last|date|effective)", re.IGNORECASE
)
_TITLE = re.compile(r"comprehensive\s+rules", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """The lines of each part; a part that is missing is empty.

    `front` is everything before the rules (title, date, introduction, contents), `back` everything after the
    glossary (index, credits, customer service, trade marks); `glossary_heading` is the line between rules and
    glossary.
    """

    front: tuple[Line, ...]
    rules: tuple[Line, ...]
    glossary_heading: Line | None
    glossary: tuple[Line, ...]
    back: tuple[Line, ...]


def split_parts(lines: Sequence[Line]) -> Parts:
    """Find where the parts begin.

    The rules begin at the first numbered rule under its chapter's heading (a rule named in the introduction
    does not count), with the headings above it; in a part of a text, at the first sentence. The glossary
    begins after them, at the line of that name; the back begins at *Credits*, *Index* or the like, or at its
    usual words.
    """
    start = _rules_start(lines)
    if _is_part(lines[:start], lines[start:]):
        start = next((i for i, line in enumerate(lines[:start]) if ends_paragraph(line.text)), start)
    heading = _first(lines, start, GLOSSARY)
    after = start if heading is None else heading + 1
    back = _first(lines, after, _BACK)
    if back is None:
        back = next((i for i in range(after, len(lines)) if _BACK_TEXT.match(lines[i].text)), len(lines))
    front, rest = tuple(lines[:start]), tuple(lines[back:])
    if heading is None:
        return Parts(front, tuple(lines[start:back]), None, (), rest)
    return Parts(front, tuple(lines[start:heading]), lines[heading], tuple(lines[after:back]), rest)


def _is_part(front: Sequence[Line], rest: Sequence[Line]) -> bool:
    """Return whether a text begins within a rule, not with the first chapter, a date or contents."""
    head = next((head for line in rest if (head := read_head(line.text))), None)
    begun = head is not None and head.chapter != "100"
    return begun and not find_dates(front) and not read_contents(front).titles


def _first(lines: Sequence[Line], start: int, pattern: re.Pattern[str]) -> int | None:
    return next((i for i in range(start, len(lines)) if pattern.fullmatch(lines[i].text)), None)


def _rules_start(lines: Sequence[Line]) -> int:
    heads = [(i, head) for i, line in enumerate(lines) if (head := read_head(line.text))]
    chapter: tuple[int, Head] | None = None
    for i, head in heads:
        if head.level == "chapter":
            chapter = (i, head)
        elif chapter and head.chapter == chapter[1].number:
            start = chapter[0]
            start -= bool(start and section_heading(lines, start - 1))
            return _first_above([it for it in heads if it[0] < start], chapter[1].number, start)
    return next((i for i, head in heads if head.level != "chapter"), len(lines))


def _first_above(heads: Sequence[tuple[int, Head]], chapter: str, start: int) -> int:
    """Return where the rules before the `chapter` at `start` begin: a part may begin within a chapter."""
    after = chapter
    for place, head in reversed(heads):
        ends = after == chapter and chapter in successors(head.number)
        goes_on = after != chapter and head.chapter == after[:3] and order(head.number) < order(after)
        if head.level == "chapter" or not (ends or goes_on):
            break
        start, after = place, head.number
    return start


def section_heading(lines: Sequence[Line], place: int) -> tuple[str, str] | None:
    """Return number and title of the section that begins at `place`, or None.

    A line with one figure is a section if the next one is the heading of a chapter in it: a list within a
    rule is numbered with single figures too.
    """
    match = _SECTION.fullmatch(lines[place].text)
    if not match or place + 1 >= len(lines):
        return None
    head = read_head(lines[place + 1].text)
    if head is None or head.level != "chapter" or head.number[0] != match["number"]:
        return None
    return match["number"], match["title"].strip()


@dataclass(frozen=True, slots=True)
class Contents:
    """What the contents announce: titles of sections and chapters by number, and the other parts."""

    titles: dict[str, tuple[str, int]]
    glossary: bool = False
    back: tuple[str, ...] = ()


def read_contents(front: Sequence[Line]) -> Contents:
    """Return the contents page (empty when there is none), without dots and page numbers."""
    titles: dict[str, tuple[str, int]] = {}
    back: list[str] = []
    glossary = False
    last = "000"
    for line in front:
        text = _LEADER.sub("", line.text).strip()
        section = _SECTION.fullmatch(text)
        head = read_head(text)
        dotted = head is not None and not head.slips
        if head and head.level == "chapter" and head.rest and (dotted or head.number in successors(last)):
            last = head.number
            titles[last] = (head.rest, line.number)
        elif section:
            titles[section["number"]] = (section["title"], line.number)
        elif titles and GLOSSARY.fullmatch(text):
            glossary = True
        elif titles and _BACK.fullmatch(text):
            back.append(text)
    return Contents(titles, glossary, tuple(back))


def find_title(front: Sequence[Line]) -> str:
    """Return the title as printed: the first line that says what the text is, else the usual name."""
    titles = (line.text for line in front if _TITLE.search(line.text) and len(line.text) <= 80)
    return next(titles, "Comprehensive Rules")


def find_dates(lines: Sequence[Line]) -> list[tuple[date, int]]:
    """Return the dates from which the text says it is in force, each with its line.

    If there is none, return a date that it gives itself in other words. A date may span two lines.
    """
    dates: list[tuple[date, int]] = []
    for line, following in zip_longest(lines, lines[1:]):
        both = f"{line.text} {following.text if following else ''}"
        for said in _AS_OF.finditer(both):
            match = DAY.match(both, said.end()) if said.start() < len(line.text) else None
            day = day_of(match) if match else None
            if day:
                dates.append((day, line.number))
    if dates:
        return dates
    stating = (line for line in lines if len(line.text) < 200 and _STATED.search(line.text))
    found = ((line, DAY.search(line.text)) for line in stating)
    days = ((line, day_of(match)) for line, match in found if match)
    return [(day, line.number) for line, day in days if day][:1]


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one text, to be checked for consistency."""

    source: Source
    parts: Parts
    contents: Contents
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    entries: tuple[Entry, ...]
    dates: tuple[tuple[date, int], ...]

    @property
    def last(self) -> Line:
        """The last line with words."""
        return (self.parts.back or self.parts.glossary or self.parts.rules)[-1]

    @property
    def is_part(self) -> bool:
        """Whether the text is part of another: a page of a site, or undated, without beginning and end."""
        if sum(rule.level == "chapter" for rule in self.rules) >= WHOLE_EDITION and self.parts.glossary:
            return False
        begun = self.dates or self.contents.titles or (self.rules and self.rules[0].number[:3] == "100")
        return bool(self.source.frame) or not (begun or self.parts.back)

    @property
    def missing_chapters(self) -> tuple[str, ...]:
        """The chapters that the contents name and the text lacks."""
        present = {rule.number for rule in self.rules if rule.level == "chapter"}
        return tuple(n for n in self.contents.titles if len(n) == 3 and n not in present)


WHOLE_EDITION = 30
"""With this many chapters, a text claims to be a whole edition; the shortest edition has 63."""
