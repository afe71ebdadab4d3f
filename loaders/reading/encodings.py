"""Decode the bytes of a text file. The encoding is judged by the bytes alone."""

from __future__ import annotations

import binascii
import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

from ...ontology import SourceError
from ..records import Problem, Severity

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, since it begins with the mark of that
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SINGLE_BYTE = ("cp1252", "cp437", "cp850", "mac-roman")
"""In order of likelihood: of equally good ones, the first wins."""

_HIGH = re.compile(rb"[\x80-\xff]")
_MULTIBYTE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|\xe2[\x80-\x88][\x80-\xbf]|\xc2[\xa0-\xbf]")
"""The UTF-8 sequences that English texts use: accented letters, quotes, dashes, trade marks, signs."""

_LOST = "\ufffd".encode()
_OPENING = frozenset("“‘")
_CLOSING = frozenset("”")
_MARKS = frozenset("–—…™®©•−")
_RESAVE = "Save the original again as UTF-8, or use another copy."


def decode_bytes(data: bytes) -> tuple[str, str]:
    """Return the text of `data` (without a byte order mark) and the name of its encoding.

    A byte order mark decides; NUL bytes in every second place mean UTF-16 without one; valid UTF-8 is UTF-8
    (``ascii`` when it has no other bytes). Anything else is one of the single-byte encodings, chosen by how
    well the high bytes fit their words: 0x83 within a word is the â of a DOS code page, not the ƒ of Windows.

    Raises `SourceError` for bytes that fit no encoding, for UTF-8 with foreign bytes in it, and for UTF-16
    that was misread and encoded again.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding), encoding
    if b"\0" in data:
        return _without_mark(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if _is_utf8_with_foreign_bytes(data):
            raise _undecodable(data, error, "utf-8") from error
        return _single_byte(data)
    return text, "ascii" if text.isascii() else "utf-8"


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode("utf-8" if encoding == "utf-8-sig" else encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(data, error, encoding) from error


def _undecodable(data: bytes, error: UnicodeDecodeError, encoding: str) -> SourceError:
    before = data[: error.start].decode(error.encoding, "replace")
    lines = re.split("\r\n|\r|\n", before)
    shown = data[error.start : error.start + 40].decode(error.encoding, "replace")
    if error.end == len(data):
        what = "the text is cut off in the middle of a character"
    else:
        what = (
            f"the text is {encoding.removesuffix('-sig')} up to a byte 0x{data[error.start]:02x} that cannot "
            "be part of it, so characters are lost"
        )
    return SourceError(
        what,
        line=len(lines),
        excerpt=lines[-1][-40:] + re.split("[\r\n]", shown)[0],
        column=len(lines[-1][-40:]) + 1,
        way_out=_RESAVE,
    )


def _without_mark(data: bytes) -> tuple[str, str]:
    """Decode UTF-16 without a mark; raise `SourceError` if the NUL bytes mean something else."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    encoding = "utf-16-be" if even > odd else "utf-16-le"
    if len(data) % 2 == 0 and max(even, odd) > len(data) // 4 and _LOST not in data:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            raise _undecodable(data, error, encoding) from error
        if sum(c.isascii() for c in text[:4096]) > 0.8 * len(text[:4096]) and "\0" not in text:
            return text, encoding
    if data.count(0) > len(data) // 4 and _LOST in data:
        line = data[: data.index(_LOST)].count(b"\n") + 1
        raise SourceError(
            "UTF-16 bytes were taken for another encoding and encoded again as UTF-8: "
            "the marks U+FFFD and the NUL characters between the letters cannot be undone",
            line=line,
            way_out="Use the original file, or another copy.",
        )
    raise SourceError(
        f"this is not a text: it contains NUL bytes, the first at byte {data.index(0)}",
        way_out="Give a plain text file of the rules.",
    )


def _is_utf8_with_foreign_bytes(data: bytes) -> bool:
    """Return whether this is UTF-8 with some bad bytes, judged by most of the high bytes."""
    high = len(_HIGH.findall(data))
    sound = sum(map(len, _MULTIBYTE.findall(data)))
    return sound * 2 > high


