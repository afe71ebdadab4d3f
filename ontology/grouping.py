"""Group pairs by their first element, cut sequences into batches and runs, and count in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

Key = TypeVar("Key")
Member = TypeVar("Member")


def grouped(pairs: Iterable[tuple[Key, Member]]) -> defaultdict[Key, list[Member]]:
    """Return the second parts of pairs by their first parts, in order; a missing key gives an empty list.

    >>> grouped([("moth", 1), ("lamp", 2), ("moth", 3)])["moth"]
    [1, 3]
    """
    found: defaultdict[Key, list[Member]] = defaultdict(list)
    for key, member in pairs:
        found[key].append(member)
    return found


def counted(number: int, noun: str) -> str:
    """Return a number with the noun it counts; the plural ends in ``s``.

    >>> counted(1, "row"), counted(2000, "more row")
    ('1 row', '2,000 more rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_article(name: str) -> str:
    """Return a name with its article.

    >>> with_article("evasion ability"), with_article("rule")
    ('an evasion ability', 'a rule')
    """
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def in_a_list(names: Sequence[str], most: int = 3) -> str:
    """Return names as a list in a sentence: the first ones, and how many more there are.

    >>> in_a_list(["Trample"]), in_a_list(["Trample", "Reach", "Haste"]), in_a_list("abcd", 2)
    ('Trample', 'Trample, Reach and Haste', 'a, b and 2 more')
    """
    left_out = len(names) - len(names[:most])
    *first, last = [*names[:most], *([f"{left_out} more"] if left_out else [])] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def from_to(first: str, last: str) -> str:
    """Return in words the time from one edition or year to another, both included.

    >>> from_to("cr-2008-02-01", "cr-2009-05-01"), from_to("2008", "2008")
    ('from cr-2008-02-01 to cr-2009-05-01', 'in 2008')
    """
    return f"in {first}" if first == last else f"from {first} to {last}"


def batches(items: Sequence[Member], size: int) -> Iterator[Sequence[Member]]:
    """Yield the items in batches of at most `size`.

    >>> [*batches("moths", 2)]
    ['mo', 'th', 's']
    """
    return (items[start : start + size] for start in range(0, len(items), size))


def runs(joined: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of each run of things; `joined` says which continue with the next.

    >>> [*runs([True, False, True, True])]
    [(0, 1), (2, 4)]
    """
    first = 0
    for place, goes_on in enumerate((*joined, False)):
        if not goes_on:
            yield first, place
            first = place + 1
