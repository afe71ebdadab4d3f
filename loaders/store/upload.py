"""Send the graphs that were changed on this machine to a SPARQL endpoint."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pyoxigraph
from pyoxigraph import Literal, NamedNode, RdfFormat

from ...ontology import PREFIXES, StoreError, batches
from ..http.exchange import Reply
from ..temporary import COPY
from .client import Client, RefusedError
from .graph_update import changes, copying, dropping, insertion, moving
from .local import LocalRewrite
from .protocol import FORMAT

ABOUT = "urn:rulesgraph:store"
"""The graph in which a store describes itself, and the name that it has there."""

BASE, VERSION = f"{PREFIXES['void']}uriSpace", f"{PREFIXES['owl']}versionInfo"
"""The properties that describe it there: the base of its IRIs, and the version of its format."""

NEW = "urn:rulesgraph:new:"
"""The graph that lists the unfinished graphs, and the prefix of their names."""

_UNMARK = f"DROP GRAPH <{NEW}>"
"""The first step of a transaction that must fail if the marks are gone."""

_UNMARK_LAST = dropping(NEW)
"""The last step if updates are not transactions, so that a partial update keeps its marks."""

_TRIAL, _MOVED = f"{NEW}trial", f"{NEW}moved"
"""Graphs that test whether anything arrives, and whether graphs can be moved."""

_LINES = 1000
"""The number of triples in one update: Virtuoso gives up at about five thousand."""

_WHOLE = 400_000
"""The number of triples in one update for Oxigraph, which runs each as a transaction: some 60 MB of text."""

_PIECE = 100_000
"""The number of triples in one request to a graph store."""

_UPDATE = {"Content-Type": "application/sparql-update", "Accept": "*/*"}
_TRIPLES = {"Content-Type": "application/n-triples", "Accept": "*/*"}


class UploadRewrite(LocalRewrite):
    """A change of a copy in a folder on this machine, which records what it changed, and what was there."""

    def __init__(self, location: str, folder: Path, base: str) -> None:
        self._before = folder / COPY / "before"
        self._before.mkdir(parents=True)
        super().__init__(location, pyoxigraph.Store(folder / COPY / "store"), base)
        self.changed: dict[str, int] = {}
        self.stored: dict[str, int] = {}

    def fill(self, graphs: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Load the endpoint's graphs, given as names and lines; they do not count as changes."""
        for graph, lines in graphs:
            end = f"<{graph}> .\n"
            self.stored[graph] = self.load((line[:-1] + end).encode() for line in lines)
        self._write()
        self.changed.clear()
        self.is_changed = False

    def before(self, graph: str) -> list[str]:
        """Return the lines that a changed graph had at the endpoint; none if it was not there."""
        if graph not in self.stored:
            return []
        with self._kept(graph).open(encoding="utf-8", newline="\n") as file:
            return [line[:-1] for line in file]

    def _write(self) -> None:
        for graph in sorted(self._waiting_graphs.difference(self.changed)):
            self.changed[graph] = len(self.changed)
            if graph in self.stored:
                self._store.dump(self._kept(graph), RdfFormat.N_TRIPLES, from_graph=NamedNode(graph))
        super()._write()

    def _kept(self, graph: str) -> Path:
        return self._before / f"{self.changed[graph]}.nt"


