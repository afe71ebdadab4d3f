"""The defects of what is loaded, of the sources and of the graph, as a list."""

from __future__ import annotations

import argparse

from ..output import talk, write_rows
from ..sessions import open_session

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph check
  rulesgraph check --edition cr-2008-02-01 --format csv
  rulesgraph check --shapes"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument of `check` alone."""
    parser.add_argument(
        "--shapes",
        action="store_true",
        help="hold the graph against the SHACL shapes as well (needs pySHACL)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the findings; return 1 when one of them is a warning or worse."""
    from dataclasses import replace

    from ...queries.defects import defects, is_grave

    session = open_session(options.store)
    found = defects(session, edition=options.edition)
    if options.shapes:
        from ..shapes import violations

        found = replace(found, rows=(*violations(session, options.edition), *found.rows))
    if found.rows or options.format != "table":
        write_rows(found.columns, found.rows, options.format)
    for note in found.notes:
        talk(note)
    count = len(found.rows)
    talk(f"{count} finding{'' if count == 1 else 's'}, in {found.edition}")
    return 1 if is_grave(found) else 0
