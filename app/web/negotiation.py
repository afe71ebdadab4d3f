"""Find out what a client prefers, accepts compressed, or has already (RFC 9110, 12.5 and 13.1)."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

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
