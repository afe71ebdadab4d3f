"""Do the same work on many things, with one process for each processor."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from ..ontology import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Job = TypeVar("Job")
Done = TypeVar("Done")

Progress = Callable[[str, int, int], None]
"""Called with the name of the work, how much of it is done, and the total."""

FEW = 4
"""Fewer jobs than this are done in this process: starting others would take longer."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """A pool that starts with the first large piece of work, and ends with its `with`.

    An error in the `with` ends it at once, and so does the end of this process, for whatever reason: workers
    read from a pipe whose other end only this process has.

    Workers are forked, so they must run a module-level function. A store that is open for writing has
    threads, which make forking unsafe: only a `map` with `start` starts workers; later ones use them if they
    exist.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count or processors()
        self._pool: ProcessPoolExecutor | None = None
        self._line: tuple[int, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool and self._line:
            if error is not None:
                os.close(self._line[1])
            self._pool.shutdown(cancel_futures=True)
            for end in self._line[: 1 if error is not None else 2]:
                os.close(end)

    def map(
        self,
        work: Callable[[Job], Done],
        jobs: Sequence[Job],
        tell: Callable[[int], None],
        *,
        start: bool = False,
    ) -> Iterator[Done]:
        """Yield the results in the order of `jobs`; `tell` is called with the number done.

        Raises `StoreError` when a process is killed from outside, and the errors of `work`.
        """
        if start and self._pool is None and len(jobs) >= FEW and self.count > 1:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            self._line = os.pipe()
            self._pool = ProcessPoolExecutor(
                self.count, mp_context=get_context("fork"), initializer=_begin, initargs=self._line
            )
        if self._pool is None:
            for place, job in enumerate(jobs):
                tell(place)
                yield work(job)
            return
        from concurrent.futures.process import BrokenProcessPool

        try:
            futures: list[Future[Done]] = [self._pool.submit(work, job) for job in jobs]
            for place, future in enumerate(futures):
                tell(place)
                yield future.result()
        except BrokenProcessPool as error:
            raise StoreError(
                "a worker process was killed, most likely because memory ran out",
                way_out="Load fewer documents at once, or give the machine more memory.",
            ) from error


def _begin(read_end: int, write_end: int) -> None:
    """Ignore signals that the parent handles, and end when it ends."""
    os.close(write_end)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, args=(read_end,), daemon=True).start()


def _end_with_parent(read_end: int) -> None:
    os.read(read_end, 1)  # nothing is ever written: this returns when the other end is closed
    os._exit(1)


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the garbage collector, here and in workers that are forked meanwhile.

    A change makes millions of records and hardly any cycles: looking for them took a tenth of a build. The
    remaining records are frozen afterwards, or the next new object would cause a search of them all.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # otherwise this would unfreeze what other code froze
                gc.freeze()
                gc.unfreeze()
            gc.enable()
