"""Find the name of a rule or term that a text gives to a citation, from where the name is.

"Trample (702.19)" and "702.19, trample, …" say what this number is about. A name on the line of a number, or
between two commas with it, belongs to that number. A name between two numbers that could belong to either
goes to the one that the rules or the ends of the list suggest, or to neither.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ...ontology.grouping import runs
from .blocks import TextBlock
from .citations import Citation
from .topics import Topics

_WORDS = r"[^\W_][\w'’-]*(?:(?: | ?/ ?|,? and )[^\W_][\w'’-]*){0,4}?"
_BEFORE = re.compile(
    rf"(?P<name>{_WORDS})[\"”’']?(?:(?P<firm>(?P<bracket> ?[(\[] ?"
    r"(?:(?:see|per|cf\.?|under|in|by|formerly|previously) )?)"
    r"|,? (?:is|are|was|were) |,\s?\"(?:cr|rules?|number|citation)\w*\"\s?:\s?\"?)"
    r"|(?:,| ?[:|=–—-]| ?[.…]{2,}) (?:see )?|[:|=]"
    r"|,? (?:(?:is|are) (?:(?:[a-z]+ed|found) )?(?:in|under|at|by)|in|under|per|by|see) | )$"
)
"""A name and what joins it to the number after it; brackets and the like make it `firm`."""

HEADS, EXPLAINED, AFTER, LABEL = "heads", "explained", "after", "label"
"""What a text says with a name, see `Naming`."""

_NOTHING, _ENDED = re.compile(r"\W*"), re.compile(r"[\"”’')\]]?\s*(?:[:;.,!–—-]|\(|$)")
"""The text before and after a label: *CR 100.3 lantern oil: …*."""

_AFTER = re.compile(r"\b(?:after|before|until|following|end of|unlike|from|to) (?:the )?$", re.IGNORECASE)
"""Words that a name may follow: *after the combat phase*."""

_EXPLAINED = re.compile(
    r"(?: [a-z]+)?,? (?:is|are) (?:explained|described|defined|covered|governed|found) (?:in|by|under|at) "
)
_IS = re.compile(r",? (?:is|are) ")
"""What is between a name and the number of the rule that explains it."""

_HEADS = re.compile(r"(?:^|[.!?:] )(?:[Tt]he |[Aa]n? )?$")
"""What is before a name at the beginning of a sentence."""

_KIND = re.compile(r" (?:system|zone|mechanic|keyword|ability)s?$")
"""Words after a name that belong to it: *the layer system*."""

_OF_IT = re.compile(r" (?:from|of|with|for|over) ")
"""What may follow the name in *Protection from red*."""

_SUBJECT = re.compile(rf"(?:^|[.!?] )(?P<name>(?=[A-Z]){_WORDS.removesuffix('?')}).* to $", re.DOTALL)
"""A name at the beginning of a sentence, before a verb that is the name of another rule."""

_OF_A_KIND = re.compile(
    rf"(?:^|[.!?:;,] |\band )(?:(?:[Tt]he|[Aa]n?) )?(?P<name>{_WORDS})"
    r"(?:(?:,? (?:is|are|was|were)|,| ?[:–—-]) | ?[(\[] ?)(?:an?|the|one of the) "
    r"(?:(?!(?:that|which|whose|where|when|with|to|for|by|in|on|from) )[a-z-]+ ){0,4}[a-z-]*$"
)
"""A name before the kind of its thing: *Ward is a keyword ability*, *Ward (a keyword ability*."""

_TITLE_KEY = "(?:title|name|heading|topic|subject|term|keyword)"
_TREATS = (
    r"(?:covers|defines|governs|describes|handles|states|explains|regulates|contains|applies|gives|treats"
    r"|deals with|is about)"
)
_BEHIND = re.compile(
    rf"[)\]]?(?: ?(?P<bracket>[(\[])|(?P<json>\"(?:,[^{{}}]{{1,600}}?)?,\s?\"{_TITLE_KEY}\"\s?:\s?)"
    rf"|,? (?:on|for|about|is|called|{_TREATS}) "
    r"|[:,.] | ?[|=–—-] |[:|=]| )(?:(?:the|an?) )?[\"“‘']?"
    rf"(?P<name>{_WORDS.removesuffix('?')})"
)
"""What joins a number to the name after it, and the name."""

_COMPOUND = re.compile(r"\w-\w+ $")
"""A prefix that makes a name a different one: *State-based effects* are not *effects*."""

_WORD = re.compile(r"[\w'’-]+")
_GOES_ON = re.compile(r" ?(?![NX\d]\b)\w")
"""What follows a part of a longer name: a word, but not an amount as in *mill N* and *annihilator 2*."""

_SENT = re.compile(r"\b(?:per|by|under|according to) (?:rule |CR )?[\w.]+$", re.IGNORECASE)
_APPLIES = re.compile(r" (?:appl(?:y|ies)|holds?)\b")
"""What is around a number and a name that is its whole subject: *per rule 103, the mulligan applies*."""

_RULE = re.compile(r"rule:? ")
_LONGEST = 80
"""How many characters before a number are searched for its name."""

_PARTS = tuple(map(re.compile, ("; ", ", ", " / ", " (?:and|or|&) ")))
"""Separators between the items of a list; the first of these that occurs counts."""


class Naming(NamedTuple):
    """The name of a citation, ``""`` for none; text before `since` or after `until` names others.

    A name is `firm` if brackets or the order of a list show its citation. `said` is `HEADS` if a sentence
    begins with the name, also with the number before it in brackets; `EXPLAINED` if the text says that the
    rule explains it; `LABEL` if a line begins with only these two; and `AFTER` if it follows such words.
    """

    name: str
    firm: bool
    since: int
    until: int
    said: str = ""


class _Name(NamedTuple):
    start: int
    end: int
    firm: bool
    true: bool = False
    said: str = ""


def _after_name(text: str, start: int, topics: Topics) -> int:
    """Return where a citation starts, without a *rule* that ends a name: *Legend rule 704.5k*."""
    cue = _RULE.match(text, start)
    name = cue and name_before(text, max(0, start - _LONGEST), cue.end(), topics)
    return cue.end() if cue and name and name.start < start < name.end else start


def namings(found: Sequence[Citation], topics: Topics) -> list[Naming]:
    """Return the naming of each citation in a block, by the names of rules and terms."""
    text, count = found[0].block.text, len(found)
    ends = [0, *(it.end for it in found)]
    starts = [*(_after_name(text, it.start, topics) for it in found), len(text)]

    def known(it: _Name | None, n: int) -> _Name | None:
        name = text[it.start : it.end] if it else ""
        true = any(topics.is_of(name, number) for number in found[n].numbers)
        said = it and (_labels(found[n].block, it, starts[n], ends[n + 1]) or _said(text, it, starts[n]))
        return it and it._replace(true=true, said=said or "")

    def ahead(n: int, first: int) -> _Name | None:
        start = max(first, starts[n] - _LONGEST)
        return known(name_before(text, start, starts[n], topics, found[n].numbers), n)

    def after(n: int, last: int) -> _Name | None:
        name = _behind(text, ends[n + 1], last, topics)
        if name and text[ends[n + 1]] == "." and _line_of(found[n].block, starts[n])[0] != starts[n]:
            return None  # *701.22. Scry* is a heading, but *By 701.22. Scry …* goes on
        if name and found[n].is_bare:  # *TODO(510.4): …*, *100.3 tokens*
            sign = text[ends[n + 1] : name.start]
            if sign[0] in ")]" or (sign == " " and text[name.start].islower()):
                return None
        return known(name, n)

    cuts = [_cut(found[0].block, *gap) for gap in zip(ends, starts, strict=True)]
    own_before = [ahead(n, cuts[n][1]) for n in range(count)]
    own_behind = [after(n, cuts[n + 1][0]) for n in range(count)]
    before, behind = [*own_before], [*own_behind]
    for n in [n for n in range(count) if not before[n] and not behind[n]]:
        one, two = ahead(n, ends[n]), after(n, starts[n + 1])
        before[n] = None if n and _is_one(own_behind[n - 1], one) else one
        behind[n] = None if n + 1 < count and _is_one(two, own_before[n + 1]) else two
    _decide(before, behind)
    since, until = ends[:-1], starts[1:]
    for n, (one, two) in enumerate(zip(behind, before[1:], strict=False)):
        last, first = cuts[n + 1]
        if text[last:first].startswith(";") and text[first : starts[n + 1]].strip():
            until[n], since[n + 1] = last, first
            continue
        if one and (one.firm or two or last <= first):  # otherwise the text after it may continue it
            since[n + 1] = max(one.end, first)
        if two:
            until[n] = min(two.start, last)
    told = []
    for it, first, last in zip(map(_chosen, before, behind), since, until, strict=True):
        name, firm, said = (text[it.start : it.end], it.firm, it.said) if it else ("", False, "")
        told.append(Naming(name, firm, first, last, said))
    return told


def _chosen(one: _Name | None, two: _Name | None) -> _Name | None:
    """Return the right one of the names before and after a number: a correct one, else the only firm one."""
    both = [it for it in (one, two) if it]
    names = [it for it in both if it.true] or [it for it in both if it.firm] or both
    return names[0] if len(names) == 1 or any(it.true for it in names) else None


def _said(text: str, it: _Name, start: int) -> str:
    """Return in which way a text gives the name of a citation that begins at `start`."""
    is_behind = it.end > start
    is_first = not is_behind and _HEADS.search(text, 0, it.start)
    if _EXPLAINED.fullmatch(text, it.end, start) or (is_first and _IS.fullmatch(text, it.end, start)):
        return EXPLAINED
    if is_first or (is_behind and it.firm):
        return HEADS
    return AFTER if _AFTER.search(text, 0, it.start) else ""


def _labels(block: TextBlock, it: _Name, start: int, end: int) -> str:
    """Return `LABEL` if a line begins with a citation and its name, followed by a sign or the line's end."""
    first, last, text = min(start, it.start), max(end, it.end), block.text
    since, until = _line_of(block, first)
    between = it.end >= start or _NOTHING.fullmatch(text, it.end, start)
    alone = between and _NOTHING.fullmatch(text, since, first) and _ENDED.match(text, last, until)
    goes_on = text[first].islower() and text[:since].rstrip()[-1:].isalpha()  # a sentence, on its next line
    return LABEL if alone and last <= until and not goes_on else ""


def is_heading(citation: Citation, name: str) -> bool:
    """Return whether a line has only a citation and its name, as in a table of contents."""
    text, (since, until) = citation.block.text, _line_of(citation.block, citation.start)
    rest = f"{text[since : citation.start]} {text[citation.end : until]}"
    return not re.search(r"\w", rest.replace(name, "", 1))


def _line_of(block: TextBlock, at: int) -> tuple[int, int]:
    """Return where the line of a place begins and ends in a block."""
    lines, places = block.lines, block.places
    line = bisect_right(lines, places[at])
    since = bisect_left(places, lines[line - 1]) if line else 0
    return since, bisect_left(places, lines[line]) if line < len(lines) else len(block.text)


def _cut(block: TextBlock, start: int, end: int) -> tuple[int, int]:
    """Return where the text between two citations ends for the first, and where it begins for the second.

    These are the ends of their lines, or the only comma; without these, both may be about all of it.
    """
    places, lines = block.places, block.lines
    first, last = (bisect_right(lines, places[at]) for at in (max(start - 1, 0), min(end, len(places) - 1)))
    if first < last:
        return bisect_left(places, lines[first], start, end), bisect_left(places, lines[last - 1], start, end)
    for parts in _PARTS if start > 0 and end < len(places) else ():
        if found := [*parts.finditer(block.text, start, end)]:
            return found[0].span() if len(found) == 1 else (end, start)
    return end, start


def _decide(before: list[_Name | None], behind: list[_Name | None]) -> None:
    """Give each name between two numbers to one of them, by brackets, the rules, and the ends of the list."""
    gaps = [*enumerate(zip(behind, before[1:], strict=False))]
    for n, (one, two) in gaps:
        if one and two and _is_one(one, two) and one.firm != two.firm:
            behind[n], before[n + 1] = (one, None) if one.firm else (None, two)
    shared = [(behind[n], before[n + 1]) for n, _ in gaps if _is_one(behind[n], before[n + 1])]
    lead = sum(bool(two and two.true) - bool(one and one.true) for one, two in shared)
    for first, last in runs(map(_is_one, behind, before[1:])):
        if last > first:
            order = lead + 2 * (bool(before[first]) - bool(behind[last]))
            for n in range(first, last + 1):
                one, two = before[n], behind[n]
                before[n] = one._replace(firm=True) if one and order > 0 else None
                behind[n] = two._replace(firm=True) if two and order < 0 else None


def _is_one(one: _Name | None, two: _Name | None) -> bool:
    return one is not None and two is not None and one.end > two.start


def name_before(text: str, start: int, end: int, topics: Topics, numbers: Sequence[str] = ()) -> _Name | None:
    """Return the longest name that ends directly before a citation.

    If none of its `numbers` belongs to the kind with that name, a name said to be of that kind is better.
    """
    match = _BEFORE.search(text, start, end)
    if not match:
        return None
    begin, close = match.span("name")
    ends = [close, *(it.start() for it in _OF_IT.finditer(text, begin, close) if match["bracket"])]
    if not match["firm"] and (kind := _KIND.search(text, begin, close)):
        ends.append(kind.start())
    firm = match["firm"] is not None
    places = ((it.start(), until) for until in ends for it in _WORD.finditer(text, begin, until))
    at, until = next((it for it in places if topics.called(text[slice(*it)])), (close, close))
    if _COMPOUND.search(text, begin, at):
        return None
    of_kind = {topics.named(it) for it in topics.called(text[at:until])}
    if numbers and of_kind.isdisjoint(map(topics.named, numbers)):
        it = _OF_A_KIND.search(text, start, at)
        if it and topics.called(it["name"]):
            return _Name(*it.span("name"), firm)
    return (_subject(text, start, at, topics) or _Name(at, until, firm)) if at < until else None


def _subject(text: str, start: int, end: int, topics: Topics) -> _Name | None:
    """Return the name at the beginning of a sentence, if a verb follows at `end`."""
    match = _SUBJECT.search(text, start, end)
    begin, close = match.span("name") if match else (end, end)
    for it in reversed([*_WORD.finditer(text, begin, close)]):
        if topics.called(text[begin : it.end()]):
            return _Name(begin, it.end(), False)
    return None


def _behind(text: str, start: int, end: int, topics: Topics) -> _Name | None:
    """Return the longest name that begins directly after a citation."""
    match = _BEHIND.match(text, start, end)
    if not match:
        return None
    begin, firm = match.start("name"), bool(match["bracket"] or match["json"])
    is_sent = _SENT.search(text, 0, start)
    for it in reversed([*_WORD.finditer(text, *match.span("name"))]):
        is_whole = match["bracket"] or not _GOES_ON.match(text, it.end(), end)
        is_whole = is_whole or (is_sent and _APPLIES.match(text, it.end(), end))
        if is_whole and topics.called(text[begin : it.end()]):
            return _Name(begin, it.end(), firm)
    return None
