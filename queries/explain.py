"""Texts fall into sentences, and a place in a text is shown by the sentence that it stands in."""

from __future__ import annotations

import re

_ENDS = re.compile(r"[.!?](?:[\"'”’)\]]*)(?=\s+[\"'“‘(\[{]*[A-Z0-9{])|\n")
"""Where a sentence may end: a mark, what closes behind it, and something that may begin the next."""

_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|incl|St|Dr|Mr|Mrs|Ms|Inc|Co)\.|(?:^\s*|[:;]\s)\(?\d{1,2}\.)$",
    re.IGNORECASE,
)
"""Words with a dot of their own, and the numbers of a list's items."""

_NUMBERED = re.compile(r"\bNo\.$")
_POINTER = re.compile(r"\W*(?:(?:Also )?see|For (?:more|details|further)|Refer to)\b", re.IGNORECASE)
_BACK_REFERENCE = re.compile(
    r"\W*(?:This|That|These|Those)(?: [\"“][^\"”]{1,30}[\"”])? (?:is|are)\b", re.IGNORECASE
)
_LONGEST_ASIDE = 600
"""Quotes and brackets that stay open for longer than this are taken for slips of the source."""


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences of `text`, in order, without the white space between them.

    A sentence does not end inside quotes or brackets that close again, after an abbreviation, or at the
    dot of a number.

    >>> [("A lamp (see 1.2) burns. It dims."[a:b]) for a, b in sentences("A lamp (see 1.2) burns. It dims.")]
    ['A lamp (see 1.2) burns.', 'It dims.']
    """
    asides = _asides(text)
    spans = []
    start = 0
    for match in _ENDS.finditer(text):
        if match[0] != "\n":
            mark = match.start()
            if any(opened < mark and match.end() <= closed for opened, closed in asides):
                continue
            before = text[start : mark + 1]
            if _NO_END.search(before) or (_NUMBERED.search(before) and _next_is_digit(text, match.end())):
                continue
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    return tuple(span for a, b in spans if (span := _stripped(text, a, b))[0] < span[1])


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the sentence or sentences that the span `start`, `end` stands in, white space folded.

    A sentence that only points elsewhere ("See rule 1.2.") comes with the one before it, which is what
    it is said about, and so does one that speaks of what was just said ("This is a check.").

    >>> sentence_around("It dies. This is a check. See 1.2.", 30, 33)
    'It dies. This is a check. See 1.2.'
    """
    spans = sentences(text)
    first = last = None
    for index, (a, b) in enumerate(spans):
        if a < end and start < b:
            first = index if first is None else first
            last = index
    if first is None or last is None:
        return fold(text)
    for leaning in (_POINTER, _BACK_REFERENCE):
        if first == 0 or _parted(text, spans[first - 1], spans[first]):
            break
        if leaning.match(text, spans[first][0]):
            first -= 1
    return fold(text[spans[first][0] : spans[last][1]])


def fold(text: str) -> str:
    """Fold every run of white space to one space."""
    return " ".join(text.split())


def _asides(text: str) -> list[tuple[int, int]]:
    """Return the spans inside quotes and brackets that open and close again: (after `"`, after `"`)."""
    asides: list[tuple[int, int]] = []
    quote = -1
    brackets: list[int] = []
    for place, char in enumerate(text):
        if char == "\n":
            quote, brackets = -1, []
        elif char == '"':
            opens = (
                (place == 0 or text[place - 1] in " \t([—-/'")
                and place + 1 < len(text)
                and text[place + 1] != " "
            )
            if opens:
                quote = place
            elif quote >= 0:
                asides.append((quote, place))
                quote = -1
        elif char == "“":
            quote = place
        elif char == "”" and quote >= 0:
            asides.append((quote, place))
            quote = -1
        elif char == "(":
            brackets.append(place)
        elif char == ")" and brackets:
            asides.append((brackets.pop(), place))
    return [(a, b) for a, b in asides if b - a <= _LONGEST_ASIDE]


def _parted(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether two sentences stand in different paragraphs."""
    return "\n" in text[one[1] : other[0]]


def _next_is_digit(text: str, place: int) -> bool:
    return text[place:].lstrip()[:1].isdigit()


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
