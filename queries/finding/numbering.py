"""Suggest what an unknown number may mean, and say where it would be."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Sequence

from ...loaders.history.lives import bundled_lives

_NUMBER = re.compile(r"([A-Z]*)(\d+)(?:\.(\d+)([a-z]*))?")

_LIKE = 0.5
"""How like a number another has to be at least, 1 being the same."""


def nearest_numbers(number: str, there: Iterable[str]) -> list[str]:
    """Return those of the same rule or chapter that look alike, and that rule or chapter; three at most.

    >>> nearest_numbers("702.3b", ["702", "702.2", "702.2b", "702.3", "702.3a"])
    ['702.3', '702.3a']
    """
    # Only for what is unknown.
    from difflib import get_close_matches

    known = dict.fromkeys(there)
    above = next((it for it in line(number)[1:] if it in known), "")
    below = [it for it in known if above in line(it)] if above else []
    return list(dict.fromkeys([*get_close_matches(number, below, n=2, cutoff=_LIKE), *below[:1]]))


def place_among(number: str, there: Iterable[str]) -> str:
    """Return a sentence that says where a number would be, ``""`` if nothing has similar numbers.

    >>> rules = ["7", "702", "702.2", "702.2a", "702.3", "702.3b", "704"]
    >>> [place_among(it, rules) for it in ("702.9a", "702.3a", "704.1")]
    ['702 ends at 702.3.', '702.3a would come between 702.3 and 702.3b.', '704 has no parts.']
    >>> [place_among(it, rules) for it in ("999.9", "703.2", "101", "G9")]
    ['The last number is 704.', '703 would come between 702 and 704.', 'The first number is 702.', '']
    >>> place_among("12", rules), place_among("704.0", ["704", "704.1"])
    ('The last number is 7.', '704.0 would come between 704 and 704.1.')
    """
    known = {it for it in there if _series(it) == _series(number)}
    upward = line(number)
    if not known or not upward:
        return ""
    missing, above = number, ""
    for it in upward:
        if it in known:
            above = it
            break
        missing = it
    beside = sorted((it for it in known if line(it)[1:2] == ([above] if above else [])), key=_key)
    return _place(missing, above, beside) or f"The last number is {max(known, key=_key)}."


def elsewhere(number: str, called: str = "it") -> str:
    """Return in a sentence which editions had a number, loaded or not; ``""`` where none had it.

    >>> elsewhere("502.15"), elsewhere("999.9")
    ('Editions from cr-2001-07-23 to cr-2009-05-01 have it: `rulesgraph trace 502.15` follows it.', '')
    """
    held = [standing for _, standing in bundled_lives().holders(number)]
    if not held:
        return ""
    first, last = min(it.first for it in held), held[0].last
    there = f"Editions from {first} to {last} have {called}" if first != last else f"{first} has {called}"
    return f"{there}: `rulesgraph trace {number}` follows it."


def whole_elsewhere(number: str, there: Collection[str]) -> str:
    """Return the same of the rule or chapter that a number would be in, if `there` does not have that.

    >>> whole_elsewhere("420.99", ["408", "500"]).partition(": ")[0], whole_elsewhere("420.99", ["420"])
    ('No edition has it. Editions from cr-1999-04-23 to cr-2009-05-01 have 420', '')
    """
    above = next((it for it in line(number)[1:] if it in there or bundled_lives().holders(it)), "")
    return f"No edition has it. {elsewhere(above, above)}" if above and above not in there else ""


def _place(number: str, above: str, beside: Sequence[str]) -> str:
    """Return where a number would be among its siblings; ``""`` after the very last one."""
    if not beside:
        return f"{above} has no parts."
    place = bisect(beside, _key(number), key=_key)
    if place == len(beside):
        return f"{above} ends at {beside[-1]}." if above else ""
    before = beside[place - 1] if place else above
    if not before:
        return f"The first number is {beside[0]}."
    return f"{number} would come between {before} and {beside[place]}."


def line(number: str) -> list[str]:
    """Return a number and those above it, the nearest first; nothing for what is numbered otherwise.

    >>> line("702.3b"), line("Glossary")
    (['702.3b', '702.3', '702'], [])
    """
    match = _NUMBER.fullmatch(number)
    if not match:
        return []
    series, chapter, rule, part = match.groups()
    top = series + chapter
    return [number, *([f"{top}.{rule}"] if part else []), *([top] if rule else [])]


def _series(number: str) -> tuple[str, bool]:
    """Return what numbers that are counted through have in common: rules have three digits, sections not."""
    match = _NUMBER.fullmatch(number)
    return (match[1], not match[1] and len(match[2]) == 3) if match else (".", False)


def _key(number: str) -> tuple[int, int, int, str]:
    match = _NUMBER.fullmatch(number)
    assert match is not None  # who is asked has a line
    return int(match[2]), int(match[3] or 0), len(match[4] or ""), match[4] or ""
