"""Keep a store in a folder, for many readers and one writer; readers see each change whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

import pyoxigraph

from ...ontology.errors import StoreMissingError
from ..temporary import FileLock, unfinished
from .layout import Layout, Pointer
from .local import LocalRewrite, LocalStore
from .protocol import Store, settle_base
from .query import PreparedQuery
from .results import Result

if TYPE_CHECKING:
    from .timed_queries import TimedQueries


class FolderStore(Store):
    """A store on disk; system locks coordinate the readers and writers of all processes."""

    def __init__(self, location: str) -> None:
        self.location = location
        self.folder: str | None = location
        self._layout = Layout(location)
        self._current: _Generation | None = None
        self._timed: TimedQueries | None = None

    def answer(self, query: PreparedQuery) -> Result:
        """Run a prepared query: with a time limit in a process that can be killed."""
        current = self._generation()
        if query.timeout is None:
            return current.answer(query)
        if self._timed is None:
            from .timed_queries import TimedQueries

            self._timed = TimedQueries(self.location)
        return self._timed.answer(current.pointer.generation, query, query.timeout)

    def graphs(self) -> list[str]:
        """Return the names of the named graphs, sorted."""
        return self._generation().graphs()

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples without line end; none for a missing graph."""
        return self._generation().graph_lines(graph)

    def size(self) -> int:
        """Return the number of quads."""
        return self._generation().size()

    @property
    def base(self) -> str:
        """The base; raises `StoreMissingError` when nothing was ever built."""
        return self._generation().pointer.base

    def state(self) -> tuple[int, str]:
        """Return the number of the current generation, and a fingerprint of its content.

        An unchanged store keeps its fingerprint; if a change replaced data with the same data, it may differ.
        """
        generation = self._generation().pointer.generation
        return generation, self._layout.fingerprint(generation)

    def verify_files(self, *, all_bytes: bool = True) -> int:
        """Compare each file with its checksum, or only its size and time; return the number of files.

        Raises `StoreError` for a file that differs.
        """
        pointer = self._generation().pointer
        self._layout.check_files(pointer, all_bytes=all_bytes)
        return len(pointer.files)

    def refresh(self) -> bool:
        """Show the newest generation from now on; return whether it is a different one."""
        before = self._current
        if before and before.pointer != self._layout.pointer():
            self._current = None
        return self._generation() is not before

    def close(self) -> None:
        """Release the generation, and end the processes; the next query opens the newest one."""
        self._current, timed, self._timed = None, self._timed, None
        if timed:
            timed.close()

    @contextmanager
    def rewrite(self, *, base: str | None = None) -> Iterator[LocalRewrite]:
        """Change a copy of the store, and switch to it if the block succeeds; see `Store`."""
        layout = self._layout
        layout.pointer()  # a folder that is not a store of ours is not even locked
        with layout.locked():
            before = layout.pointer()
            settled = settle_base(before.base if before.generation else None, base, self.location)
            with layout.on_disk():
                after = layout.next(before, settled)
            with unfinished(partial(layout.discard, after)) as finished:
                rewrite = None
                try:
                    former = layout.open(before.generation) if before.generation else pyoxigraph.Store()
                    copied = partial(layout.fresh, before, after)
                    rewrite = LocalRewrite(self.location, former, settled, copied)
                    del former
                    yield rewrite
                    if before.generation and not rewrite.is_changed:
                        rewrite.abandon()
                        self._current = None
                        return
                    rewrite.close()
                    with layout.on_disk():
                        layout.compact(after, before)
                    finished()
                    with layout.on_disk():
                        after = layout.finished(after, before)
                        layout.point(after)
                except BaseException:
                    if rewrite:
                        rewrite.abandon()
                    layout.discard(after)
                    raise
            # The new generation is held before another writer can start.
            lock = layout.hold(after.generation)
            self._current = _Generation(layout, after, lock) if lock else None
            with suppress(OSError):
                layout.sweep(after.generation)

    def _generation(self) -> _Generation:
        self._current = current = self._current or self._newest()
        return current

    def _newest(self) -> _Generation:
        pointer = self._layout.pointer()
        while pointer.generation:
            lock = self._layout.hold(pointer.generation)
            if lock is not None:
                self._layout.check_files(pointer)
                return _Generation(self._layout, pointer, lock)
            # A writer may have removed it since the pointer was read; then the pointer has changed.
            before, pointer = pointer, self._layout.pointer()
            if pointer == before:
                raise self._layout.damaged(f"generation {pointer.generation} is missing, or parts of it are")
        raise StoreMissingError(
            "there is no store here yet",
            where=self.location,
            way_out="`rulesgraph build` creates one; --store or $RULESGRAPH_STORE chooses another place.",
        )


class _Generation(LocalStore):
    """One state of the store; it is not removed while this object, or an answer from it, is alive."""

    def __init__(self, layout: Layout, pointer: Pointer, lock: FileLock) -> None:
        self.location, self.pointer = layout.location, pointer
        self._layout, self._handle = layout, lock

    @cached_property
    def _database(self) -> pyoxigraph.Store:
        return self._layout.open(self.pointer.generation)

    def _written(self) -> pyoxigraph.Store:
        """Return the database, which is opened when it is first needed."""
        return self._database
