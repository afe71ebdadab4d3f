"""A store in a folder: many readers, one writer, and every change seen whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import pyoxigraph

from ...ontology.errors import StoreMissingError
from ..locks import Guard
from ..scratch import unfinished
from .layout import Layout, Pointer
from .local import LocalRewrite, LocalStore
from .protocol import Meta, Store, settle_base
from .query import PreparedQuery
from .results import Result
from .tidying import standing_back

if TYPE_CHECKING:
    from .limited import QueryPool


_TIDIED = 4
"""Each generation whose number is a multiple of this lets the engine tidy up: many files are slow to read."""


class FolderStore(Store):
    """A store on disk; locks of the system keep readers and writers of all processes apart."""

    def __init__(self, location: str) -> None:
        self.location = location
        self.folder: str | None = location
        self._layout = Layout(location)
        self._current: _Generation | None = None
        self._pool: QueryPool | None = None

    def answer(self, query: PreparedQuery) -> Result:
        """Run a prepared query: with a time limit in a process that can be ended."""
        current = self._generation()
        if query.timeout is None:
            return current.store.answer(query)
        if self._pool is None:
            from .limited import QueryPool

            self._pool = QueryPool(self.location)
        return self._pool.answer(current.pointer.generation, query, query.timeout)

    def graphs(self) -> list[str]:
        """Return the names of the named graphs, sorted."""
        return self._store().graphs()

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples without line end; of no graph, none."""
        return self._store().graph_lines(graph)

    def size(self) -> int:
        """Return the number of quads."""
        return self._store().size()

    def meta(self) -> Meta:
        """Return the base and the format; raise `StoreMissingError` when nothing was ever built."""
        pointer = self._generation().pointer
        return Meta(pointer.base, pointer.format)

    def state(self) -> tuple[int, str]:
        """Return the number of the generation that is looked at, and a name of what is in it.

        A store that was not changed keeps the name; where a change replaced data by the same, it may differ.
        """
        generation = self._generation().pointer.generation
        return generation, self._layout.fingerprint(generation)

    def refresh(self) -> bool:
        """Look at the newest generation from now on; return whether it is another one than before."""
        before = self._current
        if before and before.pointer != self._layout.pointer():
            self._current = None
        return self._generation() is not before

    @contextmanager
    def rewrite(self, *, base: str | None = None) -> Iterator[LocalRewrite]:
        """Change a copy of the store, and switch to it when the block ends well; see `Store`."""
        layout = self._layout
        before = layout.pointer()
        if base is not None:  # a wrong one leaves no folder behind
            settle_base(before.base if before.generation else None, base, self.location)
        with layout.locked():
            before = layout.pointer()
            settled = settle_base(before.base if before.generation else None, base, self.location)
            with layout.on_disk():
                after = layout.next(before, settled)
            with unfinished(partial(layout.discard, after)) as finished, ExitStack() as ends:
                rewrite = None
                try:
                    former = layout.open(before.generation) if before.generation else pyoxigraph.Store()
                    rewrite = LocalRewrite(
                        self.location, former, settled, partial(self._copied, before, after, ends)
                    )
                    del former
                    yield rewrite
                    rewrite.close()
                    finished()
                    with layout.on_disk():
                        layout.point(after)
                except BaseException:
                    if rewrite:
                        rewrite.abandon()
                    layout.discard(after)
                    raise
            # What was switched to is held before another writer may come.
            guard = layout.hold(after.generation)
            self._current = _Generation(layout, after, guard) if guard else None
            with suppress(OSError):
                layout.sweep(after.generation)

    def _copied(self, before: Pointer, after: Pointer, ends: ExitStack) -> pyoxigraph.Store:
        """Return the new generation, open for writing until `ends`."""
        store = self._layout.fresh(before, after)
        if before.generation and after.generation % _TIDIED:
            ends.enter_context(standing_back())
        return store

    def _store(self) -> LocalStore:
        return self._generation().store

    def _generation(self) -> _Generation:
        current = self._current or self._newest()
        self._current = current
        return current

    def _newest(self) -> _Generation:
        pointer = self._layout.pointer()
        while pointer.generation:
            guard = self._layout.hold(pointer.generation)
            if guard is not None:
                return _Generation(self._layout, pointer, guard)
            # A writer may have switched and tidied up since the pointer was read: then it differs now.
            before, pointer = pointer, self._layout.pointer()
            if pointer == before:
                raise self._layout.damaged(f"generation {pointer.generation} is missing, or parts of it are")
        raise StoreMissingError(
            "there is no store here yet",
            where=self.location,
            way_out="`rulesgraph build` makes one; --store or $RULESGRAPH_STORE names another place.",
        )


class _Generation:
    """One state of the store; nobody removes it while this object, or an answer from it, is alive."""

    def __init__(self, layout: Layout, pointer: Pointer, guard: Guard) -> None:
        self.pointer = pointer
        self._layout = layout
        self._guard = guard
        self._opened: LocalStore | None = None

    @property
    def store(self) -> LocalStore:
        """The database, opened when it is first needed."""
        if self._opened is None:
            database = self._layout.open(self.pointer.generation)
            self._opened = LocalStore(self._layout.location, database, self._guard)
        return self._opened
