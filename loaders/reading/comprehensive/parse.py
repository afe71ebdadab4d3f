"""Parse the text of the comprehensive rules, of any edition, and refuse one that is not complete."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ....ontology import DocumentKind, SourceError
from ...language.names import is_title
from ...language.numbers import successors
from ...language.words import beginning, ends_paragraph, ends_sentence, fragment_id, straight
from ...records import Document, Entry, Paragraph, Problem, Rule, Section
from ..furniture import find_pages
from ..glossary import read_glossary
from ..lines import Head, Line, Wrapping, clean_lines, cut_at_numbers, find_wrapping, read_head
from ..pieces import Draft, Piece, collect, example_of, in_turn, listed, paragraphs
from ..references import with_references
from ..source import Source
from .parts import WHOLE_EDITION, Reading, find_dates, find_title, read_contents, section_heading, split_parts
from .slips import find_slips

_NEEDS_MORE = re.compile(
    r"(?:\b(?:rules?|and|or|see|through|to|in|of|by|under|from|than|with|section|sections)|[,(–—])$",
    re.IGNORECASE,
)
_ASKING = 10
"""How many characters at the end of a text are searched for an unfinished phrase."""


def unglued(lines: Sequence[Line]) -> tuple[list[Line], list[Problem]]:
    """Return the lines, cut before numbers that follow other text on a line, and a problem for each cut."""
    parted: list[Line] = []
    problems: list[Problem] = []
    current = ""
    for place, line in enumerate(lines):
        following = lines[place + 1].text if place + 1 < len(lines) else ""
        for part, text in enumerate(cut_at_numbers(line.text, current, following)):
            head = read_head(text)
            current = head.number if head else current
            parted.append(line._replace(text=text, apart=True) if part else line._replace(text=text))
            if part:
                message = f"{current} does not start a new line: other words come before it"
                problems.append(Problem.at(line.number, "glued-number", message, current, beginning(text)))
    return parted, problems


def read_pieces(lines: Sequence[Line], wrapping: Wrapping) -> list[Piece]:
    """Return the pieces of the rules in order; every line is in exactly one."""
    numbered: Piece | None = None

    def opened(place: int, pieces: Sequence[Piece]) -> Piece | None:
        nonlocal numbered
        line = lines[place]
        if not line.text[0].isdigit():
            return example_of(line)
        section = section_heading(lines, place)
        if section:
            return Piece("section", [(line.number, section[1])], section[0])
        head = read_head(line.text)
        if not head or not opens(head, line, pieces[-1] if pieces else None, numbered):
            return None
        numbered = Piece("numbered", [(line.number, head.rest)], head=head)
        return numbered

    return collect(lines, wrapping, opened)


def opens(head: Head, line: Line, last: Piece | None, numbered: Piece | None) -> bool:
    """Return whether a number at the start of a line begins a rule; else an unfinished sentence cites it.

    It is cited if the words before it require a number (*see rule*), or if they do not end in a full stop, no
    title or blank line is in between, and the number is not the next one in order.
    """
    if last is None or line.marked or last.kind == "section" or _is_heading(last):
        return last is None or not _is_stray_chapter(head, numbered)
    ended = ends_paragraph(last.end)
    if head.lost:
        return line.apart or ended
    in_order = _in_order(head, numbered)
    asks = _NEEDS_MORE.search(last.end, max(0, len(last.end) - _ASKING)) is not None
    if _is_stray_chapter(head, numbered) or (asks and not (line.apart and in_order)):
        return False
    if line.apart or (ended and not head.rest[:1].islower()):
        return True
    return not ended and in_order and head.rest[:1].isupper()


def _in_order(head: Head, numbered: Piece | None) -> bool:
    return not (numbered and numbered.head) or head.number in successors(numbered.head.number)


def _is_stray_chapter(head: Head, numbered: Piece | None) -> bool:
    """Return whether three figures without a dot are not a chapter's number: that chapter is not due."""
    return head.level == "chapter" and "missing-dot" in head.slips and not _in_order(head, numbered)


def _is_heading(piece: Piece) -> bool:
    if piece.kind != "numbered" or piece.head is None:
        return False
    return (
        piece.head.level == "chapter" or not piece.end or (piece.head.level == "rule" and is_title(piece.end))
    )


_HABIT_SHARE = 0.3
"""If a larger share of a level's numbers has a slip, it is the habit of the text."""

_AS_RULES = "A rule begins a line with its number, as in “100.1. …” or “100.1a …”. Use such a copy."

_SLIPS = {
    "missing-dot": "the dot after the number is missing",
    "extra-dot": "there is a dot after the number of a subrule",
    "missing-space": "the space after the number is missing",
    "extra-space": "there is a space inside the number",
    "lost-digit": "a digit of the number is missing; it is read as {number}",
}


