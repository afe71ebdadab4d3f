"""Query and fill a pyoxigraph store: the common part of all stores within the process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from os import PathLike
from threading import Lock
from typing import TYPE_CHECKING, Any

import pyoxigraph
from pyoxigraph import NamedNode, RdfFormat

from ...ontology.errors import StoreError, StoreLockedError, StoreMissingError, UsageError
from .protocol import MEMORY, Queryable, settle_base
from .query import PreparedQuery
from .results import Result, Solutions, Triples, reading

if TYPE_CHECKING:
    from pathlib import Path

PART = 600_000
"""The approximate number of quads in one bulk load: sixteen loads need a third of the memory of one."""

_BLOCK = 1 << 20


class LocalStore(Queryable):
    """A pyoxigraph store that answers queries: the common part of reading and rewriting.

    Each answer keeps `_handle` alive for as long as it is read.
    """

    _handle: object = None

    def __init__(self, location: str, store: pyoxigraph.Store) -> None:
        self.location = location
        self._store = store

    def answer(self, query: PreparedQuery) -> Result:
        """Run a prepared query; its `timeout` is ignored: a query within the process cannot be stopped."""
        for graph in query.graphs:
            with reading(self.location):
                known = self._written().contains_named_graph(NamedNode(graph))
            if not known:
                raise unknown_graph(graph, self.location)
        union = self._are_all(query.default_graphs or ())
        with reading(self.location):
            found = self._written().query(
                query.text,
                base_iri=query.base,
                prefixes=dict(query.prefixes),
                default_graph=None if union else _nodes(query.default_graphs),
                use_default_graph_as_union=union,
                named_graphs=_nodes(query.named_graphs),
            )
        if isinstance(found, pyoxigraph.QuerySolutions):
            return Solutions(found, self.location, query.star, self._handle, query.bounds)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        return Triples(found, self.location, self._handle, query.bounds)

    def _are_all(self, graphs: Sequence[str]) -> bool:
        """Return whether several graphs are all the graphs: then each statement is looked up only once."""
        return len(graphs) > 1 and {*self.graphs()} <= {*graphs}

    def graphs(self) -> list[str]:
        """Return the names of the named graphs, sorted."""
        with reading(self.location):
            return sorted(g.value for g in self._written().named_graphs() if isinstance(g, NamedNode))

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph, as it is now, as N-Triples without line end."""
        return (line[:-1].decode() for line in BytesIO(self._dump(graph)))

    def size(self) -> int:
        """Return the number of quads."""
        with reading(self.location):
            return len(self._written())

    def _dump(self, graph: str) -> bytes:
        """Return the lines of a graph."""
        with reading(self.location):
            return self._written().dump(from_graph=NamedNode(graph), format=RdfFormat.N_TRIPLES) or b""

    def _written(self) -> pyoxigraph.Store:
        """Return the store with everything in it."""
        return self._store


