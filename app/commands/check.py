"""The defects of what is loaded, of the sources and of the graph, as a list."""

from __future__ import annotations

import argparse

from ...ontology.errors import UsageError
from ..output import talk, write_findings
from ..python.rules import open

TAKES = ("edition", "format")
_OURS = ""
EXAMPLES = """\
  rulesgraph check
  rulesgraph check --edition cr-2008-02-01 --format csv
  rulesgraph check --shapes                       the SHACL shapes too; --shapes FILE.ttl for your own
  rulesgraph check --reason                       what contradicts; what follows is kept in the store
  rulesgraph check --reason --edition A,B         what became something else from one edition to the other
  rulesgraph check --reason --with FILE.ttl       do my own statements agree with the rules?"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check` alone."""
    parser.add_argument(
        "--shapes",
        metavar="FILE",
        nargs="?",
        const=_OURS,
        help="hold the graph against our SHACL shapes as well, or those of a Turtle file (needs pySHACL)",
    )
    parser.add_argument(
        "--reason",
        action="store_true",
        help="reason over the facts as well; what follows from them goes into the store (needs Java)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="with --reason: have Pellet, slower than HermiT, explain each contradiction",
    )
    parser.add_argument(
        "--with",
        dest="own",
        metavar="FILE",
        help="with --reason: a Turtle file of your own to reason over as well; nothing is written then",
    )
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=float,
        default=300,
        help="with --reason: how long the reasoner may take, whoever else works (default: 300)",
    )
    parser.add_argument(
        "--memory", metavar="MB", type=int, default=2000, help="with --reason: what the reasoner may take"
    )


def run(options: argparse.Namespace) -> int:
    """Print the findings; return 1 when one of them is a warning or worse."""
    from ...queries.checking.defects import is_grave

    if not options.reason and (options.explain or options.own):
        raise UsageError("--explain and --with are for reasoning", way_out="Add --reason.")
    found = open(options.store).check(
        edition=options.edition,
        shapes=options.shapes is not None and (options.shapes or True),
        reason=options.reason,
        explain=options.explain,
        own=options.own,
        seconds=options.time,
        megabytes=options.memory,
    )
    if found.rows or options.format != "table":
        write_findings(found.columns, found.rows, options.format)
    for note in found.notes:
        talk(note)
    count = len(found.rows)
    talk(f"{count} finding{'' if count == 1 else 's'}, in {found.edition}")
    return 1 if is_grave(found) else 0
