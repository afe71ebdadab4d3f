"""Answers become text: tables that fit the terminal, JSON, CSV and TSV."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from ..loaders.http.shown import in_one_line
from .colours import Style, painted, shows_colours, style_of
from .figures import counted
from .terminal import harmless

if TYPE_CHECKING:
    from ..ontology.json_values import Json
    from ..queries.session import Answer, Value

FORMATS = ("table", "json", "records", "csv", "tsv")
"""What `--format` takes; `records` is what `json` is for all commands but `sparql`: a list of objects."""

_GAP = "  "
_NARROWEST = 8
_LONGEST_WORD = 24
_WIDTH_OF_PIPES = 100

_NARROW = "[ -~\xa1-\u02ff‐-‧]*"
"""Letters of European languages, their accents, quotes and dashes."""


def talk(message: str) -> None:
    """Say something to the person at the terminal: on stderr, so that stdout holds data alone."""
    sys.stdout.flush()
    _say(harmless(message))


def complain(message: str) -> None:
    """Say what went wrong: as `talk` does, with the name of the program standing out on a terminal."""
    name = painted("rulesgraph:", Style.ERROR if shows_colours(sys.stderr) else None)
    try:
        sys.stdout.flush()
    except OSError:  # what went wrong counts more than what was said before
        forget(sys.stdout)
    _say(name, harmless(message))


def forget(stream: TextIO) -> None:
    """Let a stream that cannot be written to lead nowhere: the interpreter flushes it once more at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _say(*words: str) -> None:
    """Write a line to stderr; where that is full, nobody can be told, and the work goes on."""
    try:
        print(*words, file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        forget(sys.stderr)


def write_answer(answer: Answer, form: str, most: int | None = None, limit: int | None = None) -> int:
    """Write an answer's rows to stdout, say where they come from on stderr; return the exit code.

    The exit code is 0, or 1 when there is no row. JSON, CSV and TSV are written even then. A table for
    people has at most `most` rows, in any format there are at most `limit`; how many more there are is said.
    """
    shown = answer.rows[: most if limit is None and form == "table" else limit]
    if shown or form != "table":
        write_rows(answer.columns, shown, form)
    return write_remarks(answer, len(answer.rows) - len(shown))


def write_remarks(answer: Answer, more: int = 0) -> int:
    """Write to stderr what is to be said of an answer, less `more` rows; return the exit code."""
    if more:
        talk(f"{counted(more, 'more row')}: --all shows them")
    for note in answer.notes:
        talk(note)
    count = counted(len(answer.rows), "row") if answer.rows else "nothing found"
    talk(f"{count}, from {answer.edition}" if answer.edition else count)
    return 0 if answer.rows else 1


def write_rows(
    columns: Sequence[str], rows: Iterable[Sequence[Value]], form: str, out: TextIO | None = None
) -> None:
    """Write rows of plain values in one of `FORMATS` to `out` (stdout).

    JSON is a list of objects whose keys are the columns: numbers, booleans and null stay what they
    are, dates become ``YYYY-MM-DD``. CSV and TSV begin with the columns; a missing value is empty. In
    TSV, tabs and line breaks inside values are written as ``\\t`` and ``\\n``.
    """
    out = out or sys.stdout
    if form == "json":
        write_json([dict(zip(columns, row, strict=True)) for row in rows], out)
    elif form == "csv":
        import csv

        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([plain(value) for value in row] for row in rows)
    elif form == "tsv":
        for row in ([*columns], *rows):
            out.write("\t".join(_tsv(plain(value)) for value in row) + "\n")
    else:
        width, colours = terminal_width(out), shows_colours(out)
        out.write(table(columns, [list(row) for row in rows], width=width, colours=colours))


def write_findings(columns: Sequence[str], rows: Sequence[Sequence[Value]], form: str) -> None:
    """Write findings: one below the other for people, as `write_rows` does for programs.

    What counts at a glance stands on the first line: how grave it is, what it is, where, and since when.
    """
    if form != "table":
        write_rows(columns, rows, form)
        return
    width, colours = terminal_width(sys.stdout), shows_colours(sys.stdout)
    blocks = []
    for row in rows:
        it = {name: plain(value) for name, value in zip(columns, row, strict=True)}
        place = ":".join(filter(None, (it["document"], it["line"])))
        parts = [it["severity"], it["check"], it["subject"], place]
        parts += [f"since {it['since']}"] if it["since"] else []
        lines = wrap(in_one_line(" · ".join(filter(None, parts))), width)
        if colours:
            grave = it["severity"]
            lines[0] = painted(grave, style_of("severity", grave)) + lines[0].removeprefix(grave)
        for text in (it["message"], it["quote"]):
            lines += ["    " + line for line in wrap(in_one_line(text), width - 4)] if text else []
        blocks.append("\n".join(lines))
    print("\n\n".join(blocks))


def write_json(value: Json, out: TextIO | None = None) -> None:
    """Write plain values as readable JSON; dates become strings."""
    import json

    json.dump(value, out or sys.stdout, indent=2, ensure_ascii=False, default=str)
    (out or sys.stdout).write("\n")


def plain(value: Value) -> str:
    """Return a value as text: booleans as ``true`` and ``false``, nothing as empty.

    >>> plain(None), plain(True), plain(3)
    ('', 'true', '3')
    """
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _tsv(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\r", "\\r").replace("\n", "\\n")


def terminal_width(out: TextIO) -> int:
    """Return how wide a table may be: the terminal's columns, else $COLUMNS, else 100."""
    try:
        return max(40, os.get_terminal_size(out.fileno()).columns)
    except (OSError, ValueError):
        given = os.environ.get("COLUMNS", "")
        return max(40, int(given)) if given.isdigit() else _WIDTH_OF_PIPES


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Value]],
    *,
    width: int = _WIDTH_OF_PIPES,
    colours: bool = False,
) -> str:
    """Lay rows out in columns within `width` characters; long cells wrap, no word is lost.

    Numbers stand to the right. When a cell wraps, an empty line parts the rows. With `colours` the heading,
    the numbers of rules and the like stand out, see `style_of`.

    >>> print(table(["term", "steps"], [["Life", 1], ["Protection", 12]]), end="")
    term        steps
    ──────────  ─────
    Life            1
    Protection     12
    """
    cells = [[in_one_line(plain(value)) for value in row] for row in rows]
    widths = _fit(list(zip(columns, *cells, strict=True)), width)
    numeric = [
        {type(row[i]) for row in rows} - {type(None)} in ({int}, {float}, {int, float})
        for i in range(len(columns))
    ]
    wrapped = [[wrap(cell, w) for cell, w in zip(row, widths, strict=True)] for row in cells]
    spaced = any(len(lines) > 1 for row in wrapped for lines in row)
    styles = [
        [style_of(name, cell) if colours else None for name, cell in zip(columns, row, strict=True)]
        for row in cells
    ]
    blocks = [
        "\n".join(_lines(row, widths, numeric, style)) for row, style in zip(wrapped, styles, strict=True)
    ]
    bold = [Style.HEADING if colours else None] * len(columns)
    head = [*_lines([wrap(c, w) for c, w in zip(columns, widths, strict=True)], widths, numeric, bold)]
    head.append(_GAP.join("─" * w for w in widths))
    return "\n".join(head) + "\n" + ("\n\n" if spaced else "\n").join(blocks) + ("\n" if blocks else "")


