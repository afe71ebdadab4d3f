"""What was asked for last is kept for the next who asks the same of the same state, in a bounded room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

BESIDES = 500
"""About how many bytes a thing takes besides its own: its key, and its place among the others."""


class Ready(NamedTuple):
    """A whole answer: its kind (``results`` or ``graph``) and the document."""

    kind: str
    body: bytes


_Thing = TypeVar("_Thing")


class Kept(Generic[_Thing]):
    """The things asked for last, within `room` bytes; all of it in one thread."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[Hashable, tuple[_Thing, int]] = OrderedDict()
        self._used = 0

    def get(self, key: Hashable) -> _Thing | None:
        """Return what is kept under a key; it is the last to go then."""
        found = self._things.get(key)
        if found is None:
            return None
        self._things.move_to_end(key)
        return found[0]

    def put(self, key: Hashable, thing: _Thing, length: int) -> None:
        """Keep a thing of so many bytes, unless it would take an eighth of the room; others make place."""
        size = length + BESIDES
        if size * 8 > self._room or key in self._things:
            return
        self._things[key] = thing, size
        self._used += size
        while self._used > self._room:
            _, (_, gone) = self._things.popitem(last=False)
            self._used -= gone
