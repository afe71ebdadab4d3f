"""Split the lines of a rulings page into pieces: headings, paragraphs, rulings, examples, notes, furniture.

The mark at the start of a line decides its kind. Indentation hardly counts, so copies that lost it read the
same. Guaranteed:

- every non-blank line is in exactly one piece, or in several if the site flattened two columns onto one line
  (a heading, followed by the first paragraph of the entry before);
- pieces come in the order of the page, and hard-wrapped words are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ...language.dates import read_day
from ...language.words import ends_sentence, fold
from ...records import Attribution
from ..pieces import Piece, PieceKind

_NUMBER = r"(?:[A-Z]{0,2}\d{1,3}|[A-Z]\.\d{1,3})\.\d{1,3}"
_DASH = r"(?:\s+[-–—](?:\s+|$)|[-–—]\s+|\s+[-–—]|[-–—](?=[A-Z\"“]))"
_MARK = re.compile(
    rf"(?:^|(?<=\s))(?P<bullet>[-–—*•]\s+|\+\s*)?(?:"
    rf"(?P<ruling>{_NUMBER}[a-z]{{0,2}}|\d{{3}}|[A-Z]\.\d{{1,3}})\.(?i:rulings?)\.(?P<place>\d+){_DASH}"
    rf"|(?P<lettered>{_NUMBER}[a-z]{{1,2}}){_DASH}(?!\s*{_NUMBER})"  # not a range of rules: 502.2a - 502.2c
    rf"|(?P<plain>{_NUMBER}|[A-Z]\.\d{{1,3}}){_DASH}(?!\s*{_NUMBER})"
    rf"|(?P<note>(?i:note))(?:\s*[-–—]\s*|:\s*(?=(?i:also)\b))"
    rf"|(?P<example>(?i:examples?)):(?:\s+|$)"
    r")"
)
"""What begins a paragraph, a ruling, a note or an example; `find_references` reads what a note sends to."""

_CHAPTER = re.compile(rf"(?P<number>\d{{3}}|[A-Z]{{1,2}}\d{{1,2}}){_DASH}(?=\S)")
_PAGE_TITLE = re.compile(r"General Rulings\s+-\s+(?:(?P<page>[A-Z]{0,2}\d{1,3})(?=(?P=page)[.\s])|[\w ]+$)")
"""The title that the site put above a page; copying may glue it to the number that follows."""

_NAVIGATION = re.compile(
    r"Go To\s*:|New Search\b|SPONSORED LINKS|The (?:Gaming Resource Library|Ultimate Source for Gaming Info)"
)
_BULLET = re.compile(r"[-–—*•+]\s+")
_RELEASE = re.compile(r"\bThis search based on (?:the )?(?P<label>.+?) release\b", re.IGNORECASE)
SUMMARY = re.compile(
    r"(?P<title>\w+ Rulings Summary\b.*?)\s+Updated:?\s+(?P<label>[\w/., -]+)", re.IGNORECASE
)
"""The title of a text with all rulings, or with those that a release changed."""

_RULER = re.compile(r"[-=*_~\s]{3,}(?:\S{1,5}[-=*_~\s]{3,})?")
_SECTION = re.compile(
    r"(?:\d{1,2}|[A-Z])\s+-\s+\S.*|No changes to this section\.?|Table of Contents:?", re.IGNORECASE
)
_END = re.compile(r"(?:credits|disclaimers?)\b.{0,30}", re.IGNORECASE)
_CARD = re.compile(r"(?P<name>[^\s+*].{0,60}):")
_DATED = re.compile(r"\[[^\[\]]*(?:\d{4}|\d\d/\d\d/\d\d)[^\[\]]*\]$")
_LONGEST_DATE = 200
"""The maximum number of characters in a bracket with a date at the end of a paragraph."""

_TITLED = 12
"""How many lines at the head of a summary may contain its title."""

_TITLE_LENGTH = 60
"""A longer first line is a wrapped paragraph: no heading is nearly as long as a line."""


@dataclass(slots=True)
class RulingsPiece(Piece):
    """A piece of a page.

    `place` is ``1`` for ``G12.12.Ruling.1``; `inline` says that the piece follows a heading on the heading's
    line, `bullet` that a dash came before it, `indented` that its first line does not begin at the margin.
    """

    place: str = ""
    inline: bool = False
    bullet: bool = False
    indented: bool = False

    @property
    def finished(self) -> bool:
        """Whether the words are complete: a heading, the end of a sentence, a date."""
        return self.kind in ("heading", "chapter", "furniture") or _is_sentence(self.end[-_LONGEST_DATE:])


def release_labels(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return `(line, label)` of every release line: ``March 17, 2008``, or a name such as ``starter``."""
    matches = ((n, _RELEASE.search(line) or SUMMARY.search(line)) for n, line in enumerate(lines, start=1))
    return [(number, fold(match["label"])) for number, match in matches if match]


