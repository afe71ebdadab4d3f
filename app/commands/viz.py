"""A part of the graph into one interactive HTML page."""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable

from ...ontology.errors import UsageError
from ..figures import counted
from ..output import talk
from ..python.picture import Picture
from ..python.rules import open

TAKES = ("edition",)
EXAMPLES = """\
  rulesgraph viz -o graph.html                                   the whole edition as a map
  rulesgraph viz --editions all -o time.html                     the map through time
  rulesgraph viz --around Protection --depth 2 -o protection.html
  rulesgraph viz --answer terms_relying_on "State-Based Effects" -o answer.html
  rulesgraph viz --answer why Trample Deathtouch -o chain.html      step by step on the map"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `viz`."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--around", metavar="TERM", nargs="+", help="show what is linked to this term or rule")
    what.add_argument(
        "--answer", metavar="NAME", nargs="+", help="show the rows of an answer: a question and its arguments"
    )
    parser.add_argument(
        "--editions",
        metavar="A,B,…|all",
        help="the map through time: a slider by date over editions; with --answer: the answer in each",
    )
    parser.add_argument(
        "--map",
        action="store_true",
        help="light a small answer up on the map as well (else it is a graph of what it names)",
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=_at_least(0),
        default=1,
        help="with --around: up to N links away (default: 1; 0: the thing alone)",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=_at_least(1),
        help="show N things at most; without --around and --answer: the N most connected",
    )
    parser.add_argument("-o", "--output", metavar="FILE.html", required=True, help="where to write the page")


def _at_least(least: int) -> Callable[[str], int]:
    """Return what reads a number that is not below `least`."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} on")
        return int(text)

    return number


CLASHES = (
    ("--editions", "--edition"),
    ("--editions", "--around"),
    ("--editions", "--limit"),
    ("--map", "--around"),
    ("--map", "--limit"),
)
"""Which two parts of a line do not go together: one of them would be passed over in silence."""


def run(options: argparse.Namespace) -> int:
    """Write the page and say where it is."""
    given = {f"--{name}" for name, value in vars(options).items() if value}
    for one, other in CLASHES:
        if {one, other} <= given:
            raise UsageError(f"{one} is not allowed with {other}", way_out="rulesgraph viz --help")
    picture = _drawn(options)
    picture.write(options.output)
    if options.output != "-":
        size = f"{counted(picture.things, 'thing')}, {counted(picture.links, 'link')}"
        talk(f"Wrote {options.output}: {size}. Open it in a browser.")
    return 0


def _drawn(options: argparse.Namespace) -> Picture:
    """Draw without looking for cycles: what a picture is made of lives until it is there."""
    # Matrices of a picture are small, and starting threads for large ones takes as long as its layout.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    was_on = gc.isenabled()
    gc.disable()
    try:
        return open(options.store).picture(
            around=" ".join(options.around) if options.around else None,
            depth=options.depth,
            answer=options.answer or (),
            edition=options.edition,
            limit=options.limit,
            editions=options.editions,
            whole=options.map,
        )
    finally:
        if was_on:
            gc.enable()
