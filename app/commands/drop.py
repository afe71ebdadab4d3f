"""One edition out of the store, with everything that rested on it."""

from __future__ import annotations

import argparse

from ..output import talk
from ..python.rules import open

TAKES = ()
EXAMPLES = """\
  rulesgraph drop starter
  rulesgraph editions        (lists what can be dropped)"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `drop`."""
    parser.add_argument(
        "edition_to_drop", metavar="EDITION", help="the id of an edition, as `editions` lists it"
    )


def run(options: argparse.Namespace) -> int:
    """Drop the edition and say so."""
    from ..progress import Progress

    rules = open(options.store)
    with Progress() as progress:
        rules.drop(options.edition_to_drop, progress=progress)
    talk(f"{options.edition_to_drop} is no longer in {rules.location}.")
    return 0
