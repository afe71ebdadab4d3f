"""The tools that language models call: operations of `Rules` with JSON in and out.

Nothing here knows the protocol. Every call sees the newest state of the store, and calls run one at a time.
Arguments come from strangers, so their size is checked before anything is done with them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import reduce
from inspect import Parameter, Signature
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from ...loaders.store.query import admit
from ...loaders.store.results import AnswerBounds
from ...ontology.errors import UsageError
from ...ontology.query_files import literal
from ...ontology.terms import SKOS
from ...queries.catalogue.questions import question as question_called
from ...queries.history.diff import Difference
from ...queries.session import Answer
from ...queries.session.answer import Sheet
from ..operations import TOOLS, OperationParameter, call, parameters, plain_text
from ..python.nodes import RuleNode, TermNode
from .neighbourhood import neighbourhood

if TYPE_CHECKING:
    from ...queries.session import Session, Value
    from ..python.rules import Rules

JsonObject = dict[str, Any]
"""An object of JSON: the protocol makes a schema of this type, and asks for no more."""

Tool = Callable[..., JsonObject]

MOST_ROWS = 200
"""How many rows an answer has at most, whatever the limit."""

DEADLINE = 10.0
"""Seconds that a SPARQL query may take."""

BOUNDS = AnswerBounds(rows=10_000, size=16 << 20)
"""How large the result of a SPARQL query may be before it is cut to the limit; a larger one is stopped."""

_DEFAULT_LIMIT = 50
_LIMITS = {"search": 10, "show": 20, "trace": 100, "question": MOST_ROWS}
"""The default limits of tools that need another one."""

_TOKENS = 1000
"""How many tokens the rows of `ask` and `search` may have by default: the best come first."""

_MOST_LINKS = 20

_BUDGETED = frozenset(("ask", "search"))
_LETTERS = 4
"""Letters of a token, about."""

_WHOLE = frozenset(("term", "verify", "neighbourhood"))
"""Tools without a limit: a part of their answer would mislead."""

_LONGEST_NAME = 500
_LONGEST = {"question": 2_000, "words": 2_000, "text": 200_000, "query": 1 << 20}
"""How many characters an argument may have, by its name."""

_JSON_TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "bool": bool,
    "None": None,
    "Sequence[str]": list[str],
    "date": str,
}

_LONGEST_PLAIN_NAME = 80
_MOST_NAMES = 400
"""How many names of an answer are looked up at most; with a limit on rows there are rarely more."""


def tools(rules: Rules) -> dict[str, Tool]:
    """Return the tools over a store, by name. They raise the errors of `Rules`."""
    lock = threading.Lock()
    operations: dict[str, Callable[..., Any]] = {
        **TOOLS,
        "question": question,
        "neighbourhood": neighbourhood,
    }
    return {name: _described(_tool(rules, lock, name, work), name, work) for name, work in operations.items()}


def _tool(rules: Rules, lock: threading.Lock, operation: str, work: Callable[..., Any]) -> Tool:
    def tool(**given: Any) -> JsonObject:
        _check_sizes(given)
        limit = max(1, min(given.get("limit", MOST_ROWS), MOST_ROWS))
        with lock:
            rules.refresh()
            found = _perform(rules, operation, work, {**given, "limit": limit})
            shown = _as_json(rules, found, limit)
            if operation in _BUDGETED:
                _keep_within(shown, given.get("tokens", _TOKENS))
            seen = {} if "edition" in shown else {"edition": rules.session.scope(given.get("edition")).label}
            return {**seen, **shown}

    return tool


def question(
    rules: Rules, name: str = "", arguments: Sequence[str] | None = None, *, edition: str | None = None
) -> Answer:
    """Ask a question from the catalogue by name, with its arguments; without a name, list all questions.

    Args:
        name: the name of a question; without it, all questions are listed.
        arguments: what the question asks about: terms, numbers, dates.
        edition: the id of an edition, several (A,B) or all (default: the newest that fits).
    """
    if not name:
        return rules.questions()
    question_called(name)  # an unknown name is refused, where `ask` would read it as words
    return rules.ask(name, *(arguments or ()), edition=edition)


# -- from an operation to a tool ----------------------------------------------------------------


def _described(tool: Tool, name: str, work: Callable[..., Any]) -> Tool:
    """Give a tool the name, the description and the signature that its schema is made from."""
    known = {key: it for key, it in parameters(work).items() if key != "rules"}
    if name not in _WHOLE:
        help = "give at most this many rows of each table"
        known["limit"] = OperationParameter("limit", "int", _LIMITS.get(name, _DEFAULT_LIMIT), False, help)
    if name in _BUDGETED:
        help = "the token budget for the rows; the first row always fits, and `links` has the ones left out"
        known["tokens"] = OperationParameter("tokens", "int", _TOKENS, False, help)
    tool.__name__ = name
    paragraphs = (work.__doc__ or "").split("\n\n")
    tool.__doc__ = "\n\n".join(
        plain_text(" ".join(it.split()))
        for it in paragraphs
        if not it.strip().startswith(("Args:", "Raises", ">>>"))
    )
    taken = [
        Parameter(
            it.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if it.default is ... else None if it.is_variadic else it.default,
            annotation=Annotated[_json_type(it), Field(description=plain_text(it.help))],
        )
        for it in known.values()
    ]
    tool.__signature__ = Signature(taken, return_annotation=JsonObject)  # type: ignore[attr-defined]
    return tool


def _json_type(parameter: OperationParameter) -> Any:
    if parameter.is_variadic:
        return list[str] | None
    return reduce(or_, (_JSON_TYPES[part] for part in parameter.annotation.split(" | ")))


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
    return work(rules, **values) if "rules" in known else call(getattr(rules, name), None, **values)


def _check_sizes(given: JsonObject) -> None:
    for name, value in given.items():
        most = _LONGEST.get(name, _LONGEST_NAME)
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str) and len(text) > most:
                raise UsageError(f"the {name} has {len(text)} characters; the limit is {most}")


# -- from results to JSON -----------------------------------------------------------------------


def _as_json(rules: Rules, found: object, limit: int) -> JsonObject:
    """Return the result of an operation as an object, with at most `limit` rows in each table."""
    match found:
        case dict():
            shown = found
        case Answer():
            shown = _table(rules.session, found, limit)
        case Difference():
            shown = {
                "edition": found.changes.edition,
                "chapters": _rows(found.chapters.limited(MOST_ROWS)),
                "changes": _table(rules.session, found.changes, limit),
                "terms": _table(rules.session, found.terms, limit),
            }
        case Sheet():
            shown = _sheet(rules.session, found)
        case RuleNode():
            shown = {
                **_node(found),
                "part_of": found.parent.number if found.parent else None,
                "parts": [_node(part) for part in found.children[:limit]],
                "examples": [*found.examples],
                "cites": _rows(found.cites.limited(limit)),
                "cited_by": _rows(found.cited_by.limited(limit)),
            }
        case TermNode():
            definition = rules.ask("definition", found.name, edition=found.edition.replace(", ", ","))
            shown = {
                "name": found.name,
                "iri": found.iri,
                "names": [*found.names],
                "edition": found.edition,
                "definition": _rows(definition.limited(MOST_ROWS)),
                "defined_by": [_node(rule) for rule in found.defined_by],
            }
        case bool():
            shown = {"answer": found}
        case _:
            assert isinstance(found, Iterable)
            lines = sorted(f"{triple} ." for triple in found)
            shown = {"triples": lines[:limit], "more": max(0, len(lines) - limit)}
    return shown


def _table(session: Session, answer: Answer, limit: int) -> JsonObject:
    """Return an answer as an object: edition, columns, rows, `more` (rows left out), notes, and `iris`.

    `iris` has, for each name and number in the rows, the IRI of what it stands for in the edition.
    """
    shown = answer.limited(limit)
    return {
        "edition": shown.edition,
        "columns": [*shown.columns],
        "rows": _rows(shown),
        "more": shown.more,
        "notes": [*shown.notes],
        "iris": _iris(session, shown.edition, (value for row in shown.rows for value in row)),
    }


def _keep_within(table: JsonObject, tokens: int) -> None:
    """Keep the first rows of a table, as many as so many tokens allow, and IRIs of the next as `links`."""
    rows, room, kept = table["rows"], tokens * _LETTERS, 0
    while kept < len(rows) and (room := room - len(json.dumps(rows[kept], ensure_ascii=False))) >= 0:
        kept += 1
    rest = rows[max(kept, 1) :]
    heads = (row.get("iri") or table["iris"].get(str(next(iter(row.values())))) for row in rest)
    table["rows"], table["more"] = rows[: max(kept, 1)], table["more"] + len(rest)
    shown = {value for row in table["rows"] for value in row.values()}
    table["links"] = [*dict.fromkeys(filter(None, heads))][:_MOST_LINKS]
    table["iris"] = {name: iri for name, iri in table["iris"].items() if name in shown}


def _rows(answer: Answer) -> list[JsonObject]:
    """Return the rows of an answer with dates as text."""
    return [
        {key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()}
        for row in answer
    ]


def _sheet(session: Session, found: Sheet) -> JsonObject:
    cells = (value for table in found.tables for row in table.rows for value in row)
    return {
        "kind": found.kind,
        "name": found.name,
        "number": found.number or None,
        "title": found.title or None,
        "other_names": [*found.other_names],
        "status": found.status,
        "edition": found.edition,
        "editions": [*found.editions],
        "tables": [{"name": it.name, "rows": _rows(it), "more": it.more} for it in found.tables],
        "notes": [*found.notes],
        "iris": _iris(session, found.edition, (found.name, found.number, *cells)),
    }


def _node(node: RuleNode) -> JsonObject:
    return {
        "number": node.number,
        "kind": node.kind,
        "title": node.title or None,
        "text": node.text,
        "iri": node.iri,
        "edition": node.edition,
        "document": node.document or None,
        "lines": [*node.lines] if node.lines else None,
    }


def _iris(session: Session, label: str, values: Iterable[Value]) -> dict[str, str]:
    """Return the IRIs of the names and numbers among some values, as the editions of an answer have them."""
    names = {it for it in values if isinstance(it, str) and 0 < len(it) <= _LONGEST_PLAIN_NAME}
    wanted = sorted(names)[:_MOST_NAMES]
    if not wanted:
        return {}
    loaded = {edition.id for edition in session.editions()}
    editions = [part.strip() for part in label.replace(" to ", ",").split(",") if part.strip() in loaded]
    scope = session.scope(",".join(editions)) if editions else session.current
    terms = (session.iris.graph("terms"),)
    called = session.pairs(terms, SKOS.prefLabel, to=[literal(name, "en") for name in wanted])
    found = {name: iri for iri, name in sorted(called, reverse=True)}
    numbers = {"number": [literal(name) for name in wanted]}
    rows = session.run("finding", "thing_of_number", scope.default_graphs, numbers)
    return found | {str(number): str(iri) for number, iri in reversed(rows)}
