"""The graph into questions with exact answers, and answers to them into a score."""

from __future__ import annotations

import argparse
import json
import sys

from ...loaders.given import read_whole
from ...ontology.errors import UsageError
from ..output import talk, write_answer
from ..python.rules import open

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph questions --seed 1 --n 200 > questions.jsonl
  rulesgraph questions --seed 1 --n 200 --score answers.jsonl     how right the answers to these are
  rulesgraph questions --seed 1 --n 24 --edition cr-2008-02-01

One object a line: id, kind, hops, question, asks ("rules" or "terms"), answerable, answer, rules, chain,
edition. The same seed gives the same questions on any machine, and more of them begin with the fewer.
Answers are lines of {"id": …, "answer": […]}; an answer may also be a text, of which the cited rules count.
Nothing is the right answer to a question that cannot be answered."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `questions`."""
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other questions (default: 0)")
    parser.add_argument(
        "--n", dest="count", metavar="N", type=int, default=100, help="how many (default: 100)"
    )
    parser.add_argument(
        "--score",
        metavar="FILE|-",
        help="mark these answers to the questions of the same seed, number and edition",
    )


def run(options: argparse.Namespace) -> int:
    """Write the questions, or the score; return 1 when there are fewer questions than wanted."""
    if options.count < 1:
        raise UsageError(f"--n is {options.count}", way_out="Ask for at least one question.")
    rules = open(options.store)
    if options.score is not None:
        lines = _lines(options.score)
        return write_answer(
            rules.mark(lines, seed=options.seed, count=options.count, edition=options.edition), options.format
        )
    made = rules.quiz(seed=options.seed, count=options.count, edition=options.edition)
    for question in made:
        sys.stdout.write(json.dumps(question, ensure_ascii=False) + "\n")
    talk(f"{len(made)} question{'' if len(made) == 1 else 's'}")
    return 0 if len(made) == options.count else 1


def _lines(name: str) -> list[str]:
    try:
        data = read_whole(name)
        return data.decode("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"the answers cannot be read: {what}", where=name) from error
