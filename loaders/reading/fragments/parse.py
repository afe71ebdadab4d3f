"""Parse glossaries without dates and numbers: prose that lost its headings, and copies from reading sites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from ....ontology.errors import SourceError
from ....ontology.iris import slug
from ...kinds import DocumentKind
from ...language.names import split_heading
from ...language.words import count_lines, fold, fragment_id, normalise, unbalanced_quotes
from ...records import Document, Entry, Paragraph, Problem, Severity
from ..references import find_references
from ..source import Source
from .blocks import Block, split_blocks

_TITLE_WORDS = 6


_KEPT = 0.5
"""Headings for each paragraph in a text that kept them; whole glossaries have two for three."""


@dataclass(slots=True)
class _Paragraph:
    block: Block
    examples: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class _Entry:
    heading: Block
    paragraphs: list[_Paragraph] = field(default_factory=list)


def _parse(source: Source, kind: DocumentKind) -> Document:
    """Return what a glossary without dates and numbers says; raise SourceError where it holds no paragraph.

    In a web copy paragraphs stand below the heading before them; copies are cut anywhere, so there may be
    paragraphs before the first heading, which are loose, and a heading at the very end, which has none.

    Prose lost most of its headings, and a paragraph below one need not belong to it: all paragraphs are
    loose, and the headings that are left are entries without paragraphs. What term each is about is found
    later, by comparison with an edition (`rulesgraph.loaders.linking.align`). Prose with a heading for every
    other paragraph kept its headings, and is read like a copy.

    Filtered words and turned quotes are mended in both; a paragraph that changed keeps its words in
    `as_found`. Keys count from 1. The document's id is made from its words alone: line breaks, kinds of
    quotes and furniture do not change it.
    """
    blocks = split_blocks(source.lines, mend)
    counts = Counter(block.kind for block in blocks)
    has_headings = kind is DocumentKind.WEB_COPY or counts["heading"] >= _KEPT * counts["paragraph"]
    reader = _Reader(blocks, headings_own=has_headings)
    if not reader.all_paragraphs:
        raise SourceError(
            f"there is no paragraph in this {kind.value}",
            source=source.name,
            way_out="Name a text with whole sentences: a glossary has them.",
        )
    name = fragment_id(normalise(" ".join(b.text for b in blocks if b.kind != "furniture")))
    names = frozenset(name for entry in reader.entries for name in split_heading(entry.heading.text).names)
    opening = " ".join(reader.all_paragraphs[0].block.text.split()[:_TITLE_WORDS])
    return Document(
        kind=kind,
        document=name,
        edition=name,
        title=f"{kind.value.capitalize()} from “{opening} …”",
        issued=None,
        checksum=source.checksum,
        encoding=source.encoding,
        lines=count_lines(source.lines),
        entries=tuple(_entries(reader.entries, names)),
        paragraphs=tuple(_paragraph(place, p, names) for place, p in enumerate(reader.loose, start=1)),
        problems=tuple(sorted(reader.problems(), key=lambda p: p.first_line)),
        furniture=tuple(_lines(block for block in blocks if block.kind == "furniture")),
        unaccounted=source.lines_without(set(_lines(blocks))),
    )


def _lines(blocks: Iterable[Block]) -> Iterator[int]:
    """Yield the lines that blocks stand on."""
    for block in blocks:
        yield from range(block.first_line, block.last_line + 1)


class _Reader:
    """Gives every block its place."""

    def __init__(self, blocks: Sequence[Block], *, headings_own: bool) -> None:
        self.entries: list[_Entry] = []
        self.loose: list[_Paragraph] = []
        self.all_paragraphs: list[_Paragraph] = []
        self._stray: list[Block] = []
        self._mended: list[Block] = []
        self._headings_own = headings_own
        for block in blocks:
            self._place(block)

    def _place(self, block: Block) -> None:
        if block.kind in ("heading", "example") and block.found:
            self._mended.append(block)
        match block.kind:
            case "heading":
                self.entries.append(_Entry(block))
            case "paragraph":
                paragraph = _Paragraph(block)
                self.all_paragraphs.append(paragraph)
                below = self.entries[-1].paragraphs if self._headings_own and self.entries else self.loose
                below.append(paragraph)
            case "example" if self.all_paragraphs:
                self.all_paragraphs[-1].examples.append(block)
            case "example":
                self._stray.append(block)

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the text, or was and has been mended."""
        for block in self._stray:
            yield _problem("stray-text", "this example belongs to no paragraph", block)
        for block in self._mended:
            message = f"“{block.found}” was repaired, and is read as “{block.text}”"
            yield _problem("mended-words", message, block, Severity.INFO)
        for paragraph in self.all_paragraphs:
            for block in (paragraph.block, *paragraph.examples):
                if unbalanced_quotes(block.text):
                    yield _problem(
                        "unbalanced-quotes", "a quotation has only one of its two quotation marks", block
                    )
        if self._headings_own:
            yield from self._cuts()

    def _cuts(self) -> Iterator[Problem]:
        """Yield where a copy begins or ends inside an entry, and headings without words elsewhere."""
        if self.loose and self.entries:
            message = "the copy begins inside an entry whose heading it does not have"
            yield _problem("cut-off", message, self.loose[0].block, Severity.INFO)
        for entry in self.entries:
            if entry.paragraphs:
                continue
            name = entry.heading.text
            if entry is self.entries[-1]:
                message = f"the copy ends with the bare heading {name}"
                yield _problem("cut-off", message, entry.heading, Severity.INFO)
            else:
                yield _problem("missing-paragraph", f"{name} has a heading but no paragraph", entry.heading)


