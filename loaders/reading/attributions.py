"""Brackets such as ``[CompRules 2003/07/01]`` become attributions, and the text is left without them."""

from __future__ import annotations

import re

from ..language.dates import read_day
from ..language.words import fold
from ..records import Attribution

_DAY = r"\d{4}\s*[/.-]\s*\d{1,2}(?:\s*[/.-]\s*\d{1,2})?"
_DATED = re.compile(rf"\s*\[(?P<who>[^\[\]]+?)[\s,]+(?P<when>{_DAY})\s*\]")
_UNDATED = re.compile(r"(?<=[.?!\"”)])\s+\[(?P<who>[A-Z][^\[\]]*)\]$")


def split_attributions(text: str) -> tuple[str, tuple[Attribution, ...]]:
    """Return `text` without its brackets of authority and date, and those in the order printed.

    A date that no calendar has, or that lacks its day, leaves `as_of` empty; so does a bracket without
    a date, which counts at the very end only: "Warded from [quality]" is the game's own language.

    >>> split_attributions("The keeper waits. [CompRules 2003/07/01]")
    ('The keeper waits.', (Attribution(authority='CompRules', as_of=datetime.date(2003, 7, 1)),))
    """
    found = [Attribution(fold(match["who"]), read_day(match["when"])) for match in _DATED.finditer(text)]
    text = fold(_DATED.sub("", text))
    last = _UNDATED.search(text)
    if last:
        found.append(Attribution(fold(last["who"]), None))
        text = text[: last.start()]
    return text, tuple(found)
