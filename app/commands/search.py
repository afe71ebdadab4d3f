"""Words into the passages that have them, the best first."""

from __future__ import annotations

import argparse

from ..figures import positive
from ..passages import write_passages
from ..python.rules import open

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph search "lethal damage"                 both words, in any form
  rulesgraph search '"lethal damage" in:702'        the phrase, within chapter 702
  rulesgraph search "tramp* kind:rule,example"      words that begin so, in rules and examples
  rulesgraph search "cites:704.5 edition:all"       what cites 704.5 or a part of it, in every edition"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `search`."""
    parser.add_argument(
        "words",
        metavar="WORDS",
        nargs="+",
        help='words, "phrases", beginnings*, and conditions: in:702, kind:rule, cites:704.5, edition:all',
    )
    parser.add_argument(
        "--limit", metavar="N", type=positive, default=10, help="show at most so many passages (default: 10)"
    )


def run(options: argparse.Namespace) -> int:
    """Print what was found; return 1 when nothing was."""
    rules = open(options.store)
    found = rules.search(" ".join(options.words), limit=options.limit, edition=options.edition)
    return write_passages(found, options.format)
