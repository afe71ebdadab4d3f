"""Repair the few broken characters of a text, and report what was broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ...ontology import SourceError
from ..language.words import beginning
from ..records import Problem, Severity

_INVISIBLE = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
"""Marks without width: byte order marks within a text, zero-width spaces and joiners, soft hyphens."""

_PLAIN = str.maketrans(
    {
        **{"\u2010": "-", "\u2011": "-"},
        **{"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"},
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width
    }
)
"""Ligatures, full-width forms and hyphens that hold, and what they stand for."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_C1 = re.compile("[\x80-\x84\x86-\x9f]")
_LOST = re.compile("\ufffd+")
_LOST_APOSTROPHE = re.compile(r"(?<=[A-Za-z])(?:\ufffd+|\?)(?=(?:s|t|re|ve|ll|d|m)\b)")
_LOST_PAIR = re.compile(
    r"(?<![\w\ufffd])\ufffd+(?=[\w\[{+*/-])([^\ufffd]*[\w\].,;:!?)}*+-])\ufffd+(?=[\s.,;:!?)\]]|$)"
)
_MISPLACED = re.compile(
    r"(?<![^\s(])(?:\?|\ufffd{1,3})(?=[A-Za-z\[{])"  # “?Choose one”
    r"|(?<=[a-z]{2})\?(?=[a-z])(?![a-z]+=)"  # once?the next
)
"""A question or replacement mark where only a quotation mark or a dash can be: no address, no question."""

_HABIT = 5
"""With this many such marks, a text lost all its quotation marks, apostrophes and dashes."""

_WORD, _LAST_WORD = re.compile(r"[A-Za-z]+"), re.compile(r"[A-Za-z]+$")
_WHOLE_WORD = re.compile(r"(?<![\w?\ufffd])[A-Za-z]+(?![\w?\ufffd])")
_NUMBERED = re.compile(r"(?<![\w/])\d+(?:\.\d+)?[a-z]{0,2}$")
_RANGED = re.compile(r"(?:\d[\d.]*[a-z]{0,2}|[a-z]{1,2})(?!\w)")
_SHORT = 3
"""Letters of a word that may be a piece of another."""

_PLURAL = re.compile(r"\b[a-z]+s$")
_IN_SENTENCE = re.compile(r" [a-z]")
_OF_RIGHTS = re.compile(r"[A-Z]\w*(?=\W{1,3} [a-z?\ufffd])|[A-Z]{2,}(?=\W{1,3} [A-Z])")
"""A name, or its abbreviation, that continues after a mark: the mark is a sign of rights."""

_YEARS = re.compile(r"(?:19|20)\d\d\W")
"""What follows a sign of rights."""

_CLOSES = re.compile(
    r"(?:[^?\ufffd]|(?<=\s)[?\ufffd](?=\s)|(?<=\w)[?\ufffd](?=\w))*[^\s?\ufffd(][?\ufffd](?![\w\[{])"
)
"""A closing mark before another opening one."""

_DOUBLED = re.compile(r"(?<=[A-Za-z\]])\"(?=(?:s|t|re|ve|ll|d|m)\b)")
_AFTER_PLURAL = re.compile(r'(?<=[a-z]s)"(?= [a-z])')
_OPENING = re.compile(r'(?<![^\s(\[—–-])"(?=\S)')
_CONTRACTED = re.compile(r"(?:s|t|re|ve|ll|d|m)\b")
_CUT_MOJIBAKE = re.compile("â€(?![\u0080-\u00bf\u0152-\u2122])")
_TAKE_ANOTHER = "Use another copy, or save the original again as UTF-8."


def _misread(codec: str) -> tuple[str, re.Pattern[str]]:
    """Return `codec` and a pattern of UTF-8 sequences whose bytes were read in it."""
    table = [bytes((b,)).decode(codec, "ignore") or chr(b) for b in range(256)]

    def span(first: int, last: int) -> str:
        return "[" + "".join(map(re.escape, table[first : last + 1])) + "]"

    rest = span(0x80, 0xBF)
    return codec, re.compile(f"{span(0xC2, 0xC5)}{rest}|{span(0xE2, 0xE2)}{span(0x80, 0x88)}{rest}")


_MISREAD = tuple(map(_misread, ("cp1252", "latin-1", "cp437", "cp850", "mac-roman")))
_LEADS = frozenset("ÂÃÄÅâ┬├─┼ΓÔ¬√ƒ≈‚")
"""The first characters of misread sequences in those encodings."""


