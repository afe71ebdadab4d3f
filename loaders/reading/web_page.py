"""Extract the text of a web page, keeping each line at its line number in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

JOINED = "\ue001"
"""The rest of a line whose words moved to the one before: not blank, which would separate paragraphs."""

_UNSEEN = ("script", "style", "title")
_PLACED = re.compile(r"position:absolute;top:(\d+)px")
_ROW = 7
"""The maximum distance in pixels between the words of one printed line: small capitals are lower."""


def page_lines(raw: Sequence[str]) -> list[str]:
    """Return the lines of a web page without its markup.

    Words beside each other on a printed line (as `pdftohtml -c` writes them, each on a line of the file) are
    joined to the first of them.

    >>> page_lines(["<h1>Of <i>moths</i></h1>", "<!-- 1", "-->", "They fly &amp; rest."])
    ['Of moths', '', '', 'They fly & rest.']
    """
    page = _Page(len(raw))
    page.feed("\n".join(raw))
    page.close()
    return page.lines


class _Page(HTMLParser):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.lines = [""] * count
        self._unseen = self._row = 0
        self._top = -_ROW - 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        placed = _PLACED.match(dict(attrs).get("style") or "") if tag == "p" else None
        if placed:
            here, top = self.getpos()[0] - 1, int(placed[1])
            if abs(top - self._top) > _ROW:
                self._row, self._top = here, top
            elif here != self._row:
                self.lines[here] = JOINED

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        for number, words in enumerate(data.split("\n"), self.getpos()[0]):
            place = min(number, len(self.lines)) - 1  # a character reference can be a line break
            self.lines[self._row if self.lines[place] == JOINED else place] += words
