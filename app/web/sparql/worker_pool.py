"""Run queries in worker processes, share them out fairly, and kill what is late or no longer wanted.

Nothing stops a query inside the process that runs it, so queries with a deadline run in processes of their
own. The pool itself never waits: the event loop calls it when a worker says something or time has passed.
"""

from __future__ import annotations

import os
import time
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from ....loaders.store.worker_protocol import (
    LARGE,
    START,
    not_started,
    refused,
    start_worker,
    too_late,
    too_much,
)
from .worker_process import CrowdedError, FileRoom, QueuedQuery, WorkerAnswer, WorkerProcess

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Iterator

_One = TypeVar("_One")


class FairQueue(Generic[_One]):
    """Items of several clients that wait; the client with the fewest items in service comes first.

    `waiting` items may wait in all, `waiting_each` of one client.
    """

    def __init__(self, waiting: int, waiting_each: int) -> None:
        self._most, self._most_each = waiting, waiting_each
        self._served: dict[str, int] = {}
        self._queues: dict[str, deque[_One]] = {}

    def __iter__(self) -> Iterator[tuple[str, _One]]:
        """Yield all items that wait, each with its client."""
        return iter([(client, one) for client, queue in self._queues.items() for one in queue])

    def __bool__(self) -> bool:
        """Return whether anything waits."""
        return bool(self._queues)

    def begin(self, client: str) -> None:
        """Count an item of a client as in service; `end` has to follow."""
        self._served[client] = self._served.get(client, 0) + 1

    def end(self, client: str) -> None:
        """Count an item of a client as no longer in service."""
        left = self._served[client] - 1
        if left:
            self._served[client] = left
        else:
            del self._served[client]

    def wait(self, client: str, one: _One) -> None:
        """Append an item; raise `CrowdedError` where too many wait already."""
        queue = self._queues.get(client, ())
        if sum(map(len, self._queues.values())) >= self._most or len(queue) >= self._most_each:
            raise CrowdedError("Too many queries are waiting already.")
        self._queues.setdefault(client, deque()).append(one)

    def wait_again(self, client: str, one: _One) -> None:
        """Put an item that was in service in front of its client's others, however many wait."""
        self._queues.setdefault(client, deque()).appendleft(one)

    def take(self) -> _One | None:
        """Return the next item, counted as in service; None where nothing waits."""
        if not self._queues:
            return None
        # A dict keeps the order in which clients came to wait; `min` takes the first of several.
        chosen = min(self._queues, key=lambda name: self._served.get(name, 0))
        queue = self._queues.pop(chosen)
        one = queue.popleft()
        if queue:
            self._queues[chosen] = queue
        self.begin(chosen)
        return one

    def leave(self, client: str, one: _One) -> None:
        """Remove an item; do nothing where it does not wait."""
        queue = self._queues.get(client)
        if queue and one in queue:
            queue.remove(one)
            if not queue:
                del self._queues[client]


_STARTS = 3
"""How many workers in a row may end before they are ready, until the pool gives up."""

_AHEAD = 4
"""Requests that a quick worker may hold at once: it wakes up once for all of them."""

_TICK = 0.02
"""Seconds between two checks of what runs. What waits behind a slow query goes to another worker then."""

_ABANDONED = 0.2
"""Seconds that a query nobody waits for may still run: killing a worker costs more than a short query."""


