"""Graphs that were changed on this machine take their places at a SPARQL endpoint."""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

import pyoxigraph
from pyoxigraph import Literal

from ...ontology.errors import StoreError
from ...ontology.terms import PREFIXES
from .client import Client, RefusedError
from .local import LocalRewrite
from .protocol import FORMAT

ABOUT = "urn:rulesgraph:store"
"""The graph in which a store says what it is, and the name that it has there."""

BASE, VERSION = f"{PREFIXES['void']}uriSpace", f"{PREFIXES['owl']}versionInfo"
"""What it says there: the base of its IRIs, and the version of its format."""

NEW = "urn:rulesgraph:new:"
"""Graphs stand under this and their own name until they are whole."""

_LINES = 1000
"""Triples in one update: Virtuoso gives up at about five thousand."""

_UPDATE = {"Content-Type": "application/sparql-update", "Accept": "*/*"}


class UploadRewrite(LocalRewrite):
    """A change of a copy on this machine, which remembers what it changed."""

    def __init__(self, location: str, store: pyoxigraph.Store, base: str) -> None:
        super().__init__(location, store, base)
        self.changed: set[str] = set()

    def fill(self, graphs: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Take in the names and lines of the graphs that stand at the endpoint: these are no changes."""
        for graph, lines in graphs:
            end = f"<{graph}> .\n"
            self.load((line[:-1] + end).encode() for line in lines)
        self._write()
        self.changed.clear()

    def drop(self, graphs: Iterable[str]) -> None:
        """Take named graphs out; those that are not there do not matter."""
        names = list(graphs)
        self.changed.update(names)
        super().drop(names)

    def _write(self) -> None:
        self.changed |= self._waiting_graphs
        super()._write()


class Upload:
    """Sends updates to the endpoint of `client`, at `address` where one is given."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        given = address or os.environ.get("RULESGRAPH_UPDATE_URL", "")
        self._candidates = [given] if given else _usual_addresses(client.location)
        self._address = ""

    def find(self, holds: Callable[[str], bool]) -> None:
        """Find out where updates go: to the first address from which one arrives.

        `holds` tells whether a graph has triples. Raises `StoreError` when none does.
        """
        if self._address:
            return
        refusals: list[RefusedError] = []
        trial = f'INSERT DATA {{ GRAPH <{NEW}> {{ <{NEW}> <{BASE}> "" }} }}'
        for address in self._candidates:
            try:
                self._update(trial, address)
            except RefusedError as error:
                refusals.append(error)
                continue
            if holds(NEW):
                self._address = address
                self._update(f"DROP SILENT GRAPH <{NEW}>")
                return
        told = next((e for e in refusals if e.status in {401, 403}), None) or next(iter(refusals), None)
        raise StoreError(
            f"no update reaches the endpoint{f': {told.what}' if told else ''}",
            where=self._client.location,
            way_out=(f"{told.way_out}\n  " if told and told.way_out else "")
            + "Name the address for updates behind a # after the other one, or in $RULESGRAPH_UPDATE_URL.",
        )

    def send(self, rewrite: UploadRewrite, sizes: Callable[[], Mapping[str, int]]) -> None:
        """Send what a rewrite changed; `sizes` tells all graphs that are at the endpoint, and how large.

        What was sent is counted there, before it takes its place and after. An error leaves nothing but
        what stood there before, unless the server refuses that too.
        """
        staged: dict[str, int] = {}
        try:
            self._stage(rewrite, sizes(), staged)
            self._count({NEW + graph: count for graph, count in staged.items()}, sizes)
            self._switch(rewrite, staged)
            self._count(staged, sizes)
        except BaseException:
            with suppress(StoreError):
                self.clear(sizes() if staged else ())
            raise

    def clear(self, present: Iterable[str]) -> None:
        """Take away what loads left that came to nothing."""
        for graph in present:
            if graph.startswith(NEW):
                self._update(f"DROP SILENT GRAPH <{graph}>")

    def _stage(self, rewrite: UploadRewrite, present: Iterable[str], staged: dict[str, int]) -> None:
        """Write changed graphs under their other names, and note how many triples each must have."""
        kept = rewrite.graphs()
        for graph in kept:
            if not graph.startswith(rewrite.base):
                raise StoreError(f"the graph <{graph}> is not below the base {rewrite.base}")
        self.clear(present)
        for graph in sorted(rewrite.changed & set(kept)):
            lines = list(rewrite.graph_lines(graph))
            staged[graph] = len(lines)
            for update in _insertions(NEW + graph, lines):
                self._update(update)

    def _switch(self, rewrite: UploadRewrite, staged: Mapping[str, int]) -> None:
        """Let graphs that are whole take their places."""
        steps = [
            f"MOVE GRAPH <{NEW}{graph}> TO GRAPH <{graph}>"
            if graph in staged
            else f"DROP SILENT GRAPH <{graph}>"
            for graph in sorted(rewrite.changed)
        ]
        about = f"<{ABOUT}> <{BASE}> {Literal(rewrite.base)} ; <{VERSION}> {Literal(FORMAT)}"
        steps.append(f"INSERT DATA {{ GRAPH <{ABOUT}> {{ {about} }} }}")
        self._update(" ;\n".join(steps), retry=False)

    def _count(self, wanted: Mapping[str, int], sizes: Callable[[], Mapping[str, int]]) -> None:
        """Raise `StoreError` unless graphs are as large at the endpoint as they must be."""
        found = sizes() if wanted else {}
        for graph, count in wanted.items():
            if found.get(graph, 0) != count:
                raise StoreError(
                    f"the endpoint took the updates, and holds {found.get(graph, 0)} of {count} triples of "
                    f"<{graph.removeprefix(NEW)}>",
                    where=self._client.location,
                    way_out="Its log may say why. Build again; until then it is not what was loaded.",
                )

    def _update(self, text: str, address: str = "", *, retry: bool = True) -> None:
        self._client.post(address or self._address, text.encode(), _UPDATE, retry=retry)


def _usual_addresses(location: str) -> list[str]:
    """Return where servers take updates, given where they take queries."""
    address = location.rstrip("/")
    path = urllib.parse.urlsplit(address).path
    beside = [address.rpartition("/")[0] + "/update"] if path.endswith(("/query", "/sparql")) else []
    virtuoso = [f"{address}-auth"] if path.endswith("/sparql") else []
    rdf4j = f"{address}/statements"
    return [*beside, location, *virtuoso, rdf4j, f"{address}/update"]


def _insertions(graph: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield the updates that write a graph: all blank nodes in one, as their names mean nothing outside."""
    plain: list[str] = []
    blank: list[str] = []
    for line in lines:
        if line.startswith("_:") or re.search(r"\s_:\S+ \.$", line):
            blank.append(line)
        else:
            plain.append(line)
        if len(plain) == _LINES:
            yield f"INSERT DATA {{ {_block(graph, plain)} }}"
            plain = []
    if plain:
        yield f"INSERT DATA {{ {_block(graph, plain)} }}"
    if blank:
        # Virtuoso takes no blank nodes as data.
        yield f"INSERT {{ {_block(graph, blank)} }} WHERE {{ }}"


def _block(graph: str, lines: Iterable[str]) -> str:
    return "\n".join((f"GRAPH <{graph}> {{", *lines, "}"))
