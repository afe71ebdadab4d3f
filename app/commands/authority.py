"""The permanent ids of provisions, written from the histories in a store, or extended by them."""

from __future__ import annotations

import argparse

from ..output import talk
from ..python.rules import open

TAKES = ()
EXAMPLES = """\
  rulesgraph authority -o provisions.tsv                      ids for all loaded editions, from the start
  rulesgraph authority --extend provisions.tsv -o more.tsv    the same ids, and the editions that it lacks"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `authority`."""
    parser.add_argument("--extend", metavar="FILE", help="the file to go on from; it stays as it is")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the file and say what it covers."""
    found = open(options.store).authority(options.output or "-", extend=options.extend)
    talk(f"{found.provisions} provisions in {found.rows} wordings over {found.editions} editions.")
    if options.extend:
        talk(
            "What is loaded keeps its ids: the file counts for editions that are built once it stands as "
            "loaders/history/provisions.tsv, so build those again."
        )
    return 0
