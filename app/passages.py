"""Passages become text for people: each in one block, with the words that were looked for standing out."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from ..loaders.http.shown import in_one_line
from .output import plain, terminal_width, wrap, write_answer, write_remarks

if TYPE_CHECKING:
    from ..queries.searching.found import Passages
    from ..queries.searching.marks import Spans

_STRONG, _USUAL = "\x1b[1m", "\x1b[0m"
_MARGIN = "    "


def write_passages(found: Passages, form: str) -> int:
    """Write passages to stdout and remarks to stderr, see `write_answer`; return the exit code."""
    if form != "table" or not found.rows:
        return write_answer(found, form)
    width = terminal_width(sys.stdout)
    strong = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    blocks = []
    for place, row in enumerate(found.records()):
        where = f"{plain(row['document'])}:{plain(row['line'])}"
        name = plain(row["number"]) or str(row["iri"]).partition(f"/{row['edition']}/")[2]
        head = wrap(in_one_line(" · ".join((name, where, plain(row["reason"])))), width)
        marks = found.marks[place] if strong and place < len(found.marks) else ()
        blocks.append(
            "\n".join([*head, *(_MARGIN + line for line in _lines(str(row["text"]), marks, width))])
        )
    print("\n\n".join(blocks))
    return write_remarks(found)


def _lines(text: str, marks: Spans, width: int) -> list[str]:
    """Return a text in lines, the marked parts of its words strong."""
    lines = wrap(in_one_line(text), width - len(_MARGIN))
    if not marks:
        return lines
    words = iter(re.finditer(r"\S+", text))
    shown = []
    for line in lines:
        pieces = line.split(" ")
        # A word that is longer than the line comes in pieces, which stay plain.
        shown.append(
            " ".join(
                _strong(word, marks)
                if (word := next(words, None)) and in_one_line(word[0]) == piece
                else piece
                for piece in pieces
            )
        )
    return shown


def _strong(word: re.Match[str], marks: Spans) -> str:
    """Return a word of a text with its marked parts strong."""
    shown, last = "", word.start()
    for begin, stop in marks:
        start, end = max(begin, word.start()), min(stop, word.end())
        if start < end:
            shown += (
                in_one_line(word.string[last:start]) + _STRONG + in_one_line(word.string[start:end]) + _USUAL
            )
            last = end
    return shown + in_one_line(word.string[last : word.end()])