def read_rules(
    pieces: Sequence[Piece],
) -> tuple[tuple[Section, ...], tuple[Rule, ...], list[Problem], list[Piece]]:
    """Return sections, rules, slips in their numbers, and the pieces before the first number.

    An unnumbered paragraph belongs to the rule before it, and is joined to its text by a newline. A subrule
    that has lost its figure (``408.f``) gets it from the rule before it. A repeated number is kept as another
    occurrence.
    """
    drafts: list[Draft] = []
    sections: list[Section] = []
    loose: list[Piece] = []
    for piece in pieces:
        if piece.kind == "section":
            sections.append(Section(piece.number, piece.text, piece.first_line, piece.last_line))
        elif piece.head is not None:
            piece.number = _restored(piece.head, drafts) if piece.head.lost else piece.head.number
            drafts.append(Draft(piece))
        else:
            (drafts[-1].pieces if drafts else loose).append(piece)
    rules = tuple(_rule(draft, occurrence) for draft, occurrence in in_turn(drafts))
    return tuple(sections), rules, list(_slips(drafts)), loose


def _restored(head: Head, drafts: Sequence[Draft]) -> str:
    chapter, before = head.number[:3], drafts[-1].heading.number if drafts else ""
    figures = re.match(r"\d+", before.partition(".")[2])
    return f"{chapter}.{figures[0]}{head.number[4:]}" if figures and before[:3] == chapter else head.number


def _rule(draft: Draft, occurrence: int) -> Rule:
    head, number = _head(draft), draft.heading.number
    paragraphs = [draft.heading, *(it for it in draft.pieces if it.kind != "example")]
    text = "\n".join(piece.text for piece in paragraphs)
    title = None
    if (head.level == "chapter" and not ends_sentence(text)) or (head.level == "rule" and is_title(text)):
        title = text
    return Rule(
        number=number,
        text=text,
        first_line=draft.heading.first_line,
        last_line=paragraphs[-1].last_line,
        title=title,
        printed=head.printed if head.printed != number else "",
        occurrence=occurrence,
        examples=listed(draft.of("example")),
    )


def _head(draft: Draft) -> Head:
    assert draft.heading.head is not None
    return draft.heading.head


def _slips(drafts: Iterable[Draft]) -> Iterable[Problem]:
    """Yield a problem for each slip, except if it is the habit of the text."""
    headed = [(draft.heading, _head(draft)) for draft in drafts]
    numbers = Counter(head.level for _, head in headed)
    shown = Counter((head.level, slip) for _, head in headed for slip in head.slips)
    for it, head in headed:
        for slip in head.slips:
            if shown[head.level, slip] <= max(3, _HABIT_SHARE * numbers[head.level]):
                message = f"{it.number}: {_SLIPS[slip].format(number=it.number)}"
                quote = beginning(f"{head.printed} {it.text}")
                yield Problem.at(it.first_line, slip, message, it.number, quote)


def parse(source: Source) -> Document:
    """Return everything that an edition of the comprehensive rules says.

    The layout is inferred from the text itself: with or without contents, index and credits; paragraphs on
    one line each or wrapped at a column; plain or Markdown. The edition is named by the date that the text
    states (``cr-2008-02-01``); without a date the document is a fragment, named by a checksum of its words.

    Raises `SourceError` for a text without numbered rules, and for an incomplete one (`check_whole`); slips
    in a complete text become the document's `problems`.
    """
    lines, drawn = clean_lines(source.lines, find_pages(source.lines))
    wrapping = find_wrapping(lines)
    parts = split_parts(lines)
    if not parts.rules:
        raise SourceError("no numbered rules were found", way_out=_AS_RULES)
    own_lines, glued = unglued(parts.rules)
    sections, rules, slips, loose = read_rules(read_pieces(own_lines, wrapping))
    entries, problems, unheaded = read_glossary(parts.glossary, wrapping)
    dates = (*find_dates(parts.front), *find_dates(parts.back))
    contents = read_contents(parts.front)
    reading = Reading(source, parts, contents, sections, rules, entries, dates)
    check_whole(reading, len(unheaded))
    issued = dates[0][0] if dates and not reading.is_part else None
    identity = f"cr-{issued}" if issued else fragment_id("\n".join(line.text for line in lines))
    problems += (*glued, *slips, *find_slips(reading))
    heading = (parts.glossary_heading,) if parts.glossary_heading else ()
    around = (line.number for line in (*parts.front, *heading, *parts.back))
    furniture = tuple(sorted((*around, *drawn, *unheaded)))
    accounted = {*furniture, *_recorded(reading), *(n for piece in loose for n, _ in piece.lines)}
    document = Document(
        kind=DocumentKind.COMPREHENSIVE,
        document=identity,
        edition=identity,
        title=find_title(parts.front),
        issued=issued,
        checksum=source.checksum,
        encoding=source.encoding,
        lines=len(lines) + len(drawn),
        sections=sections,
        rules=rules,
        entries=entries,
        paragraphs=paragraphs(loose),
        problems=tuple(sorted(problems, key=lambda p: (p.first_line, p.code, p.subject))),
        furniture=furniture,
        unaccounted=tuple(line.number for line in lines if line.number not in accounted),
    )
    return with_references(document)


