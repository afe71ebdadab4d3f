"""Lay out rows as text in columns that fit the terminal, without losing a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

from ..loaders.http.addresses import in_one_line
from ..loaders.store.results import Value
from .terminal import HEADING, painted, style_of

_GAP = "  "
_NARROWEST = 8
_LONGEST_WORD = 24
_WIDTH_OF_PIPES = 100

_NARROW = "[ -~\xa1-\u02ff‐-‧]*"
"""Letters of European languages, their accents, quotes and dashes."""


def plain(value: Value) -> str:
    """Return a value as text: booleans as ``true`` and ``false``, None as nothing.

    >>> plain(None), plain(True), plain(3)
    ('', 'true', '3')
    """
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def without_empty(
    columns: Sequence[str], rows: Sequence[Sequence[Value]]
) -> tuple[Sequence[str], Sequence[Sequence[Value]]]:
    """Return columns and rows without the columns that are empty in every row.

    >>> without_empty(["term", "place", "line"], [["Echo", None, 3], ["Fear", "", None]])
    (['term', 'line'], [['Echo', 3], ['Fear', None]])
    """
    filled = [any(row[i] not in {None, ""} for row in rows) for i in range(len(columns))]
    return [*compress(columns, filled)], [[*compress(row, filled)] for row in rows]


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Value]],
    *,
    width: int = _WIDTH_OF_PIPES,
    colours: bool = False,
) -> str:
    """Lay out rows in columns within `width` characters; long cells wrap, and no word is lost.

    Numbers are aligned to the right. Lines of a cell stay apart. If a cell wraps, empty lines separate the
    rows. With `colours` the heading, rule numbers and the like have their own styles, see `style_of`.

    >>> print(table(["term", "steps"], [["Life", 1], ["Protection", 12]]), end="")
    term        steps
    ──────────  ─────
    Life            1
    Protection     12
    """
    cells = [["\n".join(map(in_one_line, plain(value).split("\n"))) for value in row] for row in rows]
    widths = _fit(list(zip(columns, *cells, strict=True)), width)
    numeric = [
        {type(row[i]) for row in rows} - {type(None)} in ({int}, {float}, {int, float})
        for i in range(len(columns))
    ]
    wrapped = [[wrap(cell, w) for cell, w in zip(row, widths, strict=True)] for row in cells]
    spaced = any(len(lines) > 1 for row in wrapped for lines in row)
    styles = [
        [style_of(name, cell) if colours else "" for name, cell in zip(columns, row, strict=True)]
        for row in cells
    ]
    blocks = [
        "\n".join(_lines(row, widths, numeric, style)) for row, style in zip(wrapped, styles, strict=True)
    ]
    bold = [HEADING if colours else ""] * len(columns)
    head = [*_lines([wrap(c, w) for c, w in zip(columns, widths, strict=True)], widths, numeric, bold)]
    head.append(_GAP.join("─" * w for w in widths))
    return "\n".join(head) + "\n" + ("\n\n" if spaced else "\n").join(blocks) + ("\n" if blocks else "")


def sheet(pairs: Mapping[str, Value], *, width: int = _WIDTH_OF_PIPES) -> str:
    """Lay out names and values, one pair a line, with the values aligned and wrapped."""
    margin = max(map(display_width, pairs), default=0) + len(_GAP)
    lines = []
    for name, value in pairs.items():
        first, *rest = wrap(in_one_line(plain(value)), max(_NARROWEST, width - margin)) or [""]
        lines.append((name + " " * (margin - display_width(name)) + first).rstrip())
        lines.extend(" " * margin + line for line in rest)
    return "\n".join(lines) + "\n"


def display_width(text: str) -> int:
    """Return how many terminal columns a text takes: two for a wide character, none for a combining one.

    >>> display_width("Dandân"), display_width("魔法"), display_width("e\\u0301"), display_width("👍🏽")
    (6, 4, 1, 2)
    """
    if _is_narrow(text):
        return len(text)
    from wcwidth import width

    # Some marks take a column after a letter or a space, and none alone: so measure with a space in front.
    return width(f" {text}", control_codes="ignore") - 1


def _is_narrow(text: str) -> bool:
    """Return whether every character takes one column: nearly all texts do, and need no table of widths."""
    return (text.isascii() and text.isprintable()) or re.fullmatch(_NARROW, text) is not None


def wrap(text: str, width: int) -> list[str]:
    """Break each line of a text into some of at most `width` terminal columns, between words if possible."""
    if "\n" in text:
        return [line for own in text.split("\n") for line in wrap(own, width)]
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and display_width(line) + 1 + display_width(word) <= width:
            line += " " + word
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width)
        lines.extend(full)
    return [*lines, line] if line or not lines else lines


def _pieces(word: str, width: int) -> list[str]:
    """Cut a word into pieces that fit; most words are one piece."""
    if display_width(word) <= width:
        return [word]
    characters: Iterable[str] = word
    if not _is_narrow(word):
        from wcwidth import iter_graphemes

        characters = iter_graphemes(word)
    pieces = [""]
    for character in characters:
        if pieces[-1] and display_width(pieces[-1] + character) > width:
            line = pieces.pop()
            end = max(line.rfind("/"), line.rfind("#")) + 1  # in an address, unless that leaves much empty
            end = end if 2 * end > width else len(line)
            pieces += [line[:end], line[end:]]
        pieces[-1] += character
    return pieces


def _fit(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the width of each column: names and numbers stay whole, long texts share what is left."""
    room = width - len(_GAP) * (len(columns) - 1)
    need = [max(display_width(line) for cell in column for line in cell.split("\n")) for column in columns]
    words = [
        max((display_width(w) for cell in column for w in cell.split()), default=0) for column in columns
    ]
    least = [min(word, _LONGEST_WORD) for word in words]
    if sum(least) > room:
        fits = [cap for cap in range(_NARROWEST, room) if sum(min(one, cap) for one in least) <= room]
        return [min(one, max(fits, default=_NARROWEST)) for one in least]

    def widths(share: int) -> list[int]:
        return [min(n, max(one, share)) for n, one in zip(need, least, strict=True)]

    return widths(max(share for share in range(room + 1) if sum(widths(share)) <= room))


def _lines(
    cells: Sequence[Sequence[str]], widths: Sequence[int], numeric: Sequence[bool], styles: Sequence[str]
) -> Iterable[str]:
    for place in range(max((len(lines) for lines in cells), default=0)):
        line = []
        for lines, width, right, style in zip(cells, widths, numeric, styles, strict=True):
            text = lines[place] if place < len(lines) else ""
            pad = " " * (width - display_width(text))
            line.append(painted(pad + text if right else text + pad, style))
        yield _GAP.join(line).rstrip()
