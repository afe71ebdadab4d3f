"""Decide who may read a service, and tell browsers what its pages may do.

A page of any site can send requests to this machine, and through its own name that leads here (DNS rebinding)
read the answers. So a service answers only to names that nobody else can have, unless you allow others.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...loaders.http.addresses import in_one_line

_LOG = logging.getLogger(__name__)

ANY = "*"


def access_control(app: ASGIApp, public: str) -> ASGIApp:
    """Return a middleware that refuses requests from elsewhere.

    `public` is the address that everybody may use, `ANY` for any, or nothing. With one, scripts of other
    sites may read as well.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := _refusal(scope["headers"], public)):
            _LOG.info("%s refused: %s", (scope["client"] or [""])[0], in_one_line(refusal))
            refused = PlainTextResponse(f"{refusal}\n", 403, {"Cache-Control": "no-store"})
            await refused(scope, receive, send)
        else:
            await app(scope, receive, send)

    return answer


def _refusal(headers: Iterable[tuple[bytes, bytes]], public: str) -> str:
    """Return why a request with these headers is refused; nothing for one that is answered."""
    told = {name: value.decode("latin-1") for name, value in headers if name in {b"host", b"origin"}}
    host = told.get(b"host", "")
    if host and public != ANY and not _is_ours(_name_of(f"//{host}"), public):
        return f"This service does not answer as {host[:100]}: `--public http://{host[:100]}/` allows it."
    if not public and told.get(b"origin", host).rpartition("://")[2] != host:
        return "Scripts of other sites may not read this service; start it with `--public` to allow that."
    return ""


def _is_ours(name: str, public: str) -> bool:
    if name == "localhost" or (name and name == _name_of(public)):
        return True
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def _name_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'"
)
"""The policy in a page, for hosts that send no headers; a page of one file has its own instead."""

POLICY = f"{PAGE_POLICY}; frame-ancestors 'none'"
"""The policy in the header: a page cannot say itself who may frame it."""

SECURITY = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""The headers of every answer that a browser may show as a page."""

HINT = "SPARQL-Hint"
"""The header that says in plain words why an answer may have no rows."""

EXPOSED = ["ETag", "Link", "Location", "Retry-After", HINT]
"""The headers of an answer that scripts of other hosts may read."""


def security_headers(app: ASGIApp) -> ASGIApp:
    """Return a middleware that adds `SECURITY` to every answer; headers that a route has set stay."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, secured if scope["type"] == "http" else send)

    return answer
