"""Query a SPARQL 1.1 endpoint, read its answers, and find its content, graph by graph."""

from __future__ import annotations

import urllib.parse
from collections.abc import Sequence

import pyoxigraph
from pyoxigraph import Literal, NamedNode, QueryResultsFormat, RdfFormat

from ...ontology.errors import StoreError
from ...ontology.resources import QueryFiles
from ...ontology.terms import PREFIXES
from ..http.exchange import Reply
from .client import Client
from .results import LARGEST_ANSWER, AnswerBounds, Row, Solutions, Triples, reading

_QUERIES = QueryFiles.beside(__name__)

_RESULTS = "application/sparql-results+json, application/sparql-results+xml;q=0.8"
_GRAPHS = "application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5"
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

_CUT = "x-sparql-maxrows"
"""The header in which Virtuoso says that it left out all rows beyond this number."""

_XSD_BOOLEAN = f'"datatype": "{PREFIXES["xsd"]}boolean", "value": '
_MENDED = tuple(
    (found.encode(), meant.encode())
    for found, meant in (
        (f'{_XSD_BOOLEAN}"1"', f'{_XSD_BOOLEAN}"true"'),
        (f'{_XSD_BOOLEAN}"0"', f'{_XSD_BOOLEAN}"false"'),
        ('"type": "bnode", "value": "nodeID://', '"type": "bnode", "value": "'),
    )
)
"""What Virtuoso writes in its JSON, and its meaning. No literal looks like it: its quotes are escaped."""


class Conversation:
    """Queries the endpoint of `client`, and reads the answers.

    Raises `StoreError` for an invalid answer, and if a server cuts one short and says so.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.location = client.location

    def ask(
        self,
        text: str,
        fields: Sequence[tuple[str, str]] = (),
        timeout: float | None = None,
        *,
        wants_graph: bool = False,
        size: int = LARGEST_ANSWER,
    ) -> Reply:
        """Send a query with fields of the protocol; the answer may have `size` bytes."""
        body = urllib.parse.urlencode([("query", text), *fields]).encode()
        accept = _GRAPHS if wants_graph else _RESULTS
        return self._client.post(self.location, body, {**_FORM, "Accept": accept}, timeout, size=size)

    def results(self, answer: Reply) -> pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean:
        """Read the answer to a SELECT or an ASK."""
        if _CUT in answer.headers:
            raise self._cut_off(answer.headers[_CUT])
        return self._read(answer)

    def truth(self, found: pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean) -> bool:
        """Read the answer to an ASK; Virtuoso gives a table with one row for yes and with none for no."""
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        return any(
            term is not None and str(term).startswith('"1"') for [term] in Solutions(found, self.location)
        )

    def triples(self, answer: Reply, bounds: AnswerBounds | None) -> Triples:
        """Read the answer to a CONSTRUCT or a DESCRIBE."""
        known = RdfFormat.from_media_type(answer.media_type)
        if known is None:
            raise self._no_sparql(answer)
        quads = pyoxigraph.parse(input=answer.body, format=known)
        return Triples((quad.triple for quad in quads), self.location, bounds=bounds)

    def rows(self, name: str, graph: str | None = None, page: str = "") -> tuple[list[Row], bool]:
        """Run a SELECT of this room, over one graph or over the server's default.

        Returns its rows, and whether the server held rows back.
        """
        answer = self._ask_file(name, graph, page)
        found = self._read(answer)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        return list(Solutions(found, self.location)), _CUT in answer.headers

    def whole(self, name: str) -> list[Row]:
        """Run a SELECT of this room that must return all its rows."""
        rows, cut = self.rows(name)
        if cut:
            raise self._cut_off(str(len(rows)))
        return rows

    def sizes(self) -> dict[str, int]:
        """Return the number of triples in every named graph of the server."""
        return {
            graph.value: int(count.value)
            for graph, count in self.whole("sizes")
            if isinstance(graph, NamedNode) and isinstance(count, Literal)
        }

    def names(self, name: str) -> list[str]:
        """Return the IRIs in the one column of a SELECT of this room."""
        return [found.value for (found,) in self.whole(name) if isinstance(found, NamedNode)]

    def holds(self, graph: str) -> bool:
        """Return whether a graph has triples."""
        return self.truth(self._read(self._ask_file("holds", graph)))

    def _ask_file(self, name: str, graph: str | None = None, page: str = "") -> Reply:
        fields = [] if graph is None else [("default-graph-uri", graph)]
        return self.ask(_QUERIES.read("queries", name) + page, fields)

    def _read(self, answer: Reply) -> pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean:
        known = QueryResultsFormat.from_media_type(answer.media_type)
        if known is None:
            raise self._no_sparql(answer)
        body = answer.body
        for found, meant in _MENDED:
            body = body.replace(found, meant)
        with reading(self.location):
            return pyoxigraph.parse_query_results(input=body, format=known)

    def _cut_off(self, rows: str) -> StoreError:
        return StoreError(
            f"the endpoint truncates answers after {rows} rows",
            where=self.location,
            way_out="Ask for less with a LIMIT, or raise ResultSetMaxRows on the server.",
        )

    def _no_sparql(self, answer: Reply) -> StoreError:
        return StoreError(
            f"the answer is {answer.media_type}, not SPARQL results",
            where=self.location,
            way_out="Check that this is the address of the SPARQL endpoint itself, not of a page about it.",
        )
