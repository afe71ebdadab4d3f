"""One edition out of the store, with everything that rested on it."""

from __future__ import annotations

import argparse

from ...loaders.http.shown import without_password
from ..output import talk

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
    from ...loaders.build import drop
    from ..progress import Progress

    with Progress() as progress:
        drop(options.edition_to_drop, options.store, progress=progress)
    talk(f"{options.edition_to_drop} is no longer in {without_password(options.store)}.")
    return 0
