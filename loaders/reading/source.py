"""Read one file as lines of clean text, numbered as in the file."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...ontology import SourceError
from ..records import Problem
from .copying import refuse_patch, with_whole_words, without_copy_marks, without_entities
from .encodings import decode_bytes, remains
from .mending import mend
from .web_page import is_page, page_lines

LARGEST = 16 * 1024 * 1024
"""The maximum size in bytes; rules texts have one or two million."""

LONGEST_LINE = 50_000
"""The maximum length of a line in characters; the longest in a rules text, a paragraph, has four thousand."""

_ENDLESS_FIGURE = re.compile(r"\d{100}")

_FOREIGN = (
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"{\\rtf", "a rich text document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
_SAVE_AS_TEXT = "Open it in its own program and save it as plain text (UTF-8)."
_PDF = b"%PDF"
_PDF_TO_TEXT = "Convert it to plain text with `pdftotext -layout rules.pdf`."
_CONTROL_HEAVY = re.compile(rb"[\x01-\x08\x0e-\x19\x1b-\x1f]")

_GAME_WORDS = frozenset(
    "abilities ability artifact artifacts aura auras battlefield block blocked blocks card cards cast "
    "combat control controller controllers controls counter counters creature creatures damage deck decks "
    "draw draws effect effects enchantment enchantments exile exiled graveyard graveyards hand hands "
    "instant instants land lands libraries library life mana opponent opponents owner owners permanent "
    "permanents phase phases player players priority resolve resolves sorceries sorcery spell spells "
    "stack step steps tapped target targets token tokens triggered turn turns type types untapped zone "
    "zones".split()
)
_RUN_OF_LETTERS = re.compile(r"\w+")
_WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")

_ONE_BREAK = re.compile("\r\r?\n|\r|\n")
_TWO_BREAKS = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Source:
    """One file as text: ``lines[i - 1]`` is line *i* of the file, or of its web page, without its break.

    `name` is for messages only, `checksum` the SHA-256 of the bytes in hex, `encoding` theirs; `problems` are
    defects of the characters (loaders check the words); `closed` says whether the last line ends with a line
    break. `frame` are the lines that a reading site put around its page, blank in `lines`: such a page is
    part of a longer text.
    """

    name: str
    checksum: str
    encoding: str
    lines: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    closed: bool = True
    frame: frozenset[int] = frozenset()

    def without(self, frame: frozenset[int]) -> Source:
        """Return the source with the lines of a frame left blank."""
        lines = tuple("" if n in frame else line for n, line in enumerate(self.lines, 1))
        return replace(self, lines=lines, frame=frame)


def read_source(path: str | Path) -> Source:
    """Read the file at `path`.

    Raises `SourceError` when it is missing, not a file, not readable, too large, or refused by `decode`.
    """
    place = Path(path)
    name = str(path)
    try:
        status = place.stat()
        if stat.S_ISDIR(status.st_mode):
            os.listdir(place)  # raises if we have no permission to look
            raise SourceError("this is a folder", source=name, way_out="Give the files in it.")
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("this is not a regular file", source=name, way_out="Copy it into a file first.")
        if status.st_size > LARGEST:
            raise SourceError(
                f"the file has {status.st_size:,} bytes, more than any rules text",
                source=name,
                way_out="Give a plain text file of the rules.",
            )
        # A system file may claim to have no bytes, and never end.
        data = place.read_bytes() if status.st_size else _beginning(place)
    except FileNotFoundError as error:
        raise SourceError("no such file", source=name, way_out="Check the path.") from error
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        kind = "folder" if os.path.isdir(name) else "file"
        what = f"the {kind} cannot be read: {getattr(error, 'strerror', None) or error}"
        denied = isinstance(error, PermissionError)
        way_out = "Make it readable (chmod a+rX)." if denied else "Check the path."
        raise SourceError(what, source=name, way_out=way_out) from error
    return decode(data, name)


def _beginning(place: Path) -> bytes:
    """Return nothing, for a file that claims to be empty; raises `OSError` if it cannot be read."""
    file = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        os.read(file, 1)
    except BlockingIOError:
        pass
    finally:
        os.close(file)
    return b""


def decode(data: bytes, name: str) -> Source:
    """Turn the bytes of a file into a `Source`; `name` is only used in messages.

    In this order:

    1. *refuse* an empty file, or one that begins like another format;
    2. *decode* (`encodings.decode_bytes`);
    3. *split* into lines at CRLF, LF and CR, in any mixture;
    4. *remove* marks before all lines, *replace* entities, *mend* single broken characters (`mending.mend`),
       *join* words divided at line ends, *report* remains of mail (`encodings.remains`);
    5. *refuse* lines that no text has (`LONGEST_LINE`, numbers of a hundred figures).

    The text of a web page is extracted before it is repaired (`page_lines`).

    Guaranteed: the same text gives the same lines and problems, whatever its encoding and line ends; the
    number of a line is its number in the file (in a web page with several paragraphs on a line, that of the
    printed line); a vertical tab, a form feed, U+0085 or U+2028 is not a line
    break. Raises `SourceError` with what was found and where; it quotes only text about the game, since a
    file may be a link to a private one.
    """
    try:
        return _decoded(data, name)
    except SourceError as error:
        raise error.of(name, is_quoted=is_about_game(data.decode("latin-1"))) from None


def game_share(text: str) -> float:
    """Return the share of a text's words that are words of the game."""
    words = len(_WORD.findall(text))
    return sum(word in _GAME_WORDS for word in _RUN_OF_LETTERS.findall(text.lower())) / (words or 1)


