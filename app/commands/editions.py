"""The commands about editions: what is loaded, what is wrong with it, and what changed."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from ...loaders.language.numbers import successors, wholes
from ...ontology import UsageError, counted, grouped
from ..operations import call
from ..output import SHOWN, write_answer, write_findings, write_json, write_notes, write_rows
from ..python.rules import Rules, open
from ..terminal import HEADING, painted, progress, shows_colours, talk
from . import ALL, command, positive, seconds

if TYPE_CHECKING:
    from ...queries.history.diff import Difference
    from ...queries.session import Answer, Cells


_OUR_SHAPES = ""


@command(Rules.contents, formats=True)
def editions(options: argparse.Namespace) -> int:
    """Print one row for each edition, newest first; `current` marks those that questions see by default.

    rulesgraph editions
    rulesgraph editions --format json
    """
    rules = open(options.store)
    status = write_answer(rules.contents(), options.format)
    for row in rules.card_sets():
        talk(f"{row['card_set']}: {row['title']}, {row['cards']:,} cards with {row['rulings']:,} rulings")
    return status


class _StoreOrFiles(argparse.Action):
    """``--store PATH`` names a store, and ``--store`` alone means ``--files``."""

    def __call__(self, _: object, options: argparse.Namespace, path: object, *__: object) -> None:
        setattr(options, *(("files", True) if path is None else ("store", path)))


@command(
    Rules.check,
    formats=True,
    store={"nargs": "?", "action": _StoreOrFiles},
    shapes={"metavar": "FILE", "nargs": "?", "const": _OUR_SHAPES},
    own={"flags": ["--with"], "metavar": "FILE"},
    rulings={
        "metavar": "CARD",
        "nargs": "?",
        "const": "",
        "help": "only list card rulings whose rule has changed since",
    },
    seconds={"flags": ["--time"], "metavar": "SECONDS", "type": seconds},
    megabytes={"flags": ["--memory"], "metavar": "MB", "type": positive},
)
def check(options: argparse.Namespace) -> int:
    """Print the findings; return 1 if one of them is a warning or an error.

    rulesgraph check
    rulesgraph check --edition cr-2008-02-01 --format csv
    rulesgraph check --shapes                       # the SHACL shapes too; --shapes FILE.ttl for your own
    rulesgraph check --reason                       # contradictions; `drop ID/inferred` undoes what it writes
    rulesgraph check --reason --edition A,B         # things whose kind changed between two editions
    rulesgraph check --reason --with FILE.ttl       # do your own statements agree with the rules?
    rulesgraph check --rulings                      # card rulings whose rule has changed since
    rulesgraph check --store                        # is the store intact? (the same as --files)

    Exit code 1 means that one of the findings is a warning or an error; those that are "info" give 0.
    """
    if not options.reason and (options.explain or options.own):
        raise UsageError("--explain and --with only work with --reason", way_out="Add --reason.")
    if options.shapes == _OUR_SHAPES:
        options.shapes = True
    rules = open(options.store)
    with progress() as report_progress:
        if options.rulings is None:
            found = call(rules.check, options, progress=report_progress)
        else:
            found = rules.rulings_changed(options.rulings, edition=options.edition, progress=report_progress)
    code = write_findings(found, options.format)
    count = counted(len(found.rows), "finding") + (f", in {found.edition}" if found.edition else "")
    talk(*found.notes, count)
    return code


@command(
    Rules.trace,
    formats=True,
    number={"metavar": "NUMBER", "nargs": "+"},
    start={"flags": ["--edition", "--from"], "metavar": "EDITION", "default": None},
    end={"flags": ["--to"], "metavar": "EDITION"},
)
def trace(options: argparse.Namespace) -> int:
    """Print a row for each edition in which something happened.

    rulesgraph trace Planeswalker
    rulesgraph trace 502.15 --from cr-2008-02-01
    rulesgraph trace 704.5a --from cr-2026-01-16 --to cr-2008-02-01
    rulesgraph trace 502.15-502.17 --from cr-2008-02-01 --format json
    """
    answer = call(open(options.store).trace, options, number=" ".join(options.number))
    if options.format != "table" or not answer.rows:
        return write_answer(answer, options.format)
    first, *others = answer.rows
    between = (None,) * len(first)  # before the next entry or rule, whose first row has no change
    rows = [it for row in others for it in ((row,) if row[2] else (between, row))]
    write_rows(answer.columns, (first, *rows), options.format)
    return write_notes(answer)


@command(Rules.blame, formats=True, name={"metavar": "NAME", "nargs": "+"})
def blame(options: argparse.Namespace) -> int:
    """Print a row for each sentence.

    rulesgraph blame 704.5j
    rulesgraph blame "Legend Rule" --edition cr-2025-04-04
    rulesgraph blame 601.2 --format json
    """
    answer = call(open(options.store).blame, options, name=" ".join(options.name))
    return write_answer(answer, options.format)


@command(
    Rules.diff,
    formats=True,
    apart=(("--all", "--limit"), ("--cards", "--only"), ("--cards", "--terms"), ("--cards", "--json")),
    before={"metavar": "EDITION", "nargs": "?"},
    after={"metavar": "EDITION", "nargs": "?"},
    edition={"metavar": "A,B", "help": "the two editions, instead of naming them as arguments"},
    only={"metavar": "CHANGE,…"},
    within={"metavar": "NAME,…"},
    all=ALL,
    terms={"help": "list the terms that rely on what changed, most affected first"},
    cards={"help": "list the cards that the changes affect, with both versions of the sentence"},
    json={"help": "print changes, chapters and terms as one JSON object"},
)
def diff(options: argparse.Namespace) -> int:
    """Print the changes, or the terms; return 1 if the editions do not differ.

    rulesgraph diff cr-2025-04-04 cr-2025-06-06
    rulesgraph diff cr-2025-04-04 cr-2025-06-06 --only added,removed,reworded
    rulesgraph diff cr-2025-04-04 cr-2025-06-06 --within 702
    rulesgraph diff cr-2008-02-01 cr-2026-01-16 --within "mulligan, legend rule"
    rulesgraph diff cr-2025-04-04 cr-2025-06-06 --terms
    rulesgraph diff cr-2025-04-04 cr-2025-06-06 --cards
    rulesgraph diff cr-2025-04-04 cr-2025-06-06 --json
    """
    named = [*filter(None, (options.before, options.after, *(options.edition or "").split(",")))]
    if len(named) != 2:
        raise UsageError("diff compares two editions", way_out="Name the earlier one, then the later one.")
    options.before, options.after = named
    if options.cards:
        is_table = options.format == "table"  # each row is a rule with the number of its cards
        limit = None if is_table else options.limit
        touched = call(open(options.store).cards_changed, options, limit=limit)
        if not is_table or not touched.rows:
            return write_answer(touched, options.format)
        return _write_cards(touched, None if options.all else options.limit or SHOWN)
    found = call(open(options.store).diff, options)
    if options.json:
        parts = {"changes": found.changes, "chapters": found.chapters, "terms": found.terms}
        write_json({name: part.records() for name, part in parts.items()})
        return 0 if found.changes.rows else 1
    if options.terms:
        return write_answer(found.terms, options.format)
    if options.format != "table" or not found.changes.rows:
        return write_answer(found.changes, options.format)
    return _write_changes(found, None if options.all or options.limit else SHOWN // 2)


def _write_cards(found: Answer, most: int | None) -> int:
    """Write each rule that touches cards once, with its changed words and the first cards, or all of them."""
    from ...queries.history.marking import marked

    touched = grouped(((*row[1:3], *row[5:]), str(row[0])) for row in found.rows)
    rows: list[Cells] = [
        (
            rule,
            term,
            excerpt(marked(str(before), str(after))),
            len(cards),
            "; ".join(cards[: most and _CARDS]),
        )
        for (term, rule, before, after), cards in touched.items()
    ]
    columns = ("rule", "term", "words", "cards", "such as" if most else "names")
    return write_answer(found._replace(columns=columns, rows=tuple(rows)), "table", most)


_CARDS = 8
"""The number of cards named for a rule."""


def _write_changes(found: Difference, most: int | None) -> int:
    """Write the changes as a release note: in parts, and unless all are asked for, `most` lines of each."""
    style = HEADING if shows_colours(sys.stdout) else ""
    total, more = len(found.changes) + found.changes.more, found.changes.more
    parts = grouped((_part(row), row) for row in found.changes.rows)
    for part in filter(parts.get, _PARTS):
        runs = _runs(parts[part], joined=most is not None)
        print(painted(f"{part.upper()} ({len(parts[part])})", style))
        write_rows(("change", "where", "words"), map(_readable, runs[:most]), "table")
        print()
        more += len(parts[part]) - sum(map(len, runs[:most]))
    if more:
        talk(f"{counted(more, 'more change')}: --all lists them all, --only CHANGE,… only some kinds")
    if found.terms.rows:
        first = ", ".join(str(row[0]) for row in found.terms.rows[:5])
        relying = counted(len(found.terms) + found.terms.more, "term")
        talk(f"Relying on what changed: {relying}, most of all {first}; --terms lists them")
    talk(*found.changes.notes, f"{counted(total, 'change')}, from {found.changes.edition}")
    return 0


_PARTS = ("new rules", "reworded", "removed", "renumbered", "glossary", "other numbers cited")
"""The parts of a release note, in order."""


def _part(row: Cells) -> str:
    of_rules = {"added": 0, "removed": 2, "renumbered": 3}
    return _PARTS[
        5 if _change(row) == "references" else 4 if row[1] == "entry" else of_rules.get(_change(row), 1)
    ]


def _change(row: Cells) -> str:
    """Return what happened to a rule; one that moved and also cites other numbers counts as moved."""
    return "renumbered" if row[0] == "references" and row[2] != row[3] else str(row[0])


def _runs(rows: Iterable[Cells], *, joined: bool) -> list[list[Cells]]:
    """Return the changes of each line; new rules with a title, such as keywords, come first.

    If `joined`, a line has a rule with its subrules, rules that moved together, or all that only cite other
    numbers.
    """
    runs: list[list[Cells]] = []
    for row in rows:
        if joined and runs and _continues(runs[-1], row):
            runs[-1].append(row)
        else:
            runs.append([row])
    return sorted(
        runs, key=lambda run: run[0][:2] == ("added", "rule") and str(run[0][4]).rstrip(")”")[-1:] == "."
    )


def _continues(run: Sequence[Cells], row: Cells) -> bool:
    change = _change(row)
    if row[1] == "entry" or change not in ("added", "removed", "renumbered"):
        return change == "references"
    sides = [(str(run[0][it]), str(run[-1][it]), str(row[it])) for it in (2, 3) if row[it]]
    if change == "renumbered":
        return all(here in successors(last) for _, last, here in sides)
    return all(first in wholes(here) for first, _, here in sides)


def _readable(run: Sequence[Cells]) -> Cells:
    """Return the changes of a line for people: the place, and the words around what changed."""
    change, words = _change(run[0]), excerpt(str(run[0][4]))
    if len(run) == 1:
        return change, " → ".join(dict.fromkeys(str(it) for it in run[0][2:4] if it)), words
    if change == "references":
        return change, f"{len(run)} texts", ", ".join(str(row[3]) for row in run)
    where = " → ".join(filter(None, (_stretches([str(row[it]) for row in run if row[it]]) for it in (2, 3))))
    return change, where, f"{len(run)} rules" if change == "renumbered" else words


def _stretches(numbers: Sequence[str]) -> str:
    """Return sorted numbers as text, with consecutive ones as a range.

    >>> _stretches(["111", "111.1", "111.2", "111.2a", "111.5"])
    '111 to 111.2a, 111.5'
    """
    cuts = [at for at, it in enumerate(numbers) if not at or it not in successors(numbers[at - 1])]
    spans = (numbers[start:end] for start, end in pairwise([*cuts, len(numbers)]))
    return ", ".join(" to ".join(dict.fromkeys((span[0], span[-1]))) for span in spans)


def excerpt(words: str, around: int = 6, most: int = 24) -> str:
    """Return the marked changes of a text with some words around each; without marks, its beginning.

    >>> excerpt("one two three four [-five-] {+5+} six seven eight nine", around=2)
    '… three four [-five-] {+5+} six seven …'
    """
    pieces = re.findall(r"\[-.*?-\]|\{\+.*?\+\}|\S+", words)
    marked = [place for place, piece in enumerate(pieces) if piece.startswith(("[-", "{+"))]
    if not marked:
        return " ".join(pieces[:most]) + (" …" if len(pieces) > most else "")
    kept = {n for place in marked for n in range(place - around, place + around + 1)}
    parts = groupby(enumerate(pieces), lambda it: it[0] in kept)
    return " ".join(" ".join(piece for _, piece in part) if shows else "…" for shows, part in parts)
