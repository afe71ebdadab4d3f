"""One term, rule, section or entry into everything that is known of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..colours import Style, painted, shows_colours
from ..output import sheet, table, talk, terminal_width, write_json, write_rows
from ..python.rules import Rules, open

if TYPE_CHECKING:
    from ...queries.session import Answer
    from ...queries.sheets.show import Sheet

SHOWN = 12
"""How many rows of a table people see before the sheet says how to see the others."""

_LEADING = ("definition", "text")
"""The tables that say what a thing is: they stand first."""

_FEWEST = 3
"""Editions in a row that are told by the first and the last of them."""

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph show Protection
  rulesgraph show 420.5a
  rulesgraph show "Lethal Damage" --format json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    parser.add_argument(
        "name", metavar="TERM|NUMBER", nargs="+", help="a term, or the number of a rule, section or entry"
    )
    parser.add_argument("--all", action="store_true", help=f"every row of each table, not the first {SHOWN}")


def run(options: argparse.Namespace) -> int:
    """Print the sheet of one thing."""
    rules = open(options.store)
    found = rules.show(" ".join(options.name), edition=options.edition)
    return present(rules, found, options.format, whole=options.all)


def present(rules: Rules, found: Sheet, form: str, *, whole: bool = False) -> int:
    """Write a sheet to stdout and its notes to stderr, for people without the ends of long tables.

    They are there when it is asked for the `whole`. Return the exit code.
    """
    if form == "json":
        write_json([found.record()])
    elif form == "table":
        found = found if whole else folded(found)
        _write(found, [it.id for it in reversed(rules.editions) if it.has_history])
    else:
        _write_flat(found, form)
    for note in found.notes:
        talk(note)
    return 0


def folded(found: Sheet) -> Sheet:
    """Return a sheet for people: of long tables `SHOWN` rows, and a note on how to see the others."""
    more = [
        f'{len(table.rows) - SHOWN} more under "{table.name}"'
        for table in found.tables
        if len(table.rows) > SHOWN
    ]
    notes = [f"{', '.join(more)}: --all shows them"] if more else []
    tables = tuple(table._replace(rows=table.rows[:SHOWN]) for table in found.tables)
    return found._replace(tables=tables, notes=(*found.notes, *notes))


def spans(editions: Collection[str], order: Sequence[str]) -> str:
    """Return ids of editions as text, those that follow each other in `order` as spans.

    >>> spans({"a", "b", "c", "e", "page"}, ["a", "b", "c", "d", "e"])
    'page, a … c (3 editions), e'
    """
    told = sorted(set(editions) - set(order))
    run: list[str] = []
    for edition in [*order, ""]:
        if edition in editions:
            run.append(edition)
            continue
        told += [f"{run[0]} … {run[-1]} ({len(run)} editions)"] if len(run) >= _FEWEST else run
        run = []
    return ", ".join(told)


def _write(found: Sheet, order: Sequence[str]) -> None:
    """Write what it is, what is known of it, then the other tables; `order` lists editions, oldest first."""
    width = terminal_width(sys.stdout)
    strong = Style.HEADING if shows_colours(sys.stdout) else None
    print(painted(found.name, strong))
    print("═" * min(width, len(found.name)))
    leading = [part for part in found.tables if part.name in _LEADING]
    for part in leading:
        _write_table(part, width)
    facts = {
        "kind": found.kind,
        "number": found.number,
        "title": found.title,
        "other names": ", ".join(found.other_names),
        "status": found.status,
        "edition": found.edition,
        "stands in": spans(found.editions, order) if set(found.editions) != {found.edition} else "",
    }
    print(end="\n" if leading else "")
    shown = {name: value for name, value in facts.items() if value and value != found.name}
    sys.stdout.write(sheet(shown, width=width))
    for part in found.tables:
        if part not in leading:
            print(f"\n{painted(part.name.upper(), strong)}\n")
            _write_table(part, width)


def _write_table(part: Answer, width: int) -> None:
    """Write a table without the columns that are empty."""
    filled = [i for i in range(len(part.columns)) if any(row[i] not in {None, ""} for row in part.rows)]
    columns = [part.columns[i] for i in filled]
    rows = [[row[i] for i in filled] for row in part.rows]
    sys.stdout.write(table(columns, rows, width=width, colours=shows_colours(sys.stdout)))


def _write_flat(found: Sheet, form: str) -> None:
    """Write all tables as one, with a column that says which, and every column that any has."""
    columns = list(dict.fromkeys(column for part in found.tables for column in part.columns))
    rows = [
        (part.name, *(record.get(column) for column in columns))
        for part in found.tables
        for record in part.records()
    ]
    write_rows(("part", *columns), rows, form)
