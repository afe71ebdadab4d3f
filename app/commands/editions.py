"""What is loaded: every edition with its date, its documents and their counts."""

from __future__ import annotations

import argparse

from ..output import write_answer
from ..sessions import open_session

TAKES = ("format",)
EXAMPLES = """\
  rulesgraph editions
  rulesgraph editions --format json"""

_COUNTED = {"entries": "Entry", "rules": "Rule"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the shared options are all there is."""


def run(options: argparse.Namespace) -> int:
    """Print one row for each edition, newest first; `current` marks what plain questions see."""
    from ...queries.runner import Answer

    rows = tuple(
        (
            edition.id,
            edition.issued,
            edition.current,
            ", ".join(dict.fromkeys(document.kind for document in edition.documents)),
            *(edition.counts.get(name, 0) for name in _COUNTED.values()),
        )
        for edition in open_session(options.store).editions(counts=True)
    )
    columns = ("edition", "issued", "current", "kind", *_COUNTED)
    return write_answer(Answer("editions", columns, rows), options.format)
