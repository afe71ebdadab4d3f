"""A rule number of one edition into what became of the rule in another."""

from __future__ import annotations

import argparse

from ...ontology.errors import UsageError
from ..output import write_answer
from ..python.rules import open

TAKES = ("format",)
EXAMPLES = """\
  rulesgraph trace Planeswalker
  rulesgraph trace 502.15 --from cr-2008-02-01
  rulesgraph trace 704.5a --from cr-2026-01-16 --to cr-2008-02-01
  rulesgraph trace 502.15-502.17 --from cr-2008-02-01 --format json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `trace`."""
    parser.add_argument(
        "number", metavar="NUMBER", nargs="+", help="a rule number, a range, or the name of an entry"
    )
    parser.add_argument(
        "--from",
        dest="start",
        metavar="EDITION",
        help="where the number stands (without: its whole life is told, from the newest edition that has it)",
    )
    parser.add_argument(
        "--to", dest="end", metavar="EDITION", help="an edition after or before (default: the newest)"
    )
    parser.add_argument(
        "--every", action="store_true", help="list every edition, not only those with a change"
    )


def run(options: argparse.Namespace) -> int:
    """Print a row for each edition in which something happened."""
    rules, number = open(options.store), " ".join(options.number)
    if options.start:
        answer = rules.trace(number, options.start, options.end, every=options.every)
    elif options.end or options.every:
        raise UsageError("--to and --every need --from", way_out="It names the edition of the number.")
    else:
        answer = rules.history(number)
    return write_answer(answer, options.format)