def _recorded(reading: Reading) -> Iterator[int]:
    """Yield the line numbers of the records."""
    examples = (example for rule in reading.rules for example in rule.examples)
    records: Iterable[Section | Entry | Rule | Paragraph] = chain(
        reading.sections, reading.entries, reading.rules, examples
    )
    for it in records:
        yield from range(it.first_line, it.last_line + 1)


_ANOTHER = "Use another copy of the file."
_OWN_LINE = (
    "Put each term on a line of its own, with its definition below it, or use another copy of the file."
)
_MANY_ENTRIES = 50
_LAST_LETTER = "u"
"""A long glossary that ends before this letter was cut off: the last entries begin with Z."""


def check_whole(reading: Reading, unheaded: int) -> None:
    """Raise `SourceError` for an incomplete text, saying what is missing, where, and what to do.

    `unheaded` is the number of lines in the glossary before its first heading.
    """
    _refuse_two_texts(reading)
    if reading.is_part:
        _refuse_broken_sentences(reading)
        return
    _refuse_headless(reading)
    if reading.parts.glossary_heading is None:
        _refuse_without_glossary(reading)
    else:
        _refuse_cut_glossary(reading, unheaded)
    missing, titles = reading.missing_chapters, reading.contents.titles
    if len(missing) > max(2, len(titles) // 20):
        title, line = titles[missing[0]]
        what = f"{len(missing)} chapters of the contents are missing below, {missing[0]} to {missing[-1]}"
        raise _refused(line, f"{missing[0]}. {title}", what)
    _refuse_broken_sentences(reading)


def _refused(
    line: int, text: str, what: str, *, at_end: bool = False, way_out: str = _ANOTHER
) -> SourceError:
    """Return the error that shows a line of the text; with `at_end` its caret is after the last words."""
    return SourceError(
        what,
        line=line,
        excerpt=text[-80:] if at_end else text,
        column=min(len(text), 80) + 1 if at_end else None,
        way_out=way_out,
    )


def _cut_off(line: Line, what: str) -> SourceError:
    return _refused(line.number, line.text, f"the text is cut off: {what}", at_end=True)


def _refuse_two_texts(reading: Reading) -> None:
    back = reading.parts.back
    heads = [line for line in back if (head := read_head(line.text)) and head.level != "chapter"]
    if len(heads) > 5:
        what = "there are numbered rules after the glossary: this file contains more than one text"
        raise _refused(heads[0].number, heads[0].text, what, way_out="Put each edition in its own file.")


def _refuse_headless(reading: Reading) -> None:
    """Raise for a text that has the glossary but not the first chapter; a chapter alone is a fragment."""
    first = reading.rules[0] if reading.rules else None
    if first and reading.parts.glossary_heading and first.number[:3] != "100":
        what = f"the beginning is missing: the first rule is {first.number}"
        raise _refused(first.first_line, beginning(first.text), what)


def _refuse_without_glossary(reading: Reading) -> None:
    rules, last = reading.rules, reading.last
    if reading.contents.glossary:
        raise _cut_off(last, "the contents list a glossary, but none follows")
    if reading.dates and sum(rule.level == "chapter" for rule in rules) >= WHOLE_EDITION:
        raise _cut_off(last, "an edition of the rules ends with a glossary, but none follows")
    if rules and rules[-1].title is None and not ends_paragraph(last.text):
        raise _cut_off(last, "it ends in the middle of a sentence")


def _refuse_cut_glossary(reading: Reading, unheaded: int) -> None:
    parts, entries = reading.parts, reading.entries
    if unheaded > len(entries):
        first, what = parts.glossary[0], f"{unheaded} lines of the glossary are below no term"
        raise _refused(first.number, beginning(first.text), what, way_out=_OWN_LINE)
    if not entries:
        what = "there is nothing under the heading of the glossary"
        raise _cut_off(parts.glossary_heading or reading.last, what)
    bare = [entry for entry in entries if not entry.paragraphs]
    if len(bare) > max(2, len(entries) // 10):
        what = f"{len(bare)} of {len(entries)} glossary entries have no text under their heading"
        raise _refused(bare[0].first_line, bare[0].heading, what)
    if parts.back:
        return
    last, final = parts.glossary[-1], entries[-1]
    if not final.paragraphs or not ends_paragraph(last.text):
        raise _cut_off(last, f"the glossary ends in the middle of the entry {final.heading!r}")
    initial = straight(final.heading).strip("\"'( ")[:1].lower()
    if len(entries) >= _MANY_ENTRIES and initial < _LAST_LETTER:
        raise _cut_off(last, f"the glossary stops at {final.heading!r}")


def _refuse_broken_sentences(reading: Reading) -> None:
    units = [(rule.text, rule.last_line) for rule in reading.rules if rule.title is None]
    units += [(p.text, p.last_line) for entry in reading.entries for p in entry.paragraphs]
    broken = [unit for unit in units if not ends_paragraph(unit[0])]
    if len(broken) > max(3, len(units) // 10):
        text, line = broken[0]
        what = f"{len(broken)} of {len(units)} paragraphs break off in the middle of a sentence"
        raise _refused(line, text, what, at_end=True)