def sheet(pairs: Mapping[str, Value], *, width: int = _WIDTH_OF_PIPES) -> str:
    """Lay names and their values out, one a line, the values aligned and wrapped."""
    margin = max(map(display_width, pairs), default=0) + len(_GAP)
    lines = []
    for name, value in pairs.items():
        first, *rest = wrap(in_one_line(plain(value)), max(_NARROWEST, width - margin)) or [""]
        lines.append((name + " " * (margin - display_width(name)) + first).rstrip())
        lines.extend(" " * margin + line for line in rest)
    return "\n".join(lines) + "\n"


def display_width(text: str) -> int:
    """Return how many terminal columns a text takes: wide characters two, combining ones none.

    >>> display_width("Dandân"), display_width("魔法"), display_width("e\\u0301"), display_width("👍🏽")
    (6, 4, 1, 2)
    """
    if _is_narrow(text):
        return len(text)
    from wcwidth import width

    # Some marks take a column behind a letter or a space, and none alone. There is always something before.
    return width(f" {text}", control_codes="ignore") - 1


def _is_narrow(text: str) -> bool:
    """Tell whether each character takes one column, as in nearly all texts: they need no table of widths."""
    return (text.isascii() and text.isprintable()) or re.fullmatch(_NARROW, text) is not None


def wrap(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` terminal columns, between words where possible."""
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
    """Cut one word into pieces that fit; most words are one."""
    if display_width(word) <= width:
        return [word]
    characters: Iterable[str] = word
    if not _is_narrow(word):
        from wcwidth import iter_graphemes

        characters = iter_graphemes(word)
    pieces = [""]
    for character in characters:
        if pieces[-1] and display_width(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def _fit(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return how wide each column becomes: names and numbers stay whole, long texts share what is left."""
    room = width - len(_GAP) * (len(columns) - 1)
    need = [max(map(display_width, column)) for column in columns]
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
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    numeric: Sequence[bool],
    styles: Sequence[Style | None],
) -> Iterable[str]:
    for place in range(max((len(lines) for lines in cells), default=0)):
        line = []
        for lines, width, right, style in zip(cells, widths, numeric, styles, strict=True):
            text = lines[place] if place < len(lines) else ""
            pad = " " * (width - display_width(text))
            line.append(painted(pad + text if right else text + pad, style))
        yield _GAP.join(line).rstrip()
