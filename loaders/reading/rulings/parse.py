"""Parse a page of a rulings site into entries with paragraphs, rulings, notes and dates.

The site showed two columns, and saving the page flattened them: a heading is on the same line as the first
paragraph of the entry *before* it. So a paragraph belongs to the entry whose number it has, a note belongs to
the entry of the paragraph before it, and nothing belongs to the heading beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ....ontology import DocumentKind, SourceError, slug
from ...language.words import count_lines, ending, fold, fragment_id, normalise
from ...records import Document, Entry, Paragraph, Problem, Rule
from ..pieces import Draft, Piece, in_turn, listed, paragraphs
from ..references import with_references
from ..source import Source
from .checks import check_page, find_release
from .scan import RulingsPiece, scan, scan_summary, split_attributions, title_of_summary

_NUMBERED = re.compile(r"[A-Z]{0,2}\.?\d+")
_LETTERS = re.compile(r"[a-z]+$")
_OWN_PLACE = re.compile(r"(?<=\d)[a-z]+$|(?<=^[A-Z]\.\d)\.\d+$|(?<=^[A-Z]\.\d\d)\.\d+$")
"""What a paragraph's number adds to that of its entry: ``a`` in ``G1.2a``, ``.1`` in ``A.19.1``."""

_MOST_STRAY = 20
"""With more stray paragraphs, and a quarter of all, it is another kind of document."""


