"""Set the security headers of answers, and compare entity tags."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'"
)
"""What a page says itself, for hosts that send no headers; a page of one file has one of its own instead."""

POLICY = f"{PAGE_POLICY}; frame-ancestors 'none'"
"""What the header says: a page cannot say itself who may frame it."""

SECURITY = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What every answer says that a browser may show as a page."""

EXPOSED = ["ETag", "Link", "Location", "Retry-After"]
"""What scripts of other hosts may read of an answer."""


class SecurityHeaders:
    """Adds the headers of `SECURITY` to every answer; those that a route has set stay."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, secured if scope["type"] == "http" else send)


def has_already(request: Request, etag: str) -> bool:
    """Return whether a client says that it has what an entity tag stands for.

    Tags are compared weakly, as is laid down for `If-None-Match`; ``*`` fits each.
    """
    given = [it.strip().removeprefix("W/") for it in request.headers.get("if-none-match", "").split(",")]
    return etag.removeprefix("W/") in given or given == ["*"]
