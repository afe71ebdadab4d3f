"""Passages become text for people: each in one block, with the words that were looked for standing out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..loaders.http.shown import in_one_line
from .colours import Style, painted, shows_colours
from .output import plain, talk, terminal_width, wrap, write_answer, write_remarks

if TYPE_CHECKING:
    from ..queries.searching.found import Passages
    from ..queries.searching.marks import Spans
    from ..queries.session.answer import Answer, Value

_MARGIN = "    "


def write_passages(
    found: Answer, form: str, *, explain: bool = False, most: int | None = None, limit: int | None = None
) -> int:
    """Write an answer, see `write_answer`; passages for people in blocks, under their heading.

    Of other answers people see at most `most` rows, of any at most `limit`, in any format. With `explain` a
    column ``parts`` says what each score is made of.
    """
    # Answers of the catalogue do without.
    from ..queries.searching.found import Passages

    if not isinstance(found, Passages) or not found.rows:
        return write_answer(found, form, most, limit)
    if found.heading:
        talk(found.heading)
    shown = explained(found) if explain and found.parts else found
    if form != "table":
        return write_answer(shown, form, limit=limit)
    width = terminal_width(sys.stdout)
    strong = shows_colours(sys.stdout)
    blocks = []
    for row, marks in list(zip(shown.records(), found.marks, strict=True))[:limit]:
        lines = wrap(in_one_line(" · ".join(_head(row))), width)
        if strong and row["number"]:
            number = plain(row["number"])
            lines[0] = painted(number, Style.NUMBER) + lines[0].removeprefix(number)
        lines += [_MARGIN + line for line in _lines(str(row["text"]), marks if strong else (), width)]
        blocks.append("\n".join(lines))
    print("\n\n".join(blocks))
    return write_remarks(found, len(found.rows) - len(blocks))


def explained(found: Passages) -> Passages:
    """Return passages with a column that says what each score is made of, the largest part first."""
    rows = []
    for row, parts in zip(found.rows, found.parts, strict=True):
        largest = sorted(parts.items(), key=lambda part: (-part[1], part[0]))
        rows.append((*row, " + ".join(f"{kind} {amount:g}" for kind, amount in largest)))
    return found._replace(columns=(*found.columns, "parts"), rows=tuple(rows))


def _head(row: Mapping[str, Value]) -> Iterator[str]:
    """Yield what stands above a passage: its number, or its place, then where it is and why."""
    yield plain(row["number"]) or str(row["iri"]).partition(f"/{row['edition']}/")[2]
    yield f"{plain(row['document'])}:{plain(row['line'])}"
    yield from filter(None, (plain(row["reason"]), plain(row.get("parts"))))


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
            marked = painted(in_one_line(word.string[start:end]), Style.HEADING)
            shown += in_one_line(word.string[last:start]) + marked
            last = end
    return shown + in_one_line(word.string[last : word.end()])
