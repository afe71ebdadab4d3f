"""Addresses of rules documents become sources; a fetch is bounded in size and time."""

from __future__ import annotations

import re

from ..loaders.http.shown import without_password
from ..loaders.reading.source import LARGEST, Source, decode
from ..ontology.errors import SourceError

_MOST_SECONDS = 60.0
_STALLED_SECONDS = 20.0
_MOST_REDIRECTS = 10


def is_address(source: str) -> bool:
    """Tell whether a source is an address, of the web or not, rather than a path.

    >>> is_address("https://example.org/rules.txt"), is_address("file:rules.txt"), is_address("rules.txt")
    (True, True, False)
    """
    return re.match(r"(?i)[a-z][a-z0-9+.-]*://|(?:https?|file|ftp):", source) is not None


def fetch(address: str) -> Source:
    """Fetch one document into memory; its name is the address without user and password.

    Raises `SourceError` when it cannot be had: an address that is not of the web, an answer other than
    200 or cut short, more than 16 MB, more than 60 seconds in all or 20 without a byte.
    """
    from ..loaders.http.exchange import Bounds, ExchangeError, Request, exchange

    name = without_password(address)
    request = Request(address, headers={"Accept": "text/plain, */*;q=0.1"}, redirects=_MOST_REDIRECTS)
    try:
        answer = exchange(request, Bounds(LARGEST, _MOST_SECONDS, _STALLED_SECONDS))
    except ExchangeError as error:
        raise _refusal(f"it cannot be fetched: {error}", name) from error
    if answer.status != 200:
        raise _refusal(f"the server answered {answer.status} {answer.reason}".rstrip(), name)
    return decode(answer.body, name)


def _refusal(what: str, name: str) -> SourceError:
    return SourceError(
        what, source=name, way_out="Check the address, or download the file and name its path."
    )
