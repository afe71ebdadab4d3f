"""Addresses of rules documents become sources; a fetch is bounded in size and time."""

from __future__ import annotations

import time
from http.client import HTTPException
from typing import Any
from urllib import request
from urllib.error import HTTPError, URLError

from ..loaders.reading.source import Source, decode
from ..ontology.errors import SourceError

MOST_BYTES = 64 * 1024 * 1024
"""No rules document comes near this size."""

MOST_SECONDS = 60.0
_STALLED_SECONDS = 20.0
_CHUNK = 1 << 16


def is_address(source: str) -> bool:
    """Tell whether a source is a web address rather than a path.

    >>> is_address("https://example.org/rules.txt"), is_address("rules.txt")
    (True, False)
    """
    return source.lower().startswith(("http://", "https://"))


def fetch(address: str) -> Source:
    """Fetch one document into memory.

    Raises `SourceError` when it cannot be had: an answer other than 200, more than 64 MB, more than
    60 seconds in all or 20 without a byte.
    """
    headers = {"User-Agent": "rulesgraph", "Accept": "text/plain, */*;q=0.1"}
    deadline = time.monotonic() + MOST_SECONDS
    try:
        asked = request.Request(address, headers=headers)
        with _opener().open(asked, timeout=_STALLED_SECONDS) as answer:
            data = _read(answer, address, deadline)
    except HTTPError as error:
        error.close()
        raise _refusal(f"the server answered {error.code} {error.reason}", address) from error
    except URLError as error:
        raise _refusal(f"it cannot be fetched: {error.reason}", address) from error
    except (OSError, HTTPException, ValueError) as error:
        raise _refusal(f"it cannot be fetched: {error}", address) from error
    return decode(data, address)


def _opener() -> request.OpenerDirector:
    """Return an opener for web addresses alone: a redirect must not lead to ``ftp:`` or ``file:``."""
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPRedirectHandler,
        request.HTTPDefaultErrorHandler,
        request.HTTPErrorProcessor,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener


def _read(answer: Any, address: str, deadline: float) -> bytes:
    data = bytearray()
    while chunk := answer.read(_CHUNK):
        data += chunk
        if len(data) > MOST_BYTES:
            raise _refusal(f"it is larger than {MOST_BYTES >> 20} MB", address)
        if time.monotonic() > deadline:
            raise _refusal(f"it takes longer than {MOST_SECONDS:.0f} seconds", address)
    return bytes(data)


def _refusal(what: str, address: str) -> SourceError:
    return SourceError(
        what, source=address, way_out="Check the address, or download the file and name its path."
    )
