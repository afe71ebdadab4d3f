"""The commands that change a store: loading documents, and removing editions."""

from __future__ import annotations

import argparse
import sys

from ...loaders.building.report import DocumentSummary
from ...ontology import UsageError, counted, grouped
from ..files import is_no_store
from ..operations import call
from ..output import write_json, write_rows
from ..python.building import Report
from ..python.building import build as build_store
from ..python.building import get as get_text
from ..python.rules import Rules, open
from ..terminal import progress, talk
from . import command

_PRINTED = ("count-jump", "lost-text", "altered-text", "unknown-text")
"""Problems that only comparison with other texts shows: a text is incomplete, or is not a rules text."""

_COUNTS = ("entries", "paragraphs", "rules", "subrules", "references")


@command(
    build_store,
    sources={"flags": None, "metavar": "SOURCE", "nargs": "*"},
    base={"metavar": "IRI"},
    form={"metavar": "FILE"},
    json={"help": "print the report as JSON"},
)
def build(options: argparse.Namespace) -> int:
    """Load documents and print a report; return 3 if a document was refused.

    rulesgraph build                        # the bundled starter rules and a dozen invented cards
    rulesgraph build rules.txt              # one document, recognised by its content, not its name
    rulesgraph build rules/ more/page.txt   # whole folders, and files
    rulesgraph build https://example.org/rules.txt
    rulesgraph build rules/ --strict        # load everything, or nothing if there is a defect
    rulesgraph build other.txt --form other.toml    # numbered rules of another kind
    """
    options.sources = options.sources or None  # without any, the starter rules
    with progress() as report_progress:
        report = call(build_store, options, progress=report_progress)
    if options.json:
        write_json(report.record())
    else:
        _write_report(report)
    return 3 if report.refused else 0


@command(
    get_text,
    address={"flags": None, "metavar": "URL", "nargs": "?", "default": ""},
    edition={"flags": ["--edition"], "metavar": "DATE"},
    yes={"help": "do not ask before the first download"},
)
def get(options: argparse.Namespace) -> int:
    """Print the same report as `build`.

    rulesgraph get                          # the publisher's newest rules
    rulesgraph get --edition 2025-06-06     # those of a day
    rulesgraph get https://example.org/rules.txt
    """
    with progress() as report_progress:
        report = call(get_text, options, agree=None if options.yes else _agree, progress=report_progress)
    _write_report(report)
    return 0


def _agree(statement: str) -> bool:
    """Ask whether to continue; raise `UsageError` if the input is not a terminal."""
    if not sys.stdin.isatty():
        raise UsageError(statement, way_out="Add --yes to continue.")
    talk(f"{statement}\nContinue? [y/N] ")
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _write_cards(report: Report) -> None:
    for it in report.cards:
        left = "".join(f"; {count:,} {what} left out" for what, count in it.left_out.items())
        talk(f"{it.card_set}: {it.cards:,} cards with {it.rulings:,} rulings{left}.")
        if it.former > it.cards:
            talk(f"  These replace {it.former:,} cards of that date. To keep both, build the files together.")
    if report.cards and (newest := report.cards[-1].newest):
        talk(f"Questions use only the newest set of cards, {newest}.")


def _write_report(report: Report) -> None:
    documents = report.documents
    if documents:
        rows = [(d.document, d.kind, len(d.problems), _contents(d)) for d in documents]
        write_rows(("document", "kind", "problems", "holds"), rows, "table")
    _write_cards(report)
    for cases in report.cases:
        none = f"; {cases.unknown:,} of their numbers belong to no rule" if cases.unknown else ""
        talk(f"{cases.case_set}: {counted(cases.cases, 'case')}{none}.")
    for document in documents:
        for problem in document.problems:
            if problem.code in _PRINTED and problem.severity != "info":
                place = f":{problem.line}" if problem.line else ""
                talk(f"{document.document}{place}: {problem.message}")
    for name, sources in grouped((it.document, it.source) for it in documents).items():
        if len(sources) > 1:
            talk(
                f"{name} came from {len(sources)} files: {', '.join(sources)}. The store keeps the last one."
            )
    for it in report.replaced:
        talk(
            f"{it.document}: {it.source} replaces a file with a different text (SHA-256 {it.former[:12]}…). "
            "If the old file was the right one, build it again."
        )
    for refusal in report.refused:
        talk(f"refused: {refusal.reason}")
    if documents or report.cards or report.cases:
        now = "now has" if report.changed else "already had all of this and is unchanged:"
        talk(f"{report.location} {now} {report.quads:,} quads ({report.seconds:.1f} s).")
        if any(document.problems for document in documents):
            talk("`rulesgraph check` lists the problems.")
    else:
        became = "was not created" if is_no_store(report.location) else "is unchanged"
        talk(f"Nothing was loaded; {report.location} {became}.")


def _contents(document: DocumentSummary) -> str:
    """Return the counts of a document in words: a column for each would not fit on a terminal."""
    counts = {name: getattr(document, name) for name in _COUNTS}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


@command(Rules.drop, edition={"metavar": "EDITION"})
def drop(options: argparse.Namespace) -> int:
    """Remove an edition and say so.

    rulesgraph drop starter
    rulesgraph drop starter/inferred    # only what `check --reason` added to it
    rulesgraph editions        # lists the editions that can be removed
    """
    rules = open(options.store)
    with progress() as report_progress:
        call(rules.drop, options, progress=report_progress)
    talk(f"{options.edition} is no longer in {rules.location}.")
    return 0
