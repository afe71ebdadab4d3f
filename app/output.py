"""Results written to stdout: tables, passages and findings for people; JSON, CSV and TSV for programs."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from ..loaders.http.addresses import in_one_line
from ..loaders.store.results import json_row
from ..ontology import Json, counted
from .tables import plain, table, without_empty, wrap
from .terminal import HEADING, NUMBER, painted, shows_colours, style_of, talk, terminal_width

if TYPE_CHECKING:
    from ..queries.searching.grammar import Spans
    from ..queries.searching.scores import Passages
    from ..queries.session import Answer, Value

FORMATS = ("table", "json", "records", "object", "csv", "tsv")
"""The values of `--format`. For every command except `sparql`, `records` is the same as `json`; `object` is
one object with the rows and everything else in the answer."""

SHOWN = 40
"""How many rows people see unless they ask for more (--all, --limit)."""

_MARGIN = "    "
_MORE = " …"
_MOST_WHOLE = 5
"""How many of the closest rules are shown whole."""


def write_answer(answer: Answer, form: str, most: int | None = None) -> int:
    """Write the rows of an answer to stdout and its notes to stderr; return 0, or 1 if there are no rows.

    JSON, CSV and TSV are written even without rows. A table has at most `most` rows. A message says how many
    more there are, and how many rows there are in all.
    """
    shown = answer.rows[:most] if form == "table" else answer.rows
    if shown or form != "table":
        write_whole(answer, form, most)
    return write_notes(answer, len(answer.rows) - len(shown))


def write_notes(answer: Answer, hidden: int = 0) -> int:
    """Write the notes of an answer to stderr, and how many rows it has, `hidden` ones included.

    Return the exit code: 0, or 1 if there are no rows.
    """
    for left_out, way in ((hidden, "--all shows them"), (answer.more, "a larger --limit shows more")):
        if left_out:
            talk(f"{counted(left_out, 'more row')}: {way}")
    talk(*answer.notes)
    count = counted(len(answer.rows) + answer.more, "row") if answer.rows else "nothing found"
    talk(f"{count}, from {answer.edition}" if answer.edition else count)
    return 0 if answer.rows else 1


def write_whole(answer: Answer, form: str, most: int | None = None) -> None:
    """Write the rows of an answer; with ``object``, everything else in it too.

    A table for people has at most `most` rows, and no columns that are empty in all of them.
    """
    if form == "object":
        write_json(answer.record())
    elif form == "table":
        write_rows(*without_empty(answer.columns, answer.rows[:most]), form)
    else:
        write_rows(answer.columns, answer.rows, form)


def write_rows(
    columns: Sequence[str], rows: Iterable[Sequence[Value]], form: str, out: TextIO | None = None
) -> None:
    """Write rows of plain values in one of `FORMATS` to `out` (stdout).

    JSON is a list of objects whose keys are the columns: numbers, booleans and null stay what they are, dates
    are written as ``YYYY-MM-DD``. CSV and TSV begin with the columns; a missing value is empty. In TSV, tabs
    and line breaks inside values are written as ``\\t`` and ``\\n``.
    """
    out = out or sys.stdout
    if form in {"json", "object"}:
        records = [json_row(columns, row) for row in rows]
        write_json(records if form == "json" else {"rows": records}, out)
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


def _tsv(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\r", "\\r").replace("\n", "\\n")


def write_json(value: Json, out: TextIO | None = None) -> None:
    """Write plain values as indented JSON; dates are written as strings."""
    import json

    json.dump(value, out or sys.stdout, indent=2, ensure_ascii=False, default=str)
    (out or sys.stdout).write("\n")


def write_findings(found: Answer, form: str) -> int:
    """Write findings of `check` or `verify`; return 1 if one of them is a warning or an error, else 0.

    People get a block for each, programs what `write_whole` writes.
    """
    if form != "table":
        write_whole(found, form)
    elif found.rows:
        _write_blocks(found)
    return int(any(row["severity"] in {"error", "warning"} for row in found))


def _write_blocks(found: Answer) -> None:
    """Write a block for each finding.

    Its first line has the severity, what was found, of what, the place, and since when a defect exists; an
    arrow leads from a citation to the number that it should be.
    """
    width, colours = terminal_width(sys.stdout), shows_colours(sys.stdout)
    blocks = []
    for row in found:
        it = defaultdict(str, {name: plain(value) for name, value in row.items()})
        place = ":".join(filter(None, (it["document"], it["line"], it["column"])))
        about = it["subject"] or " → ".join(dict.fromkeys(filter(None, (it["citation"], it["now"]))))
        parts = [it["severity"], it["check"] or it["finding"], about, place]
        parts += [f"since {it['since']}"] if it["since"] else []
        style = style_of("severity", it["severity"]) if colours else ""
        lines = _heading([*filter(None, parts)], style, width)
        wording = f"{it['now'] or it['citation']}: {it['wording']}" if it["wording"] else ""
        for text in filter(None, (it["message"], it["quote"], wording)):
            lines += [_MARGIN + line for line in wrap(in_one_line(text), width - len(_MARGIN))]
        blocks.append("\n".join(lines))
    print("\n\n".join(blocks))


def write_passages(found: Answer, form: str, *, explain: bool = False, most: int | None = None) -> int:
    """Write an answer as `write_answer` does, but passages as one block each, under their lead and heading.

    The text of the cards in a question comes first. With `most`, later ones are shortened.
    With `explain` passages have a column ``parts`` that says what each score consists of.
    """
    # Answers of the catalogue do not need it.
    from ..queries.searching.scores import Passages

    width = terminal_width(sys.stdout)
    for card in found.cards or () if form == "table" else ():
        head = _heading([plain(card[it]) for it in ("card", "cost", "types") if card[it]], "", width)
        text = wrap(str(card["text"]), width - len(_MARGIN)) if card["text"] else ()
        print(*head, *(_MARGIN + line for line in text), "", sep="\n")
    if found.rows and form == "table":
        for note in found.lead:
            print(*wrap(in_one_line(note), width), "", sep="\n")
        found = found._replace(notes=tuple(note for note in found.notes if note not in found.lead))
    if not isinstance(found, Passages) or not found.rows:
        return write_answer(found, form, most)
    if found.heading:
        talk(found.heading)
    shown = _with_parts(found) if explain and found.parts else found
    if form != "table":
        return write_answer(shown, form)
    strong = shows_colours(sys.stdout)
    blocks: list[str] = []
    is_cut = False
    for row, marks in zip(shown.records(), found.marks, strict=True):
        lines = _heading([*_head(row)], NUMBER if strong and row["number"] else "", width)
        text = _marked_lines(str(row["text"]), marks if strong else (), width - len(_MORE))
        if most and found.heading and len(blocks) >= _MOST_WHOLE and len(text) > 1:
            text, is_cut = [text[0] + _MORE], True
        lines += [_MARGIN + line for line in text]
        blocks.append("\n".join(lines))
    print("\n\n".join(blocks))
    if is_cut:
        talk(f"Of the texts after the first {_MOST_WHOLE}, only the beginning is shown: --all shows them.")
    return write_notes(found)


def _heading(parts: Sequence[str], style: str, width: int) -> list[str]:
    """Return the first lines of a block: its parts, the first of them in a style."""
    first, *more = wrap(in_one_line(" · ".join(parts)), width)
    return [painted(parts[0], style) + first.removeprefix(parts[0]), *more]


def _with_parts(found: Passages) -> Passages:
    """Return passages with a column that says what each score consists of, the largest part first."""
    rows = []
    for row, parts in zip(found.rows, found.parts, strict=True):
        largest = sorted(parts.items(), key=lambda part: (-part[1], part[0]))
        rows.append((*row, " + ".join(f"{kind} {amount:g}" for kind, amount in largest)))
    return found._replace(columns=(*found.columns, "parts"), rows=tuple(rows))


def _head(row: Mapping[str, Value]) -> Iterator[str]:
    """Yield the head of a passage: its number, or else its place in the edition; its line; the reason."""
    yield plain(row["number"]) or str(row["iri"]).partition(f"/{row['edition']}/")[2]
    yield f"{plain(row['document'])}:{plain(row['line'])}"
    yield from filter(None, (plain(row["reason"]), plain(row.get("parts"))))


def _marked_lines(text: str, marks: Spans, width: int) -> list[str]:
    """Return a text in lines, with the marked parts of its words in bold."""
    lines = wrap(in_one_line(text), width - len(_MARGIN))
    said = sorted({in_one_line(text[start:end]) for start, end in marks}, key=len, reverse=True)
    if not said:
        return lines
    marked = re.compile(rf"\b(?:{'|'.join(map(re.escape, said))})\b")
    return [marked.sub(lambda it: painted(it[0], HEADING), line) for line in lines]
