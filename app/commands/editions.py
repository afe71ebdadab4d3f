"""What is loaded: every edition with its date, its documents and their counts."""

from __future__ import annotations

import argparse

from ..output import write_answer
from ..python.rules import open

TAKES = ("format",)
EXAMPLES = """\
  rulesgraph editions
  rulesgraph editions --format json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the shared options are all there is."""


def run(options: argparse.Namespace) -> int:
    """Print one row for each edition, newest first; `current` marks what plain questions see."""
    return write_answer(open(options.store).contents(), options.format)
