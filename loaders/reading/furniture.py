"""Find the text around a document: page numbers, headers and footers, titles and links of a site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from ..language.words import ends_paragraph, ends_sentence, fold
from .glossary import is_heading
from .lines import NO_PAGES, Pagination

_OF = r"\d+\s*(?:/|of)\s*\d+"
_PART = rf"(?:part|chapter|page)\s+(?:{_OF}|\d+(?:\s*[(\[]?\s*{_OF}\s*[)\]]?)?)"  # Part 29 (1/2)
_NEXT = r"\W*(?:(?:prev(?:ious)?|next)(?:\s+(?:chapter|page|part))?\W*)+"
_HOST = r"(?:www\.)?[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|io|me|co|to|cc|xyz|online|site)"
_SITE = re.compile(
    rf".{{0,80}}\b(?:rules|rulebook)\b\W{{0,5}}{_PART}(?:\W{{1,5}}.{{0,40}})?"  # Lantern Rules - Part 13
    rf"|.{{0,80}}\s[-–—|]\s{_HOST}"  # Lantern Rules - oarnovel.com
    r"|.*(?:\b(?:read(?:ing)?|latest|favou?rite|updated?)\b.*\b(?:light |web )?(?:novels?|manga)\b"
    r"|\bfollow button\b|\bF11\b|\bfull-screen\b|\bbookmark\b|\bleave (?:a |more |your )?comments?\b"
    r"|\b(?:manga|novels?)\b.*\b(?:online|website|translated|free)\b|\breport chapter\b|\barrow keys\b).*",
    re.IGNORECASE,
)
"""What only a site says: its name or the number of a part after the title, and talk to its readers."""

_LINK = re.compile(rf"{_PART}|{_HOST}|{_NEXT}", re.IGNORECASE)
"""What else a site may say."""

_HEAD, _FOOT = 15, 40
"""How many lines at the head and the foot of a page are searched for the name of a site."""

_TALK = 600
"""The maximum number of characters in a site's message: the pattern is slow on an endless line."""

_LONGEST = 80
"""The maximum number of characters in a line without a sentence, such as links and titles of other texts."""

_AROUND = re.compile(
    rf"(?:.{{0,50}}\b)?{_PART}"
    rf"|{_OF}|\W*\d+\W*"  # 3/12, - 3 -
    rf"|{_NEXT}"
    r"|(?:https?://|www\.)\S+"
    r"|magic\b.{0,40}\b(?:rules|rulebook)"
    r"|(?:table of )?contents|glossary|advertisement|[\W_]+",
    re.IGNORECASE,
)
"""What a site that does not name itself, or a book, puts around a part of a glossary."""


def is_furniture(text: str) -> bool:
    """Return whether a line or paragraph of a glossary was put around its text.

    >>> [is_furniture(line) for line in ("Lantern Rules Part 29 (1/2)", "- 3 -", "Next Page", "A part")]
    [True, True, True, False]
    """
    return len(text) <= _LONGEST and bool(_AROUND.fullmatch(text))