def is_about_game(text: str) -> bool:
    """Return whether a text has enough words of the game for a refusal to quote it."""
    return game_share(text) >= 0.04


def _decoded(data: bytes, name: str) -> Source:
    _refuse_foreign(data)
    text, encoding = decode_bytes(data)
    raw = split_lines(text.rstrip("\x1a"))
    from_page = is_page(text, raw)
    refuse_patch(raw)
    own = page_lines(raw) if from_page else without_entities(without_copy_marks(raw))
    mended, problems = mend(own)
    lines, divided = with_whole_words(mended)
    if not any(map(str.strip, lines)):
        raise SourceError("the file is empty", way_out="Give a file with text in it.")
    _refuse_endless(lines)
    found = (*problems, *divided, *remains(lines))
    closed = text.rstrip("\x1a").endswith(("\n", "\r"))
    return Source(name, hashlib.sha256(data).hexdigest(), encoding, (*lines,), found, closed)


def split_lines(text: str) -> list[str]:
    r"""Return the lines of `text`, split at ``\r\n``, ``\n`` and ``\r`` only.

    ``\r\r\n`` is one break, a CRLF that was converted twice; but if the file has lone CRs as breaks, it is a
    break and a blank line that ends in CRLF.

    >>> split_lines("a\r\r\nb\r\nc"), split_lines("a\rb\r\r\nc\r")
    (['a', 'b', 'c'], ['a', 'b', '', 'c'])
    """
    if "\r" not in text:
        lines = text.split("\n")
    else:
        doubled = text.count("\r\r\n")
        pairs = text.count("\r\n") - doubled
        lone = text.count("\r") - pairs - 2 * doubled
        lines = (_TWO_BREAKS if lone > pairs else _ONE_BREAK).split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def _refuse_foreign(data: bytes) -> None:
    if not data:
        raise SourceError("the file is empty", way_out="Give a file with text in it.")
    begin = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if begin.startswith(_PDF):
        raise SourceError("this is a PDF document, not a plain text", way_out=_PDF_TO_TEXT)
    for mark, what in _FOREIGN:
        if begin.startswith(mark):
            raise SourceError(f"this is {what}, not a plain text", way_out=_SAVE_AS_TEXT)
    if b"\0" not in data and len(_CONTROL_HEAVY.findall(data)) > max(5, len(data) // 500):
        raise SourceError(
            "this is not a text: it contains control characters throughout",
            way_out="Give a plain text file of the rules.",
        )


def _refuse_endless(lines: Sequence[str]) -> None:
    for number, line in enumerate(lines, start=1):
        figure = _ENDLESS_FIGURE.search(line)
        if len(line) <= LONGEST_LINE and not figure:
            continue
        what = f"it has {len(line):,} characters" if len(line) > LONGEST_LINE else "a number does not end"
        raise SourceError(
            f"this is not a line of a rules text: {what}",
            line=number,
            excerpt=line[:80],
            way_out="Use another copy of the file, with at most one paragraph per line.",
        )
