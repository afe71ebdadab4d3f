"""Add triples to the graphs of a server by the SPARQL 1.1 Graph Store HTTP Protocol."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Callable, Collection
from contextlib import suppress

from ...ontology.errors import StoreError
from .client import Client

_HEADERS = {"Content-Type": "application/n-triples", "Accept": "*/*"}


class GraphStore:
    """The graph store beside the endpoint of `client`, where the server has one.

    Its address is `$RULESGRAPH_GRAPHS_URL`, or else one of the usual addresses.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        given = os.environ.get("RULESGRAPH_GRAPHS_URL", "")
        self._candidates = [given] if given else usual_places(client.location)
        self._address: str | None = None

    def find(self, trial: str, line: str, holds: Callable[[str], bool]) -> bool:
        """Return whether there is one: at the first address by which a line arrives in the graph `trial`.

        `holds` says whether a graph has triples. The search is done once.
        """
        if self._address is None:
            self._address = ""
            for place in self._candidates:
                with suppress(StoreError):
                    self._post(place, trial, line + "\n")
                    if holds(trial):
                        self._address = place
                        break
        return bool(self._address)

    def add(self, graph: str, lines: Collection[str], *, retry: bool = True) -> None:
        """Add lines of N-Triples to a graph."""
        self._post(self._address or "", graph, "\n".join((*lines, "")), retry=retry)

    def _post(self, address: str, graph: str, lines: str, *, retry: bool = True) -> None:
        mark = "&" if "?" in address else "?"
        name = urllib.parse.quote(graph, safe="")
        self._client.post(f"{address}{mark}graph={name}", lines.encode(), _HEADERS, retry=retry)


def usual_places(location: str) -> list[str]:
    """Return where servers keep their graph store, given their address for queries.

    Oxigraph's accepts triples in bulk when they need not be one transaction, three times as fast.

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
