"""What documents, servers and file names say is shown on a terminal, and never obeyed by it."""

from __future__ import annotations

import io
import re

from .colours import OURS

_OBEYED = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Control characters but for tab and line feed, and those that turn the direction of writing."""

_NOT_OURS = rf"(?!\x1b\[(?:{OURS})m){_OBEYED}"
"""The same without the bold letters and colours that are ours: they do no harm wherever they come from."""


def harmless(text: str) -> str:
    r"""Write control characters as what they are.

    >>> harmless("red\x1b[31m\n\ttwo")
    'red\\x1b[31m\n\ttwo'
    """
    return text if text.isprintable() else re.sub(_OBEYED, _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def only_ours(text: str) -> str:
    """Write control characters as what they are, but for those by which words stand out here."""
    return text if text.isprintable() else re.sub(_NOT_OURS, _escaped, text)


class TerminalStream(io.TextIOWrapper):
    """A text stream to a terminal that shows control characters."""

    def write(self, text: str) -> int:
        """Write a text, and return how many characters it has."""
        super().write(only_ours(text))
        return len(text)
