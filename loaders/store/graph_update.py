"""Change graphs: by the one SPARQL update that makes all changes take effect at once, or by a graph store."""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from ...ontology.errors import StoreError

if TYPE_CHECKING:
    from .client import Client


def changes(
    graph: str, before: Collection[str], after: Collection[str], most: int, *, deletes: bool
) -> tuple[list[str], int] | None:
    """Return the steps that turn the triples of a graph, as lines of N-Triples, into others.

    Also return how many triples these name; None if they are more than `most`, or some must be deleted and
    the engine cannot delete single triples: not every engine recognises a triple that it was given before. A
    graph with blank nodes is replaced, since their names mean nothing outside.
    """
    gone, new = set(before).difference(after), set(after).difference(before)
    replaced = bool(before) and any(map(has_blank, gone | new))
    if replaced:
        gone, new = set(), set(after)
    if len(gone) + len(new) > most or (gone and not deletes):
        return None
    steps = [dropping(graph)] if replaced else []
    if gone:
        steps.append(f"DELETE DATA {{ {_block(graph, sorted(gone))} }}")
    blank = sorted(filter(has_blank, new))
    steps += [insertion(graph, lines) for lines in (sorted(new.difference(blank)), blank) if lines]
    return steps, len(gone) + len(new)


def dropping(graph: str) -> str:
    """Return the update that removes a graph, if it is there."""
    return f"DROP SILENT GRAPH <{graph}>"


def copying(graph: str, target: str) -> list[str]:
    """Return the steps by which a graph replaces another, for an engine that cannot move graphs."""
    copied, found = (f"GRAPH <{it}> {{ ?s ?p ?o }}" for it in (target, graph))
    return [dropping(target), f"INSERT {{ {copied} }} WHERE {{ {found} }}", dropping(graph)]


def insertion(graph: str, lines: Iterable[str]) -> str:
    """Return the update that adds triples, with blank nodes in all lines or in none."""
    lines = list(lines)
    block = _block(graph, lines)
    # Virtuoso accepts no blank nodes as data.
    return f"INSERT {{ {block} }} WHERE {{ }}" if has_blank(lines[0]) else f"INSERT DATA {{ {block} }}"


def emptying(graph: str) -> str:
    """Return the update that removes every triple of a graph, but not the graph itself."""
    return f"DELETE WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}"


def moving(graph: str, target: str) -> str:
    """Return the update by which a graph replaces another."""
    return f"MOVE GRAPH <{graph}> TO GRAPH <{target}>"


def has_blank(line: str) -> bool:
    """Return whether a line of N-Triples names a blank node."""
    return line.startswith("_:") or re.search(r"\s_:\S+ \.$", line) is not None


def _block(graph: str, lines: Iterable[str]) -> str:
    return "\n".join((f"GRAPH <{graph}> {{", *lines, "}"))


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
