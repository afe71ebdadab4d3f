"""The tools that language models call: operations of `Rules` with JSON in and out.

Nothing here knows the protocol. Every call sees the newest state of the store, and a few run side by side.
Arguments are untrusted, so their size is checked first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import reduce
from inspect import Parameter, Signature
from operator import or_
from queue import LifoQueue
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ...loaders.store import MEMORY, AnswerBounds, admit
from ...ontology import UsageError
from ...queries.catalogue.questions import question as question_called
from ...queries.session import Answer
from ..operations import TOOLS, OperationParameter, call, parameters
from ..python.rules import Rules
from ..python.rules import open as open_rules
from .replies import JsonObject, Part, described, reply

Tool = Callable[..., JsonObject]

MOST_ROWS = 200
"""The maximum number of rows in an answer, whatever the limit."""

DEADLINE = 10.0
"""The maximum seconds of a SPARQL query."""

BOUNDS = AnswerBounds(rows=10_000, size=16 << 20)
"""The maximum size of a SPARQL result before it is cut to the limit; a larger one is stopped."""

MOST_AT_ONCE = 4
"""The maximum number of calls that run side by side; others wait. A store in memory has one at a time."""

_DEFAULT_LIMIT = 50
_LIMITS = {
    **dict.fromkeys(("ask", "interaction")),
    **{"search": 10, "show": 20, "trace": 100, "question": MOST_ROWS, "verify": MOST_ROWS},
}
"""The limits of tools that need another default; None: as many as the operation gives, and fit."""

_DEFAULT_TOKENS = 2000
_TOKENS = {"ask": 1000, "search": 1000}
"""The default number of tokens for the rows of a reply."""

MOST_TOKENS = 20_000

_LEAST = {"limit": 1, "tokens": 1, "offset": 0}

_SEVERAL = frozenset(("show", "rule", "term", "card", "diff"))
"""Tools with several tables in a reply."""

EVERYWHERE = (
    "In every tool `edition` is the id or date of an edition, several (A,B) or all (default: the newest that "
    "fits), `tokens` the budget of the reply (a token is four letters), `limit` the most rows of each table, "
    "`offset` how many to skip, `table` the only table to give, by its name in an earlier reply."
)
"""What the arguments of many tools mean, said once instead of in every tool."""

_WHEN = {
    "ask": "Use this first, for a question in words.",
    "search": "Use this for words, phrases and conditions.",
    "question": "Use this for a question whose exact name you know, or to see their names.",
    "rule": "Use this to read and quote a rule.",
    "term": "Use this for a definition.",
    "card": "Use this for each card that you are asked about.",
    "show": "Use this if the text is not enough: it adds links, history and kinds.",
    "neighbourhood": "Use this to ground a long answer about one thing.",
}
"""When to use which of several similar tools."""

_LONGEST_NAME = 500
_LONGEST = {"question": 2_000, "words": 2_000, "text": 200_000, "query": 1 << 20}
"""The maximum number of characters in an argument, by its name."""

_JSON_TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "bool": bool,
    "None": None,
    "Sequence[str]": list[str],
    "date": str,
}

_ONE_OR_MORE = BeforeValidator(lambda given: [given] if isinstance(given, str) else given)
"""Accepts a text as a list of one."""


def tools(rules: Rules) -> dict[str, Tool]:
    """Return the tools over a store, by name. They raise the errors of `Rules`."""
    lent = _lender(rules)
    operations: dict[str, Callable[..., Any]] = {
        **TOOLS,
        "editions": editions,
        "question": question,
        "rulings_changed": rulings_changed,
    }
    return {name: _described(_tool(lent, name, work), name, work) for name, work in operations.items()}


def _lender(rules: Rules) -> Callable[[], AbstractContextManager[Rules]]:
    """Return a function that lends each call a `Rules` of its own over one store, at its newest state.

    The calls run side by side; one waits until few enough do.
    """
    location, timeout = rules.session.store.location, rules.session.timeout
    idle: LifoQueue[Rules | None] = LifoQueue()  # the one used last has the most in its caches
    for it in (*[None] * (0 if location == MEMORY else MOST_AT_ONCE - 1), rules):
        idle.put(it)

    @contextmanager
    def lent() -> Iterator[Rules]:
        taken = idle.get()
        try:
            taken = taken or open_rules(location, timeout=timeout)
            taken.refresh()
            yield taken
        finally:
            idle.put(taken)

    return lent


def _tool(
    lent: Callable[[], AbstractContextManager[Rules]], operation: str, work: Callable[..., Any]
) -> Tool:
    def tool(**given: Any) -> JsonObject:
        given = _checked(given, parameters(work))
        limit, offset = given.pop("limit", None), given.get("offset", 0)
        part = Part(
            limit=min(limit or MOST_ROWS, MOST_ROWS),
            offset=offset,
            tokens=min(given.get("tokens") or _TOKENS.get(operation, _DEFAULT_TOKENS), MOST_TOKENS),
            table=given.get("table") or "",
        )
        most = {"limit": offset + part.limit}
        with lent() as rules:  # without a limit, the operation decides what is enough
            found = _perform(rules, operation, work, given | most if limit else given)
            if offset and not limit and getattr(found, "more", 0):
                found = _perform(rules, operation, work, given | most)
            shown = reply(rules, found, part)
            seen = {} if "edition" in shown else {"edition": rules.session.scope(given.get("edition")).label}
            return {**seen, **shown}

    return tool


def editions(rules: Rules) -> Answer:
    """List the loaded editions, newest first."""
    return rules.contents()


def question(
    rules: Rules, name: str = "", arguments: Sequence[str] | None = None, *, edition: str | None = None
) -> Answer:
    """Ask a question from the catalogue by name, with its arguments; without a name, list all questions.

    Args:
        name: the name of a question; without it, all questions are listed.
        arguments: what the question asks about: terms, numbers, dates.
        edition: the edition to ask about, see `Rules`.
    """
    if not name:
        return rules.questions()
    question_called(name)  # an unknown name is refused; `ask` would read it as words
    return rules.ask(name, *(arguments or ()), edition=edition)


def rulings_changed(rules: Rules, card: str, *, edition: str | None = None) -> Answer:
    """List the rulings on one card whose rule has changed since they were made.

    Args:
        card: the name of the card.
        edition: the edition whose rules are shown, see `Rules`.
    """
    # Over all cards it takes minutes, and other calls would wait.
    return rules.rulings_changed(card, edition=edition)


# -- from an operation to a tool ----------------------------------------------------------------


def _described(tool: Tool, name: str, work: Callable[..., Any]) -> Tool:
    """Give a tool the name, the description and the signature that its schema is made from."""
    known = {key: it for key, it in parameters(work).items() if key not in {"rules", "progress"}}
    if name != "neighbourhood":
        for key, default in (
            ("limit", _LIMITS.get(name, _DEFAULT_LIMIT)),
            ("offset", 0),
            ("tokens", _TOKENS.get(name, _DEFAULT_TOKENS)),
        ):
            known[key] = OperationParameter(key, "int | None", default, False, "")
    if name in _SEVERAL:
        known["table"] = OperationParameter("table", "str", "", False, "")
    tool.__name__ = name
    summary, *paragraphs = (work.__doc__ or "").split("\n\n")
    paragraphs = [" ".join((summary, _WHEN.get(name, ""))), *paragraphs]
    tool.__doc__ = "\n\n".join(
        described(" ".join(it.split()))
        for it in paragraphs
        if not it.strip().startswith(("Args:", "Raises", ">>>", *(() if name == "verify" else ("Columns",))))
    )
    taken = [
        Parameter(
            it.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if it.default is ... else None if it.is_variadic else it.default,
            annotation=_annotation(it),
        )
        for it in known.values()
    ]
    tool.__signature__ = Signature(taken, return_annotation=JsonObject)  # type: ignore[attr-defined]
    return tool


def _annotation(parameter: OperationParameter) -> Any:
    """Return the type of an argument, with its description and its minimum."""
    help = parameter.help
    if "see `Rules`" in help or parameter.name == "tokens":
        help = help.partition("; ")[2]
    about = Field(description=described(help) or None, ge=_LEAST.get(parameter.name))
    if parameter.is_variadic or parameter.annotation == "Sequence[str] | None":
        return Annotated[list[str] | None, _ONE_OR_MORE, about]
    return Annotated[reduce(or_, (_JSON_TYPES[part] for part in parameter.annotation.split(" | "))), about]


def _perform(rules: Rules, name: str, work: Callable[..., Any], given: JsonObject) -> object:
    if name == "sparql":
        admit(given["query"])
        return rules.session.sparql(
            given["query"], edition=given.get("edition"), timeout=DEADLINE, bounds=BOUNDS
        )
    known = parameters(work)
    values = {key: value for key, value in given.items() if key in known}
    for key in (key for key, it in known.items() if it.is_variadic):
        values[key] = values.get(key) or ()
    if "rules" in known:
        return work(rules, **values)
    return call(getattr(rules, name), None, **values)


def _checked(given: JsonObject, known: Mapping[str, OperationParameter]) -> JsonObject:
    """Return the arguments without empty optional ones; raise `UsageError` for empty required or long ones.

    An empty name never means everything: clients that fill in every argument mean that it is left
    out.
    """
    for name, value in given.items():
        most = _LONGEST.get(name, _LONGEST_NAME)
        is_wanted = isinstance(value, list) or (name in known and known[name].default is ...)
        for text in filter(lambda it: isinstance(it, str), value if isinstance(value, list) else (value,)):
            if len(text) > most:
                raise UsageError(f"the {name} has {len(text)} characters; the limit is {most}")
            if is_wanted and not text.strip():
                told = described(known[name].help).partition(". ")[0]
                raise UsageError(f"`{name}` is empty", way_out=f"Give {told}.")
    return {name: value for name, value in given.items() if value != ""}
