"""A few words stand out on a terminal, in colours of its own that can be read on any ground."""

from __future__ import annotations

import os
import re
from enum import Enum
from typing import TextIO

_NUMBER = r"(?:\d{3}(?:\.\d{1,3}[a-z]{0,2})?|[A-Z]\d{1,2}\.\d{1,3}[a-z]?)(?: → .+)?"

_USUAL = "\x1b[0m"


class Style(Enum):
    """What stands out, each in bold letters or in one of the terminal's sixteen colours.

    White, black and yellow are none of them: each is lost on some ground.
    """

    HEADING = "1"
    NUMBER = "36"
    GAIN = "32"
    LOSS = "31"
    CHANGE = "35"
    ERROR = "1;31"


OURS = "|".join(sorted({"0", *(style.value for style in Style)}))
"""The codes that are written here, as alternatives of a pattern."""

_KINDS = {
    "added": Style.GAIN,
    "removed": Style.LOSS,
    "unknown": Style.LOSS,
    "error": Style.ERROR,
    "warning": Style.CHANGE,
}
_TELLING = frozenset(("change", "finding", "severity"))
"""The columns whose values say what became of something, or how grave it is."""


def shows_colours(out: TextIO) -> bool:
    """Tell whether a stream goes to a terminal on which words may stand out (https://no-color.org)."""
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, style: Style | None) -> str:
    r"""Return a text in a style, the space around it left as it is.

    >>> painted("  702.19", Style.NUMBER)
    '  \x1b[36m702.19\x1b[0m'
    """
    words = text.strip()
    if style is None or not words:
        return text
    return text.replace(words, f"\x1b[{style.value}m{words}{_USUAL}", 1)


def style_of(column: str, value: str) -> Style | None:
    """Return how a value of a column stands out: the numbers of rules, and what became of them.

    >>> style_of("where", "702.19b → 702.19c"), style_of("change", "moved and reworded")
    (<Style.NUMBER: '36'>, <Style.CHANGE: '35'>)
    >>> style_of("text", "added")
    """
    if column in _TELLING:
        return _KINDS.get(value) or (Style.CHANGE if "reworded" in value else None)
    return Style.NUMBER if re.fullmatch(_NUMBER, value) else None
