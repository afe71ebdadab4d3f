"""Repair the few broken characters of a text, and report what was broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...ontology.errors import SourceError
from ..language.words import beginning
from ..records import Problem, Severity

_INVISIBLE = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
"""Marks without width: byte order marks within a text, zero-width spaces and joiners, soft hyphens."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_C1 = re.compile("[\x80-\x84\x86-\x9f]")
_LOST = re.compile("\ufffd+")
_LOST_APOSTROPHE = re.compile(r"(?<=[A-Za-z])(?:\ufffd+|\?)(?=(?:s|t|re|ve|ll|d|m)\b)")
_LOST_PAIR = re.compile(
    r"(?<![\w\ufffd])\ufffd+(?=[\w\[{+*/-])([^\ufffd]*[\w\].,;:!?)}*+-])\ufffd+(?=[\s.,;:!?)\]]|$)"
)
_CUT_MOJIBAKE = re.compile("â€(?![\u0080-\u00bf\u0152-\u2122])")
_TAKE_ANOTHER = "Take another copy, or save the original again as UTF-8."


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
    """Where one kind of breakage stands."""

    lines: list[int] = field(default_factory=list)
    count: int = 0
    mended: int = 0
    quote: str = ""

    def note(self, number: int, line: str, times: int, mended: int) -> None:
        if times:
            self.lines.append(number)
            self.count += times
            self.mended += mended
            self.quote = self.quote or beginning(line.strip())


def mend(lines: Iterable[str], name: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Return `lines` mended, one for one, and a problem for each kind of breakage found.

    In this order, each step on the result of the one before:

    1. *misread*: UTF-8 read as another encoding and saved again (``â€™``) becomes what it was;
    2. *lost*: U+FFFD (or a question mark) between a letter and *s, t, re …* becomes an apostrophe, a pair
       of U+FFFD around words becomes quotes; any other stays;
    3. *control*: stray control characters go;
    4. *invisible*: characters without width go, without a problem.

    Guaranteed: the number of lines and all other characters stay as they are; a text without such
    characters comes back unchanged. Raises `SourceError` for a text that is broken throughout.
    """
    kept = list(lines)
    size = sum(map(len, kept))
    special = [
        (n, line)
        for n, line in enumerate(kept)
        if "?" in line or not line.isascii() or not line.isprintable()
    ]
    misread, lost, control = _Found(), _Found(), _Found()
    for place, line in special:
        text = line
        for found, step in ((misread, _mend_misread), (lost, _mend_lost), (control, _drop_control)):
            text = _apply(step, text, found, place + 1)
        kept[place] = _INVISIBLE.sub("", text)
    _refuse_throughout(
        misread, name, max(10, size // 5000), "UTF-8 was read as another encoding and saved again"
    )
    _refuse_throughout(lost, name, max(20, size // 20), "characters were lost and replaced by U+FFFD")
    _refuse_throughout(
        control, name, max(5, size // 2000), "this is not a text: there are control characters"
    )
    return tuple(kept), tuple(_problems(misread, lost, control))


def _apply(step: Callable[[str], tuple[str, int, int]], line: str, found: _Found, number: int) -> str:
    text, times, mended = step(line)
    found.note(number, line, times, mended)
    return text


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


def _bytes_of(text: str, codec: str) -> bytes:
    """Encode `text`, with the bytes that `codec` leaves undefined as they are."""
    return b"".join(c.encode(codec, "ignore") or c.encode("latin-1") for c in text)


def _mend_lost(line: str) -> tuple[str, int, int]:
    if "?" not in line and "\ufffd" not in line:
        return line, 0, 0
    line, apostrophes = _LOST_APOSTROPHE.subn("’", line)
    line, pairs = _LOST_PAIR.subn(r"“\1”", line)
    mended = apostrophes + 2 * pairs
    return line, mended + len(_LOST.findall(line)), mended


def _drop_control(line: str) -> tuple[str, int, int]:
    line, times = _CONTROL.subn("", line)
    return line, times, times


def _refuse_throughout(found: _Found, name: str, most: int, what: str) -> None:
    if found.count > most:
        raise SourceError(
            f"{what}, in {found.count} places",
            source=name,
            line=found.lines[0],
            excerpt=found.quote,
            way_out=_TAKE_ANOTHER,
        )


def _problems(misread: _Found, lost: _Found, control: _Found) -> Iterable[Problem]:
    for found, code, what in (
        (misread, "mojibake", "characters were read in the wrong encoding"),
        (
            lost,
            "replacement-character",
            "characters were lost, and U+FFFD or a question mark is in their place",
        ),
        (control, "control-character", "there are control characters in the text"),
    ):
        if found.count:
            places = "one place" if found.count == 1 else f"{found.count} places"
            left = found.count - found.mended
            result = (
                f"{left} of them could not be repaired"
                if left
                else "repaired from the characters around them"
            )
            yield Problem(
                code,
                f"{what} ({places} on {len(found.lines)} line(s)); {result}",
                Severity.WARNING,
                found.lines[0],
                found.lines[-1],
                quote=found.quote,
            )
