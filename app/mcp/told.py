"""Answers become objects that a program can cite from: rows with the IRIs of what they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from ...ontology.query_files import literal

if TYPE_CHECKING:
    from ...queries.session import Answer, Session, Value

JsonObject = dict[str, Any]
"""An object of JSON: the protocol makes a schema of this type, and asks for no more."""

_LONGEST_NAME = 80
_MOST_NAMES = 400
"""So many names of an answer are looked up at most: with a limit on rows there are seldom more."""


def told(session: Session, answer: Answer, limit: int) -> JsonObject:
    """Return an answer as an object: edition, columns, rows, `more` (rows left out), notes, and `iris`.

    `iris` leads from each name and number in the rows to what it stands for in the edition.
    """
    rows = answer.records()[:limit]
    names = [value for row in rows for value in row.values() if isinstance(value, str)]
    return {
        "edition": answer.edition,
        "columns": [*answer.columns],
        "rows": [plainly(row) for row in rows],
        "more": len(answer.rows) - len(rows),
        "notes": [*answer.notes],
        "iris": {**iris_of(session, answer.edition, names)},
    }


def plainly(row: dict[str, Value]) -> JsonObject:
    """Return a row with its dates as text."""
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()}


def iris_of(session: Session, label: str, names: Iterable[str]) -> dict[str, str]:
    """Return the IRIs of the names and numbers among some words, as the editions of an answer have them."""
    wanted = sorted({name for name in names if 0 < len(name) <= _LONGEST_NAME})[:_MOST_NAMES]
    loaded = {edition.id for edition in session.editions()}
    editions = [part.strip() for part in label.replace(" to ", ",").split(",") if part.strip() in loaded]
    if not wanted:
        return {}
    terms = (session.iris.graph("terms"),)
    found = _rows(session, "term_of_name", terms, "name", [literal(name, "en") for name in wanted])
    scope = session.scope(",".join(editions)) if editions else session.current
    plain = [literal(name) for name in wanted]
    return found | _rows(session, "thing_of_number", scope.default_graphs, "number", plain)


def _rows(
    session: Session, query: str, graphs: Sequence[str], parameter: str, values: Sequence[str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, iri in session.run("finding", query, graphs, {parameter: values}):
        found.setdefault(str(name), str(iri))
    return found
