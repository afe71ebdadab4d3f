"""Choose the media type that a client prefers by its `Accept` header (RFC 9110, 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_RANGE = re.compile(r"\s*([\w!#$&^.+*-]+)/([\w!#$&^.+*-]+)\s*((?:;[^;]*)*)\Z")
_QUALITY = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*\Z", re.IGNORECASE)
_PARTS = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*\Z)')
"""Commas outside of quoted strings."""

_LONGEST = 4_000
"""Characters of a header that are looked at."""


class _Range(NamedTuple):
    kind: str
    subtype: str
    quality: float

    def fits(self, media: str) -> int:
        """Return how narrowly the range names a media type, from 1 to 3; 0 when it does not."""
        kind, _, subtype = media.partition("/")
        if (self.kind, self.subtype) == (kind, subtype):
            return 3
        if (self.kind, self.subtype) == (kind, "*"):
            return 2
        return int((self.kind, self.subtype) == ("*", "*"))


def preferred(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the media type that fits a header best; None when none does.

    The narrowest range that names a type tells its quality. Among the best, one that is named beats one
    that a wildcard lets in, and an earlier offer a later one. Without a header the first offer is taken.
    Parameters of ranges, other than ``q``, do not count; a range that cannot be read is passed over.

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
        fitting = [(wanted.fits(offer), wanted.quality) for wanted in ranges if wanted.fits(offer)]
        if fitting:
            narrowness, quality = max(fitting)
            if quality and (quality, narrowness) > rank:
                best, rank = offer, (quality, narrowness)
    return best


def _read(part: str) -> _Range | None:
    match = _RANGE.match(part)
    if not match:
        return None
    quality = 1.0
    for parameter in match[3].split(";"):
        if parameter.strip().lower().startswith("q"):
            found = _QUALITY.match(parameter)
            quality = float(found[1]) if found else quality
    return _Range(match[1].lower(), match[2].lower(), quality)
