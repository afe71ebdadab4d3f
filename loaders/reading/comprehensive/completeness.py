"""A rules text that is not whole is refused: cut off, chapters missing, a glossary without its texts."""

from __future__ import annotations

from dataclasses import dataclass

from ....ontology.errors import SourceError
from ...language.sentences import ends_paragraph
from ...language.words import beginning, straight
from ...records import Entry, Rule, Section
from ..heads import read_head
from ..source import Source
from .lines import Line
from .parts import Contents, Dated, Parts

_ANOTHER_COPY = "Take another copy of the file."
WHOLE_EDITION = 30
"""Chapters: the shortest edition has 63, so a text with this many claims to be one."""

_MANY_ENTRIES = 50
_LATE = "u"
"""A glossary of many entries that stops before this letter was cut off: the last entries begin with Z."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of one text, to be held against itself."""

    source: Source
    parts: Parts
    contents: Contents
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    entries: tuple[Entry, ...]
    dates: tuple[Dated, ...]

    @property
    def last(self) -> Line:
        """The last line with words."""
        return (self.parts.back or self.parts.glossary or self.parts.rules)[-1]

    @property
    def missing_chapters(self) -> tuple[str, ...]:
        """The chapters that the contents name and the text has not."""
        present = {rule.number for rule in self.rules if rule.level == "chapter"}
        return tuple(n for n in self.contents.titles if len(n) == 3 and n not in present)


def check_whole(reading: Reading) -> None:
    """Raise `SourceError` for a text that is not whole: what is missing, where, and the way out."""
    _refuse_two_texts(reading)
    _refuse_headless(reading)
    if reading.parts.glossary_heading is None:
        _refuse_without_glossary(reading)
    else:
        _refuse_cut_glossary(reading)
    missing, titles = reading.missing_chapters, reading.contents.titles
    if len(missing) > max(2, len(titles) // 20):
        title, line = titles[missing[0]]
        raise SourceError(
            f"{len(missing)} chapters that the contents name are missing, {missing[0]} to {missing[-1]}",
            source=reading.source.name,
            line=line,
            excerpt=f"{missing[0]}. {title}",
            way_out=_ANOTHER_COPY,
        )
    _refuse_broken_sentences(reading)


def _cut_off(reading: Reading, line: Line, what: str) -> SourceError:
    return _broken(reading, line.number, line.text, f"the text is cut off: {what}")


def _broken(reading: Reading, line: int, text: str, what: str) -> SourceError:
    """Return the error that shows the end of `text`, with the caret behind it."""
    shown = text[-80:]
    return SourceError(
        what,
        source=reading.source.name,
        line=line,
        excerpt=shown,
        column=len(shown) + 1,
        way_out=_ANOTHER_COPY,
    )


def _refuse_two_texts(reading: Reading) -> None:
    back = reading.parts.back
    heads = [line for line in back if (head := read_head(line.text)) and head.level != "chapter"]
    if len(heads) > 5:
        raise SourceError(
            "numbered rules stand behind the glossary: more than one text is in this file",
            source=reading.source.name,
            line=heads[0].number,
            excerpt=heads[0].text,
            way_out="Put each edition into a file of its own.",
        )


def _refuse_headless(reading: Reading) -> None:
    """A chapter alone is a fragment; a text that goes on to the glossary begins with the first chapter."""
    first = reading.rules[0] if reading.rules else None
    if first and reading.parts.glossary_heading and first.number[:3] != "100":
        raise SourceError(
            f"the beginning is missing: the first rule is {first.number}",
            source=reading.source.name,
            line=first.first_line,
            excerpt=beginning(first.text),
            way_out=_ANOTHER_COPY,
        )


def _refuse_without_glossary(reading: Reading) -> None:
    rules, last = reading.rules, reading.last
    if reading.contents.glossary:
        raise _cut_off(reading, last, "the glossary that the contents name does not follow")
    if reading.dates and sum(rule.level == "chapter" for rule in rules) >= WHOLE_EDITION:
        raise _cut_off(reading, last, "an edition of the rules ends with a glossary, and none follows")
    if rules and rules[-1].title is None and not ends_paragraph(last.text):
        raise _cut_off(reading, last, "it ends in the middle of a sentence")


def _refuse_cut_glossary(reading: Reading) -> None:
    parts, entries = reading.parts, reading.entries
    if not entries:
        line = parts.glossary_heading or reading.last
        raise _cut_off(reading, line, "nothing stands under the heading of the glossary")
    bare = [entry for entry in entries if not entry.paragraphs]
    if len(bare) > max(2, len(entries) // 10):
        raise SourceError(
            f"{len(bare)} of {len(entries)} glossary entries have no text under their heading",
            source=reading.source.name,
            line=bare[0].first_line,
            excerpt=bare[0].heading,
            way_out=_ANOTHER_COPY,
        )
    if parts.back:
        return
    last, final = parts.glossary[-1], entries[-1]
    if not final.paragraphs or not ends_paragraph(last.text):
        raise _cut_off(reading, last, f"the glossary ends in the middle of the entry {final.heading!r}")
    initial = straight(final.heading).strip("\"'( ")[:1].lower()
    if len(entries) >= _MANY_ENTRIES and initial < _LATE:
        raise _cut_off(reading, last, f"the glossary stops at {final.heading!r}")


def _refuse_broken_sentences(reading: Reading) -> None:
    units = [(rule.text, rule.last_line) for rule in reading.rules if rule.title is None]
    units += [(p.text, p.last_line) for entry in reading.entries for p in entry.paragraphs]
    broken = [unit for unit in units if not ends_paragraph(unit[0])]
    if len(broken) > max(3, len(units) // 10):
        text, line = broken[0]
        what = f"{len(broken)} of {len(units)} paragraphs break off in the middle of a sentence"
        raise _broken(reading, line, text, what)
