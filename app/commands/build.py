"""Documents into a store, with an account of what was loaded and what was refused."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..output import talk, write_json, write_rows

if TYPE_CHECKING:
    from ...loaders.building.account import DocumentSummary
    from ..python.building import Report

TAKES = ()
EXAMPLES = """\
  rulesgraph build                        the bundled starter rules
  rulesgraph build rules.txt              one document, whatever its name: its content says what it is
  rulesgraph build rules/ more/page.txt   folders with everything in them, and files
  rulesgraph build https://example.org/rules.txt
  rulesgraph build rules/ --strict        all of them without a defect, or none"""

_BESIDE_OTHERS = ("count-jump", "lost-text", "altered-text")
"""What only shows beside other editions: that a text is not whole is worth more than a count of problems."""

_COUNTS = ("entries", "paragraphs", "rules", "subrules", "references")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `build`."""
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="*",
        help="a file, a folder or a web address (default: starter rules)",
    )
    parser.add_argument(
        "--base",
        metavar="IRI",
        help="the IRI under which the data stands, for a store that is built for the first time",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse documents with defects, and load nothing if one is refused",
    )
    parser.add_argument("--json", action="store_true", help="print the account as JSON")


def run(options: argparse.Namespace) -> int:
    """Build, print the account, return 3 when a document was refused."""
    from ..progress import Progress
    from ..python.building import build

    with Progress() as progress:
        report = build(
            options.sources, options.store, base=options.base, strict=options.strict, progress=progress
        )
    if options.json:
        write_json(report.record())
    else:
        _tell(report)
    return 3 if report.refused else 0


def _tell(report: Report) -> None:
    documents = report.documents
    if documents:
        rows = [(d.document, d.kind, len(d.problems), _holdings(d)) for d in documents]
        write_rows(("document", "kind", "problems", "holds"), rows, "table")
    for document in documents:
        for problem in document.problems:
            if problem.code in _BESIDE_OTHERS:
                place = f":{problem.line}" if problem.line else ""
                talk(f"{document.document}{place}: {problem.message}")
    for refusal in report.refused:
        talk(f"refused: {refusal.reason}")
    if documents:
        talk(f"{report.location} now holds {report.quads:,} quads ({report.seconds:.1f} s).")
        if any(document.problems for document in documents):
            talk("`rulesgraph check` lists the problems.")
    else:
        talk(f"Nothing was loaded; {report.location} is as it was.")


def _holdings(document: DocumentSummary) -> str:
    """Say in words what a document holds: a column for each count does not fit a terminal."""
    counts = {name: getattr(document, name) for name in _COUNTS}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
