"""Use a SPARQL 1.1 endpoint as a store: any server that takes queries and updates over HTTP."""

from __future__ import annotations

import re
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

import pyoxigraph
from pyoxigraph import Literal, NamedNode

from ...ontology import Iris, StoreError, StoreMissingError
from ..temporary import ELSEWHERE, abandoned, temporary_folder
from .client import Client
from .local import unknown_graph
from .protocol import Store, check_format, settle_base
from .query import PreparedQuery
from .results import LARGEST_ANSWER, Result, Solutions
from .scan import form, prologue
from .upload import ABOUT, Upload, UploadRewrite

_NOTHING = "urn:rulesgraph:nothing"
"""A graph that never exists: over HTTP, it says that a query sees no graph."""

_SWITCH_SECONDS = 600.0
"""How many seconds a server may work on an update whose sender was stopped: 300,000 triples took 75."""


class EndpointStore(Store):
    """The graphs under one base IRI at an endpoint; everything else on the server is left alone.

    The location is the address for queries. Updates go to the address in the part after ``#``, or in
    ``$RULESGRAPH_UPDATE_URL``, or else to the first of the usual addresses that accepts one. Plain patterns
    of a query without `default_graphs` see what the server calls its default graph.

    Raises `StoreError` for an answer that the server says it cut short.
    """

    def __init__(self, location: str) -> None:
        self.folder: str | None = None
        self._client = Client(location)
        self.location = self._client.location
        self._upload = Upload(self._client, urllib.parse.urlsplit(location).fragment)
        self._base: str | None = None
        self._graphs: list[str] | None = None
        self._is_switching = False
        self._switching = f"{self.location}\nswitching"

    # -- reading --------------------------------------------------------------------------------

    def answer(self, query: PreparedQuery) -> Result:
        """Send a prepared query."""
        for graph in query.graphs:
            if not self._client.holds(graph):
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
        base = f"BASE <{query.base}> " if query.base else ""
        whole = base + (prologue(query.text, query.prefixes) if query.prefixes else "") + query.text
        wants_graph = asked in {"CONSTRUCT", "DESCRIBE"}
        size = query.bounds.size if query.bounds else LARGEST_ANSWER
        answer = self._client.ask(whole, fields, query.timeout, wants_graph=wants_graph, size=size)
        if wants_graph:
            return self._client.triples(answer, query.bounds)
        found = self._client.results(answer)
        if asked == "ASK" or isinstance(found, pyoxigraph.QueryBoolean):
            return self._client.truth(found)
        return Solutions(found, self.location, query.star, bounds=query.bounds)

    def graphs(self) -> list[str]:
        """Return the sorted names of the graphs below the base, without those still being loaded."""
        if self._graphs is None:
            base = self.base
            names = self._client.names("graphs") or self._client.names("graphs_by_triples")
            self._graphs = sorted(name for name in names if name.startswith(base))
        return list(self._graphs)

    def size(self) -> int:
        """Return the number of quads in the graphs below the base."""
        graphs = self.graphs()
        sizes = self._client.sizes()
        return sum(sizes.get(graph, 0) for graph in graphs)

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples without line end; none for a missing graph.

        If a server limits the rows of an answer, the rest is requested; raises `StoreError` if the parts do
        not add up.
        """
        [(counted,)], _ = self._client.rows("count", graph)
        count = int(counted.value) if isinstance(counted, Literal) else 0
        rows, cut = self._client.rows("triples", graph)
        page = len(rows)
        for start in range(page, count, page) if cut else ():
            rows += self._client.rows("triples", graph, f"LIMIT {page} OFFSET {start}")[0]
        lines = dict.fromkeys(f"{s} {p} {o} ." for s, p, o in rows)
        if len(lines) != count:
            raise StoreError(
                f"the endpoint gives {len(lines)} of the {count} triples of <{graph}>",
                where=self.location,
                way_out="Raise the server's limit on rows per answer.",
            )
        return iter(lines)

    @property
    def base(self) -> str:
        """The base, see `Store`; a copy of the graphs loaded by other means is recognised by its editions."""
        if self._base is None:
            self._tidy()
            found = self._recorded_base() or self._known_by_its_editions()
            if found is None:
                raise StoreMissingError(
                    "nothing has been built into this endpoint yet",
                    where=self.location,
                    way_out=f"`rulesgraph build --store {self.location}` does.",
                )
            self._base = found
        return self._base

    def _tidy(self) -> None:
        """Remove what killed loads from this machine left behind, unless it may still take effect."""
        self._is_switching = False
        for folder in abandoned():
            note = folder / ELSEWHERE
            told = note.read_text(encoding="utf-8") if note.exists() else ""
            if told == self._switching and self._may_take_effect(note):
                self._is_switching = True
            elif told in (self.location, self._switching):
                with suppress(StoreError):  # users who may only read leave it to the next one
                    self._upload.find()
                    self._upload.clear()
                    rmtree(folder, ignore_errors=True)

    def _may_take_effect(self, note: Path) -> bool:
        """Return whether the server may still be working on a switch whose sender was stopped."""
        return time.time() - note.stat().st_mtime < _SWITCH_SECONDS and bool(self._client.names("unfinished"))

    def _recorded_base(self) -> str | None:
        """Return the base in the record of the last build; raise `StoreError` for another format."""
        rows, _ = self._client.rows("about", ABOUT)
        told = [(base.value, version) for base, version in rows if isinstance(base, Literal)]
        versions = [int(it.value) for _, it in told if isinstance(it, Literal) and it.value.isdigit()]
        if not told:
            return None
        check_format(max(versions, default=1), self.location)
        return told[0][0]

    def _known_by_its_editions(self) -> str | None:
        rows, _ = self._client.rows("edition")
        return next((Iris.around(it.value).base for (it,) in rows if isinstance(it, NamedNode)), None)

    def refresh(self) -> bool:
        """Forget the base and the list of graphs (nothing else is cached), and return True."""
        self._base = self._graphs = None
        return True

    # -- writing --------------------------------------------------------------------------------

    @contextmanager
    def rewrite(self, *, base: str | None = None) -> Iterator[UploadRewrite]:
        """Change a copy on this machine, and send the changes if the block succeeds; see `Store`.

        New graphs are sent first, marked as unfinished; one update then makes everything take effect. Whether
        others see that all at once depends on the server: with Oxigraph's they do. Builds do not lock each
        other out; the second one fails, or wins.
        """
        self.refresh()
        try:
            stored: str | None = self.base
        except StoreMissingError:
            stored = None
        if self._is_switching:
            raise StoreError(
                "the server may still be finishing a build that was stopped",
                where=self.location,
                way_out="Build again in a few minutes.",
            )
        settled = settle_base(stored, base, self.location)
        with temporary_folder() as folder:
            rewrite = UploadRewrite(self.location, folder, settled)
            note = folder / ELSEWHERE
            note.write_text(self.location, encoding="utf-8")
            try:
                self._upload.find()
                if stored:
                    rewrite.fill((graph, self.graph_lines(graph)) for graph in self.graphs())
                yield rewrite
                self._upload.send(rewrite, lambda: note.write_text(self._switching, encoding="utf-8"))
            finally:
                rewrite.abandon()
                if not self._upload.unfinished:
                    note.unlink()
        self.refresh()
