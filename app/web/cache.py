"""Cache the most recently used values, within a size limit."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

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
        """Return the value under a key, which is then the last to go."""
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