class Upload:
    """Sends changes to the endpoint of `client`; updates go to `address`, if given.

    Large graphs go to the graph store beside the endpoint, where the server has one: at
    `$RULESGRAPH_GRAPHS_URL`, or else at one of the usual places.
    """

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        given = address or os.environ.get("RULESGRAPH_UPDATE_URL", "")
        self._candidates = [given] if given else _usual_addresses(client.location)
        self._address = ""
        places = os.environ.get("RULESGRAPH_GRAPHS_URL", "")
        self._places = [places] if places else usual_places(client.location)
        self._graph_store: str | None = None
        self._takes_all = False
        self._moves: bool | None = None
        self.unfinished = False
        """Whether something may have arrived that is not part of the store yet."""

    def find(self) -> None:
        """Find the address for updates: the first of the candidates at which one takes effect.

        Raises `StoreError` when none does.
        """
        if self._address:
            return
        refusals: list[RefusedError] = []
        for address in self._candidates:
            self.unfinished = True
            try:
                answer = self._update(insertion(_TRIAL, [_mark(_TRIAL)]), address)
            except RefusedError as error:
                refusals.append(error)
                continue
            if self._client.holds(_TRIAL):
                self._address = address
                self._takes_all = answer.headers.get("server", "").startswith("Oxigraph/")
                self._update(dropping(_TRIAL))
                self.unfinished = False
                return
        self.unfinished = False
        told = next((e for e in refusals if e.status in {401, 403}), None) or next(iter(refusals), None)
        raise StoreError(
            f"the endpoint takes no updates{f': {told.what}' if told else ''}",
            where=self._client.location,
            way_out=(f"{told.way_out}\n  " if told and told.way_out else "")
            + "Give the update address after the query address and a #, or in $RULESGRAPH_UPDATE_URL.",
        )

    def send(self, rewrite: UploadRewrite, switching: Callable[[], object]) -> None:
        """Send the changes of a rewrite; `switching` is called before the switch is sent.

        The triples are counted at the endpoint before and after the switch. After an error, the endpoint is
        as it was before, unless the server also refuses to clean up. After a stop, or a switch without an
        answer, the server may still be working: what was sent keeps its marks until a later command.
        """
        sent: dict[str, int] = {}
        is_switching = False
        kept = rewrite.graphs()  # this writes pending changes, so that all are known
        try:
            present = self._client.sizes()
            if self.clear(present):
                present = self._client.sizes()
            self._compare(rewrite, present)
            switch, wanted = self._place(rewrite, kept, sent)
            self._count(sent)
            is_switching = self.unfinished
            if is_switching:
                switching()
            self._update(switch, retry=False)
            self.unfinished = False
            self._count(wanted)
        except Exception as error:
            # Oxigraph's updates do not wait for each other: something that a removal misses now could arrive
            # later.
            if self.unfinished and (isinstance(error, RefusedError) or not is_switching):
                with suppress(StoreError):
                    self.clear()
            raise

    def clear(self, present: Iterable[str] | None = None) -> bool:
        """Remove what unfinished loads left; `present` are the graphs at the endpoint.

        It is one update. If that is a transaction, it begins with the marks, like the switch: the second of
        the two finds none and does nothing, however late it arrives. Returns whether it removed anything.
        """
        found = self._client.sizes() if present is None else present
        left = [graph for graph in found if graph.startswith(NEW)]
        unfinished = self._client.names("unfinished") if NEW in left else []
        steps = [dropping(graph) for graph in (*unfinished, *left) if graph != NEW]
        if NEW in left:
            steps = [_UNMARK, *steps] if self._takes_all else [*steps, _UNMARK_LAST]
        if steps:
            self._update(" ;\n".join(steps), retry=False)
        self.unfinished = False
        return bool(steps)

    def _compare(self, rewrite: UploadRewrite, present: Mapping[str, int]) -> None:
        """Raise `StoreError` if graphs changed since they were read.

        If nothing was built, existing graphs are from a first load that a server completed only partly.
        """
        for graph in rewrite.changed:
            if not rewrite.stored and graph in present:
                self._update(dropping(graph))
            elif present.get(graph, 0) != rewrite.stored.get(graph, 0):
                raise StoreError(
                    f"someone else has changed <{graph}> in the meantime",
                    where=self._client.location,
                    way_out="Build again.",
                )

    def _place(
        self, rewrite: UploadRewrite, kept: Collection[str], sent: dict[str, int]
    ) -> tuple[str, dict[str, int]]:
        """Send what is too large for one update; return the rest, and how many triples each graph must have.

        `kept` are the graphs that the store will have, `sent` notes how many each must have before.
        """
        for graph in kept:
            if not graph.startswith(rewrite.base):
                raise StoreError(f"the graph <{graph}> is not below the base {rewrite.base}")
        steps: list[str] = []
        left = _WHOLE if self._takes_all else _LINES
        wanted: dict[str, int] = {}
        for graph in sorted(rewrite.changed):
            after = list(rewrite.graph_lines(graph)) if graph in kept else []
            wanted[graph] = len(after)
            if not after:
                steps.append(dropping(graph))
            elif graph not in rewrite.stored and len(after) > _LINES:
                self.unfinished = True
                self._update(insertion(NEW, [_mark(graph)]))
                if self._takes_all and _UNMARK not in steps:
                    steps.insert(0, _UNMARK)
                self._add(graph, after, sent)
            elif found := changes(graph, rewrite.before(graph), after, left, deletes=self._takes_all):
                steps += found[0]
                left -= found[1]
            else:
                self._add(NEW + graph, after, sent)
                steps += [moving(NEW + graph, graph)] if self._can_move() else copying(NEW + graph, graph)
        about = f"<{ABOUT}> <{BASE}> {Literal(rewrite.base)} ; <{VERSION}> {Literal(FORMAT)}"
        last = [f"INSERT DATA {{ GRAPH <{ABOUT}> {{ {about} }} }}"]
        if sent:
            trials = [_TRIAL, _MOVED] if self._moves else [_TRIAL]
            last += map(dropping, trials)
            if not self._takes_all:
                last.append(_UNMARK_LAST)
        return " ;\n".join((*steps, *last)), wanted

    def _add(self, graph: str, lines: Sequence[str], sent: dict[str, int]) -> None:
        """Write a graph in the fastest way that the server knows."""
        self.unfinished = True
        sent[graph] = len(lines)
        by_graph = self._has_graph_store()
        for piece in batches(lines, _PIECE if by_graph else _LINES):
            if by_graph:
                self._post(self._graph_store or "", graph, piece)
            else:
                self._update(insertion(graph, piece))

    def _has_graph_store(self) -> bool:
        """Find the graph store beside the endpoint, once: the first place through which a line arrives."""
        if self._graph_store is None:
            self._graph_store = ""
            for place in self._places:
                with suppress(StoreError):
                    self._post(place, _TRIAL, [_mark(_TRIAL)])
                    if self._client.holds(_TRIAL):
                        self._graph_store = place
                        break
        return bool(self._graph_store)

    def _post(self, place: str, graph: str, lines: Sequence[str]) -> None:
        """Add lines of N-Triples to a graph through the graph store at a place."""
        address = f"{place}{'&' if '?' in place else '?'}graph={urllib.parse.quote(graph, safe='')}"
        self._client.post(address, "\n".join((*lines, "")).encode(), _TRIPLES)

    def _can_move(self) -> bool:
        """Find out whether the engine can move graphs: Jena 4.5 refuses to."""
        if self._moves is None:
            with suppress(RefusedError):
                self._update(f"{insertion(_TRIAL, [_mark(_TRIAL)])} ; {moving(_TRIAL, _MOVED)}")
            self._moves = self._client.holds(_MOVED)
        return self._moves

    def _count(self, wanted: Mapping[str, int]) -> None:
        """Raise `StoreError` unless graphs have the expected size at the endpoint."""
        found = self._client.sizes() if wanted else {}
        for graph, count in wanted.items():
            if found.get(graph, 0) != count:
                raise StoreError(
                    f"the endpoint accepted the updates, but has only {found.get(graph, 0)} of {count} "
                    f"triples of <{graph.removeprefix(NEW)}>",
                    where=self._client.location,
                    way_out="Its log may say why. Build again; until then its data is incomplete.",
                )

    def _update(self, text: str, address: str = "", *, retry: bool = True) -> Reply:
        return self._client.post(address or self._address, text.encode(), _UPDATE, retry=retry)


