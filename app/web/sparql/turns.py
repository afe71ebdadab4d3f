"""Who waits gets a turn: first those of whom the fewest are served, and of these who has waited longest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

_One = TypeVar("_One")


class CrowdedError(Exception):
    """There is no place left to wait in, or to put an answer; it says which."""


class Turns(Generic[_One]):
    """What waits for a turn, shared out fairly among clients; all of it in one event loop.

    `waiting` may wait in all, `waiting_each` of one client.
    """

    def __init__(self, waiting: int, waiting_each: int) -> None:
        self._most, self._most_each = waiting, waiting_each
        self._served: dict[str, int] = {}
        self._queues: dict[str, deque[_One]] = {}

    def __iter__(self) -> Iterator[tuple[str, _One]]:
        """Yield all that waits, with its client."""
        return iter([(client, one) for client, queue in self._queues.items() for one in queue])

    def begin(self, client: str) -> None:
        """Note that something of a client is served; `end` has to follow."""
        self._served[client] = self._served.get(client, 0) + 1

    def end(self, client: str) -> None:
        """Note that something of a client is served no more."""
        left = self._served[client] - 1
        if left:
            self._served[client] = left
        else:
            del self._served[client]

    def wait(self, client: str, one: _One) -> None:
        """Put one behind what waits of its client already; raises `CrowdedError` where too many do."""
        queue = self._queues.get(client, ())
        if sum(map(len, self._queues.values())) >= self._most or len(queue) >= self._most_each:
            raise CrowdedError("Too many queries are waiting already.")
        self._queues.setdefault(client, deque()).append(one)

    def wait_again(self, client: str, one: _One) -> None:
        """Put one that had its turn before in front of what waits of its client, however much that is."""
        self._queues.setdefault(client, deque()).appendleft(one)

    def take(self) -> _One | None:
        """Return what is next, and note that it is served; None where nothing waits."""
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
        """Take out one that waits; nothing happens where it does not."""
        queue = self._queues.get(client)
        if queue and one in queue:
            queue.remove(one)
            if not queue:
                del self._queues[client]
