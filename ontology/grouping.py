"""Group pairs by their first element."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

Key = TypeVar("Key")
Member = TypeVar("Member")


def grouped(pairs: Iterable[tuple[Key, Member]]) -> defaultdict[Key, list[Member]]:
    """Return the second parts of pairs by their first, in order; a missing key gives an empty list.

    >>> grouped([("moth", 1), ("lamp", 2), ("moth", 3)])["moth"]
    [1, 3]
    """
    found: defaultdict[Key, list[Member]] = defaultdict(list)
    for key, member in pairs:
        found[key].append(member)
    return found
