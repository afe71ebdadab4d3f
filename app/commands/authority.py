"""The permanent ids of provisions, written from the histories in a store, or extended by them."""

from __future__ import annotations

import argparse

from ...ontology.errors import UsageError
from ..output import talk
from ..python.rules import open

TAKES = ()
EXAMPLES = """\
  rulesgraph authority -o provisions.tsv                      ids for all loaded editions, from the start
  rulesgraph authority --extend provisions.tsv -o more.tsv    the same ids, and the editions that it lacks
  rulesgraph authority --testimony -o testimony.tsv           what the loaded editions say, as checksums"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `authority`."""
    parser.add_argument(
        "--testimony",
        action="store_true",
        help="write, as checksums, what the loaded editions say: by these a copy is seen to be damaged",
    )
    parser.add_argument("--extend", metavar="FILE", help="the file to go on from; it stays as it is")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the file and say what it covers."""
    if options.testimony:
        if options.extend:
            raise UsageError("--testimony is made of what is loaded, and goes on from no file")
        heard = open(options.store).testimony(options.output or "-")
        talk(f"{heard} editions are heard: the file counts once it stands as queries/checking/testimony.tsv.")
        return 0
    found = open(options.store).authority(options.output or "-", extend=options.extend)
    talk(f"{found.provisions} provisions in {found.rows} wordings over {found.editions} editions.")
    if options.extend:
        talk(
            "What is loaded keeps its ids: the file counts for editions that are built once it stands as "
            "loaders/history/provisions.tsv, so build those again."
        )
    return 0
