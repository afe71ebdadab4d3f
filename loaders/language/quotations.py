"""Quoted titles behind a number, and names of terms behind a "See", read from running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .titles import small_share

_OPENING = re.compile(r'(?P<dot>\.)?,?\s?(?P<quote>["“”„\ufffd]|\?(?=[A-Z]))(?=\S)')
_CLOSING = {'"': '"', "“": "”", "”": "”", "„": "“”", "\ufffd": "\ufffd", "?": "?"}
_LONGEST_TITLE = 90
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z])|[);\n]|[.,]?$")
_BREAK = re.compile(r"(?<!\bvs)[.!?]\s|^[^(]*\)")
"""What no title holds: the end of a sentence, or of a bracket that was opened before it."""

_NAME_END = re.compile(r'[.,;:]?["”\ufffd?]?(?=[.,;:)\]]|\s(?:and|or)\s|\sin\sthis\s[Gg]lossary|\s?$)')
_WORD = r"[A-Z0-9][\w'’-]*(?:/[A-Z][\w'’-]*)?"
_NAME = re.compile(rf"{_WORD}(?:\s(?:(?:of|the|a|an|in|into|to|with|from|for|by|on)\s)*{_WORD})*")
_SEPARATOR = re.compile(r'(?:,\s(?:and\s|or\s)?|\s(?:and|or)\s)(?=["“„\ufffd]?[A-Z])')
_OPEN_QUOTE = re.compile(r'["“„\ufffd]')
_CLOSE_QUOTE = re.compile(r'[.,;:]?["”\ufffd]')
_QUOTED_NAME = re.compile(r'(?P<name>[^"“”\ufffd]{1,60}?)[.,;:]?["”\ufffd]')
_NOT_TERMS = re.compile(r"(?:Rules?|Sections?|Appendix|Glossary|Examples?|Introduction|Credits|Index|Note)\b")
_FOLD = str.maketrans('“”‘’"', "'''''")


def quoted_title(text: str, end: int) -> tuple[str | None, int]:
    """Return the title that stands in quotes behind a number, and where it ends.

    `end` is where the number ends; without a title the answer is ``(None, end)``. The title comes without
    quotes and without the punctuation before the closing quote. Where the closing quote is missing, the
    title ends with its sentence. After a full stop only what is closed by ``."`` or ``,"`` is a title:
    other quotes begin a sentence.
    """
    opening = _OPENING.match(text, end)
    if not opening:
        return None, end
    start = opening.end()
    close = _close(text, start, _CLOSING[opening["quote"]])
    if close is not None:
        inside = text[start:close]
        strict = bool(opening["dot"]) or opening["quote"] == "?" or "," not in opening[0]
        if _is_title(inside) and (not strict or inside[-1] in ".,;" or text[close + 1 : close + 2] == ")"):
            return inside.rstrip(" .,;"), close + 1
        if strict:
            return None, end
    stop = _SENTENCE_END.search(text, start)
    inside = text[start : stop.start()] if stop else text[start:]
    if "," in opening[0] and len(inside) <= _LONGEST_TITLE and _is_title(inside):
        return inside.rstrip(" .,;"), start + len(inside.rstrip(" .,;"))
    if close is not None and not _BREAK.search(text[start:close]):
        return text[start:close].rstrip(" .,;"), close + 1
    return None, end


def _close(text: str, start: int, closing: str) -> int | None:
    """Return where the first closing quote stands, if it is near enough to end a title."""
    until = min(len(text), start + _LONGEST_TITLE)
    return next((place for place in range(start, until) if text[place] in closing), None)


def _is_title(words: str) -> bool:
    if _BREAK.search(words):
        return False
    return small_share(words.rstrip(" .,;")) == 0


class TermNames:
    """The names known in one document, to be recognised where a text sends its reader to them."""

    def __init__(self, names: frozenset[str]) -> None:
        folded = sorted({name.translate(_FOLD) for name in names if name}, key=len, reverse=True)
        self._openings: dict[str, list[str]] = {}
        for name in folded:
            self._openings.setdefault(name[0].lower(), []).append(name)

    @staticmethod
    @lru_cache(maxsize=8)
    def of(names: frozenset[str]) -> TermNames:
        """Return the recogniser of `names`; the same set is prepared once."""
        return TermNames(names)

    def read_list(self, text: str, start: int) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, name) for the names listed from `start` on; quotes belong to the span."""
        while found := self._read(text, start):
            yield found
            separator = _SEPARATOR.match(text, found[1])
            if not separator:
                return
            start = separator.end()

    def _read(self, text: str, start: int) -> tuple[int, int, str] | None:
        quote = _OPEN_QUOTE.match(text, start)
        at = quote.end() if quote else start
        if _NOT_TERMS.match(text, at):
            return None
        end = self._known(text, at)
        if end is None and quote:
            quoted = _QUOTED_NAME.match(text, at)
            return (start, quoted.end(), quoted["name"].strip()) if quoted else None
        if end is None:
            name = _NAME.match(text, at)
            end = name.end() if name and _NAME_END.match(text, name.end()) else None
        if end is None:
            return None
        closing = _CLOSE_QUOTE.match(text, end) if quote else None
        return start, closing.end() if closing else end, text[at:end]

    def _known(self, text: str, at: int) -> int | None:
        """Return where the longest known name at `at` ends, where a list or sentence may end too."""
        here = text[at : at + 80].translate(_FOLD)
        for name in self._openings.get(here[:1].lower(), ()):
            if here.startswith(name) and _NAME_END.match(text, at + len(name)):
                return at + len(name)
        return None
