"""Find the name of a rule or a term that a text gives to a citation, by the place of the name.

"Trample (702.19)" and "702.19, trample, …" say what this number is about, and no other. A name that may
belong to the citation before or to the one after it belongs to neither, unless the ends of their list show
which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .citations import Citation

_WORDS = r"[^\W_][\w'’-]*(?:(?: | ?/ ?|,? and )[^\W_][\w'’-]*){0,4}?"
_BEFORE = re.compile(
    rf"(?P<name>{_WORDS})[\"”’']?(?:(?P<bracket> ?[(\[] ?(?:(?:see|per|cf\.?|under|in|by) )?)"
    r"|(?:,| ?[:|=–—-]) (?:see )?|,? (?:(?:is|are)(?: (?:in|under|at|by))?|in|under|per|by|see) | )$"
)
_BEHIND = re.compile(
    r"(?: ?(?P<bracket>[(\[])|,? (?:on|for|about|is|covers|defines|governs|describes|called) "
    r"|[:,] | ?[|=–—-] | (?=[A-Z]))(?:(?:the|an?) )?[\"“‘']?"
    rf"(?P<name>{_WORDS.removesuffix('?')})"
)
_WORD = re.compile(r"[\w'’-]+")
_GOES_ON = re.compile(r" ?\w")
_LONGEST = 80


class Naming(NamedTuple):
    """The name of a citation, ``""`` for none; text before `since` or from `until` on names others.

    A name is `firm` if brackets, or the order of a list, show its citation.
    """

    name: str
    firm: bool
    since: int
    until: int


class _Name(NamedTuple):
    start: int
    end: int
    firm: bool


def namings(found: Sequence[Citation], is_name: Callable[[str], bool]) -> list[Naming]:
    """Return the naming of each citation of one passage; `is_name` knows the names of rules and terms."""
    text, count = found[0].passage.text, len(found)
    ends = [0, *(it.end for it in found)]
    starts = [*(it.start for it in found), len(text)]
    before = [_before(text, max(ends[n], starts[n] - _LONGEST), starts[n], is_name) for n in range(count)]
    behind = [_behind(text, ends[n], starts[n], is_name) for n in range(1, count + 1)]
    _decide(before, behind)
    since, until = ends[:-1], starts[1:]
    for n, (one, two) in enumerate(zip(behind, before[1:], strict=False)):
        if one and (one.firm or two):  # else the following text may continue it
            since[n + 1] = one.end
        if two:
            until[n] = two.start
    told = []
    for n, (one, two) in enumerate(zip(before, behind, strict=True)):
        names = [it for it in (one, two) if it and it.firm] or [it for it in (one, two) if it]
        name = text[names[0].start : names[0].end] if len(names) == 1 else ""
        told.append(Naming(name, bool(name) and names[0].firm, since[n], until[n]))
    return told


def _decide(before: list[_Name | None], behind: list[_Name | None]) -> None:
    """Give each name between two numbers to one of them, according to brackets or the ends of the list."""
    for n, (one, two) in enumerate(zip(behind, before[1:], strict=False)):
        if one and two and _is_one(one, two) and one.firm != two.firm:
            behind[n], before[n + 1] = (one, None) if one.firm else (None, two)
    first = 0
    while first < len(before):
        last = first
        while last + 1 < len(before) and _is_one(behind[last], before[last + 1]):
            last += 1
        if last > first:
            leads, trails = before[first], behind[last]
            for n in range(first, last + 1):
                one, two = before[n], behind[n]
                before[n] = one._replace(firm=True) if one and leads and not trails else None
                behind[n] = two._replace(firm=True) if two and trails and not leads else None
        first = last + 1


def _is_one(one: _Name | None, two: _Name | None) -> bool:
    return one is not None and two is not None and one.end > two.start


def _before(text: str, start: int, end: int, is_name: Callable[[str], bool]) -> _Name | None:
    """Return the longest name that ends directly before a citation."""
    match = _BEFORE.search(text, start, end)
    if not match:
        return None
    for it in _WORD.finditer(text, *match.span("name")):
        if is_name(text[it.start() : match.end("name")]):
            return _Name(it.start(), match.end("name"), match["bracket"] is not None)
    return None


def _behind(text: str, start: int, end: int, is_name: Callable[[str], bool]) -> _Name | None:
    """Return the longest name that begins directly after a citation."""
    match = _BEHIND.match(text, start, end)
    if not match:
        return None
    begin, firm = match.start("name"), match["bracket"] is not None
    for it in reversed([*_WORD.finditer(text, *match.span("name"))]):
        if is_name(text[begin : it.end()]) and (firm or not _GOES_ON.match(text, it.end())):
            return _Name(begin, it.end(), firm)
    return None
