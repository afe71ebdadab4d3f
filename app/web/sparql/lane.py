"""Requests to the endpoint take a way of their own, past what only other requests need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, ExceptionHandler, Receive, Scope, Send

from ..headers import DATA_SECURITY, OPEN_TO_ALL, SecurityHeaders
from .endpoint import Endpoint

if TYPE_CHECKING:
    from ..current import Current
    from .desk import QueryDesk

PATHS = ("/sparql", "/sparql/")

_METHODS = ("GET", "HEAD", "POST")


class Lane:
    """A middleware around all others: queries go by it, without routes and with headers made once.

    The same request to the same state gets the very reply that it got before, while that is kept.
    `packer` makes an application one that compresses its answers, `handlers` are those of errors. An error
    that nobody foresaw goes on to the server, as that of any other route: it is the server that logs it.
    """

    def __init__(
        self, app: ASGIApp, packer: Callable[[ASGIApp], ASGIApp], handlers: Mapping[object, ExceptionHandler]
    ) -> None:
        self._app = app
        foreseen = {kind: handler for kind, handler in handlers.items() if kind is not Exception}
        self._plain = SecurityHeaders(
            ExceptionMiddleware(Endpoint(), foreseen), {**DATA_SECURITY, **OPEN_TO_ALL}
        )
        self._packed = packer(self._plain)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a query, or pass another request on."""
        way = self._way(scope)
        if way is self._app:
            await way(scope, receive, send)
            return
        desk: QueryDesk = scope["app"].state.desk
        current: Current = scope["app"].state.current
        reply = desk.replies.get(scope, current.now().digest)
        if reply is None:
            await way(scope, receive, desk.replies.keeping(scope, send))
            return
        await send(reply.start)
        await send(reply.body)

    def _way(self, scope: Scope) -> ASGIApp:
        if scope["type"] != "http" or scope["path"] not in PATHS or scope["method"] not in _METHODS:
            return self._app
        packed = any(name == b"accept-encoding" for name, _ in scope["headers"])
        return self._packed if packed else self._plain
