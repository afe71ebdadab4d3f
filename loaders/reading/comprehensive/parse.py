"""The text of the comprehensive rules, of any edition, becomes a `Document`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ....ontology.errors import SourceError
from ...kinds import DocumentKind
from ...records import Document, Reference
from ..references import find_references
from ..source import Source
from .completeness import Reading, check_whole
from .glossary import read_glossary, read_names
from .lines import clean_lines, find_wrapping
from .pages import find_pages
from .parts import Parts, find_dates, find_title, read_contents, split_parts
from .portions import read_portions
from .rules import read_rules
from .slips import find_slips


def parse(source: Source) -> Document:
    """Return everything that an edition of the comprehensive rules says.

    The layout is read off the text itself: with or without contents, index and credits; paragraphs on
    one line each or wrapped at a column; plain or Markdown. The edition is the date that the text gives
    itself (``cr-2008-02-01``); without one the document is a fragment, named by a checksum of its words.

    Raises `SourceError` for a text without numbered rules, and for one that is not whole
    (`wholeness.check_whole`); slips in a whole text are the document's `problems`.
    """
    lines, drawn = clean_lines(source.lines, find_pages(source.lines))
    wrapping = find_wrapping(lines)
    parts = split_parts(lines)
    if not parts.rules:
        raise SourceError(
            "no numbered rules were found", source=source.name, way_out="Name a comprehensive rules text."
        )
    names = read_names(parts.glossary, wrapping)

    def references(text: str) -> tuple[Reference, ...]:
        return find_references(text, names)

    rules = read_rules(read_portions(parts.rules, wrapping), references)
    glossary = read_glossary(parts.glossary, wrapping, references)
    dates = (*find_dates(parts.front), *find_dates(parts.back))
    contents = read_contents(parts.front)
    reading = Reading(source, parts, contents, rules.sections, rules.rules, glossary.entries, dates)
    check_whole(reading)
    issued = dates[0].day if dates else None
    normalised = "\n".join(line.text for line in lines)
    checksum = hashlib.sha256(normalised.encode()).hexdigest()
    identity = f"cr-{issued.isoformat()}" if issued else f"fragment-{checksum[:8]}"
    problems = (*rules.slips, *glossary.problems, *find_slips(reading))
    furniture = _furniture(parts, drawn, (*rules.loose, *glossary.loose))
    accounted = {*furniture, *_recorded(reading)}
    return Document(
        kind=DocumentKind.COMPREHENSIVE,
        document=identity,
        edition=identity,
        title=find_title(parts.front),
        issued=issued,
        checksum=source.checksum,
        encoding=source.encoding,
        lines=len(lines) + len(drawn),
        sections=rules.sections,
        rules=rules.rules,
        entries=glossary.entries,
        problems=tuple(sorted(problems, key=lambda p: (p.first_line, p.code, p.subject))),
        furniture=furniture,
        unaccounted=tuple(line.number for line in lines if line.number not in accounted),
    )


def _furniture(parts: Parts, drawn: list[int], loose: tuple[int, ...]) -> tuple[int, ...]:
    heading = (parts.glossary_heading,) if parts.glossary_heading else ()
    numbers = [line.number for line in (*parts.front, *heading, *parts.back)]
    return tuple(sorted((*numbers, *drawn, *loose)))


def _recorded(reading: Reading) -> Iterator[int]:
    """Yield the lines that stand in a record."""
    spans = [(section.first_line, section.last_line) for section in reading.sections]
    spans += [(entry.first_line, entry.last_line) for entry in reading.entries]
    spans += [(rule.first_line, rule.last_line) for rule in reading.rules]
    spans += [(e.first_line, e.last_line) for rule in reading.rules for e in rule.examples]
    for first, last in spans:
        yield from range(first, last + 1)
