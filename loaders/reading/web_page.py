"""Extract the words of a web page, on the lines of its file or on those that it prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from html.parser import HTMLParser
from itertools import pairwise

_PAGE = re.compile(
    r"\s*(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html|head|body|\?xml)\b",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"</?(?:p|div|span|br|table|t[drh]|a|b|i|em|strong|h[1-6]|li|ul)\b[^<>]*>", re.IGNORECASE)

JOINED = "\ue001"
"""What stays of a line whose words were moved to the one before; a blank line would separate paragraphs."""

SPACED = "\u2003"
"""The beginning of a line that is printed with a gap above it: white space."""

BREAK = "\ue002"
"""The separator of printed lines that are on one line of the file."""

_UNSEEN = ("script", "style", "title")
"""Elements without text. After an anchor ``outline``, `pdftohtml` repeats the contents."""

_NOT_TEXT = (*_UNSEEN, "nav", "footer", "form", "button", "noscript")
_CLOSING = re.compile(rf"</({'|'.join(_NOT_TEXT)})\b", re.IGNORECASE)
_BLOCKS = frozenset(
    "p div li tr br hr h1 h2 h3 h4 h5 h6 dt dd ul ol dl table section article main header aside blockquote"
    " pre nav footer form".split()
)
_PARTING = ("br", "td", "th")
"""Elements that part words on one line of a file."""

_BLOCK_TAG = re.compile(r"<(?:p|li|tr|br|h[1-6]|dt|dd|div)\b", re.IGNORECASE)
_TAGGED = 12
"""The maximum number of lines for each block of a page that says where its lines begin."""

_PLACED = re.compile(r"position:absolute;top:(\d+)px;left:(\d+)px")
_EMPTY = re.compile(r"<p [^>]*>(?:<[^>]*>|&#160;|\s)*</p>\s*")
_ROW = 7
"""The maximum vertical distance in pixels of words on one printed line: small capitals are lower."""

_FARTHEST = 40
"""The maximum distance in pixels from one printed line to the next."""

_NEW_PAGE = 10**6
"""A place to the right of everything: no line continues after the end of a page."""

_APART = 1.4
"""The multiple of the usual distance above which two printed lines are in different paragraphs."""


def is_page(text: str, lines: Sequence[str]) -> bool:
    """Return whether a text is a web page: it begins like one, or has many tags."""
    if _PAGE.match(text[:2000]):
        return True
    return sum(1 for _ in _TAG.finditer(text)) >= max(10, sum(1 for line in lines if line.strip()) // 2)


def page_lines(raw: Sequence[str]) -> list[str]:
    """Return the lines of a web page without its markup.

    Paragraphs, items, headings and rows begin a line, also within a line of the file; in a page that hardly
    has any, lines are those of the file. In a printed page (from `pdftohtml -c`), the words of a printed
    line, each on its own line of the file, are joined to the first of them. `BREAK` separates the printed
    lines within one line of the file, `JOINED` stands for a line whose words were joined to another, and a
    line with a gap above it begins with `SPACED`.

    >>> page_lines(["<h1>Of <i>moths</i></h1>", "<!-- 1", "-->", "They fly &amp; rest."])
    ['Of moths', '', '', 'They fly & rest.']
    """
    if not any(map(_PLACED.search, raw)) and len(_BLOCK_TAG.findall("\n".join(raw))) * _TAGGED > len(raw):
        blocks = _Blocks(raw)
        blocks.feed("\n".join(raw))
        blocks.close()
        return [printed for line in blocks.lines for printed in line.split(BREAK)]
    tops = [int(found[1]) for line in raw if (found := _PLACED.search(line))]
    gaps = Counter(b - a for a, b in pairwise(tops) if _ROW < b - a < _FARTHEST)
    empty = {place for place, line in enumerate(raw) if _EMPTY.fullmatch(line)}
    page = _WebPage(len(raw), max(gaps, key=lambda gap: gaps[gap], default=_FARTHEST), empty)
    page.feed("\n".join(raw))
    page.close()
    return page.lines


class _Reader(HTMLParser):
    """Reads marked sections that are none, such as ``<![ x ]>``, as text: the library gives up there."""

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            self.handle_data("<!")
            return i + 2


class _Blocks(_Reader):
    """Collects the words of each block on the line of its first word; line breaks within it are spaces.

    An element without text that is never closed is ignored: it would hide the rest of the page.
    """

    def __init__(self, raw: Sequence[str]) -> None:
        super().__init__()
        self.lines = [""] * len(raw)
        self._closings = Counter(tag.lower() for tag in _CLOSING.findall("\n".join(raw)))
        self._open: Counter[str] = Counter()
        self._kept = self._row = 0
        self._begins = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._closings[tag] > self._open[tag]:
            self._open[tag] += 1
        self._kept += tag == "pre"
        self._begins |= tag in _BLOCKS
        if tag in ("td", "th") and not self._begins:
            self.lines[self._row] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in self._closings:
            self._closings[tag] -= 1
            self._open[tag] = max(0, self._open[tag] - 1)
        self._kept -= tag == "pre" and self._kept > 0
        self._begins |= tag in _BLOCKS

    def handle_data(self, data: str) -> None:
        if any(self._open.values()):
            return
        for number, words in enumerate(data.split("\n"), self.getpos()[0]):
            place = min(number, len(self.lines)) - 1  # a character reference can be a line break
            self._begins |= self._kept > 0 and place > self._row
            if self._begins and words.strip():
                self.lines[place] += BREAK * bool(self.lines[place])
                self._row, self._begins = place, False
            if self._begins:
                continue
            is_next = place > self._row and not self.lines[place]
            if is_next:
                self.lines[place] = JOINED
            self.lines[self._row] += f"{' ' * is_next}{words}"


class _WebPage(_Reader):
    def __init__(self, count: int, pitch: int, empty: Set[int]) -> None:
        super().__init__()
        self.lines = [""] * count
        self._pitch, self._empty = pitch, empty
        self._unseen = self._row = self._left = 0
        self._top = -_ROW - 1
        self._placed, self._is_exact = False, True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN or (tag == "a" and ("name", "outline") in attrs)
        if tag == "br" and self._placed:
            self._top, self._is_exact = self._top + self._pitch, False
            self.handle_data(BREAK)
        elif tag in _PARTING and not self._placed and self.lines[self.getpos()[0] - 1]:
            self.handle_data(" ")
        elif tag == "div":
            self._left = _NEW_PAGE
        elif tag == "p":
            self._place(_PLACED.match(dict(attrs).get("style") or ""))

    def _place(self, placed: re.Match[str] | None) -> None:
        """Begin a paragraph of the page: it continues on a printed line, or begins one."""
        self._placed = placed is not None
        if placed is None:
            return
        here, top, left = self.getpos()[0] - 1, int(placed[1]), int(placed[2])
        off = _ROW if self._is_exact else self._pitch // 2
        if here in self._empty or (left > self._left and abs(top - self._top) <= off):
            if here != self._row:
                self.lines[here] = JOINED
            return
        if top - self._top > _APART * self._pitch:
            self.lines[here] = SPACED
        self._row, self._top, self._left, self._is_exact = here, top, left, True

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        for number, words in enumerate(data.split("\n"), self.getpos()[0]):
            place = min(number, len(self.lines)) - 1  # a character reference can be a line break
            self.lines[self._row if self.lines[place] == JOINED else place] += words
