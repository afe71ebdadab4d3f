"""The defects of what is loaded, of the sources and of the graph, as a list."""

from __future__ import annotations

import argparse

from ..output import talk, write_rows
from ..sessions import open_session

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph check
  rulesgraph check --edition cr-2008-02-01 --format csv"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the shared options are all there is."""


def run(options: argparse.Namespace) -> int:
    """Print the findings; return 1 when there are any."""
    from ...queries.ask import check

    found = check(open_session(options.store), edition=options.edition)
    if found.rows or options.format != "table":
        write_rows(found.columns, found.rows, options.format)
    for note in found.notes:
        talk(note)
    count = len(found.rows)
    talk(f"{count} finding{'' if count == 1 else 's'}, in {found.edition}")
    return 1 if count else 0