def _problem(code: str, message: str, block: Block, severity: Severity = Severity.WARNING) -> Problem:
    subject = block.text if block.kind == "heading" else ""
    return Problem.at(block, code, message, subject, (block.found or block.text)[:80], severity)


def _entries(drafts: Sequence[_Entry], names: frozenset[str]) -> Iterator[Entry]:
    seen = Counter[str]()
    for draft in drafts:
        key = slug(split_heading(draft.heading.text).names[0])
        seen[key] += 1
        paragraphs = tuple(_paragraph(place, p, names) for place, p in enumerate(draft.paragraphs, start=1))
        lines = [p.last_line for p in paragraphs] + [x.last_line for p in paragraphs for x in p.examples]
        yield Entry(
            key=key,
            number="",
            heading=draft.heading.text,
            first_line=draft.heading.first_line,
            last_line=max([draft.heading.last_line, *lines]),
            occurrence=seen[key],
            paragraphs=paragraphs,
        )


def _paragraph(place: int, draft: _Paragraph, names: frozenset[str]) -> Paragraph:
    block = draft.block
    return Paragraph(
        key=str(place),
        number="",
        text=block.text,
        first_line=block.first_line,
        last_line=block.last_line,
        references=find_references(block.text, names),
        examples=tuple(
            Paragraph(str(n), "", it.text, it.first_line, it.last_line, find_references(it.text, names))
            for n, it in enumerate(draft.examples, start=1)
        ),
        as_found=block.found,
    )


_BROKEN = re.compile(r"(?<![\w.+@/])[A-Za-z]+(?:\.\+?[A-Za-z]+){2,}(?![\w@/]|\.\w)")
_SEPARATOR = re.compile(r"\.\+?")
_ABBREVIATION = re.compile(r"(?:e\.g|i\.e|a\.k\.a|a\.m|p\.m|n\.b|q\.v)\.", re.IGNORECASE)
_HOST = re.compile(
    r"www\.|.*\.(?:com|org|net|edu|gov|info|io|co|uk|de|txt|html?|aspx?|php|pdf)$", re.IGNORECASE
)
_CURLY = re.compile("[“”]")
_BEFORE_OPENING = re.compile(r"[\s(\[{—–/-]?$")


def mend(text: str) -> str:
    """Return the words of a web copy repaired: white space, then filtered words, then quotes."""
    return turn_quotes(join_filtered(fold(text)))


def join_filtered(text: str) -> str:
    """Return `text` with the words closed up that a filter took apart around single letters.

    Broken is a word of three pieces or more, joined by dots (``.`` or ``.+``), where each dot has a single
    small letter, neither first nor last, on a side of it. Abbreviations, initials, addresses and words
    of single letters alone stay.

    >>> join_filtered("cla.s.sical th.i.+mbles, e.g. from www.x.com")
    'classical thimbles, e.g. from www.x.com'
    """
    return _BROKEN.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    word = match[0]
    pieces = _SEPARATOR.split(word)
    is_set_apart = [0 < place < len(pieces) - 1 and len(piece) == 1 for place, piece in enumerate(pieces)]
    is_filtered = all(left or right for left, right in pairwise(is_set_apart))
    is_small = all(piece.islower() for piece in pieces[1:])
    is_initials = "+" not in word and all(len(piece) == 1 for piece in pieces)
    if not is_filtered or not is_small or is_initials or _ABBREVIATION.match(word) or _HOST.match(word):
        return word
    return "".join(pieces)


def turn_quotes(text: str) -> str:
    """Return `text` with its curly double quotes opening and closing as their places ask.

    Text with as many opening as closing quotes is left as it is. What stands at the beginning or
    behind white space, a dash or a bracket opens.

    >>> turn_quotes("the ”keeper” waits (”here”)")
    'the “keeper” waits (“here”)'
    """
    if text.count("“") == text.count("”"):
        return text

    def turned(quote: re.Match[str]) -> str:
        # The character before it is enough: all of the text before each quote would make long ones slow.
        place = quote.start()
        return "“" if _BEFORE_OPENING.match(text[max(0, place - 1) : place]) else "”"

    return _CURLY.sub(turned, text)


parse_prose = partial(_parse, kind=DocumentKind.PROSE)
parse_web_copy = partial(_parse, kind=DocumentKind.WEB_COPY)
