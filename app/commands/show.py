"""One term, rule, section or entry into everything that is known of it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..output import sheet, table, talk, terminal_width, write_json, write_rows
from ..python.rules import open

if TYPE_CHECKING:
    from ...queries.sheets.show import Sheet

SHOWN = 12
"""How many rows of a table people see before the sheet says how to see the others."""

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph show Protection
  rulesgraph show 420.5a
  rulesgraph show "Lethal Damage" --format json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    parser.add_argument(
        "name", metavar="TERM|NUMBER", help="a term, or the number of a rule, section or entry"
    )


def run(options: argparse.Namespace) -> int:
    """Print the sheet of one thing."""
    found = open(options.store).show(options.name, edition=options.edition)
    if options.format == "json":
        write_json([found.record()])
    elif options.format == "table":
        found = folded(found)
        _write(found)
    else:
        _write_flat(found, options.format)
    for note in found.notes:
        talk(note)
    return 0


def folded(found: Sheet) -> Sheet:
    """Return a sheet for people: of long tables `SHOWN` rows, and a note on how to see the others."""
    from dataclasses import replace

    from ...queries.sheets.show import question_behind

    notes = [
        f'{len(table.rows) - SHOWN} more under "{table.name}": '
        f'rulesgraph ask {question_behind(found.kind, table.name)} "{found.name}"'
        for table in found.tables
        if len(table.rows) > SHOWN
    ]
    tables = tuple(replace(table, rows=table.rows[:SHOWN]) for table in found.tables)
    return replace(found, tables=tables, notes=(*found.notes, *notes))


def _write(found: Sheet) -> None:
    """Write what it is, then each table below its heading."""
    width = terminal_width(sys.stdout)
    facts = {
        "kind": found.kind,
        "number": found.number,
        "title": found.title,
        "other names": ", ".join(found.other_names),
        "status": found.status,
        "edition": found.edition,
        "also in": ", ".join(e for e in found.editions if e != found.edition),
    }
    print(found.name)
    print("═" * min(width, len(found.name)))
    shown = {name: value for name, value in facts.items() if value and value != found.name}
    sys.stdout.write(sheet(shown, width=width))
    for part in found.tables:
        filled = [i for i in range(len(part.columns)) if any(row[i] not in {None, ""} for row in part.rows)]
        columns = [part.columns[i] for i in filled]
        print(f"\n{part.name.upper()}\n")
        sys.stdout.write(table(columns, [[row[i] for i in filled] for row in part.rows], width=width))


def _write_flat(found: Sheet, form: str) -> None:
    """Write all tables as one, with a column that says which, and every column that any has."""
    columns = list(dict.fromkeys(column for part in found.tables for column in part.columns))
    rows = [
        (part.name, *(record.get(column) for column in columns))
        for part in found.tables
        for record in part.records()
    ]
    write_rows(("part", *columns), rows, form)
