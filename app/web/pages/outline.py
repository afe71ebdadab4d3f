"""The headings of a page become the list of what is on it."""

from __future__ import annotations

import re
from typing import NamedTuple

from markupsafe import Markup

FEWEST = 3
"""How many headings a page has that is worth a list of them."""

_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)
_BESIDES = re.compile(r'<span class="count">.*?</span>|<[^>]*>')


class Landmark(NamedTuple):
    """A heading that can be led to: its id, and its words."""

    id: str
    words: Markup


def outline(html: str) -> list[Landmark]:
    """Return the headings of a part of a page that have an id, in order; none where they are few.

    >>> outline('<h2 id="a">One <span class="count">3</span></h2>' * 2)
    []
    >>> outline('<h2 id="a"><a href="x">T &amp; U</a> <span class="count">3</span></h2>' * 3)[2]
    Landmark(id='a', words=Markup('T &amp; U'))
    """
    found = [Landmark(it[1], Markup(_BESIDES.sub("", it[2]).strip())) for it in _HEADING.finditer(html)]
    return found if len(found) >= FEWEST else []
