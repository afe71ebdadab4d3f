"""The commands that ask: questions, searches, everything about one thing, chains of reliance."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ...ontology import Json, UsageError
from ..operations import call
from ..output import SHOWN, write_answer, write_json, write_passages, write_rows, write_whole
from ..python.rules import Rules, open
from ..tables import sheet, without_empty
from ..terminal import HEADING, painted, progress, shows_colours, talk, terminal_width
from . import ALL, STEPS, VIA, command, timeout

if TYPE_CHECKING:
    from ...queries.session import Sheet

SHOWN_OF_TABLE = 12
"""How many rows of each table of a sheet people see unless they ask for more."""

_LEADING = ("definition", "text")
"""The tables that say what a thing is: they come first."""

_SHORTEST_RANGE = 3
"""The minimum number of consecutive editions that are written as a range."""


@command(
    Rules.ask,
    formats=True,
    apart=(("--all", "--limit"),),
    question={"metavar": "NAME", "nargs": "?"},
    arguments={"metavar": "ARG"},
    via=VIA,
    steps={**STEPS, "default": "1"},
    all=ALL,
    list={"help": "list the questions in the catalogue"},
    explain={"help": "for the closest rules, show how each score is made up"},
    timeout=timeout(),
)
def ask(options: argparse.Namespace) -> int:
    """Print the answer to a question, or the list of questions; return 1 if nothing was found.

    rulesgraph ask --list                                   # all questions
    rulesgraph ask terms_relying_on "State-Based Effects"   # by name, with arguments
    rulesgraph ask "Which terms rely on state-based effects?"
    rulesgraph ask "Does trample work with deathtouch?"     # in your own words
    rulesgraph ask "Can I kill my own creature?"            # the closest rules, if no question fits
    rulesgraph ask terms_relying_on 420 --via citation,note --steps 2 --format json
    """
    if options.list:
        write_whole(Rules.questions(), options.format)
        return 0
    if options.question is None:
        raise UsageError("no question was given", way_out="`rulesgraph ask --list` lists them.")
    rules = open(options.store, timeout=options.timeout)
    _join_words(options)
    answer = call(rules.ask, options)
    understood = answer.understood
    if understood and understood.meaning:
        talk(f"Understood as: {understood.meaning}", *understood.names)
    if understood and understood.thing and options.format == "table":
        found = rules.show(understood.thing, edition=options.edition or understood.edition or None)
        code = _write_sheet(rules, found, "table", whole=options.all)
    else:
        most = None if options.all or options.limit else SHOWN
        code = write_passages(answer, options.format, explain=options.explain, most=most)
    if understood and understood.others:
        talk("Or: " + "; ".join(understood.others))
    return code


def _join_words(options: argparse.Namespace) -> None:
    """Join words typed without quotes into one question, or into the one argument of a question."""
    from ...queries.catalogue.questions import is_name, question

    if is_name(options.question) and len(question(options.question).parameters) == 1:
        options.arguments = [" ".join(options.arguments)] if options.arguments else []
    if "_" not in options.question and not is_name(options.question):
        import shlex
        from difflib import get_close_matches

        first, names = options.question, [str(row["name"]) for row in Rules.questions()]
        if options.arguments and (near := get_close_matches(first, names, 1, 0.8)):
            talk(f"Did you mean: rulesgraph ask {near[0]} {shlex.join(options.arguments)}")
        options.question, options.arguments = " ".join((options.question, *options.arguments)), ()


@command(Rules.search, formats=True, words={"metavar": "WORDS", "nargs": "+"})
def search(options: argparse.Namespace) -> int:
    """Print the passages that were found; return 1 if there are none.

    rulesgraph search "lethal damage"                 # both words, in any form
    rulesgraph search '"lethal damage" in:702'        # the phrase, within chapter 702
    rulesgraph search "tramp* kind:rule,example"      # words that start with tramp, in rules and examples
    rulesgraph search "cites:704.5 edition:all"       # whatever cites 704.5 or a part of it, in any edition
    """
    rules = open(options.store)
    with progress() as rules.session.progress:
        found = call(rules.search, options, words=" ".join(options.words))
    return write_passages(found, options.format)


@command(
    Rules.why,
    formats=True,
    first={"metavar": "A"},
    second={"metavar": "B"},
    via=VIA,
    steps=STEPS,
    timeout=timeout(),
)
def why(options: argparse.Namespace) -> int:
    """Print the chain, one row for each step; return 1 if there is none.

    rulesgraph why Protection "State-Based Effects"
    rulesgraph why Equipment 420 --via citation,note
    """
    return write_answer(call(open(options.store, timeout=options.timeout).why, options), options.format)


@command(
    Rules.show,
    formats=True,
    apart=(("--all", "--limit"),),
    name={"metavar": "TERM|NUMBER", "nargs": "+"},
    all={**ALL, "help": f"show every row of each table, not only the first {SHOWN_OF_TABLE}"},
)
def show(options: argparse.Namespace) -> int:
    """Print everything known about one thing.

    rulesgraph show Protection
    rulesgraph show 420.5a
    rulesgraph show "Lethal Damage" --format json
    """
    rules = open(options.store)
    found = call(rules.show, options, name=" ".join(options.name), limit=None)
    return _write_sheet(rules, found, options.format, whole=options.all, limit=options.limit)


def _write_sheet(rules: Rules, found: Sheet, form: str, *, whole: bool, limit: int | None = None) -> int:
    """Write a sheet to stdout and its notes to stderr; for people, long tables are cut unless `whole`."""
    head = _head(found)
    found = found.limited(limit)
    if form == "json":
        write_json([found.record()])
    elif form == "object":
        tables: Json = [{"name": it.name, "rows": it.records(), "more": it.more} for it in found.tables]
        write_json({**found.about(), "tables": tables})
    elif form == "table":
        found = found if whole or limit else folded(found)
        _write_tables(found, head, [it.id for it in reversed(rules.editions) if it.has_history])
    else:
        _write_flat(found, form)
    talk(*found.notes)
    return 0


def folded(found: Sheet) -> Sheet:
    """Return a sheet with at most `SHOWN_OF_TABLE` rows a table, and a note on how to see the others."""
    shown = found.limited(SHOWN_OF_TABLE)
    more = [f'{part.more} more under "{part.name}"' for part in shown.tables if part.more]
    notes = [f"{', '.join(more)}: --all shows them"] if more else []
    return shown._replace(notes=(*found.notes, *notes))


def spans(editions: Collection[str], order: Sequence[str]) -> str:
    """Return ids of editions as text; editions that follow each other in `order` become ranges.

    >>> spans({"a", "b", "c", "e", "page"}, ["a", "b", "c", "d", "e"])
    'page, a … c (3 editions), e'
    """
    told = sorted(set(editions) - set(order))
    for shows, part in groupby(order, lambda it: it in editions):
        run = [*part] if shows else []
        told += [f"{run[0]} … {run[-1]} ({len(run)} editions)"] if len(run) >= _SHORTEST_RANGE else run
    return ", ".join(told)


def _head(found: Sheet) -> str:
    """Return the name of what a sheet is about, and what it is called today."""
    rows = {part.name: part.rows for part in found.tables}
    today = ", ".join(str(name) for name, _ in rows.get("now", ()))
    if found.kind == "rule" and "history" in rows:
        today = str(rows["history"][-1][1] or "gone")
    return f"{found.name} ({today} today)" if today not in ("", found.name) else found.name


def _write_tables(found: Sheet, head: str, order: Sequence[str]) -> None:
    """Write a sheet for people; `order` lists the editions, oldest first."""
    width = terminal_width(sys.stdout)
    strong = HEADING if shows_colours(sys.stdout) else ""
    print(painted(head, strong))
    print("═" * min(width, len(head)))
    leading = [part for part in found.tables if part.name in _LEADING]
    for part in leading:
        write_rows(*without_empty(part.columns, part.rows), "table")
    facts = {
        "kind": found.kind,
        "number": found.number,
        "title": found.title,
        "other names": ", ".join(found.other_names),
        "status": found.status,
        "edition": found.edition,
        "found in": spans(found.editions, order) if set(found.editions) != {found.edition} else "",
    }
    print(end="\n" if leading else "")
    shown = {name: value for name, value in facts.items() if value and value != found.name}
    sys.stdout.write(sheet(shown, width=width))
    for part in found.tables:
        if part not in leading:
            print(f"\n{painted(part.name.upper(), strong)}\n")
            write_rows(*without_empty(part.columns, part.rows), "table")


def _write_flat(found: Sheet, form: str) -> None:
    """Write all tables as one, with a column that names the table, and every column that any of them has."""
    columns = list(dict.fromkeys(column for part in found.tables for column in part.columns))
    rows = [
        (part.name, *(record.get(column) for column in columns))
        for part in found.tables
        for record in part.records()
    ]
    write_rows(("part", *columns), rows, form)
