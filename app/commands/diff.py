"""Two editions into what changed between them, and the terms that rest on it."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from typing import TYPE_CHECKING

from ..output import talk, write_answer, write_json
from ..python.rules import open

if TYPE_CHECKING:
    from ...queries.session import Answer

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

    found = open(options.store).diff(options.before, options.after)
    changes = found.changes
    if options.only:
        changes = replace(changes, rows=tuple(row for row in changes.rows if options.only in str(row[0])))
    if options.json:
        write_json({"changes": changes.records(), "terms": found.terms.records()})
        return 0 if changes.rows else 1
    if options.terms:
        return write_answer(found.terms, options.format)
    code = write_answer(_readable(changes) if options.format == "table" else changes, options.format)
    if found.terms.rows:
        most = ", ".join(str(row[0]) for row in found.terms.rows[:5])
        talk(f"{len(found.terms.rows)} terms rely on what changed, most of all {most}; --terms lists them")
    return code


def _readable(changes: Answer) -> Answer:
    """Return the changes as a table for people: one place, and the words around what changed."""
    from dataclasses import replace

    rows = tuple(
        (
            change,
            " → ".join(dict.fromkeys(filter(None, (str(before or ""), str(after or ""))))),
            excerpt(str(words)),
        )
        for change, _, before, after, words in changes.rows
    )
    counts = Counter(f"{kind} {change}" for change, kind, *_ in changes.rows)
    note = ", ".join(f"{count} × {what}" for what, count in sorted(counts.items()))
    return replace(changes, columns=("change", "where", "words"), rows=rows, notes=(note, *changes.notes))


def excerpt(words: str, around: int = 6, most: int = 24) -> str:
    """Return the marked changes of a text with some words around each, or the beginning of an unmarked one.

    >>> excerpt("one two three four [-five-] {+5+} six seven eight nine", around=2)
    '… three four [-five-] {+5+} six seven …'
    """
    pieces = re.findall(r"\[-.*?-\]|\{\+.*?\+\}|\S+", words)
    marked = [place for place, piece in enumerate(pieces) if piece.startswith(("[-", "{+"))]
    if not marked:
        return " ".join(pieces[:most]) + (" …" if len(pieces) > most else "")
    kept = sorted(
        {n for place in marked for n in range(place - around, place + around + 1) if 0 <= n < len(pieces)}
    )
    shown: list[str] = []
    last = -1
    for place in kept:
        shown += ["…"] if place != last + 1 else []
        shown.append(pieces[place])
        last = place
    return " ".join(shown) + (" …" if last < len(pieces) - 1 else "")
