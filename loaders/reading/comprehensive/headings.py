"""The headings of a glossary are told from its text, also where they lost the breaks around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ...language.sentences import ends_paragraph
from ...language.titles import small_share
from .lines import Line
from .portions import EXAMPLE

SENSE = re.compile(r"(?P<number>\d{1,2})[.)]\s+(?=\S)")
_STATE = re.compile(r"[(\[]\s*(?:obsolete|informal)\s*[)\]]$", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[[a-z]+\]$")
"""What stands for a picture: ``Portal [symbol]`` is a line of a table."""

_LONGEST = 90
"""Characters; the longest heading of the official glossaries has 70."""

_SHORT = 30
"""Characters of a heading that may write all its words small."""

_HALF = 0.5

_GLUED = re.compile(r"(?P<name>[^\d].*?[^\d\s])(?=1[.)]\s+\S)")
"""A heading with its first sense behind it, and no space between."""


def is_heading(text: str) -> bool:
    """Tell the heading of an entry from a sentence of its text.

    A heading is short, is no numbered sense, does not end in a stop, and has few words in small letters.

    >>> is_heading("Active Player, Nonactive Player Order"), is_heading("See Landwalk.")
    (True, False)
    """
    if len(text) > _LONGEST or SENSE.match(text) or EXAMPLE.match(text) or _PLACEHOLDER.search(text):
        return False
    if _STATE.search(text):
        return True
    if text.endswith((".", ":", ";", "?", ",", ".”", '."', ".)", ".’")):
        return False
    return small_share(text) <= _HALF or len(text) <= _SHORT


def unglued(lines: Sequence[Line]) -> tuple[list[Line], frozenset[int]]:
    """Return the lines with headings parted from their first sense, and the numbers of those lines.

    ``Ship1. It sails.`` is a heading and a sense where the line below it is the second sense.
    """
    parted: list[Line] = []
    cut: set[int] = set()
    for place, line in enumerate(lines):
        glued = _GLUED.match(line.text)
        second = SENSE.match(lines[place + 1].text) if glued and place + 1 < len(lines) else None
        if glued and second and second["number"] == "2" and is_heading(glued["name"]):
            cut.add(line.number)
            parted.append(line._replace(text=glued["name"]))
            parted.append(line._replace(text=line.text[glued.end() :], apart=False, marked=False))
        else:
            parted.append(line)
    return parted, frozenset(cut)


def swallowed(heading: Line, body: Sequence[Line], after: Line | None) -> int | None:
    """Return the place of the first line of `body` that is the heading of another entry, or None.

    It looks like one, stands between whole paragraphs without blank lines around it, is indented no
    more than `heading`, and its letter stands in the alphabet between that of `heading` and that of the
    heading `after` the body.
    """
    before = heading
    for place, (line, following) in enumerate(pairwise(body)):
        alone = not line.apart and not following.apart and line.indent <= heading.indent
        between = after is None or _letter(line) <= _letter(after)
        in_order = _letter(heading) <= _letter(line) and between
        if alone and in_order and place and is_heading(line.text) and ends_paragraph(before.text):
            return place
        before = line
    return None


def _letter(heading: Line) -> str:
    return next((char for char in heading.text.lower() if char.isalnum()), "")
