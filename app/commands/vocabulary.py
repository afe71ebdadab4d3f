"""The vocabulary's reference page as one HTML file."""

from __future__ import annotations

import argparse

from ..output import talk

TAKES = ()
EXAMPLES = """\
  rulesgraph vocabulary -o vocabulary.html"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `vocabulary`."""
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the page and say where it is."""
    from ...viz.vocabulary.reference import render_vocabulary
    from ..files import output_file

    page = render_vocabulary()
    with output_file(options.output) as out:
        out.write(page.encode())
    if options.output not in {None, "-"}:
        talk(f"Wrote {options.output}.")
    return 0
