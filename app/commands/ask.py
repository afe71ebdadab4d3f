"""A question of the catalogue and its arguments, or a question in words, into an answer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError
from ..output import write_answer, write_rows
from ..sessions import open_session

if TYPE_CHECKING:
    from ...queries.walking import Reach

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph ask --list                                   all questions
  rulesgraph ask terms_relying_on "State-Based Effects"   by name, with arguments
  rulesgraph ask "Which terms rely on state-based effects?"
  rulesgraph ask terms_relying_on 420 --via citation,note --steps 2 --format json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `ask`."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="the name of a question, or a question in words"
    )
    parser.add_argument(
        "values", metavar="ARG", nargs="*", help="what the question asks about: terms, numbers"
    )
    parser.add_argument("--list", action="store_true", help="list the questions and end")
    add_walk_options(parser)
    add_timeout(parser)


def add_walk_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of questions that follow chains of reliance."""
    parser.add_argument(
        "--via",
        metavar="KINDS",
        help="follow these links alone: some of citation,note,definition,mention (default: any for the first "
        "step, all but mentions beyond it)",
    )
    parser.add_argument("--steps", metavar="N", type=int, help="follow at most N links")


def reach_of(options: argparse.Namespace) -> Reach | None:
    """Return how far, and over which links, an answer may reach; None where nothing was said."""
    if options.via is None and options.steps is None:
        return None
    from ...queries import walking

    return walking.reach_of(options.via, options.steps)


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """Add the option that bounds the time of a query."""
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, help="give up after that long (exit code 4)"
    )


def run(options: argparse.Namespace) -> int:
    """Ask, or list the questions; return 1 when nothing was found."""
    if options.list:
        return _list(options.format)
    if options.name is None:
        raise UsageError("no question is given", way_out="`rulesgraph ask --list` lists them.")
    from ...queries.ask import ask

    session = open_session(options.store, options.timeout)
    reach = reach_of(options)
    answer = ask(session, options.name, options.values, edition=options.edition, reach=reach)
    return write_answer(answer, options.format)


def _list(form: str) -> int:
    from ...queries.catalog import questions

    columns = ("name", "arguments", "question")
    rows = [
        (question.name, " ".join(p.name.upper() for p in question.parameters), question.phrasings[0])
        for question in questions()
    ]
    write_rows(columns, rows, form)
    return 0
