"""What several clients ask for is made once, and kept as long as there is room."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Keeping(Generic[Made]):
    """What was made under names, within some room; `size` tells how much of it one takes. For one loop."""

    def __init__(self, room: int, size: Callable[[Made], int]) -> None:
        self._room = room
        self._size = size
        self._used = 0
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()
        self._under_way: dict[Hashable, asyncio.Task[Made]] = {}

    async def once(self, named: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        """Return what `make` makes, or what was or is being made under the same name."""
        found = self._kept.get(named)
        if found is not None:
            self._kept.move_to_end(named)
            return found
        task = self._under_way.get(named)
        if task is None:
            task = asyncio.ensure_future(self._make(named, make))
            task.add_done_callback(heard)
            # Also of one that is cancelled before it begins.
            task.add_done_callback(lambda _: self._under_way.pop(named))
            self._under_way[named] = task
        # Who goes away while it is made leaves it to the others who wait for it.
        return await asyncio.shield(task)

    async def _make(self, named: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        made = await make()
        self.keep(named, made)
        return made

    def keep(self, named: Hashable, made: Made) -> None:
        """Keep something under a name; what was asked for longest ago makes place for it."""
        if named in self._kept:
            return
        self._kept[named] = made
        self._used += self._size(made)
        while self._used > self._room:
            _, gone = self._kept.popitem(last=False)
            self._used -= self._size(gone)


def heard(task: asyncio.Task[Made]) -> None:
    """Take note of an error that whoever asks for the same will be told."""
    if not task.cancelled():
        task.exception()