@dataclass
class _Found:
    """The places where a text has one kind of damage; `what` describes it."""

    code: str
    what: str
    lines: list[int] = field(default_factory=list)
    count: int = 0
    mended: int = 0
    quote: str = ""

    def apply(self, step: Callable[[str], tuple[str, int, int]], line: str, number: int) -> str:
        """Return a line repaired by a step, which also counts the broken places and those repaired."""
        text, times, mended = step(line)
        if times:
            self.lines.append(number)
            self.count += times
            self.mended += mended
            self.quote = self.quote or beginning(line.strip())
        return text

    def problem(self) -> Problem:
        """Return the problem that reports the damage."""
        places = "one place" if self.count == 1 else f"{self.count} places"
        left = self.count - self.mended
        mended = "repaired from the characters around them"
        result = f"{left} of them could not be repaired" if left else mended
        message = f"{self.what} ({places} on {len(self.lines)} line(s)); {result}"
        first, last = self.lines[0], self.lines[-1]
        return Problem(self.code, message, Severity.WARNING, first, last, quote=self.quote)


def mend(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Return `lines` repaired, one for one, and a problem for each kind of damage found.

    The steps, each applied to the result of the one before:

    0. *doubled*: in a text that has a quotation mark for each apostrophe (``keeper"s``, ``keepers" boats``),
       it becomes one;
    1. *misread*: UTF-8 read as another encoding and saved again (``â€™``) is restored; if that happened to a
       whole text, all of it must be UTF-8 in that encoding;
    2. *lost*: U+FFFD (or a question mark) between a letter and *s, t, re …* becomes an apostrophe, a pair of
       U+FFFD around words becomes quotes; any other stays. A text that lost all its marks gets them back
       according to their places (`_Marks`);
    3. *control*: stray control characters are removed;
    4. *plain*: characters without width are removed, ligatures and full-width forms become plain letters,
       without a problem.

    Guaranteed: the number of lines and all other characters stay as they are; a text without such characters
    is returned unchanged. Raises `SourceError` for a text that is damaged throughout.
    """
    lines = list(lines)
    kept = [*lines]
    doubled = _Found("replacement-character", "there are quotation marks in place of apostrophes")
    misread = _Found("mojibake", "characters were read in the wrong encoding")
    lost = _Found(
        "replacement-character", "characters were lost, and U+FFFD or a question mark is in their place"
    )
    control = _Found("control-character", "there are control characters in the text")
    if sum(len(_DOUBLED.findall(line)) for line in kept if '"' in line) >= _HABIT:
        kept = [doubled.apply(_mend_doubled, line, number) for number, line in enumerate(kept, 1)]
    size = sum(map(len, kept))
    special = [
        (n, line)
        for n, line in enumerate(kept)
        if "?" in line or not line.isascii() or not line.isprintable()
    ]
    lost_all = sum(len(_MISPLACED.findall(line)) for _, line in special) >= _HABIT
    mend_lost = _Marks(kept).mend if lost_all else _mend_lost
    for place, line in special:
        text = line
        for found, step in ((misread, _mend_misread), (lost, mend_lost), (control, _drop_control)):
            text = found.apply(step, text, place + 1)
        kept[place] = _INVISIBLE.sub("", text).translate(_PLAIN)
    if misread.count > max(10, size // 5000):
        again = _read_again(lines)
        if not again:
            _refuse_throughout(
                misread, misread.count, 0, "UTF-8 was read as another encoding and saved again"
            )
        misread.mended = misread.count
        result, problems = mend(again)
        return result, (misread.problem(), *problems)
    left = lost.count - lost.mended
    _refuse_throughout(lost, left, max(20, size // 20), "characters were lost and replaced by U+FFFD")
    foreign = "this is not a text: there are control characters"
    _refuse_throughout(control, control.count, max(5, size // 2000), foreign)
    return tuple(kept), tuple(it.problem() for it in (doubled, misread, lost, control) if it.count)


def _mend_doubled(line: str) -> tuple[str, int, int]:
    """Mend the marks within words, and those after plurals that do not close a quotation in the line."""
    line, changes = _DOUBLED.subn("'", line)
    for mark in _AFTER_PLURAL.finditer(line):
        before = line[: mark.start()]
        if 2 * len(_OPENING.findall(before)) <= before.count('"'):
            line, changes = f"{before}'{line[mark.end() :]}", changes + 1
    return line, changes, changes


def _mend_misread(line: str) -> tuple[str, int, int]:
    times = mended = 0
    if not _LEADS.isdisjoint(line):
        for codec, pattern in _MISREAD:

            def original(match: re.Match[str], codec: str = codec) -> str:
                return _bytes_of(match[0], codec).decode("utf-8")

            line, changes = pattern.subn(original, line)
            times += changes
            mended += changes
        times += len(_CUT_MOJIBAKE.findall(line))
    if _C1.search(line):
        line, changes = _C1.subn(lambda m: m[0].encode("latin-1").decode("cp1252", "replace"), line)
        times += changes
        mended += changes
    return line, times, mended


def _read_again(lines: Sequence[str]) -> list[str]:
    """Return the lines of a text that was read as another encoding throughout, or none if it was not."""
    for codec, _ in _MISREAD:
        with suppress(UnicodeError):
            return [_bytes_of(line, codec).decode("utf-8") for line in lines]
    return []


def _bytes_of(text: str, codec: str) -> bytes:
    """Encode `text`; bytes that `codec` leaves undefined stay as they are."""
    return b"".join(c.encode(codec, "ignore") or c.encode("latin-1") for c in text)


def _mend_lost(line: str) -> tuple[str, int, int]:
    if "?" not in line and "\ufffd" not in line:
        return line, 0, 0
    line, apostrophes = _LOST_APOSTROPHE.subn("’", line)
    line, pairs = _LOST_PAIR.subn(r"“\1”", line)
    mended = apostrophes + 2 * pairs
    return line, mended + len(_LOST.findall(line)), mended


class _Marks:
    """Restores the marks of a text that has a question mark or U+FFFD in place of each one.

    After a space and before a word a mark opens a quotation; after a word, in an open one, it closes it.
    Between spaces, figures or two words of the text it is a dash; within a word, and after the s of a plural,
    an apostrophe. After a name it is a sign of rights, but it is unknown which (U+FFFD). Others stay: they
    may be letters or question marks.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        text = "\n".join(lines)
        lost = text.count("\ufffd")
        # A program that does not know UTF-8 writes a mark for each byte: three for a dash.
        each = "{1,3}" if text.count("\ufffd\ufffd\ufffd") * 6 > lost else ""
        self._mark = re.compile("\ufffd" + each if lost else r"\?")
        self._words = {word.lower() for word in _WHOLE_WORD.findall(text)}

    def mend(self, line: str) -> tuple[str, int, int]:
        """Return a line with its marks, how many were lost, and how many of these were restored."""
        depth = times = mended = end = 0
        parts: list[str] = []
        for match in self._mark.finditer(line):
            mark, change = self._original(line, match.start(), match.end(), depth)
            depth += change
            times += bool(mark or match[0] != "?" or _IN_SENTENCE.match(line, match.end()))
            mended += mark not in ("", "\ufffd")
            parts += (line[end : match.start()], mark or match[0])
            end = match.end()
        return "".join((*parts, line[end:])), times, mended

    def _original(self, line: str, start: int, end: int, depth: int) -> tuple[str, int]:
        """Return the mark that was at ``line[start:end]``, or nothing, and how many quotations it opens.

        `depth` quotations are open before it.
        """
        before, after = line[start - 1 : start] or " ", line[end : end + 1] or " "
        mark, change = "", 0
        if _RANGED.match(line, end) and _NUMBERED.search(line, max(0, start - 8), start):
            mark = "–"
        elif (before.isalpha() or before == "]") and _CONTRACTED.match(line, end):
            mark = "’"
        elif depth and not after.isalnum() and line.endswith(". . . ", 0, start):
            mark, change = "”", -1
        elif before.isspace() and (after.isspace() or after in ',.?\ufffd"”'):
            mark = "—"
        elif _YEARS.match(line, end):
            mark = "\ufffd"
        elif before.isspace() or before == "(":
            mark, change = "‘" if depth else "“", 1
        elif after in "[{" or (before.isalpha() and after.isalpha()):
            mark = "—" if after in "[{" or self._between_words(line, start, end) else ""
        elif (
            _PLURAL.search(line, max(0, start - 40), start)
            and _IN_SENTENCE.match(line, end)
            and (not depth or _CLOSES.match(line, end))
        ):
            mark = "’"
        elif depth and (before in ".," or not after.isalnum()):
            mark, change = "”" if depth == 1 else "’", -1
        elif before in '?\ufffd"”' and after.isalpha():
            mark = "—"
        elif (name := _LAST_WORD.search(line, max(0, start - 40), start)) and _OF_RIGHTS.match(
            line, name.start()
        ):
            mark = "\ufffd"
        return mark, change

    def _between_words(self, line: str, start: int, end: int) -> bool:
        """Return whether words of the text are on both sides; otherwise a letter of a name may be lost."""
        last, first = _LAST_WORD.search(line, max(0, start - 40), start), _WORD.match(line, end)
        if not last or not first or first[0].lower() not in self._words:
            return False
        return last[0].lower() in self._words or min(len(last[0]), len(first[0])) > _SHORT


def _drop_control(line: str) -> tuple[str, int, int]:
    line, times = _CONTROL.subn("", line)
    return line, times, times


def _refuse_throughout(found: _Found, count: int, most: int, what: str) -> None:
    if count > most:
        raise SourceError(
            f"{what}, in {count} places", line=found.lines[0], excerpt=found.quote, way_out=_TAKE_ANOTHER
        )
