"""Limit what one request, and all requests together, may use: fair turns for clients, and bounded caches."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar


class CrowdedError(Exception):
    """There is no room to wait in, or for an answer; the message says which."""


class FairTurns:
    """Turns, `size` at once; of the waiting clients, the one with the fewest turns comes first.

    `waiting` may wait in all, `waiting_each` for one client. For one event loop.
    """

    def __init__(self, size: int, waiting: int, waiting_each: int) -> None:
        self._free, self._most, self._most_each = size, waiting, waiting_each
        self._served: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, client: str, seconds: float) -> AsyncIterator[None]:
        """Wait for a turn, and have it for the block.

        Raises `CrowdedError` if too many are waiting already, or after this many seconds.
        """
        if self._free:
            self._free -= 1
            self._served[client] += 1
        else:
            await self._wait(client, seconds)
        try:
            yield
        finally:
            self._end(client)

    async def _wait(self, client: str, seconds: float) -> None:
        waiting = len(self._queues.get(client, ()))
        if sum(map(len, self._queues.values())) >= self._most or waiting >= self._most_each:
            raise CrowdedError("Too many requests are waiting already. Try again in a moment.")
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # its turn came just as the client left
                self._end(client)
            else:
                self._leave(client, turn)
            if isinstance(error, TimeoutError):
                raise CrowdedError("The request waited too long for others to finish.") from None
            raise

    def _leave(self, client: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(client)
        if queue and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[client]

    def _end(self, client: str) -> None:
        """Give the turn of a client to the next one."""
        self._served[client] -= 1
        if not self._served[client]:
            del self._served[client]
        while self._queues:
            # A dict keeps the order in which clients came to wait; `min` takes the first of several.
            chosen = min(self._queues, key=lambda name: self._served[name])
            queue = self._queues.pop(chosen)
            turn = queue.popleft()
            if queue:
                self._queues[chosen] = queue
            if not turn.cancelled():  # else its client is leaving
                self._served[chosen] += 1
                turn.set_result(None)
                return
        self._free += 1


def end(process: Process) -> None:
    """Kill a process, unless it has ended."""
    with suppress(ProcessLookupError):
        process.kill()


Kept = TypeVar("Kept")


class Cache(Generic[Kept]):
    """Values by their keys; for one thread.

    It drops the least recently used when all together have more than `room`, as `size` measures each, and
    accepts none above `largest`, if that is given.
    """

    def __init__(self, room: int, size: Callable[[Kept], int], largest: int | None = None) -> None:
        self._room, self._size = room, size
        self._largest = largest
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._used = 0

    def get(self, key: Hashable) -> Kept | None:
        """Return the value under a key, which then counts as the most recently used."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, value: Kept) -> None:
        """Keep a value, unless there is one under that key."""
        size = self._size(value)
        if key in self._kept or (self._largest is not None and size > self._largest):
            return
        self._kept[key] = value
        self._used += size
        while self._used > self._room:
            _, dropped = self._kept.popitem(last=False)
            self._used -= self._size(dropped)


class MakingCache(Cache[Kept]):
    """A cache that makes something once for all clients that want it; for one event loop."""

    def __init__(self, room: int, size: Callable[[Kept], int]) -> None:
        super().__init__(room, size)
        self._under_way: dict[Hashable, asyncio.Task[Kept]] = {}

    async def get_or_make(self, key: Hashable, make: Callable[[], Awaitable[Kept]]) -> Kept:
        """Return the cached value of a key, or the result of `make`, made once for all who wait for it."""
        found = self.get(key)
        if found is not None:
            return found
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.ensure_future(self._make(key, make))
            task.add_done_callback(retrieve_error)
            # A callback, as a task that is cancelled before it begins runs no `finally`.
            task.add_done_callback(lambda _: self._under_way.pop(key))
            self._under_way[key] = task
        # A client that goes away leaves the task to the others who wait for it.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop everything being made."""
        tasks = [*self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[Kept]]) -> Kept:
        made = await make()
        self.put(key, made)
        return made


def retrieve_error(task: asyncio.Task[Kept]) -> None:
    """Mark the error of a task as seen: the clients get it, and asyncio would log it as well."""
    if not task.cancelled():
        task.exception()
