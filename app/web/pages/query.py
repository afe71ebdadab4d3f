"""The page that runs SPARQL queries, and the completions of its editor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from urllib.parse import urlencode

from pyoxigraph import NamedNode, RdfFormat, parse

from ....ontology import NAMESPACES, PREFIXES, Json, prefixed, usual_prefixes
from ....queries.catalogue.questions import AREAS, Question, questions
from ....queries.session.empty import remarks_on
from ....viz.vocabulary.declared import Facts
from ....viz.vocabulary.reference import borrowed_terms
from ..sparql.protocol import GRAPHS
from .addresses import NOTATIONS
from .layout import EDITOR, Page, PageContext, PageLayout, static_files
from .tables import Cell, Tabulated

MOST = 500
"""The number of rows, or statements, shown; the downloads have them all."""

FIRST = """\
SELECT ?number ?title WHERE {
  ?rule a rg:Rule ; rg:level "chapter" ; skos:notation ?number ; dcterms:title ?title
}
ORDER BY ?number"""
"""The initial content of the form."""

_DRAWN = 450
"""The number of drawn things of a result, including those hidden until a neighbour is opened."""

RESULTS = (("JSON", "json"), ("CSV", "csv"), ("TSV", "tsv"), ("XML", "xml"))

_PLACE = re.compile(r"line (?P<line>\d+), column (?P<column>\d+)")
"""How an error of the parser gives its place."""


@dataclass(frozen=True)
class QueryOutcome:
    """The result of a query: the document of its answer, or why there is none.

    Attributes:
        kind: ``"results"`` (W3C's JSON), ``"graph"`` (N-Triples) or empty.
        body: the document.
        reason: why there is none, or empty.
        status: that of the page.
    """

    kind: str = ""
    body: bytes = b""
    reason: str = ""
    status: int = 200

    @cached_property
    def results(self) -> dict[str, Any]:
        """The JSON, parsed once; empty if there is none."""
        read: dict[str, Any] = json.loads(self.body) if self.kind == "results" else {}
        return read

    @property
    def rows(self) -> list[dict[str, dict[str, str]]]:
        """The rows of a result; none for anything else."""
        rows: list[dict[str, dict[str, str]]] = self.results.get("results", {}).get("bindings", [])
        return rows


def things_in(outcome: QueryOutcome, base: str) -> tuple[str, ...]:
    """Return the IRIs below a base in a result, once each in order, as many as are drawn."""
    found: dict[str, None] = {}
    for it in _named_in(outcome, base):
        found[it] = None
        if len(found) == _DRAWN:
            break
    return tuple(found)


def _named_in(outcome: QueryOutcome, base: str) -> Iterator[str]:
    """Yield the IRIs below a base in a result, as they come."""
    if outcome.kind == "graph":
        triples = parse(outcome.body, RdfFormat.N_TRIPLES)
        terms = (it for quad in triples for it in (quad.subject, quad.object))
        named = (it.value for it in terms if isinstance(it, NamedNode))
    else:
        named = (it["value"] for row in outcome.rows for it in row.values() if it["type"] == "uri")
    return (it for it in named if it.startswith(base))


def query_page(
    context: PageContext,
    query: str = "",
    outcome: QueryOutcome | None = None,
    *,
    plain: bool = False,
    chosen: tuple[Question | None, Sequence[str]] = (None, ()),
) -> Page:
    """Return the form with a query, and the result of the query if it was run.

    It has the editor if that was built, unless a `plain` field is wanted. `chosen` is a question of the
    catalogue that the query is written for, and its arguments.
    """
    layout = PageLayout(context, "query.html")
    found = outcome or QueryOutcome()
    table, truth, lines, count = None, None, [], 0
    if found.kind == "results":
        truth = found.results.get("boolean")
        if truth is None:
            table, count = _table(layout, found), len(found.rows)
    elif found.kind == "graph":
        lines = found.body.decode().splitlines()
        count = len(lines)
    return layout.page(
        "query",
        "SPARQL",
        status=found.status,
        query=query or FIRST,
        asked=bool(outcome),
        reason=found.reason,
        place=_PLACE.search(found.reason),
        edited=EDITOR in static_files() and not plain,
        plain=plain,
        table=table,
        remarks=remarks_on(query, is_empty=not (truth or count)) if found.kind else (),
        truth=truth,
        statements="\n".join(lines[:MOST]),
        count=count,
        most=MOST,
        picture=_address(layout, "query.html", query, **{"as": "graph"})
        if any(_named_in(found, context.iris.base))
        else "",
        downloads=[
            (name, _address(layout, "sparql", query, format=form)) for name, form in _forms(found.kind)
        ],
        chosen=chosen[0],
        fields=list(zip(chosen[0].parameters, chosen[1], strict=True)) if chosen[0] else [],
        areas=[(heading, [it for it in questions() if it.area == key]) for key, heading in AREAS.items()],
    )


def _forms(kind: str) -> list[tuple[str, str]]:
    if kind == "graph":
        return [(name, GRAPHS[media]) for media, name, _ in NOTATIONS]
    return list(RESULTS) if kind else []


def _address(layout: PageLayout, page: str, query: str, **asked: str) -> str:
    return f"{layout.links.to(page)}?{urlencode({'query': query, **asked})}"


def _table(layout: PageLayout, outcome: QueryOutcome) -> Tabulated:
    columns = tuple(outcome.results["head"]["vars"])
    rows = tuple(
        tuple(_cell(layout, binding.get(column)) for column in columns) for binding in outcome.rows[:MOST]
    )
    return Tabulated("Results", columns, rows)


def _cell(layout: PageLayout, value: dict[str, str] | None) -> Cell:
    if value is None:
        return Cell("")
    text = value["value"]
    if value["type"] == "uri":
        return Cell(layout.context.iris.local(text), layout.to(text))
    numeric = value.get("datatype", "").endswith(("#integer", "#decimal", "#double"))
    return Cell(text, style="numeric" if numeric else "")


_KINDS = {"class": "class", "individual": "constant"}
"""The editor's name for a kind of name; all others are properties."""


def completions(context: PageContext) -> Json:
    """Return ``prefixes`` (name → IRI) and ``terms``: lists of name, kind and what it means."""
    return {"prefixes": {**usual_prefixes(context.iris.base)}, "terms": [[*term] for term in _terms()]}


@cache
def _terms() -> tuple[tuple[str, str, str], ...]:
    facts = Facts()
    own = [
        (prefixed(iri), _KINDS.get(kind, "property"), facts.first(iri, f"{PREFIXES['skos']}definition"))
        for iri in list(facts.said)
        if iri.startswith(NAMESPACES) and (kind := facts.kind(iri))
    ]
    return (*sorted(own), *((it.text, "property", "") for it, _ in borrowed_terms(facts)))
