"""Two things into the shortest chain of links by which the first relies on the second."""

from __future__ import annotations

import argparse

from ..output import write_answer
from ..python.rules import open
from .ask import add_timeout, add_walk_options

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph why Protection "State-Based Effects"
  rulesgraph why Equipment 420 --via citation,note"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `why`."""
    parser.add_argument("first", metavar="A", help="the term or rule that relies")
    parser.add_argument("second", metavar="B", help="the term or rule that it relies on")
    add_walk_options(parser, default="all")
    add_timeout(parser)


def run(options: argparse.Namespace) -> int:
    """Print the chain, a row for each step; return 1 when there is none."""
    answer = open(options.store, timeout=options.timeout).why(
        options.first, options.second, via=options.via, steps=options.steps, edition=options.edition
    )
    return write_answer(answer, options.format)
