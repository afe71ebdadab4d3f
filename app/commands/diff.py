"""Two editions into what changed between them, and the terms that rest on it."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from ..colours import shows_colours
from ..figures import counted
from ..output import table, talk, terminal_width, write_answer, write_json
from ..python.rules import open

if TYPE_CHECKING:
    from ...queries.history.diff import Difference
    from ...queries.session import Answer, Cells

SHOWN = 40
"""How many changes people see before they are told how to see the others."""

TAKES = ("format",)
EXAMPLES = """\
  rulesgraph diff cr-2025-04-04 cr-2025-06-06
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --only added,removed,reworded
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --within 702
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --terms
  rulesgraph diff cr-2025-04-04 cr-2025-06-06 --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("before", metavar="EDITION", help="the earlier edition")
    parser.add_argument("after", metavar="EDITION", help="the later edition")
    parser.add_argument(
        "--only",
        metavar="CHANGE,…",
        help="these changes alone: added, removed, reworded (moved or not), renumbered (with the same "
        "words), moved (reworded or not), references (the numbers of cited rules alone), split, merged",
    )
    parser.add_argument(
        "--within",
        metavar="NUMBER",
        help="what changed in this chapter or rule alone, by its number in either",
    )
    parser.add_argument("--all", action="store_true", help=f"list every change, not just the first {SHOWN}")
    parser.add_argument(
        "--terms", action="store_true", help="list the terms that rely on what changed, ranked"
    )
    parser.add_argument(
        "--json", action="store_true", help="print changes, chapters and terms as one JSON object"
    )


def run(options: argparse.Namespace) -> int:
    """Print the changes, or the terms; return 1 when the editions do not differ."""
    found = open(options.store).diff(options.before, options.after, only=options.only, within=options.within)
    if options.json:
        parts = {"changes": found.changes, "chapters": found.chapters, "terms": found.terms}
        write_json({name: part.records() for name, part in parts.items()})
        return 0 if found.changes.rows else 1
    if options.terms:
        return write_answer(found.terms, options.format)
    if options.format != "table":
        return write_answer(found.changes, options.format)
    return _write(found, None if options.all else SHOWN)


def _write(found: Difference, most: int | None) -> int:
    """Write for people how much changed in each chapter, then at most so many of the changes."""
    if not found.changes.rows:
        return write_answer(found.changes, "table")
    width, colours = terminal_width(sys.stdout), shows_colours(sys.stdout)
    print(table(*_counts(found.chapters), width=width, colours=colours))
    shown = [_readable(row) for row in found.changes.rows[:most]]
    sys.stdout.write(table(("change", "where", "words"), shown, width=width, colours=colours))
    more = len(found.changes) - len(shown)
    if more:
        talk(f"{counted(more, 'more change')}: --all lists them, --only CHANGE,… those of some kinds")
    if found.terms.rows:
        first = ", ".join(str(row[0]) for row in found.terms.rows[:5])
        relying = counted(len(found.terms), "term")
        talk(f"Relying on what changed: {relying}, most of all {first}; --terms lists them")
    talk(f"{counted(len(found.changes), 'change')}, from {found.changes.edition}")
    return 0


def _counts(chapters: Answer) -> tuple[list[str], list[Cells]]:
    """Return columns and rows of the counts, the sum last: how many changes, and of which kinds.

    The kinds stand in one column, in words: a column for each does not fit a terminal.
    """
    names = 2
    counts = [tuple(int(str(value)) for value in row[names:]) for row in chapters.rows]
    sums = tuple(map(sum, zip(*counts, strict=True)))
    kinds = chapters.columns[names + 1 :]

    def said(changes: int, *each: int) -> tuple[int, str]:
        return changes, ", ".join(f"{count} {kind}" for count, kind in zip(each, kinds, strict=True) if count)

    rows: list[Cells] = [(*row[:names], *said(*it)) for row, it in zip(chapters.rows, counts, strict=True)]
    return [*chapters.columns[: names + 1], "of which"], [*rows, ("all", "", *said(*sums))]


def _readable(row: Cells) -> Cells:
    """Return a change for people: one place, and the words around what changed."""
    change, _, before, after, words = row
    where = " → ".join(dict.fromkeys(filter(None, (str(before or ""), str(after or "")))))
    return change, where, excerpt(str(words))


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
