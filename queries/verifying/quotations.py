"""Words in quotes, and blocks of quotation, become those that a citation beside them vouches for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from .citations import Citation
from .passages import TextBlock

_QUOTED = re.compile(
    r"“(?P<curly>[^“”]{1,3000}(?:“[^“”]{0,300}”[^“”]{0,3000})*)”"
    r"|(?<!\w)\"(?=\S)(?P<straight>[^\"]{1,3000}?)(?<=\S)\"(?!\w)"
    r"|«\s?(?P<angled>[^«»]{1,3000}?)\s?»"
    r"|(?<!\w)‘(?P<single>[^‘“”\"]{8,600}?)’(?!\w)"
    r"|(?<![\w'])'(?=\S)(?P<plain>(?:[^'\"]|(?<=\w)'(?=\w)){8,600}?)(?<=\S)'(?!\w)"
)
_INTRODUCES = re.compile(
    r"(?:\s?\([^()]{1,60}\))?\W{0,3}(?:(?:which|that|it|the text|also|clearly|explicitly|only|still)\s)?"
    r"(?:says?|states?|reads?|reading|stating|saying|tells?(?:\sus)?|provides?|specifies|explains?|defines?"
    r"|puts it|notes?|goes|begins|starts|ends|writes|confirms?|clarifies|adds|is|has|as follows|quote|text)?"
    r"(?:\s(?:that|as follows|in part|explicitly|clearly|so|us|with|the words|reads|in full|simply))*\W{0,4}"
)
_ATTRIBUTES = re.compile(
    r"\W{0,4}(?:(?:per|as\sper|as|from|in|under|by|according\sto|says|cf\.?|reads|source|quoting"
    r"|quoted\sfrom|this\sis|that\sis|that's|it's|is|the\stext\sof|to\squote|states|so)\W{1,3}){0,3}",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\W{0,3}(?:and|or|but|then|also|as well as)?\W{0,3}")
_OWN_WORDS = re.compile(r"[.:]?\)?\s*(?:[-–—:]\s*)?(?=[A-Z“\"{+-])")


def _with_quotes(found: list[Citation], text: str) -> list[Citation]:
    """Give each citation of a passage the words in quotes that belong to it: behind it, or before it."""
    if not found:
        return found
    quotes: dict[int, list[str]] = {}
    last: tuple[int, int] | None = None
    for start, end, words in _quoted(text):
        if any(it.start <= start < it.end for it in found):
            continue
        owner = _owner(found, text, start, end)
        if owner is None and last is not None and _ADDS.fullmatch(text, last[1], start):
            owner = last[0]
        if owner is not None:
            quotes.setdefault(owner, []).append(words)
            last = owner, end
    return [replace(it, quotes=tuple(quotes.get(n, ()))) for n, it in enumerate(found)]


def _quoted(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _QUOTED.finditer(text):
        yield match.start(), match.end(), match[match.lastgroup or 0]


def _owner(found: list[Citation], text: str, start: int, end: int) -> int | None:
    """Return which citation the words between `start` and `end` are quoted beside."""
    before = [n for n, it in enumerate(found) if it.end <= start]
    near = before and start - found[before[-1]].end <= 90
    if near and _INTRODUCES.fullmatch(text, found[before[-1]].end, start):
        return before[-1]
    after = next((n for n, it in enumerate(found) if it.start >= end), None)
    near = after is not None and found[after].start - end <= 40
    return (
        after if after is not None and near and _ATTRIBUTES.fullmatch(text, end, found[after].start) else None
    )


def with_quotations(passages: Iterable[tuple[TextBlock, list[Citation]]]) -> Iterator[Citation]:
    """Yield all citations; a block of quotation belongs to the citation that heads or announces it."""
    announced: Citation | None = None
    for passage, found in passages:
        own = _with_quotes(found, passage.text)
        if passage.quoted and not any(it.quotes for it in own):
            head = _OWN_WORDS.match(passage.text, own[0].end) if own and own[0].start <= 2 else None
            if head:
                own[0] = replace(own[0], quotes=(passage.text[head.end() :].strip(),), plain_title="")
            elif announced is not None and not own:
                yield replace(announced, quotes=(passage.text.strip(),))
                announced = None
                continue
        if announced is not None:
            yield announced
            announced = None
        last = own[-1] if own else None
        ends = last is not None and not last.quotes and len(passage.text) - last.end <= 30
        if last is not None and ends and not passage.quoted and _INTRODUCES.fullmatch(passage.text, last.end):
            announced = own.pop()
        yield from own
    if announced is not None:
        yield announced