class LocalRewrite(LocalStore):
    """A change of a pyoxigraph store, invisible to others.

    Changes are collected and written together, so that the database gets few, large files. The first of them
    opens the copy to write into, with `opened`: an engine that is open for writing merges files in the
    background. Answers are read at once, so that nothing holds the store when the change is over.
    """

    def __init__(
        self,
        location: str,
        store: pyoxigraph.Store,
        base: str,
        opened: Callable[[], pyoxigraph.Store] | None = None,
    ) -> None:
        super().__init__(location, store)
        self.base = base
        self.is_changed = False
        self._opened = opened
        self._dropped: list[str] = []
        self._removed: list[bytes] = []
        self._waiting: list[bytes] = []
        self._waiting_lines = 0
        self._waiting_graphs: set[str] = set()

    def answer(self, query: PreparedQuery) -> Result:
        """Run a prepared query over everything written so far."""
        found = super().answer(query)
        if isinstance(found, Solutions):
            found.read()
        return Triples(list(found), self.location) if isinstance(found, Triples) else found

    def drop(self, graphs: Iterable[str]) -> None:
        """Remove named graphs; missing ones are ignored."""
        for graph in graphs:
            self.is_changed = True
            if graph in self._waiting_graphs:
                self._write()
            self._dropped.append(graph)
            self._waiting_graphs.add(graph)

    def replace(self, graph: str, nquads: Path) -> bool:
        """Replace a graph with a file of its N-Quads, writing only changed lines; False if there are none."""
        end = f"<{graph}> .\n".encode()
        before = {line[:-2] + end for line in BytesIO(self._dump(graph))}
        if not before:
            return self.load(nquads) > 0
        lines = nquads.read_bytes().splitlines(keepends=True)
        gone = before.difference(lines)
        if 2 * len(gone) > len(before):  # removing most lines takes longer than removing all
            self.drop([graph])
            self.load(nquads)
            return True
        new = [line for line in lines if line not in before]
        if gone or new:
            self.change(graph, gone, new)
        return bool(gone or new)

    def change(self, graph: str, gone: Iterable[bytes], new: Iterable[bytes]) -> None:
        """Remove some lines of N-Quads from a graph, and add others, which it lacks."""
        lines = [*gone]
        if lines:
            self.is_changed = True
            if graph in self._waiting_graphs:
                self._write()
            self._removed += lines
            self._waiting_graphs.add(graph)
        self.load([b"".join(new)])

    def _dump(self, graph: str) -> bytes:
        if graph in self._waiting_graphs:
            self._write()
        with reading(self.location):
            return self._store.dump(from_graph=NamedNode(graph), format=RdfFormat.N_TRIPLES) or b""

    def load(self, nquads: Iterable[bytes] | Path) -> int:
        """Add N-Quads; return the number of lines.

        Raises `StoreError` for invalid N-Quads or a failed write, here or when it is first needed.
        """
        if isinstance(nquads, PathLike):
            with open(nquads, "rb") as file:
                return self.load(iter(lambda: b"".join(file.readlines(_BLOCK)), b""))
        total = 0
        for block in nquads:
            lines = block.count(b"\n")
            self._waiting.append(block)
            self._waiting_graphs |= graphs_of(block, lines)
            self._waiting_lines += lines
            total += lines
            self.is_changed |= lines > 0
            if self._waiting_lines >= PART:
                self._write()
        return total

    def close(self) -> None:
        """Write everything that is pending or in memory, and close the store."""
        with reading(self.location):
            self._written()
            self._writable().flush()
        self.abandon()

    def abandon(self) -> None:
        """Close the store; a second time does nothing."""
        self.__dict__.pop("_store", None)

    def _written(self) -> pyoxigraph.Store:
        self._write()
        return self._store

    def _writable(self) -> pyoxigraph.Store:
        """Return the store that takes the changes, opened when it is first needed."""
        if self._opened:
            self._store, self._opened = self._opened(), None
        return self._store

    def _write(self) -> None:
        if not self._waiting_graphs:
            return
        store = self._writable()
        dropped, self._dropped = self._dropped, []
        removed, self._removed = self._removed, []
        blocks, self._waiting, self._waiting_lines = self._waiting, [], 0
        self._waiting_graphs.clear()
        with reading(self.location):
            for graph in dropped:
                store.update(f"DELETE WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}")
                store.remove_graph(NamedNode(graph))
            for quad in pyoxigraph.parse(b"".join(removed), RdfFormat.N_QUADS, lenient=True):
                store.remove(quad)
        if not blocks:
            return
        file: Any = _File(blocks)
        try:  # checking the IRIs made by `Iris` again would take half of the parsing time
            store.bulk_load(input=file, format=RdfFormat.N_QUADS, lenient=True)
        except (SyntaxError, ValueError) as error:
            raise StoreError(f"this is not N-Quads: {error}", where=self.location) from error
        except OSError as error:
            raise StoreError(
                f"loading failed: {error}", where=self.location, way_out="Check the free disk space."
            ) from error


class MemoryStore(LocalStore):
    """A store that lasts as long as the process. Its queries cannot be stopped: `timeout` is ignored."""

    folder: str | None = None

    def __init__(self) -> None:
        super().__init__(MEMORY, pyoxigraph.Store())
        self._base: str | None = None
        self._writing = Lock()

    @property
    def base(self) -> str:
        """The base; raises `StoreMissingError` before the first rewrite."""
        if self._base is None:
            raise StoreMissingError("nothing has been built into this store yet", where=self.location)
        return self._base

    def close(self) -> None:
        """Do nothing: the store ends with the process."""

    def refresh(self) -> bool:
        """Return True: a store in memory may have changed in place."""
        return True

    @contextmanager
    def rewrite(self, *, base: str | None = None) -> Iterator[LocalRewrite]:
        """Change a copy, and replace the store with it if the block succeeds."""
        settled = settle_base(self._base, base, self.location)
        if not self._writing.acquire(blocking=False):
            raise StoreLockedError("the store is already being written to", where=self.location)
        try:
            copy = pyoxigraph.Store()
            copy.bulk_extend(self._store)
            rewrite = LocalRewrite(self.location, copy, settled)
            yield rewrite
            rewrite.close()
            self._store, self._base = copy, settled
        finally:
            self._writing.release()


def unknown_graph(graph: str, where: str) -> UsageError:
    """Return the error for a FROM with a graph that the store does not have."""
    return UsageError(
        f"FROM <{graph}>: the store has no graph of this name, and does not download any",
        where=where,
        way_out="`SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }` lists the graphs that are there.",
    )


def _nodes(names: Sequence[str] | None) -> list[Any] | None:
    try:
        return None if names is None else [NamedNode(name) for name in names]
    except ValueError as error:
        raise UsageError(f"a graph is named by an IRI: {error}") from None


def graphs_of(block: bytes, lines: int) -> set[str]:
    """Return the graphs of a block of N-Quads with `lines` lines; objects of triples may be among them."""
    end = block[block.rfind(b" <") :]
    if end.endswith(b"> .\n") and block.count(end) == lines:
        return {end[2:-4].decode()}
    return {name.decode() for name in re.findall(rb"(?m)<([^<>]*)>\s*\.\s*$", block)}


class _File:
    """Blocks of bytes as a file for a bulk load; each is freed once it has been read."""

    def __init__(self, blocks: list[bytes]) -> None:
        self._blocks = blocks[::-1]
        self._block = BytesIO()

    def read(self, size: int = -1) -> bytes:
        data = self._block.read(size)
        while not data and self._blocks:
            self._block = BytesIO(self._blocks.pop())
            data = self._block.read(size)
        return data
