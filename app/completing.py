"""What was typed so far becomes the words that may come next: commands, options, names of the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..ontology.errors import RulesgraphError
from .output import FORMATS

if TYPE_CHECKING:
    from .python.rules import Rules

_THINGS = frozenset(("show", "why", "viz", "ask"))
"""The commands that take names of terms."""

_EDITIONS = frozenset(("diff", "drop"))
"""The commands that take ids of editions."""


def candidates(words: Sequence[str]) -> list[str]:
    """Return what may stand for the last of `words`, which is the beginning of it; the first is the command.

    Names of questions, editions and terms are those of the store that is named, else of the usual one; where
    none can be opened there are none.

    >>> candidates(["tr"]), candidates(["show", "--format", ""])
    (['trace'], ['table', 'json', 'records', 'csv', 'tsv'])
    """
    *before, begun = words or [""]
    found = _after(before, begun)
    return [it for it in dict.fromkeys(found) if it.lower().startswith(begun.lower())]


def _after(before: Sequence[str], begun: str) -> Iterable[str]:
    from .cli import COMMANDS

    last = before[-1] if before else ""
    if last in _VALUES:
        return _VALUES[last](before)
    command = next((word for word in before if word in COMMANDS), "")
    if not command:
        return COMMANDS
    if begun.startswith("-"):
        return _options(command)
    return _arguments(command, before)


def _arguments(command: str, before: Sequence[str]) -> Iterable[str]:
    if command in _EDITIONS:
        return _editions(before)
    questions = _questions() if before[-1] == "ask" else ()
    return [*questions, *_terms(before)] if command in _THINGS else ()


def _options(command: str) -> list[str]:
    from .cli import command_parser

    return [name for action in command_parser(command)._actions for name in action.option_strings]


def _questions() -> Sequence[str]:
    from ..queries.files import QUERIES

    return QUERIES.names("answers")


def _editions(before: Sequence[str]) -> list[str]:
    try:
        return [it.id for it in _open(before).editions]
    except RulesgraphError:
        return []


def _terms(before: Sequence[str]) -> list[str]:
    from ..queries.finding.names import names

    try:
        return sorted({preferred for _, _, preferred in names(_open(before).session)})
    except RulesgraphError:
        return []


def _open(before: Sequence[str]) -> Rules:
    from .cli import DEFAULT_STORE
    from .python.rules import open

    named = [after for option, after in pairwise(before) if option == "--store"]
    return open(named[-1] if named else os.environ.get("RULESGRAPH_STORE") or DEFAULT_STORE)


_VALUES: dict[str, Callable[[Sequence[str]], Iterable[str]]] = {
    "--around": _terms,
    "--edition": _editions,
    "--format": lambda _: FORMATS,
    "--from": _editions,
    "--store": lambda _: (),
    "--to": _editions,
}
"""The options that are followed by one of several words, each with what gives them."""
