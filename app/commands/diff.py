"""Two editions into what changed between them, and the terms that rest on it."""

from __future__ import annotations

import argparse

from ..output import talk, write_answer, write_json
from ..sessions import open_session

TAKES = ("format",)
EXAMPLES = """\
  rulesgraph diff cr-2025-04-04 cr-2025-06-06
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --only reworded
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --terms
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("before", metavar="EDITION", help="the earlier edition")
    parser.add_argument("after", metavar="EDITION", help="the later edition")
    parser.add_argument(
        "--only",
        metavar="CHANGE",
        choices=("added", "removed", "renumbered", "renamed", "reworded"),
        help="list these changes alone: added, removed, renumbered, renamed (entries) or reworded",
    )
    parser.add_argument(
        "--terms", action="store_true", help="list the terms that rely on what changed, ranked"
    )
    parser.add_argument("--json", action="store_true", help="print changes and terms as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Print the changes, or the terms; return 1 when the editions do not differ."""
    from dataclasses import replace

    from ...queries.diff import diff

    found = diff(open_session(options.store), options.before, options.after)
    changes = found.changes
    if options.only:
        changes = replace(changes, rows=tuple(row for row in changes.rows if options.only in str(row[0])))
    if options.json:
        write_json({"changes": changes.records(), "terms": found.terms.records()})
        return 0 if changes.rows else 1
    if options.terms:
        return write_answer(found.terms, options.format)
    code = write_answer(changes, options.format)
    if found.terms.rows:
        talk(f"{len(found.terms.rows)} terms rely on what changed; --terms lists them")
    return code
