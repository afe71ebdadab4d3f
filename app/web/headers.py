"""Read the headers of requests, and write those of answers.

They say what a client prefers, accepts compressed, or has already (RFC 9110, 12.5 and 13.1), who may read a
service, and what its pages may do in a browser. A page of any site can send requests to this machine, and
through its own name that leads here (DNS rebinding) read the answers. So a service answers only to names that
nobody else can have, unless you allow others.
"""

from __future__ import annotations

import gzip
import ipaddress
import logging
import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...loaders.http.addresses import in_one_line

_RANGE = re.compile(r"\s*([\w!#$&^.+*-]+)/([\w!#$&^.+*-]+)\s*((?:;[^;]*)*)\Z")
_QUALITY = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*\Z", re.IGNORECASE)
_PARTS = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*\Z)')
"""Commas outside of quoted strings."""

_LONGEST = 4_000
"""The number of characters of a header that are read."""


def preferred(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the media type that fits a header best; None if none does.

    The narrowest range that names a type gives its quality. Among the best, one that is named beats one that
    a wildcard admits, and an earlier offer a later one. Without a header the first offer is taken. Parameters
    of ranges, other than ``q``, do not count; an invalid range is skipped.

    >>> preferred("text/html;q=0.5, application/*", ["text/html", "application/json"])
    'application/json'
    >>> preferred("*/*, text/turtle", ["application/json", "text/turtle"])
    'text/turtle'
    >>> preferred("*/*, text/html;q=0", ["text/html"])
    """
    if accept is None or not accept.strip():
        return offers[0]
    ranges = [found for part in _PARTS.split(accept[:_LONGEST]) if (found := _read(part))]
    best, rank = None, (0.0, 0)
    for offer in offers:
        # How narrowly ranges name it, with the quality that each gives it.
        narrow = {"*/*": 1, f"{offer.partition('/')[0]}/*": 2, offer: 3}
        fitting = [(narrow[wanted], quality) for wanted, quality in ranges if wanted in narrow]
        if fitting:
            narrowness, quality = max(fitting)
            if quality and (quality, narrowness) > rank:
                best, rank = offer, (quality, narrowness)
    return best


def _read(part: str) -> tuple[str, float] | None:
    """Return a range and its quality; None for anything else."""
    match = _RANGE.match(part)
    if not match:
        return None
    quality = 1.0
    for parameter in match[3].split(";"):
        if found := _QUALITY.match(parameter):
            quality = float(found[1])
    return f"{match[1]}/{match[2]}".lower(), quality


SMALLEST = 600
"""The size in bytes from which an answer is compressed."""

_ON_THE_WAY, _TO_KEEP = 5, 9
"""The compression level of zlib."""


def takes_gzip(header: str | None) -> bool:
    """Return whether a client with this `Accept-Encoding` accepts gzip (RFC 9110, 12.5.3).

    >>> takes_gzip("br, GZIP;q=0.5"), takes_gzip("gzip;q=0, *"), takes_gzip("*"), takes_gzip(None)
    (True, False, True, False)
    """
    taken = {}
    for part in (header or "").split(","):
        name, _, weight = part.partition(";")
        quality = _QUALITY.match(weight)
        taken[name.strip().lower()] = quality is None or float(quality[1]) > 0
    return taken.get("gzip", taken.get("x-gzip", taken.get("*", False)))


def compressed(body: bytes) -> bytes:
    """Return cached content compressed; the same bytes for the same content."""
    return gzip.compress(body, _TO_KEEP, mtime=0)


def packing(app: ASGIApp) -> ASGIApp:
    """Return a middleware that compresses answers for clients that accept it, unless that is done already."""
    packed = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=_ON_THE_WAY)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not takes_gzip(Headers(scope=scope).get("accept-encoding")):
            # Starlette looks only for the word, even where it is refused.
            kept = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope = {**scope, "headers": kept}
        await packed(scope, receive, send)

    return answer


def has_already(request: Request, etag: str) -> bool:
    """Return whether a client has the content of an entity tag.

    Tags are compared weakly, as specified for `If-None-Match`; ``*`` fits each.
    """
    given = [it.strip().removeprefix("W/") for it in request.headers.get("if-none-match", "").split(",")]
    return etag.removeprefix("W/") in given or given == ["*"]


# -- who may read, and what pages may do -------------------------------------------------------------

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
