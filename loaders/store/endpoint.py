"""A SPARQL 1.1 endpoint as a store: any server that answers queries and takes updates over HTTP."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from shutil import rmtree

import pyoxigraph
from pyoxigraph import Literal, NamedNode, QueryResultsFormat, RdfFormat

from ...ontology.errors import StoreError, StoreMissingError
from ...ontology.iris import Iris
from ...ontology.query_files import QueryFiles
from ...ontology.terms import PREFIXES
from ..http.exchange import Reply
from ..scratch import COPY, ELSEWHERE, abandoned, scratch_folder
from .bounds import AnswerBounds
from .client import Client
from .local import unknown_graph
from .protocol import Meta, Store, readable, settle_base
from .query import PreparedQuery
from .results import LARGEST_ANSWER, Result, Row, Solutions, Triples, reading
from .scan import form, prologue
from .upload import ABOUT, Upload, UploadRewrite

_QUERIES = QueryFiles.beside(__name__)

_RESULTS = "application/sparql-results+json, application/sparql-results+xml;q=0.8"
_GRAPHS = "application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5"
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

_NOTHING = "urn:rulesgraph:nothing"
"""A graph that is never there: the way to say over HTTP that a query sees none."""

_CUT = "x-sparql-maxrows"
"""The header with which Virtuoso tells that it left out all rows beyond this number."""

_XSD_BOOLEAN = f'"datatype": "{PREFIXES["xsd"]}boolean", "value": '
_MENDED = tuple(
    (found.encode(), meant.encode())
    for found, meant in (
        (f'{_XSD_BOOLEAN}"1"', f'{_XSD_BOOLEAN}"true"'),
        (f'{_XSD_BOOLEAN}"0"', f'{_XSD_BOOLEAN}"false"'),
        ('"type": "bnode", "value": "nodeID://', '"type": "bnode", "value": "'),
    )
)
"""What Virtuoso writes in its JSON, and what it means. No literal looks like it: its quotes are escaped."""


class EndpointStore(Store):
    """The graphs below one base IRI at an endpoint; what else the server holds is left alone.

    The location is the address for queries. Updates go to the address in the part after ``#``, or in
    ``$RULESGRAPH_UPDATE_URL``, or else to the first of the usual places that takes one. Plain patterns
    of a query without `default_graphs` see what the server calls its default graph.

    Raises `StoreError` where a server cuts an answer short and says so.
    """

    def __init__(self, location: str) -> None:
        self.folder: str | None = None
        self._client = Client(location)
        self.location = self._client.location
        self._upload = Upload(self._client, urllib.parse.urlsplit(location).fragment)
        self._meta: Meta | None = None
        self._graphs: list[str] | None = None

    # -- reading --------------------------------------------------------------------------------

    def answer(self, query: PreparedQuery) -> Result:
        """Send a prepared query."""
        for graph in query.graphs:
            if not self._holds(graph):
                raise unknown_graph(graph, self.location)
        fields = []
        default_graphs, named_graphs = query.default_graphs, query.named_graphs
        if not (default_graphs is None and named_graphs is None):
            if named_graphs is None and re.search(r"(?i)\bgraph\b", query.text):
                # In this protocol a default graph without named ones means that there are none.
                named_graphs = self.graphs()
            fields += [("default-graph-uri", graph) for graph in default_graphs or [_NOTHING]]
            if named_graphs is not None:
                fields += [("named-graph-uri", graph) for graph in named_graphs or [_NOTHING]]
        asked = form(query.text)
        whole = prologue(query.text, query.prefixes) + query.text if query.prefixes else query.text
        wants_graph = asked in {"CONSTRUCT", "DESCRIBE"}
        size = query.bounds.size if query.bounds else LARGEST_ANSWER
        answer = self._send(whole, fields, query.timeout, wants_graph=wants_graph, size=size)
        if wants_graph:
            return self._triples(answer, query.bounds)
        if _CUT in answer.headers:
            raise self._cut_off(answer.headers[_CUT])
        found = self._results(answer)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        if asked == "ASK":
            return self._truth(found)
        return Solutions(found, self.location, query.star, bounds=query.bounds)

    def graphs(self) -> list[str]:
        """Return the names of the graphs below the base, sorted."""
        if self._graphs is None:
            base = self.meta().base
            rows = self._whole("graphs")
            names = [graph.value for (graph,) in rows if isinstance(graph, NamedNode)]
            self._graphs = sorted(name for name in names if name.startswith(base))
        return list(self._graphs)

    def size(self) -> int:
        """Return the number of quads in the graphs below the base."""
        base = self.meta().base
        return sum(count for graph, count in self._sizes().items() if graph.startswith(base))

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples without line end; of no graph, none.

        A server that answers with so many rows at once is asked for the rest; raises `StoreError` when
        the parts do not make the whole.
        """
        [(counted,)], _ = self._rows("count", graph)
        count = int(counted.value) if isinstance(counted, Literal) else 0
        rows, cut = self._rows("triples", graph)
        page = len(rows)
        for start in range(page, count, page) if cut else ():
            rows += self._rows("triples", graph, f"LIMIT {page} OFFSET {start}")[0]
        lines = dict.fromkeys(f"{s} {p} {o} ." for s, p, o in rows)
        if len(lines) != count:
            raise StoreError(
                f"the endpoint gives {len(lines)} of the {count} triples of <{graph}>",
                where=self.location,
                way_out="Raise the number of rows that the server gives at once.",
            )
        return iter(lines)

    def meta(self) -> Meta:
        """Return what the store says of itself, see `Store`.

        A copy of the graphs that was loaded by other means is known by its editions.
        """
        if self._meta is None:
            self._tidy()
            found = self._told() or self._known_by_its_editions()
            if found is None:
                raise StoreMissingError(
                    "nothing was built into this endpoint yet",
                    where=self.location,
                    way_out=f"`rulesgraph build --store {self.location}` does.",
                )
            self._meta = readable(found, self.location)
        return self._meta

    def _tidy(self) -> None:
        """Take away what loads from this machine left here that were killed."""
        for folder in abandoned():
            left = folder / ELSEWHERE
            if left.exists() and left.read_text(encoding="utf-8") == self.location:
                with suppress(StoreError):  # who may only read leaves it to the next
                    self._upload.find(self._holds)
                    self._upload.clear(self._sizes())
                    rmtree(folder, ignore_errors=True)

    def _told(self) -> Meta | None:
        """Return what the last build wrote down."""
        rows, _ = self._rows("about", ABOUT)
        told = [(base.value, version) for base, version in rows if isinstance(base, Literal)]
        versions = [int(it.value) for _, it in told if isinstance(it, Literal) and it.value.isdigit()]
        return Meta(told[0][0], max(versions, default=1)) if told else None

    def _known_by_its_editions(self) -> Meta | None:
        rows, _ = self._rows("edition")
        return next((Meta(Iris.around(it.value).base) for (it,) in rows if isinstance(it, NamedNode)), None)

    def refresh(self) -> bool:
        """Ask for the base and the graphs anew; all else is asked for each time. Return True."""
        self._meta = self._graphs = None
        return True

    def _sizes(self) -> dict[str, int]:
        """Return the number of triples in every named graph that the server holds."""
        rows = self._whole("sizes")
        return {
            graph.value: int(count.value)
            for graph, count in rows
            if isinstance(graph, NamedNode) and isinstance(count, Literal)
        }

    def _holds(self, graph: str) -> bool:
        return self._truth(self._results(self._ask("holds", graph)))

    # -- writing --------------------------------------------------------------------------------

    @contextmanager
    def rewrite(self, *, base: str | None = None) -> Iterator[UploadRewrite]:
        """Change a copy on this machine, and send what changed when the block ends well; see `Store`.

        The graphs are sent under other names first, and then take their places in one update. How much
        of that others may see at once is up to the server: Oxigraph's shows all or nothing. Nothing
        keeps two builds apart; the one that comes second fails, or wins.
        """
        self.refresh()
        try:
            stored = self.meta().base
        except StoreMissingError:
            stored = None
        settled = settle_base(stored, base, self.location)
        self._upload.find(self._holds)
        with scratch_folder() as folder:
            rewrite = UploadRewrite(self.location, pyoxigraph.Store(folder / COPY), settled)
            try:
                if stored:
                    rewrite.fill((graph, self.graph_lines(graph)) for graph in self.graphs())
                yield rewrite
                (folder / ELSEWHERE).write_text(self.location, encoding="utf-8")
                self._upload.send(rewrite, self._sizes)
            finally:
                rewrite.abandon()
        self.refresh()

    # -- the protocol ---------------------------------------------------------------------------

    def _send(
        self,
        text: str,
        fields: Sequence[tuple[str, str]] = (),
        timeout: float | None = None,
        *,
        wants_graph: bool = False,
        size: int = LARGEST_ANSWER,
    ) -> Reply:
        body = urllib.parse.urlencode([("query", text), *fields]).encode()
        accept = _GRAPHS if wants_graph else _RESULTS
        return self._client.post(self.location, body, {**_FORM, "Accept": accept}, timeout, size=size)

    def _ask(self, name: str, graph: str | None = None, page: str = "") -> Reply:
        """Send one of the queries of this room, over one graph or over what the server does by itself."""
        fields = [] if graph is None else [("default-graph-uri", graph)]
        return self._send(_QUERIES.read("queries", name) + page, fields)

    def _rows(self, name: str, graph: str | None = None, page: str = "") -> tuple[list[Row], bool]:
        """Run a SELECT of this room; return its rows, and whether the server held rows back."""
        answer = self._ask(name, graph, page)
        found = self._results(answer)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        return list(Solutions(found, self.location)), _CUT in answer.headers

    def _whole(self, name: str) -> list[Row]:
        """Run a SELECT of this room of which no row may be missing."""
        rows, cut = self._rows(name)
        if cut:
            raise self._cut_off(str(len(rows)))
        return rows

    def _cut_off(self, rows: str) -> StoreError:
        return StoreError(
            f"the endpoint cuts answers off after {rows} rows",
            where=self.location,
            way_out="Ask for less with a LIMIT, or raise ResultSetMaxRows of the server.",
        )

    def _results(self, answer: Reply) -> pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean:
        known = QueryResultsFormat.from_media_type(answer.media_type)
        if known is None:
            raise self._no_sparql(answer)
        body = answer.body
        for found, meant in _MENDED:
            body = body.replace(found, meant)
        with reading(self.location):
            return pyoxigraph.parse_query_results(input=body, format=known)

    def _truth(self, found: pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean) -> bool:
        """Read the answer to an ASK; Virtuoso gives a table with one row for yes and with none for no."""
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        return any(
            term is not None and str(term).startswith('"1"') for [term] in Solutions(found, self.location)
        )

    def _triples(self, answer: Reply, bounds: AnswerBounds | None) -> Triples:
        known = RdfFormat.from_media_type(answer.media_type)
        if known is None:
            raise self._no_sparql(answer)
        quads = pyoxigraph.parse(input=answer.body, format=known)
        return Triples((quad.triple for quad in quads), self.location, bounds=bounds)

    def _no_sparql(self, answer: Reply) -> StoreError:
        return StoreError(
            f"the answer is {answer.media_type}, not SPARQL results",
            where=self.location,
            way_out="Is this the address of the SPARQL endpoint itself, and not of a page about it?",
        )
