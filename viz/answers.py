"""Match the rows of an answer with things in the graph, and decide how a picture shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..queries.catalogue.questions import is_name, question
from .graph import Graph
from .selection import Highlights

if TYPE_CHECKING:
    from ..queries.session import Answer, Scope

PROSE = frozenset({"quote", "other_quote", "document", "message", "text", "link"})
"""The columns whose cells are words, not names of things."""

LIST = "list"

_FORMS = {"why": "chain", "history": "changes", "trace": "changes"}
"""The forms of answers that are no questions of the catalogue, by name."""

SAID = ("quote", "other_quote", "text", "message")
"""Columns whose cells are the grounds of a row."""

HOW = ("link", "change", "kind", "state")
"""Columns whose cells say how a row is meant; the first that exists is used."""

FEW = 70
"""The maximum number of rows in an answer drawn as a graph; a longer one is highlighted on the map."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """An answer with its title, the scope of its names, and the nodes of the question's subjects."""

    title: str
    answer: Answer
    scope: Scope
    about: tuple[tuple[str, ...], ...]


def form_of(answer: Answer) -> str:
    """Return how an answer is shown: ``"chain"``, ``"meeting"`` (common ground), ``"changes"`` or ``"list"``.

    A question of the catalogue says so in its header (`#+ picture: chain`).
    """
    asked = question(answer.name).picture if is_name(answer.name) else _FORMS.get(answer.name, "")
    return asked or LIST


def is_small(answer: Answer) -> bool:
    """Return whether an answer is a short list of things; chains, common ground and changes go on the map."""
    return 0 < len(answer.rows) <= FEW and form_of(answer) == LIST


# -- things of the graph that the rows name ----------------------------------------------------------


def highlights_of(graph: Graph, answer: Answer, title: str, about: Sequence[Sequence[str]]) -> Highlights:
    """Return what the map highlights for an answer: a chain, common ground, changes, or a list of things.

    `about` are the nodes of each thing that the question is about. Rows that name nothing in the graph keep
    their sentences. A chain's row names the source of each link first, then its target.
    """
    by_name = graph.by_name()
    meant = [
        next((graph.same.get(i, i) for i in nodes if graph.same.get(i, i) in graph.things), "")
        for nodes in about
    ]
    return {
        "title": title,
        "form": form_of(answer),
        "about": [*filter(None, meant)],
        "notes": [*answer.notes],
        "rows": [_highlight(row, by_name) for row in answer.records()],
    }


def _highlight(row: Mapping[str, object], by_name: Mapping[str, str]) -> dict[str, Any]:
    things = (
        by_name[cell]
        for column, cell in row.items()
        if column not in PROSE and isinstance(cell, str) and cell in by_name
    )
    line = row.get("line")
    return {
        "things": list(dict.fromkeys(things)),
        "how": next((str(row[column]) for column in HOW if row.get(column)), ""),
        "said": [str(row[column]) for column in SAID if row.get(column)],
        "where": [str(row.get("document") or ""), line if isinstance(line, int) else 0],
    }
