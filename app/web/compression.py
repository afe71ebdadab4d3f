"""Compress answers for clients that accept gzip: as they are sent, or once where they are cached."""

from __future__ import annotations

import gzip
import re

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

SMALLEST = 600
"""Bytes from which on an answer is compressed."""

_ON_THE_WAY, _TO_KEEP = 5, 9
"""How hard zlib tries."""

_NOTHING = re.compile(r"q\s*=\s*0(?:\.0{0,3})?\Z", re.IGNORECASE)


def takes_gzip(header: str | None) -> bool:
    """Tell whether a client whose `Accept-Encoding` this is takes gzip (RFC 9110, 12.5.3).

    >>> takes_gzip("br, GZIP;q=0.5"), takes_gzip("gzip;q=0, *"), takes_gzip("*"), takes_gzip(None)
    (True, False, True, False)
    """
    taken = {}
    for part in (header or "").split(","):
        name, _, weight = part.partition(";")
        taken[name.strip().lower()] = not _NOTHING.match(weight.strip())
    return taken.get("gzip", taken.get("x-gzip", taken.get("*", False)))


def compressed(body: bytes) -> bytes:
    """Return what is kept to be given out many times, compressed; the same bytes for the same."""
    return gzip.compress(body, _TO_KEEP, mtime=0)


class Packing:
    """A middleware that compresses answers for who takes that, but those that are compressed already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=_ON_THE_WAY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] == "http" and not takes_gzip(Headers(scope=scope).get("accept-encoding")):
            # Starlette looks for the word alone, even where it stands to be refused.
            kept = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope = {**scope, "headers": kept}
        await self._app(scope, receive, send)