def find_frame(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines, from 1, that a reading site put around its page.

    There are none if the site does not name itself. Otherwise its words and links are furniture wherever they
    are; so is any short line between two of them, above the first at the head of the page, or below the last
    at its foot, if no sentence of the text is in between.
    """
    ends = (
        *islice(filter(None, map(fold, lines)), _HEAD),
        *islice(filter(None, map(fold, reversed(lines))), _FOOT),
    )
    if not any(map(_is_of_site, ends)):
        return frozenset()
    return frozenset(
        _framed([(number, words) for number, line in enumerate(lines, 1) if (words := fold(line))])
    )


def _framed(written: Sequence[tuple[int, str]]) -> Iterator[int]:
    between: list[int] | None = []
    """The short lines since the last line of the site, or since the head; None if text is in between."""
    for number, words in written:
        if _is_of_site(words) or _LINK.fullmatch(words):
            yield number
            yield from between or ()
            between = []
        elif (
            between is not None
            and len(words) <= _LONGEST
            and not (words[0].isdigit() or ends_sentence(words))
        ):
            between.append(number)
        else:
            between = None
    if between and written[-1][0] == between[-1]:
        yield from between


def _is_of_site(words: str) -> bool:
    return len(words) <= _TALK and _SITE.fullmatch(words) is not None


_NUMBER = re.compile(r"(\D*)(\d{1,4})(?:\s*(?:of|/)\s*\d{1,4})?(\D*)")
_FIGURES = re.compile(r"\d+")
_CLOSED = re.compile(r"[.?:…][”\"’')\]]+$")

_FEW = 5
"""The minimum number of pages: on fewer, lines may be repeated by chance."""

_SHORTEST = 8
"""The minimum number of lines on a page, on average."""

_LINES = 3
"""The maximum number of lines in a header or footer."""

_FIRST = 3
"""The maximum number of the first numbered page; the rules themselves begin at 100."""


def find_pages(raw: Sequence[str]) -> Pagination:
    r"""Return the pages of a text, none without form feeds or page numbers that count up.

    A header or footer is repeated on a third of the pages, except for its figures.

    >>> text = "\n\f".join(f"{word} is said here.\n\n- {page} -" for page, word in enumerate("ABCDEF", 1))
    >>> sorted(find_pages(text.split("\n")).around)
    [3, 6, 9, 12, 15, 18]
    """
    breaks = [place for place, line in enumerate(raw) if "\f" in line]
    numbers = [] if breaks else _numbers(raw)
    if len(breaks or numbers) < _FEW:
        return NO_PAGES
    # A page begins with the words after its form feed, on that line or the next.
    starts = [place + (not raw[place].rpartition("\f")[2].strip()) for place in breaks]
    feet, ends = _text_beside(raw, [place - 1 for place in (*(starts or numbers), len(raw))], -1)
    heads, begins = _text_beside(raw, [0, *(starts or [place + 1 for place in numbers])], 1)
    width = sorted(len(line.rstrip()) for line in raw)[len(raw) * 49 // 50]
    joints = [
        (end, begin) for end, begin in zip(ends, begins[1:], strict=False) if end >= 0 and begin < len(raw)
    ]
    return Pagination(
        frozenset(place + 1 for place in (*numbers, *feet, *heads)),
        {begin + 1: _stands_apart(raw, end, begin, width) for end, begin in joints},
    )


def _numbers(raw: Sequence[str]) -> list[int]:
    """Return the places of the longest run of lines that count up one by one, and are otherwise alike."""
    runs: dict[tuple[str, str, int], list[int]] = {}
    for place, line in enumerate(raw):
        match = _NUMBER.fullmatch(line) if len(line) < _LONGEST else None
        if not match:
            continue
        number, words = int(match[2]), (match[1].strip(), match[3].strip())
        run = runs.pop((*words, number - 1), [] if number <= _FIRST else None)
        if run is not None and len(run) >= len(runs.get((*words, number), ())):
            runs[*words, number] = [*run, place]
    bare = (run for run in runs.values() if not any(map(str.isalpha, raw[run[0]])))
    spaced = (run for run in runs.values() if run[-1] - run[0] >= _SHORTEST * (len(run) - 1))
    return max((*bare, *spaced), key=len, default=[])


def _text_beside(raw: Sequence[str], places: Sequence[int], step: int) -> tuple[list[int], list[int]]:
    """Return the headers or footers from some places on, and the first other line from each place."""
    running: list[int] = []
    beside = [_written(raw, place, step) for place in places]
    for _ in range(_LINES):
        forms = [_form(raw, place) for place in beside]
        counts = Counter(form for form in forms if form)
        often = {form for form, count in counts.items() if count >= max(_FEW, len(places) // 3)}
        running += (place for place, form in zip(beside, forms, strict=True) if form in often)
        beside = [
            _written(raw, place + step, step) if form in often else place
            for place, form in zip(beside, forms, strict=True)
        ]
    return running, beside


def _written(raw: Sequence[str], place: int, step: int) -> int:
    """Return the place of the first line that is not blank, from a place on, or a place outside the text."""
    while 0 <= place < len(raw) and not raw[place].strip():
        place += step
    return place


def _form(raw: Sequence[str], place: int) -> str:
    """Return a line without its figures; nothing if it cannot be a header or footer."""
    line = " ".join(raw[place].split()) if 0 <= place < len(raw) else ""
    return _FIGURES.sub("0", line) if len(line) <= _LONGEST else ""


def _stands_apart(raw: Sequence[str], end: int, begin: int, width: int) -> bool:
    """Return whether a page begins with a heading: not with a continuation of the last line before it."""
    last, first = raw[end].rstrip(), raw[begin].strip()
    if not ends_paragraph(last):
        is_full = len(last) + 1 + len(first.split(maxsplit=1)[0]) > width
        heads = not raw[end - 1].strip()
        if is_full or heads:
            return False
    is_short = len(first) < width * 4 // 5
    return is_short and is_heading(first) and not (first[0].islower() or _CLOSED.search(first))
