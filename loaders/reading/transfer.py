"""What is left of encodings for mail is named: quoted-printable (``=E2=80=99``), UTF-7 (``+IBk-``)."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...ontology.errors import SourceError
from ..records import Problem, Severity

_QUOTED = re.compile(r"(?:=[0-9A-F]{2})+|=$")
_SHIFTED = re.compile(r"\+(?:(?P<code>[A-Za-z0-9/]{3,})-?|-(?=\w))")
_PLAIN_PLUS = re.compile(r"\+\w{1,2}/[+-]")
"""A plus as it is printed, *+1/+1*: UTF-7 has none."""

_PRINTED = re.compile(r"[\u00a0-\u017f\u2010-\u2044\u20ac\u2122\u2212&=+~\\\[\]{}<>\"@#$%*;|^_!]+")
"""What mail programs put into codes: letters with accents, quotes, dashes, signs."""


@dataclass(frozen=True, slots=True)
class _Remains:
    code: str
    name: str
    places: tuple[tuple[int, str], ...]


def remains(lines: Sequence[str], name: str) -> tuple[Problem, ...]:
    """Return a problem for each encoding for mail of which sequences stand in `lines`.

    Raises `SourceError` for a text that is in such an encoding throughout: a place in 5,000 characters.
    """
    most = max(10, sum(map(len, lines)) // 5000)
    found = (
        _Remains("quoted-printable", "quoted-printable", tuple(_quoted(lines))),
        _Remains("utf-7", "UTF-7", tuple(_shifted(lines))),
    )
    for it in found:
        if len(it.places) > most:
            line, shown = it.places[0]
            raise SourceError(
                f"the text is still encoded for mail, as {it.name}, in {len(it.places)} places",
                source=name,
                line=line,
                excerpt=lines[line - 1].strip()[:80],
                column=lines[line - 1].strip()[:80].find(shown) + 1,
                way_out="Save it from the mail program as plain text, or take another copy.",
            )
    return tuple(_problem(it, lines) for it in found if it.places)


def _problem(found: _Remains, lines: Sequence[str]) -> Problem:
    first, last = found.places[0][0], found.places[-1][0]
    places = "one place" if len(found.places) == 1 else f"{len(found.places)} places"
    message = f"characters are still encoded for mail, as {found.name} ({places}): {found.places[0][1]!r}"
    return Problem(found.code, message, Severity.WARNING, first, last, quote=lines[first - 1].strip()[:60])


def _quoted(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if "=" in line:
            yield from ((number, match[0]) for match in _QUOTED.finditer(line))


def _shifted(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    signs = [(number, line) for number, line in enumerate(lines, start=1) if "+" in line]
    has_plain = any(_PLAIN_PLUS.search(line) for _, line in signs)
    for number, line in signs:
        for it in _SHIFTED.finditer(line):
            if _is_code(it["code"]) if it["code"] else not has_plain:
                yield number, it[0]


def _is_code(code: str) -> bool:
    """Tell whether letters are the code of such characters: ``IBk`` is ’, ``land`` is none."""
    try:
        found = binascii.a2b_base64(code + "=" * (-len(code) % 4)).decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(_PRINTED.fullmatch(found))