def title_of_summary(lines: Sequence[str]) -> str:
    """Return the title of a summary (``Card Rulings Summary (CHANGES ONLY)``), or nothing."""
    match = SUMMARY.search("\n".join(lines[:_TITLED]))
    return fold(match["title"]) if match else ""


def scan_summary(lines: Sequence[str]) -> tuple[RulingsPiece, ...]:
    """Return the pieces of a summary: like those of a page, or rulings below the names of cards.

    Ruled lines, sections, the introduction and everything after the heading of the credits are furniture.
    """
    rulers = [n for n, line in enumerate(lines) if line.startswith("=" * 9)]
    body = (rulers[2:3] or rulers[-1:] or [0])[0]  # two frame the title, the third ends the introduction
    dated = max((n for n, line in enumerate(lines) if _ATTRIBUTED.search(line)), default=body)
    ends = (n for n, line in enumerate(lines) if n > dated and _END.fullmatch(fold_margin(line)))
    end = next(ends, len(lines))
    around = [n for n, line in enumerate(lines) if not body < n < end or _is_frame(line)]
    furniture = [RulingsPiece("furniture", [(n + 1, words)]) for n in around if (words := fold(lines[n]))]
    bare = ["" if n in around else line for n, line in enumerate(lines)]
    found = _cards(bare) if title_of_summary(lines).lower().startswith("card") else scan(bare)
    return (*furniture, *found)


def _is_frame(line: str) -> bool:
    return any(pattern.fullmatch(line.strip()) for pattern in (_RULER, _SECTION, _END))


def _cards(lines: Sequence[str]) -> tuple[RulingsPiece, ...]:
    """Return the rulings on cards, which are below a name at the margin.

    A mark begins a ruling, and so does a line after a finished one that is not indented more than it.
    """
    pieces: list[RulingsPiece] = []
    begun = 0
    for number, line in enumerate(lines, start=1):
        words = fold_margin(line)
        if not words:
            continue
        name, mark, indent = _CARD.fullmatch(line.rstrip()), _BULLET.match(words), line.find(words)
        if name:
            pieces.append(RulingsPiece("heading", [(number, name["name"])], name["name"]))
        elif not pieces:
            pieces.append(RulingsPiece("loose", [(number, words)]))
        elif mark or pieces[-1].kind == "heading" or (pieces[-1].finished and indent <= begun):
            begun = indent
            text = words[mark.end() :] if mark else words
            pieces.append(RulingsPiece("ruling", [(number, text)], pieces[-1].number, bullet=bool(mark)))
        else:
            pieces[-1].lines.append((number, words))
    return tuple(pieces)


def scan(lines: Sequence[str]) -> tuple[RulingsPiece, ...]:
    """Return the pieces of a page in order; `lines` are those of the file, the first being line 1.

    The site put the words above a release line at the head, or below one at the foot, around the text.
    """
    pieces: list[RulingsPiece] = []
    rulers: list[RulingsPiece] = []
    gap = True
    releases = [number for number, _ in release_labels(lines)]
    for number, line in enumerate(lines, start=1):
        if not fold(line):
            gap = True
            continue
        words = fold_margin(line)
        if _RULER.fullmatch(words):  # it may occur anywhere, and separates nothing
            rulers.append(RulingsPiece("furniture", [(number, words)]))
            continue
        title = _PAGE_TITLE.match(words)
        words = words[title.end() :] if title else words
        if not words or _RELEASE.search(words) or _NAVIGATION.match(words):
            pieces.append(RulingsPiece("furniture", [(number, words)]))
        else:
            _read(pieces, number, words, gap, indented=line[:1].isspace())
        gap = False
    numbered = [piece.first_line for piece in pieces if piece.kind not in ("loose", "furniture")]
    begin, end = numbered[0] if numbered else 0, numbered[-1] if numbered else len(lines)
    head = [line for line in releases if line < begin]
    foot = [line for line in releases if line > end]
    for piece in pieces:
        around = (head and piece.first_line < head[0]) or (foot and piece.first_line > foot[-1])
        if piece.kind == "loose" and around:
            piece.kind = "furniture"
        elif piece.kind == "heading" and _is_sentence(piece.text):  # as its complete words show
            piece.kind = "paragraph"
    return (*rulers, *pieces)


def fold_margin(line: str) -> str:
    """Return a line without the bars of the page's table at either end and without indentation."""
    return line.strip(" \t\r\n\f\v\u00a0\u200b\ufeff|")


def _read(pieces: list[RulingsPiece], number: int, words: str, gap: bool, *, indented: bool) -> None:
    """Add the pieces of one line to `pieces`, or its first words to the piece that is still open."""
    for start, piece, rest in _parts(words):
        if piece is not None:
            piece.indented = indented
            piece.lines.append((number, rest))
            pieces.append(piece)
        elif pieces and _goes_on(pieces[-1], rest, gap):
            pieces[-1].lines.append((number, rest))
        else:
            bullet = _BULLET.match(rest) if start == 0 else None
            words_left = rest[bullet.end() :] if bullet else rest
            pieces.append(RulingsPiece("loose", [(number, words_left)], bullet=bool(bullet)))


