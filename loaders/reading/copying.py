"""Undo what programs do to a whole text: quote marks, line numbers, HTML entities, divided words."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ...ontology import SourceError
from ..records import Problem, Severity

_QUOTED = re.compile(r"\s?(?:> ?)+")
_COUNTED = re.compile(r"\s*(\d{1,7})(?:[:|]|\s|$) ?")
_MOST_LINES = 0.9
"""The minimum share of lines that have a mark: mail has a greeting around what it quotes."""

_ENTITY = re.compile(r"&(?:#\d{1,5}|#x[0-9a-fA-F]{1,4}|[a-zA-Z]{2,8});")
_FEWEST_ENTITIES = 5

_PATCH = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIVIDED = re.compile(r"([^\W\d_]{2,})-\s*$")
_REST = re.compile(r"\s*([a-z]{2,})(?![\w’'-])(?P<after>\S*\s*)")


def without_copy_marks(lines: Sequence[str]) -> list[str]:
    """Return the lines, one for one, without marks that are before nearly each of them.

    These are the quote marks of mail, and the numbers of the lines themselves.

    >>> without_copy_marks(["> A lamp.", "> > It glows."]), without_copy_marks([" 1: A lamp.", " 2:"])
    (['A lamp.', 'It glows.'], ['A lamp.', ''])
    """
    written = [line for line in lines if line.strip()]
    quoted = sum(bool(_QUOTED.match(line)) for line in written if ">" in line[:3])
    if quoted > _MOST_LINES * len(written):
        lines = [_QUOTED.sub("", line, count=1) if ">" in line[:3] else line for line in lines]
    if len(lines) > 1 and all(_is_counted(*it) for it in ((0, lines[0]), (len(lines) - 1, lines[-1]))):
        counted = sum(_is_counted(*it) for it in enumerate(lines))
        if counted > _MOST_LINES * len(lines):
            lines = [
                _COUNTED.sub("", it, count=1) if _is_counted(n, it) else it for n, it in enumerate(lines)
            ]
    return [*lines]


def without_entities(lines: Sequence[str]) -> list[str]:
    """Return the lines with the characters that HTML entities stand for, if there are some of them.

    >>> without_entities(["&ldquo;A lamp&rdquo; &amp;", "&#8217; &mdash;"])
    ['“A lamp” &', '’ —']
    """
    count = sum(len(_ENTITY.findall(line)) for line in lines if "&" in line)
    return [_ENTITY.sub(_unescaped, it) if count >= _FEWEST_ENTITIES and "&" in it else it for it in lines]


def _unescaped(entity: re.Match[str]) -> str:
    return html.unescape(entity[0]).replace("\n", " ")


def _is_counted(place: int, line: str) -> bool:
    number = _COUNTED.match(line)
    return number is not None and int(number[1]) == place + 1


def refuse_patch(lines: Sequence[str]) -> None:
    """Raise `SourceError` for the differences of two texts, which are not a text."""
    for number, line in enumerate(lines, 1):
        if line.startswith("@@ -") and _PATCH.match(line):
            way_out = "Give the file that it changes, or the one that comes out of it."
            raise SourceError("this is a patch, not a text", line=number, excerpt=line[:80], way_out=way_out)


def with_whole_words(lines: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """Return the lines, one for one, with words joined that are divided at line ends, and a problem.

    A word is divided if the text has it whole elsewhere, and nowhere with a hyphen. Its end is moved to the
    line of its beginning.

    >>> with_whole_words(["A lantern glows. Two-", "colored lan-", "terns are lanterns."])[0]
    ['A lantern glows. Two-', 'colored lanterns', 'are lanterns.']
    """
    ends = [place for place, line in enumerate(lines[:-1]) if line.rstrip().endswith("-")]
    ends = [it for it in ends if _DIVIDED.search(lines[it]) and _REST.match(lines[it + 1])]
    if not ends:
        return [*lines], []
    words = {word.lower() for line in lines for word in _WORD.findall(line)}
    kept, mended = [*lines], list[int]()
    for place in ends:
        start, rest = _DIVIDED.search(kept[place]), _REST.match(kept[place + 1])
        if not start or not rest:
            continue
        first, last = start[1].lower(), rest[1]
        if first + last in words and f"{first}-{last}" not in words:
            kept[place] = f"{kept[place][: start.end(1)]}{last}{rest['after'].rstrip()}"
            kept[place + 1] = kept[place + 1][rest.end() :]
            mended.append(place + 1)
    if not mended:
        return kept, []
    message = f"words are divided at the end of {len(mended)} line(s); they were joined"
    return kept, [Problem("mended-words", message, Severity.INFO, mended[0], mended[-1])]