class WorkerPool:
    """Up to `size` workers over the store in a folder, driven by one event loop.

    `memory` is how many bytes each may use beyond the opened store, `room` is for large answers, `queue`
    holds the queries that wait.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        location: str,
        size: int,
        memory: int,
        queue: FairQueue[QueuedQuery],
        room: FileRoom,
    ) -> None:
        self._loop, self._location, self._size, self._memory = loop, location, size, memory
        self._queue, self._room = queue, room
        self.workers: list[WorkerProcess] = []
        self._failed_starts = 0
        self._checking = False

    def fill(self) -> None:
        """Start the workers that are missing."""
        while len(self.workers) < self._size:
            try:
                self.workers.append(self._start())
            except OSError:
                self._give_up()
                return
            self._check_later()

    def close(self) -> None:
        """Kill the workers and wait until they are gone; queries end with an error."""
        self._size = 0
        for client, job in self._queue:
            self._queue.leave(client, job)
            job.finish(CrowdedError("The service stops."))
        for worker in self.workers:
            worker.end()
        for worker in [*self.workers]:
            worker.reap()

    def take(self, job: QueuedQuery) -> None:
        """Run a query as soon as a worker is free; its callback gets the outcome.

        That is the kind of the answer and the answer; `StoreTimeoutError` when it ran too long,
        `TimeoutError` when it waited too long; `StoreExhaustedError` when it needed too much memory;
        `CrowdedError` when there is no room for its answer; the error that the worker reports. Raises
        `CrowdedError` when too many queries wait.
        """
        self.fill()
        worker = self._free()
        if worker is None:
            self._queue.wait(job.client, job)
        else:
            self._queue.begin(job.client)
            worker.ask(job)
        self._check_later()

    def leave(self, job: QueuedQuery) -> None:
        """Note that nobody waits for a query any more; one that runs is killed soon."""
        job.abandon()
        self._queue.leave(job.client, job)

    # -- what workers report -----------------------------------------------------------------------

    def ready(self, worker: WorkerProcess) -> None:
        """Use a worker that has started."""
        self._failed_starts = 0
        self._assign()

    def answered(self, worker: WorkerProcess, job: QueuedQuery, answer: WorkerAnswer) -> None:
        """Pass an answer on; the worker gets its next request first, so as not to wait."""
        self._queue.end(job.client)
        kind, data = answer
        if (len(data) if isinstance(data, bytes) else data.length) >= LARGE:
            worker.end()
        elif self._queue:
            self._assign()
        problem = refused(kind, data) if isinstance(data, bytes) else None
        job.finish(problem or answer)

    def exited(self, worker: WorkerProcess, killed: bool) -> None:
        """Replace a worker that is gone, and let others answer what it was given.

        The query that it was running is repeated once, and only where somebody killed the worker from
        outside: otherwise the query itself most likely ended it.
        """
        self.workers.remove(worker)
        first = worker.jobs[0] if worker.jobs else None
        if not worker.ready:
            self._failed_starts += 1
        elif first is not None:
            if killed and not first.repeated and self._size:
                first.repeated = True
            else:
                first.finish(too_much(self._location, self._memory))
        self._requeue([*worker.jobs])
        if self._failed_starts < _STARTS:
            self.fill()
        else:
            self._give_up()
        self._assign()

    # -- who does what -----------------------------------------------------------------------------

    def _free(self) -> WorkerProcess | None:
        """Return the worker that gets the next request; one that starts only where none is ready."""
        best, fewest = None, _AHEAD
        for worker in [it for it in self.workers if it.ready] or self.workers:
            count = len(worker.jobs)
            if count < fewest and (not count or worker.quick) and not worker.ended:
                best, fewest = worker, count
        return best

    def _assign(self) -> None:
        """Give waiting queries to free workers."""
        while self._queue and (worker := self._free()):
            job = self._queue.take()
            assert job is not None
            worker.ask(job)

    def _requeue(self, jobs: list[QueuedQuery]) -> None:
        """Put queries that were given to a worker back in front of all others."""
        for job in reversed(jobs):
            self._queue.end(job.client)
            if job.wanted:
                self._queue.wait_again(job.client, job)

    def _check_later(self) -> None:
        if not self._checking:
            self._checking = True
            self._loop.call_later(_TICK, self._check)

    def _check(self) -> None:
        """Kill what ran too long, and move what waits behind a slow query."""
        self._checking = False
        now = time.monotonic()
        for worker in [it for it in self.workers if not it.ended]:
            if not worker.ready:
                if now - worker.begun >= START:
                    self._failed_starts = _STARTS
                    worker.end()
            elif worker.jobs:
                self._check_running(worker, now - worker.begun)
        self._assign()
        for client, waiting in self._queue:
            if now - waiting.since >= waiting.seconds:
                self._queue.leave(client, waiting)
                waiting.finish(TimeoutError())
        if self._queue or any(worker.jobs or not worker.ready for worker in self.workers):
            self._check_later()

    def _check_running(self, worker: WorkerProcess, ran: float) -> None:
        first = worker.jobs[0]
        if ran >= first.seconds:
            first.finish(too_late(self._location, first.seconds))
            worker.end()
        elif ran >= _ABANDONED and not first.wanted:
            worker.end()
        elif ran >= _TICK and len(worker.jobs) > 1:
            worker.quick = False
            for job in reversed(worker.recalled()):
                self._queue.wait_again(job.client, job)

    # -- processes ---------------------------------------------------------------------------------

    def _start(self) -> WorkerProcess:
        process = start_worker(0)
        assert process.stdin
        assert process.stdout
        os.set_blocking(process.stdin.fileno(), False)
        os.set_blocking(process.stdout.fileno(), False)
        return WorkerProcess(process, self._loop, self.ready, self.answered, self.exited, self._room)

    def _give_up(self) -> None:
        """Where no worker is left and none starts, end the queries that wait with the reason."""
        if not self.workers:
            self._failed_starts = 0
            for client, job in self._queue:
                self._queue.leave(client, job)
                job.finish(not_started(self._location))