def parse(source: Source) -> Document:
    """Return the content of a rulings page; raise SourceError if it has no numbered entry.

    On the site's rule pages (numbers without a leading letter) entries are marked `is_rule`, and the
    chapter's heading is a `Rule` of level ``"chapter"``.
    """
    summary = title_of_summary(source.lines)
    pieces = scan_summary(source.lines) if summary else scan(source.lines)
    read = [it for it in pieces if it.kind not in ("loose", "furniture")]
    page = _Page(pieces)
    if not page.drafts and not page.chapters:
        raise SourceError(
            "this rulings page has no numbered entry",
            way_out="Give a page with headings such as 'G16.26 - Priority'.",
        )
    stray = [it for it in page.problems if it.code == "stray-text"]
    if len(stray) > max(_MOST_STRAY, len(read) // 4):
        raise SourceError(
            f"{len(stray)} paragraphs of this rulings page belong to no entry",
            line=stray[0].first_line,
            excerpt=stray[0].quote,
            way_out="Give a page with headings such as 'G16.26 - Priority', or rules such as '100.1. …'.",
        )
    release, issued, problems = find_release(source.lines)
    if not read[-1].finished:
        end = ending(read[-1].text)
        problems.append(Problem.at(read[-1], "cut-off", f"the page ends in the middle of {end!r}", quote=end))
    entries = page.entries()
    name = summary or f"Rulings page {page.part.partition('-')[0].upper()}"
    part = slug(summary) if summary else page.part
    if issued:
        edition = f"rulings-{issued.isoformat()}"
    else:
        edition = slug(release) if release else fragment_id(normalise(" ".join(source.lines)))
    worded = (number for number, line in enumerate(source.lines, 1) if fold(line))
    document = Document(
        kind=DocumentKind.RULINGS,
        document=f"{edition}-{part}" if release else edition,
        edition=edition,
        title=name + (f", release {release}" if release else ""),
        issued=issued,
        checksum=source.checksum,
        encoding=source.encoding,
        lines=count_lines(source.lines),
        rules=tuple(page.chapters),
        entries=entries,
        problems=(*problems, *page.problems, *check_page(entries)),
        furniture=tuple(sorted(page.furniture)),
        unaccounted=tuple(number for number in worded if number not in page.accounted),
    )
    return with_references(document)


class _Page:
    """Assigns every piece of one page to its place, then makes the records."""

    def __init__(self, pieces: Sequence[RulingsPiece]) -> None:
        self.drafts: list[Draft] = []
        self.chapters: list[Rule] = []
        self.problems: list[Problem] = []
        self.furniture: set[int] = set()
        self.accounted: set[int] = set()
        self.first_number = ""
        self._by_number: dict[str, Draft] = {}
        self._headed: list[Draft] = []
        self._owner: Draft | None = None
        self._last: Draft | None = None
        """The entry of the last paragraph, whose examples follow."""
        for piece in pieces:
            if piece.number and not self.first_number:
                self.first_number = piece.number
            self._place(piece)
            self.accounted.update(line for line, _ in piece.lines)

    @property
    def part(self) -> str:
        """What distinguishes the page from others of its release.

        A page that begins in the middle of its letter is a different document from the one with the start.
        """
        first, _, place = self.first_number.lower().partition(".")
        return first if place in ("", "1") or not first[:1].isalpha() else f"{first}-{place}"

    def _place(self, piece: RulingsPiece) -> None:
        match piece.kind:
            case "furniture":
                self.furniture.update(line for line, _ in piece.lines)
            case "chapter":
                self._chapter(piece)
            case "heading":
                self._heading(piece)
            case "paragraph" | "ruling" if piece.number:
                number = _OWN_PLACE.sub("", piece.number)
                self._own(self._by_number.get(number) or self._draft(number), piece)
            case "note":
                self._own(self._owner or self._beside(piece), piece)
            case "example" if self._last is not None:
                self._last.pieces.append(piece)
            case "loose" if piece.bullet:
                piece.kind = "paragraph"
                self._own(self._owner or self._beside(piece), piece)
            case _:
                self._stray(piece)

    def _chapter(self, piece: Piece) -> None:
        """Add the chapter of a rule page; for a whole letter, the heading has no other content."""
        if piece.number.isdigit():
            number, title = piece.number, piece.text
            self.chapters.append(Rule(number, title, piece.first_line, piece.last_line, title=title))
        else:
            self.furniture.update(line for line, _ in piece.lines)
        self._owner = self._last = None

    def _heading(self, piece: Piece) -> None:
        known = self._by_number.get(piece.number)
        if known is None or known.heading.lines:
            known = self._draft(piece.number)
        known.heading = piece
        self._headed.append(known)
        self._owner = self._last = None

    def _draft(self, number: str) -> Draft:
        """Return a new entry of which only the number is known."""
        draft = Draft(Piece("heading", [], number))
        self.drafts.append(draft)
        self._by_number[number] = draft
        return draft

    def _beside(self, piece: RulingsPiece) -> Draft | None:
        """Return the owner of a piece without a number, if no paragraph comes before it.

        A piece after a heading on the same line belongs to the entry before; a piece below a heading, to its
        entry.
        """
        place = -2 if piece.inline and len(self._headed) > 1 else -1
        return self._headed[place] if self._headed else None

    def _own(self, draft: Draft | None, piece: Piece) -> None:
        if draft is None or (
            piece.kind == "paragraph" and not piece.number and draft.heading.number[0].isdigit()
        ):
            self._stray(piece)  # on rule pages a paragraph is a rule, and has a number
            return
        self._owner = draft
        draft.pieces.append(piece)
        if piece.kind == "paragraph":
            self._last = draft

    def _stray(self, piece: Piece) -> None:
        message = "this text does not belong to any entry"
        self.problems.append(Problem.at(piece, "stray-text", message, quote=piece.text[:80]))

    def entries(self) -> tuple[Entry, ...]:
        """Return the entries in the order of their first appearance."""
        return tuple(_entry(draft, occurrence) for draft, occurrence in in_turn(self.drafts))


def _entry(draft: Draft, occurrence: int) -> Entry:
    number = draft.heading.number
    is_numbered = _NUMBERED.match(number) is not None
    pieces = [piece for piece in (*draft.pieces, draft.heading) if piece.lines]
    found = paragraphs(draft.of("paragraph", "example"), _dated)
    return Entry(
        key=number if is_numbered else slug(number),
        number=number if is_numbered else "",
        heading=draft.heading.text,
        first_line=min(piece.first_line for piece in pieces),
        last_line=max(piece.last_line for piece in pieces),
        occurrence=occurrence,
        paragraphs=tuple(_lettered(map(_dated_by_example, found))),
        notes=listed(draft.of("note")),
        rulings=listed(draft.of("ruling"), _ruling),
        is_rule=number[0].isdigit(),
    )


def _lettered(found: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Yield paragraphs with the letters of their numbers as keys."""
    times: Counter[str] = Counter()
    for it in found:
        letter = _LETTERS.search(it.number)
        key = letter[0] if letter else it.key
        times[key] += 1
        yield replace(it, key=key if times[key] == 1 else f"{key}~{times[key]}")


def _dated_by_example(found: Paragraph) -> Paragraph:
    """Return a paragraph; the date after its last example becomes its own if it has no other."""
    if not found.examples or found.attributions:
        return found
    *others, last = found.examples
    examples = (*others, replace(last, attributions=()))
    return replace(found, attributions=last.attributions, examples=examples)


def _ruling(key: str, piece: Piece) -> Paragraph:
    place = piece.place if isinstance(piece, RulingsPiece) else ""
    number = f"{piece.number}.Ruling.{place}" if place else ""
    return replace(_dated(key, piece), number=number)


def _dated(key: str, piece: Piece) -> Paragraph:
    text, attributions = split_attributions(piece.text)
    first, last = piece.first_line, piece.last_line
    return Paragraph(key, piece.number, text, first, last, attributions=attributions)
