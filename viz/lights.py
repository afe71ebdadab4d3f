"""An answer becomes what lights up on the map: the things of each row, and the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ontology.json_values import Json
from .forms import PROSE, Table, form_of, names_in
from .graph import Graph
from .selection import Light, Lights

SAID = ("quote", "other_quote", "text", "message")
"""Columns whose cells are what a row rests on."""

HOW = ("link", "change", "kind", "state")
"""Columns whose cells say how a row is meant; the first that there is."""


def lights(
    graph: Graph, answer: Table, title: str, about: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> Lights:
    """Return what lights up for an answer: a chain, common ground, changes, or a list of things.

    `about` are the nodes of each thing that was asked about. Rows that name nothing of the graph keep
    their sentences. A chain's row names what leads first, then what it leads to.
    """
    by_name = graph.by_name(names_in(answer))
    columns = list(answer.columns)
    meant = [
        next((graph.same.get(i, i) for i in nodes if graph.same.get(i, i) in graph.things), "")
        for nodes in about
    ]
    rows = [dict(zip(columns, row, strict=True)) for row in answer.rows]
    return Lights(
        title,
        form_of(columns),
        tuple(filter(None, meant)),
        tuple(_light(row, by_name) for row in rows),
        tuple(notes),
    )


def _light(row: Mapping[str, object], by_name: Mapping[str, str]) -> Light:
    named = [
        by_name[cell]
        for column, cell in row.items()
        if column not in PROSE and isinstance(cell, str) and cell in by_name
    ]
    how = next((str(row[column]) for column in HOW if row.get(column)), "")
    line = row.get("line")
    return Light(
        tuple(dict.fromkeys(named)),
        how,
        tuple(str(row[column]) for column in SAID if row.get(column)),
        str(row.get("document") or ""),
        line if isinstance(line, int) else 0,
    )


def lights_data(found: Lights, place: Mapping[str, int]) -> dict[str, Json]:
    """Return an answer as the page reads it; `place` is the id of each thing."""
    return {
        "title": found.title,
        "form": found.form,
        "about": [place[iri] for iri in found.about if iri in place],
        "notes": list(found.notes),
        "rows": [
            {
                "things": [place[iri] for iri in row.things if iri in place],
                "how": row.how,
                "said": list(row.said),
                "where": [row.document, row.line],
            }
            for row in found.rows
        ],
    }
