"""Run a small event loop in a thread that waits for one answer."""

from __future__ import annotations

import time
from selectors import EVENT_READ, EVENT_WRITE, PollSelector
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class SelectorLoop:
    """As much of asyncio's event loop as a pool needs; importing asyncio takes longer than most queries."""

    def __init__(self) -> None:
        self._selector = PollSelector()
        self._timers: list[tuple[float, Callable[[], object]]] = []

    def add_reader(self, file: int, callback: Callable[[], object]) -> None:
        """Call back whenever a file can be read."""
        self._selector.register(file, EVENT_READ, callback)

    def add_writer(self, file: int, callback: Callable[[], object]) -> None:
        """Call back whenever a file can be written."""
        self._selector.register(file, EVENT_WRITE, callback)

    def remove_reader(self, file: int) -> None:
        """Call back no more when a file can be read."""
        self._selector.unregister(file)

    remove_writer = remove_reader
    """A file is watched for one thing only: each direction has a pipe of its own."""

    def call_soon(self, callback: Callable[[], object]) -> None:
        """Call back at once: nothing else is going on in a thread that waits."""
        callback()

    def call_later(self, seconds: float, callback: Callable[[], object]) -> None:
        """Call back once, after some seconds."""
        self._timers.append((time.monotonic() + seconds, callback))

    def run_once(self) -> None:
        """Wait for the next event, and call back for it."""
        soonest = min((due for due, _ in self._timers), default=None)
        wait = None if soonest is None else max(0.0, soonest - time.monotonic())
        for key, _ in self._selector.select(wait):
            key.data()
        now = time.monotonic()
        due = [it for it in self._timers if it[0] <= now]
        self._timers = [it for it in self._timers if it[0] > now]
        for _, callback in due:
            callback()