def _mark(graph: str) -> str:
    return f'<{graph}> <{BASE}> "" .'


def _usual_addresses(location: str) -> list[str]:
    """Return where servers accept updates, given their address for queries."""
    address = location.rstrip("/")
    path = urllib.parse.urlsplit(address).path
    beside = [address.rpartition("/")[0] + "/update"] if path.endswith(("/query", "/sparql")) else []
    virtuoso = [f"{address}-auth"] if path.endswith("/sparql") else []
    rdf4j = f"{address}/statements"
    return [*beside, location, *virtuoso, rdf4j, f"{address}/update"]


def usual_places(location: str) -> list[str]:
    """Return where servers keep their graph store, given their address for queries.

    Oxigraph's loads triples three times as fast if they need not be one transaction.

    >>> usual_places("http://h/query")
    ['http://h/store?no_transaction', 'http://h/data', 'http://h/query']
    >>> usual_places("http://h/sparql")
    ['http://h/sparql-graph-crud-auth', 'http://h/sparql-graph-crud', 'http://h/data', 'http://h/sparql']
    >>> usual_places("http://h/repositories/rules")
    ['http://h/repositories/rules/rdf-graphs/service', 'http://h/repositories/rules']
    """
    address = location.rstrip("/")
    beside, _, name = address.rpartition("/")
    special = {
        "query": [f"{beside}/store?no_transaction", f"{beside}/data"],
        "sparql": [f"{address}-graph-crud-auth", f"{address}-graph-crud", f"{beside}/data"],
    }
    return [*special.get(name, [f"{address}/rdf-graphs/service"]), address]