def _single_byte(data: bytes) -> tuple[str, str]:
    contexts = Counter(data[max(0, m.start() - 1) : m.start() + 2] for m in _HIGH.finditer(data))
    scores = {encoding: _score(contexts, data[0] > 127, encoding) for encoding in _SINGLE_BYTE}
    best = max(_SINGLE_BYTE, key=scores.__getitem__)
    if scores[best] < 0:
        first = _HIGH.search(data)
        at = first.start() if first else 0
        raise SourceError(
            f"the bytes do not match any encoding used for rules texts (the first is 0x{data[at]:02x})",
            line=len(re.split(rb"\r\n|\r|\n", data[:at])),
            way_out=_RESAVE,
        )
    return data.decode(best, "replace"), best


def _score(contexts: Counter[bytes], at_start: bool, encoding: str) -> int:
    total = 0
    for context, times in contexts.items():
        text = context.decode(encoding, "replace")
        place = 0 if at_start and len(text) < 3 and text[0] > "\x7f" else 1
        after = text[place + 1] if place + 1 < len(text) else " "
        before = text[place - 1] if place else " "
        total += times * _plausibility(before, text[place] if place < len(text) else " ", after)
    return total


def _plausibility(before: str, one: str, after: str) -> int:
    """Return how well the character `one` fits between its neighbours in English, from -5 to 2."""
    if one == "\ufffd":
        worth = -5
    elif one.isalpha() and one != "ƒ":
        worth = _letter(before, one, after)
    elif one in _OPENING:
        worth = 2 if not before.isalnum() and not after.isspace() else -1
    elif one in _CLOSING:
        worth = 2 if not before.isspace() and not after.isalnum() else -1
    elif one == "’":
        worth = 2 if before.isalpha() else 0
    elif one == "\u00a0":
        worth = 0
    else:
        worth = 1 if one in _MARKS else -2
    return worth


def _letter(before: str, one: str, after: str) -> int:
    if one > "\u017f" or not (before.isalpha() or after.isalpha()):
        return -2
    if one.isupper():
        return -2 if before.islower() else 1
    return 2 if before.isalpha() and after.isalpha() else 1 if before.isalpha() else 0


_QUOTED = re.compile(r"(?:=[0-9A-F]{2})+|(?<!=)=$")
_SHIFTED = re.compile(r"\+(?:(?P<code>[A-Za-z0-9/]{3,})-?|-(?=\w))")
_PLAIN_PLUS = re.compile(r"\+\w{1,2}/[+-]")
"""A printed plus sign, as in *+1/+1*, which UTF-7 never has."""

_PRINTED = re.compile(r"[\u00a0-\u017f\u2010-\u2044\u20ac\u2122\u2212&=+~\\\[\]{}<>\"@#$%*;|^_!]+")
"""Characters that mail programs encode: letters with accents, quotes, dashes, signs."""


def remains(lines: Sequence[str]) -> tuple[Problem, ...]:
    """Return a problem for each mail encoding that left sequences in `lines`.

    Raises `SourceError` for a text with one in every 5,000 characters: it is encoded throughout.
    """
    most = max(10, sum(map(len, lines)) // 5000)
    found = (("quoted-printable", list(_quoted(lines))), ("UTF-7", list(_shifted(lines))))
    problems = []
    for encoding, places in filter(itemgetter(1), found):
        first, shown = places[0]
        excerpt = lines[first - 1].strip()
        if len(places) > most:
            raise SourceError(
                f"the text is still encoded for mail, as {encoding}, in {len(places)} places",
                line=first,
                excerpt=excerpt[:80],
                column=excerpt[:80].find(shown) + 1,
                way_out="Save it from the mail program as plain text, or use another copy.",
            )
        where = "one place" if len(places) == 1 else f"{len(places)} places"
        message = f"characters are still encoded for mail, as {encoding} ({where}): {shown!r}"
        last = places[-1][0]
        problems.append(Problem("mail-encoding", message, Severity.WARNING, first, last, quote=excerpt[:60]))
    return tuple(problems)


def _quoted(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if "=" in line and line.strip(" ="):  # a ruled line is not a code
            yield from ((number, match[0]) for match in _QUOTED.finditer(line))


def _shifted(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    signs = [(number, line) for number, line in enumerate(lines, start=1) if "+" in line]
    has_plain = any(_PLAIN_PLUS.search(line) for _, line in signs)
    for number, line in signs:
        for it in _SHIFTED.finditer(line):
            if _is_code(it["code"]) if it["code"] else not has_plain:
                yield number, it[0]


def _is_code(code: str) -> bool:
    """Return whether letters encode such characters: ``IBk`` is ’, ``land`` is not a code."""
    try:
        found = binascii.a2b_base64(code + "=" * (-len(code) % 4)).decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(_PRINTED.fullmatch(found))
