"""What people ask, by a question's name or in words, becomes a question of the catalogue with arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...ontology.errors import UnknownNameError, UsageError
from ..catalogue.questions import Question, question
from ..finding.names import identify
from ..session import Session

_ARTICLE = re.compile(r"^(?:the|an?|rule|rules|term|terms|entry|entries|concept)\s+", re.IGNORECASE)


class Asked(NamedTuple):
    """A question of the catalogue with one argument for each of its parameters, in their order."""

    question: Question
    args: tuple[str, ...]


def understand(session: Session, name: str, args: Sequence[str] = ()) -> Asked:
    """Return what is asked: `name` is a question's name, or a whole question in words without `args`.

    Raises `UnknownNameError` for a question that there is not, and as `match` does; `UsageError` for
    the wrong number of arguments.
    """
    if not args and is_in_words(name):
        return match(session, name)
    found = question(name)
    return Asked(found, _arguments(found, args))


def is_in_words(name: str) -> bool:
    """Tell whether what is asked is a question in words rather than the name of one."""
    return " " in name.strip() or name.strip().endswith("?")


def match(session: Session, words: str) -> Asked:
    """Return the question that `words` ask, with its arguments.

    Of several phrasings that fit, one whose arguments all stand for something is taken, then the one with
    the most words of its own. Raises `UnknownNameError` with the nearest questions when none fits, and
    with the nearest names when one does but names something unknown.
    """
    # A question asked by its name needs no phrasings: reading all of them costs more than its answer.
    from ..catalogue.phrasings import fitting, nearest

    unknown: UsageError | None = None
    for found, given in fitting(words):
        try:
            return Asked(found, _known(session, found, given))
        except UsageError as error:
            unknown = unknown or error
    raise unknown or UnknownNameError(
        "question", words, nearest(words), "rulesgraph ask --list shows all questions"
    )


def _known(session: Session, question: Question, given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the arguments in the order of the parameters, each as something that stands for something."""
    ready = []
    for parameter in question.parameters:
        words = given[parameter.name]
        if parameter.kind.stands_in_editions:
            bare = _ARTICLE.sub("", words)
            try:
                identify(session, words)
            except UsageError:
                if bare == words:
                    raise
                identify(session, bare)
                words = bare
        ready.append(words)
    return tuple(ready)


def _arguments(question: Question, args: Sequence[str]) -> tuple[str, ...]:
    """Return as many arguments as the question takes; a name of several words may come in pieces."""
    wanted = question.parameters
    if len(wanted) == 1 and len(args) > 1:
        args = (" ".join(args),)
    if len(args) != len(wanted):
        takes = ", ".join(f"{p.name} ({p.description})" for p in wanted) or "no arguments"
        raise UsageError(
            f"{question.name} takes {takes}; {len(args) or 'none'} given",
            way_out=f"{question.title}  rulesgraph ask {question.name} "
            + " ".join(p.name.upper() for p in wanted),
        )
    return tuple(args)
