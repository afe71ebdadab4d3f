"""Whole replies, headers and all, for who sends the very same request to the same state of the store."""

from __future__ import annotations

from typing import NamedTuple

from starlette.types import Message, Scope, Send

from .kept import Kept

_TELLING = frozenset((b"accept", b"accept-encoding"))
"""The headers, besides the query, that a reply depends on."""

_CONDITION = b"if-none-match"
"""Who sends this may need no answer at all, which others decide."""

_DIGEST = "digest"


class WholeReply(NamedTuple):
    """The two messages that a server is given for an answer in one piece; nobody changes them."""

    start: Message
    body: Message


class Replies:
    """Replies to requests by GET that were answered before, within `room` bytes; all of it in one thread."""

    def __init__(self, room: int) -> None:
        self._kept: Kept[WholeReply] = Kept(room)

    def get(self, scope: Scope, digest: str) -> WholeReply | None:
        """Return the reply that the state of a digest gave to such a request before."""
        key = _key(scope, digest)
        return None if key is None else self._kept.get(key)

    def keeping(self, scope: Scope, send: Send) -> Send:
        """Return what sends on the answer to a request, and keeps it where it `depends` on a state alone."""
        noted = scope.setdefault("state", {})
        start: Message | None = None

        async def keep(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message if message["status"] == 200 and _DIGEST in noted else None
            elif start is not None:
                key = None if message.get("more_body") else _key(scope, noted[_DIGEST])
                if key is not None:
                    told = sum(len(name) + len(value) for name, value in start["headers"])
                    self._kept.put(key, WholeReply(start, message), len(key) + told + len(message["body"]))
                start = None
            await send(message)

        return keep


def depends(scope: Scope, digest: str) -> None:
    """Note that the answer to a request is that of the state of a digest, whoever asks, by whatever name."""
    scope.setdefault("state", {})[_DIGEST] = digest


def _key(scope: Scope, digest: str) -> bytes | None:
    """Return what tells a request from others; None for one that is never answered alike."""
    if scope["method"] != "GET":
        return None
    signs = [digest.encode(), scope["query_string"]]
    for name, value in scope["headers"]:
        if name in _TELLING:
            signs += name, value
        elif name == _CONDITION:
            return None
    return b"\n".join(signs)
