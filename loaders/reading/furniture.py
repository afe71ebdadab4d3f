"""Find what a document-sharing site puts around its text: titles, links, messages to readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ..language.sentences import ends_sentence
from ..language.words import fold

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
"""Lines at the head and the foot of a page, in one of which a site names itself."""

_TALK = 3_000
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
"""What a site that does not name itself, or the book, puts around a part of a glossary."""


def is_furniture(text: str) -> bool:
    """Return whether a line or paragraph of a glossary belongs to what is put around its text.

    >>> [is_furniture(line) for line in ("Lantern Rules Part 29 (1/2)", "- 3 -", "Next Page", "A part")]
    [True, True, True, False]
    """
    return len(text) <= _LONGEST and bool(_AROUND.fullmatch(text))


def find_frame(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines, from 1, that a reading site put around its page.

    None if the site does not name itself. Else its own words and links are furniture wherever they are; so is
    any short line between two of them, above the first at the head of the page, and below the last at its
    foot, if no sentence of the text is between.
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
    """The short lines since the last line of the site, or since the head; None where text stands between."""
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
