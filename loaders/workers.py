"""The same work on many things, in as many processes as there are processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Job = TypeVar("Job")
Done = TypeVar("Done")

Telling = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

FEW = 4
"""Fewer jobs than this are done in this process: starting others would take longer."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """A pool that comes to life with the first large piece of work, and ends with its `with`.

    Workers are forked, so what they run must be a module-level function. A store that is open for
    writing has threads, with which forking is unsafe: only a `map` that says `start` starts workers,
    later ones use them if they are there.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count or processors()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def map(
        self,
        work: Callable[[Job], Done],
        jobs: Sequence[Job],
        tell: Callable[[int], None],
        *,
        start: bool = False,
    ) -> Iterator[Done]:
        """Yield the results in the order of `jobs`; `tell` hears how many are through."""
        if start and self._pool is None and len(jobs) >= FEW and self.count > 1:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            self._pool = ProcessPoolExecutor(self.count, mp_context=get_context("fork"))
        if self._pool is None:
            for place, job in enumerate(jobs):
                tell(place)
                yield work(job)
            return
        futures: list[Future[Done]] = [self._pool.submit(work, job) for job in jobs]
        for place, future in enumerate(futures):
            tell(place)
            yield future.result()
