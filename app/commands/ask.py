"""A question of the catalogue and its arguments, or a question in words, into an answer."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...ontology.errors import UsageError
from ..figures import positive, seconds
from ..output import talk, write_rows
from ..passages import write_passages
from ..python.rules import Rules, open

SHOWN = 40
"""How many rows of an answer people see before they are told how to see the others."""

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph ask --list                                   all questions
  rulesgraph ask terms_relying_on "State-Based Effects"   by name, with arguments
  rulesgraph ask "Which terms rely on state-based effects?"
  rulesgraph ask "Does trample work with deathtouch?"     in anybody's words
  rulesgraph ask "Can I kill my own creature?"            the closest rules, where no question fits
  rulesgraph ask terms_relying_on 420 --via citation,note --steps 2 --format json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `ask`."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="the name of a question, or a question in words"
    )
    parser.add_argument(
        "values", metavar="ARG", nargs="*", help="what the question asks about: terms, numbers"
    )
    rows = parser.add_mutually_exclusive_group()
    rows.add_argument("--all", action="store_true", help=f"every row of a table, not the first {SHOWN}")
    rows.add_argument(
        "--limit",
        metavar="N",
        type=positive,
        help=f"at most so many rows, in any format (default: {SHOWN} of a table, every row in the others)",
    )
    parser.add_argument("--list", action="store_true", help="list the questions and end")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="where the closest rules are given, show what scores are made of",
    )
    add_walk_options(parser)
    add_timeout(parser)


def add_walk_options(parser: argparse.ArgumentParser, default: str = "1") -> None:
    """Add the options of questions that follow chains of reliance, `default` steps far."""
    parser.add_argument(
        "--via",
        metavar="KINDS",
        help="which links count, one or several of citation,note,definition,mention (default: all four from "
        "what is asked about to its neighbours, and beyond them all but mentions)",
    )
    parser.add_argument(
        "--steps",
        metavar="N|all",
        type=_number_or_all,
        default=default,
        help=f"follow at most N links, or any number of them (default: {default})",
    )


def _number_or_all(text: str) -> str:
    """Refuse, before a store is opened, what `reach_of` would."""
    if text != "all" and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"neither a number nor all: {text!r}")
    return text


def add_timeout(parser: argparse.ArgumentParser, usual: float | None = None) -> None:
    """Add the option that bounds the time of a query, with the limit that there is without it."""
    default = f"; default: {usual:g}" if usual else ""
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, help=f"give up after that long (exit code 4{default})"
    )


def run(options: argparse.Namespace) -> int:
    """Ask, or list the questions; return 1 when nothing was found."""
    if options.list:
        listed = Rules.questions()
        write_rows(listed.columns, listed.rows, options.format)
        return 0
    if options.name is None:
        raise UsageError("no question is given", way_out="`rulesgraph ask --list` lists them.")
    rules = open(options.store, timeout=options.timeout)
    asked = _asked(options.name, options.values)
    answer = rules.ask(*asked, via=options.via, steps=options.steps, edition=options.edition)
    understood = answer.understood
    if understood and understood.meaning:
        for line in (f"Understood as: {understood.meaning}", *understood.names):
            talk(line)
    if understood and understood.thing and options.format == "table":
        from .show import present

        sheet = rules.show(understood.thing, edition=options.edition or understood.edition or None)
        code = present(rules, sheet, "table", whole=options.all)
    else:
        most = None if options.all else SHOWN
        code = write_passages(answer, options.format, explain=options.explain, most=most, limit=options.limit)
    if understood and understood.others:
        talk("Or: " + "; ".join(understood.others))
    return code


def _asked(name: str, values: Sequence[str]) -> Sequence[str]:
    """Return the name of a question with its arguments; words that nobody put in quotes are one question."""
    from ...queries.catalogue.questions import is_name

    return (name, *values) if "_" in name or is_name(name) else (" ".join((name, *values)),)
