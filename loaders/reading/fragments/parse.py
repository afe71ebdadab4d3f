"""The blocks of an undated, unnumbered glossary become a document: entries, paragraphs, examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....ontology.errors import SourceError
from ....ontology.iris import slug
from ...kinds import DocumentKind
from ...language.names import split_heading
from ...language.words import count_lines, fold, fragment_id, normalise, unbalanced_quotes
from ...records import Document, Entry, Example, Paragraph, Problem, Severity
from ..references import find_references
from ..source import Source
from .blocks import Block, BlockKind

_TITLE_WORDS = 6


@dataclass(slots=True)
class _Paragraph:
    block: Block
    examples: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class _Entry:
    heading: Block
    paragraphs: list[_Paragraph] = field(default_factory=list)


def fragment(source: Source, kind: DocumentKind, blocks: Sequence[Block], *, headings_own: bool) -> Document:
    """Return the document that `blocks` make; raise SourceError where they hold no paragraph.

    With `headings_own` paragraphs stand below the heading before them, and only those before the first
    are loose; without it all are loose, and the headings are entries without paragraphs. Keys count
    from 1. The document's id is made from its words alone: line breaks, kinds of quotes and furniture
    do not change it.
    """
    reader = _Reader(blocks, headings_own=headings_own)
    if not reader.all_paragraphs:
        raise SourceError(
            f"there is no paragraph in this {kind.value}",
            source=source.name,
            way_out="a glossary's paragraphs are whole sentences",
        )
    words = normalise(" ".join(b.text for b in blocks if b.kind is not BlockKind.FURNITURE))
    name = fragment_id(words)
    names = frozenset(name for entry in reader.entries for name in split_heading(entry.heading.text).names)
    opening = " ".join(reader.all_paragraphs[0].block.text.split()[:_TITLE_WORDS])
    accounted = {line for block in blocks for line in range(block.first_line, block.last_line + 1)}
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
        furniture=tuple(
            line
            for block in blocks
            if block.kind is BlockKind.FURNITURE
            for line in range(block.first_line, block.last_line + 1)
        ),
        unaccounted=tuple(n for n, line in enumerate(source.lines, 1) if fold(line) and n not in accounted),
    )


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
        if block.kind in (BlockKind.HEADING, BlockKind.EXAMPLE) and block.found:
            self._mended.append(block)
        match block.kind:
            case BlockKind.HEADING:
                self.entries.append(_Entry(block))
            case BlockKind.PARAGRAPH:
                paragraph = _Paragraph(block)
                self.all_paragraphs.append(paragraph)
                below = self.entries[-1].paragraphs if self._headings_own and self.entries else self.loose
                below.append(paragraph)
            case BlockKind.EXAMPLE if self.all_paragraphs:
                self.all_paragraphs[-1].examples.append(block)
            case BlockKind.EXAMPLE:
                self._stray.append(block)

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the text, or was and has been mended."""
        for block in self._stray:
            yield _problem("stray-text", "this example stands under no paragraph", block)
        for block in self._mended:
            message = f"“{block.found}” was mended and is read as “{block.text}”"
            yield _problem("mended-words", message, block, Severity.INFO)
        for paragraph in self.all_paragraphs:
            for block in (paragraph.block, *paragraph.examples):
                if unbalanced_quotes(block.text):
                    yield _problem("unbalanced-quotes", "a quotation is opened or closed only once", block)
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
                yield _problem("missing-paragraph", f"{name} has a heading and no paragraph", entry.heading)


def _problem(code: str, message: str, block: Block, severity: Severity = Severity.WARNING) -> Problem:
    subject = block.text if block.kind is BlockKind.HEADING else ""
    quote = (block.found or block.text)[:80]
    return Problem(code, message, severity, block.first_line, block.last_line, subject, quote)


def _entries(drafts: Sequence[_Entry], names: frozenset[str]) -> Iterator[Entry]:
    seen: dict[str, int] = {}
    for draft in drafts:
        heading = split_heading(draft.heading.text)
        key = slug(heading.names[0])
        seen[key] = seen.get(key, 0) + 1
        paragraphs = tuple(_paragraph(place, p, names) for place, p in enumerate(draft.paragraphs, start=1))
        lines = [p.last_line for p in paragraphs] + [x.last_line for p in paragraphs for x in p.examples]
        yield Entry(
            key=key,
            number="",
            heading=draft.heading.text,
            names=heading.names,
            first_line=draft.heading.first_line,
            last_line=max([draft.heading.last_line, *lines]),
            status=heading.status,
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
            Example(e.text, e.first_line, e.last_line, find_references(e.text, names)) for e in draft.examples
        ),
        as_found=block.found,
    )
