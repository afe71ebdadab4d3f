"""Split a text without numbers into blocks: headings, paragraphs, examples and furniture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from ...language.words import fold, join_wrapped

_SENTENCE_END = re.compile(r"[.?!:;][\"”’')\]]*$")
_EXAMPLE = re.compile(r"examples?:\s*", re.IGNORECASE)
_TITLE_LENGTH = 60
"""The longest heading in any edition's glossary has 41 characters."""

_STATE = re.compile(r"\((?:obsolete|informal)\)$", re.IGNORECASE)
_LONGEST = 90
"""The longest heading with a state has 70."""

_OF = r"\d+\s*(?:/|of)\s*\d+"
_FURNITURE = re.compile(
    rf"(?:.{{0,50}}\b)?(?:part|chapter|page)\s+(?:{_OF}|\d+(?:\s*[(\[]?{_OF}[)\]]?)?)"  # Part 29 (1/2)
    rf"|{_OF}|\W*\d+\W*"  # 3/12, - 3 -
    r"|\W*(?:(?:prev(?:ious)?|next)(?:\s+(?:chapter|page|part))?\W*)+"
    r"|(?:https?://|www\.)\S+"
    r"|magic\b.{0,40}\b(?:rules|rulebook)"
    r"|(?:table of )?contents|glossary|advertisement|[\W_]+",
    re.IGNORECASE,
)
"""What a reading site, or the book itself, sets around the text."""

_BACK = re.compile(r"credits|questions\?|customer service(?: information)?", re.IGNORECASE)
"""What begins the part behind a glossary."""

_WIDEST_WRAP = 160
_WRAPPED_SHARE = 0.1
"""A text is wrapped where one line in ten, of at most this many characters, stops inside a sentence."""


BlockKind = Literal["heading", "paragraph", "example", "furniture"]


@dataclass(frozen=True, slots=True)
class Block:
    """Words that belong together and the lines of the file they stand on (from 1, inclusive).

    `text` are the words, for examples without their label; `found` what stood there before mending, white
    space folded, where mending changed it, else empty.
    """

    kind: BlockKind
    text: str
    first_line: int
    last_line: int
    found: str = ""


def split_blocks(lines: Sequence[str], mend: Callable[[str], str]) -> tuple[Block, ...]:
    """Return the blocks of a text in order; every non-blank line stands in exactly one.

    `mend` repairs the words of a block before it is judged. Paragraphs may stand on one line each, with
    or without blank lines between them, or be wrapped at one width.
    """
    blocks = tuple(_block(group, mend) for group in _groups(lines))
    back = next((place for place, it in enumerate(blocks) if _BACK.fullmatch(it.text)), len(blocks))
    return (*blocks[:back], *(replace(it, kind="furniture") for it in blocks[back:]))


def is_heading(text: str) -> bool:
    """Tell whether a line is a heading: short or with a state, no sentence, and beginning like a name."""
    state = _STATE.search(text)
    if len(text) > (_LONGEST if state else _TITLE_LENGTH) or _SENTENCE_END.search(text):
        return False
    first = next((char for char in text if char.isalnum()), "")
    return bool(first) and not first.islower()


def _groups(lines: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each block: `(line of the file, words)`."""
    numbered = [(number, fold(line)) for number, line in enumerate(lines, start=1)]
    width = _wrap_width([words for _, words in numbered])
    group: list[tuple[int, str]] = []
    for number, words in numbered:
        if group and not (words and _goes_on(group[-1][1], words, width)):
            yield group
            group = []
        if words:
            group.append((number, words))
    if group:
        yield group


def _wrap_width(lines: Sequence[str]) -> int:
    """Return the width at which the text is wrapped, or 0 where each paragraph stands on one line.

    A wrapped line shows by the next going on in lower case without a sentence's end between.
    """
    broken = [len(a) for a, b in pairwise(lines) if len(a) <= _WIDEST_WRAP and _breaks_inside(a, b)]
    return max(broken, default=0) if len(broken) > _WRAPPED_SHARE * sum(map(bool, lines)) else 0


def _breaks_inside(line: str, following: str) -> bool:
    return bool(line and following) and following[0].islower() and not _SENTENCE_END.search(line)


def _goes_on(line: str, following: str, width: int) -> bool:
    """Tell whether `following` continues the paragraph of `line` in a text wrapped at `width`.

    It does inside a sentence, and where its first word would not have fitted on the line before.
    """
    if not width or _EXAMPLE.match(following) or _is_furniture(line) or _is_furniture(following):
        return False
    return _breaks_inside(line, following) or len(line) + 1 + len(following.split(" ", 1)[0]) > width


def _is_furniture(text: str) -> bool:
    return len(text) <= _TITLE_LENGTH + 20 and bool(_FURNITURE.fullmatch(text))


def _block(group: list[tuple[int, str]], mend: Callable[[str], str]) -> Block:
    joined = join_wrapped(words for _, words in group)
    text = mend(joined)
    first, last = group[0][0], group[-1][0]
    found = joined if joined != text else ""
    if _is_furniture(text):
        return Block("furniture", text, first, last, found)
    example = _EXAMPLE.match(text)
    if example:
        return Block("example", text[example.end() :], first, last, found)
    kind: BlockKind = "heading" if is_heading(text) else "paragraph"
    return Block(kind, text, first, last, found)