def _parts(words: str) -> Iterator[tuple[int, RulingsPiece | None, str]]:
    """Cut one line at its marks into `(start, new piece or None for continued words, words)`.

    A mark counts at the start of the line, if it is the first after a heading, and after a date; the mark of
    a note or an example also counts after any sentence.
    """
    cuts: list[tuple[int, int, RulingsPiece]] = []
    chapter = _CHAPTER.match(words)
    if chapter and not _is_sentence(words):
        cuts.append((0, chapter.end(), RulingsPiece("chapter", [], chapter["number"])))
    for mark in _MARK.finditer(words):
        behind_heading = len(cuts) == 1 and cuts[0][2].kind in ("heading", "chapter")
        before = words[: mark.start()].rstrip()
        ended = before.endswith("]") or ((mark["note"] or mark["example"]) and ends_sentence(before))
        if not before or behind_heading or ended:
            cuts.append((mark.start(), mark.end(), _piece(mark, inline=behind_heading)))
    starts = [start for start, _, _ in cuts] + [len(words)]
    if starts[0] > 0:
        yield 0, None, words[: starts[0]].rstrip()
    ends = starts[1:]
    for (start, begin, piece), end in zip(cuts, ends, strict=True):
        yield start, piece, words[begin:end].rstrip()


def _piece(mark: re.Match[str], *, inline: bool) -> RulingsPiece:
    bullet = bool(mark["bullet"])
    kind: PieceKind = "note" if mark["note"] else "example"
    if mark["ruling"]:
        kind = "ruling"
    elif mark["lettered"] or (mark["plain"] and (inline or bullet)):
        kind = "paragraph"
    elif mark["plain"]:
        # A number without a letter belongs to a heading, unless it is in a place for paragraphs.
        kind = "heading"
    number = mark["ruling"] or mark["lettered"] or mark["plain"] or ""
    return RulingsPiece(kind, [], number, place=mark["place"] or "", inline=inline, bullet=bullet)


def _goes_on(piece: RulingsPiece, words: str, gap: bool) -> bool:
    """Return whether words without a mark belong to the piece before them."""
    if piece.kind == "heading":
        first = piece.lines[0][1]
        return not gap and (piece.indented or len(first) > _TITLE_LENGTH or _is_sentence(first))
    if piece.kind in ("chapter", "furniture"):
        return False
    return not piece.finished or not (gap or _BULLET.match(words))


def _is_sentence(text: str) -> bool:
    return bool(ends_sentence(text) or _DATED.search(text))


_DAY = r"\d{4}\s*[/.-]\s*\d{1,2}(?:\s*[/.-]\s*\d{1,2})?|\d\d/\d\d/\d\d"
_ATTRIBUTED = re.compile(rf"(?<!\s)\s*\[(?P<who>[^\[\]]{{1,200}}?)[\s,]+(?P<when>{_DAY})\s*\]")
_UNDATED = re.compile(r"(?<=[.?!\"”)])\s+\[(?P<who>[A-Z][^\[\]]*)\]$")


def split_attributions(text: str) -> tuple[str, tuple[Attribution, ...]]:
    """Return `text` without its brackets of authority and date, and what these say, in order.

    An impossible date, or one without its day, leaves `as_of` empty; so does a bracket without a date, which
    counts only at the very end: "Warded from [quality]" is the game's own language.

    >>> split_attributions("The keeper waits. [CompRules 2003/07/01]")
    ('The keeper waits.', (Attribution(authority='CompRules', as_of=datetime.date(2003, 7, 1)),))
    """
    found = [Attribution(fold(match["who"]), _day(match["when"])) for match in _ATTRIBUTED.finditer(text)]
    text = fold(_ATTRIBUTED.sub("", text))
    last = _UNDATED.search(text)
    if last:
        found.append(Attribution(fold(last["who"]), None))
        text = text[: last.start()]
    return text, tuple(found)


def _day(when: str) -> date | None:
    """Return the day of an attribution; a two-digit year may come first or, as in America, last.

    >>> _day("00/06/05"), _day("08/27/97")
    (datetime.date(2000, 6, 5), datetime.date(1997, 8, 27))
    """
    if when[2:3] != "/":
        return read_day(when)
    first, second, third = when.split("/")
    year, rest = (third, f"{first}/{second}") if int(third) >= _FIRST_YEAR else (first, f"{second}/{third}")
    return read_day(f"{'19' if int(year) >= _FIRST_YEAR else '20'}{year}/{rest}")


_FIRST_YEAR = 93
"""The game appeared in 1993."""
