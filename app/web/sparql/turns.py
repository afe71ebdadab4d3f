"""Who waits gets a turn: first those of whom the fewest are served, and of these who has waited longest."""

from __future__ import annotations

import asyncio
from collections import Counter, deque


class CrowdedError(Exception):
    """There is no place left to wait in, or to put an answer; it says which."""


class Turns:
    """So many turns at once, shared out fairly among clients; all of it in one event loop.

    `waiting` may wait in all, `waiting_each` of one client.
    """

    def __init__(self, turns: int, waiting: int, waiting_each: int) -> None:
        self._free = turns
        self._most, self._most_each = waiting, waiting_each
        self._served: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, client: str, patience: float) -> None:
        """Wait for a turn; `give` has to follow.

        Raises `CrowdedError` at once, and `TimeoutError` when there was none in `patience` seconds.
        """
        if self._free:
            self._free -= 1
            self._served[client] += 1
            return
        queue = self._queues.get(client, ())
        if sum(map(len, self._queues.values())) >= self._most or len(queue) >= self._most_each:
            raise CrowdedError("Too many queries are waiting already.")
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        try:
            async with asyncio.timeout(patience):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.give(client)
            else:
                self._leave(client, turn)
            raise

    def give(self, client: str) -> None:
        """Give a turn back, to who is next."""
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
            # One that was given up is still in the queue until its task has heard of that.
            if not turn.done():
                self._served[chosen] += 1
                turn.set_result(None)
                return
        self._free += 1

    def _leave(self, client: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(client)
        if queue and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[client]
