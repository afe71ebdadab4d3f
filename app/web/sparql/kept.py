"""Answers are kept for the next who asks the same of the same state, as many as there is room for."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

BESIDES = 500
"""About how many bytes an answer takes besides its own: its key, and its place among the others."""


class Ready(NamedTuple):
    """A whole answer: its kind (``results`` or ``graph``) and the document."""

    kind: str
    body: bytes


class Kept:
    """The answers asked for last, within so many bytes; all of it in one thread."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._answers: OrderedDict[str, Ready] = OrderedDict()
        self._used = 0

    def get(self, key: str) -> Ready | None:
        """Return an answer, which is the last to go then."""
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, key: str, answer: Ready) -> None:
        """Keep an answer, unless it would take an eighth of the room; others make place for it."""
        size = _size(answer)
        if size * 8 > self._room or key in self._answers:
            return
        self._answers[key] = answer
        self._used += size
        while self._used > self._room:
            _, oldest = self._answers.popitem(last=False)
            self._used -= _size(oldest)


def _size(answer: Ready) -> int:
    return len(answer.body) + BESIDES
