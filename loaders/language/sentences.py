"""Split running text into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_CLOSING = "”\"’')]"
_ENDS = re.compile(r"[.!?](?:[\"'”’)\]]*)(?=\s+[\"'“‘(\[{]*[A-Z0-9{])|\n")
"""Where a sentence may end: a mark, closing characters after it, and a possible beginning of the next."""

_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|incl|St|Dr|Mr|Mrs|Ms|Inc|Co)\.|(?:^\s*|[:;]\s)\(?\d{1,2}\.)$",
    re.IGNORECASE,
)
"""Words that end in a dot, and the numbers of a list's items."""

_NUMBERED = re.compile(r"\bNo\.$")

_OPENS_OR_CLOSES = re.compile(r"[\"“”()\n]")
_LONGEST_ASIDE = 600
"""The length above which open quotes and brackets are slips of the source."""


def ends_paragraph(text: str) -> bool:
    """Return whether `text` ends like a paragraph: with a stop, a colon, a bracket or a quote."""
    return text.endswith((")", "]", "”", '"', "\ufffd")) or text.rstrip(_CLOSING + "\ufffd").endswith(
        (".", "!", "?", ":", "…")
    )


def ends_sentence(text: str) -> bool:
    """Return whether `text` ends with a stop, a question or an exclamation mark, and closing characters."""
    return text.rstrip(_CLOSING).endswith((".", "!", "?"))


@lru_cache(maxsize=1 << 14)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences of `text`, in order, without the white space between them.

    A sentence does not end inside quotes or brackets that close again, after an abbreviation, or at the
    dot of a number.

    >>> [("A lamp (see 1.2) burns. It dims."[a:b]) for a, b in sentences("A lamp (see 1.2) burns. It dims.")]
    ['A lamp (see 1.2) burns.', 'It dims.']
    """
    return tuple(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    asides: list[tuple[int, int]] | None = None
    start = 0
    for match in _ENDS.finditer(text):
        if match[0] != "\n":
            mark = match.start()
            asides = _asides(text) if asides is None else asides
            if any(opened < mark and match.end() <= closed for opened, closed in asides):
                continue
            before = text[start : mark + 1]
            if _NO_END.search(before) or (_NUMBERED.search(before) and _next_is_digit(text, match.end())):
                continue
        yield from _stripped(text, start, match.end())
        start = match.end()
    yield from _stripped(text, start, len(text))


def sentence_at(text: str, place: int) -> str:
    """Return the sentence that contains the code point at `place`."""
    return next((text[start:end] for start, end in sentences(text) if place < end), "")


def _asides(text: str) -> list[tuple[int, int]]:
    """Return the spans inside quotes and brackets that open and close again: (after `"`, after `"`)."""
    asides: list[tuple[int, int]] = []
    quote = -1
    brackets: list[int] = []
    for match in _OPENS_OR_CLOSES.finditer(text):
        place, char = match.start(), match[0]
        if char == "\n":
            quote, brackets = -1, []
        elif char == "“" or (char == '"' and _opens_quote(text, place)):
            quote = place
        elif char in '"”':
            if quote >= 0:
                asides.append((quote, place))
                quote = -1
        elif char == "(":
            brackets.append(place)
        elif brackets:
            asides.append((brackets.pop(), place))
    return [(a, b) for a, b in asides if b - a <= _LONGEST_ASIDE]


def _opens_quote(text: str, place: int) -> bool:
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    return (not before or before in " \t([—-/'") and after not in ("", " ")


def _next_is_digit(text: str, place: int) -> bool:
    return text[place:].lstrip()[:1].isdigit()


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
