"""Extract the text of a web page, keeping each line at its line number in the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from html.parser import HTMLParser
from itertools import pairwise

JOINED = "\ue001"
"""The rest of a line whose words moved to the one before: not blank, which would separate paragraphs."""

SPACED = "\u2003"
"""The beginning of a line that is printed apart from the one before it: white space."""

BREAK = "\ue002"
"""The separator of printed lines that are on one line of the file."""

_UNSEEN = ("script", "style", "title")
"""Elements without text. After an anchor ``outline`` `pdftohtml` writes the contents again."""

_PLACED = re.compile(r"position:absolute;top:(\d+)px;left:(\d+)px")
_EMPTY = re.compile(r"<p [^>]*>(?:<[^>]*>|&#160;|\s)*</p>\s*")
_ROW = 7
"""The maximum distance in pixels between the words of one printed line: small capitals are lower."""

_FARTHEST = 40
"""The maximum distance in pixels from one printed line to the next."""

_NEW_PAGE = 10**6
"""Nothing is to the right of this: no line continues after the end of a page."""

_APART = 1.4
"""The multiple of the usual distance above which two printed lines are in different paragraphs."""


def page_lines(raw: Sequence[str]) -> list[str]:
    """Return the lines of a web page without its markup.

    In a printed page (from `pdftohtml -c`), words beside each other on a printed line, each on a line of the
    file, are joined to the first of them. `BREAK` separates the printed lines within one line of the file,
    and a line with a gap above it begins with `SPACED`.

    >>> page_lines(["<h1>Of <i>moths</i></h1>", "<!-- 1", "-->", "They fly &amp; rest."])
    ['Of moths', '', '', 'They fly & rest.']
    """
    tops = [int(found[1]) for line in raw if (found := _PLACED.search(line))]
    gaps = Counter(b - a for a, b in pairwise(tops) if _ROW < b - a < _FARTHEST)
    empty = {place for place, line in enumerate(raw) if _EMPTY.fullmatch(line)}
    page = _Page(len(raw), max(gaps, key=lambda gap: gaps[gap], default=_FARTHEST), empty)
    page.feed("\n".join(raw))
    page.close()
    return page.lines


class _Page(HTMLParser):
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
