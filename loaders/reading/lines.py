"""Clean the lines of a rules text: remove markup, fold white space, note the layout."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from ..language.names import is_title
from ..language.sentences import ends_paragraph
from .heads import read_head, unmarked
from .web_page import BREAK, JOINED, SPACED

_BANNER = re.compile(r"\s*([-=*_~#])\1{2,}\s*|\s*(?:[-=*_~]\s+){3,}[-=*_~]?\s*")
_ITALICS = re.compile(r"(?<![\w_])(_{1,2})(?=[^\s_])([^_]*[^\s_])\1(?!_)(?=\W|$|s\b|TM\b)")
_MARKDOWN_SIGN = re.compile(r"\s*(?:[>+*-]\s+)*(?:\*\*\d{3}\b|#{1,6}\s+\S|\*\*Example)")
_QUOTED = re.compile(r"(?:>\s?)+")
_HEADING = re.compile(r"#{1,6}\s+|#+$")
_BULLET = re.compile(r"[+*•-]\s+(?=\S)")
_BOLD = re.compile(r"(?<![_\w])(\*\*|__)(?=[^\s_])(.+?)(?<=[^\s_])\1(?!_)")
_EMPHASIS = re.compile(r"(?<![\w*/+\\])\*(?=[^\s*])([^*]*[A-Za-z][^*]*)(?<=[^\s*])\*(?![\w*/])")
_LINK = re.compile(r"\[([^\]]+)\]\((?:https?:|#|/|mailto:)[^)\s]*\)")
_BREAK = re.compile(r"<br\s*/?>|\\$", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!<>~|&-])")
_ESCAPED_STAR = "\ue000"


class Line(NamedTuple):
    """One line that is not blank.

    `number` is its place in the file, `text` its words without markup and with white space folded, `indent`
    the columns before them, `width` its length, `apart` whether a blank line comes before it, `marked`
    whether markup made it a heading.
    """

    number: int
    text: str
    indent: int
    width: int
    apart: bool
    marked: bool = False


class Pagination(NamedTuple):
    """The effect of pages on a text; lines are identified by their numbers, from 1.

    `around` are the lines that belong to no text: page numbers, running heads and feet. `begins` is the first
    line of each page but the first → whether it is separate from the end of the page before: blank lines
    there say nothing.
    """

    around: frozenset[int] = frozenset()
    begins: Mapping[int, bool] = MappingProxyType({})


NO_PAGES = Pagination()


def clean_lines(raw: Sequence[str], pages: Pagination = NO_PAGES) -> tuple[list[Line], list[int]]:
    """Return the lines with words, and the numbers of those that draw a rule (``-----``) or frame a page.

    Cleaning steps, each of which only removes characters:

    1. *Markdown*, where the text is written in it: quote marks, heading marks, bullets, bold, italics,
       links, escapes (in other texts a star is a power or toughness);
    2. *italics* in underscores: ``_Magic_`` is *Magic*, in every text, so that editions with and without
       marked italics have the same words; a blank to fill in (``____``) stays;
    3. *white space*: every run of it is one space;
    4. *marks* before a number: bullets, *CR*.

    >>> [line.text for line in clean_lines(["  The _Magic_(TM)\\tgame", "", "-----"])[0]]
    ['The Magic(TM) game']
    """
    markdown = sum(1 for line in raw if _MARKDOWN_SIGN.match(line)) >= 3
    lines: list[Line] = []
    rules: list[int] = []
    apart = True
    for number, found in ((number, part) for number, it in enumerate(raw, 1) for part in it.split(BREAK)):
        if number in pages.around or found == JOINED:
            rules.append(number)
            continue
        text = found
        if not text.strip():
            apart = True
            continue
        apart = apart or text.startswith(SPACED)
        if not text[:40].strip(" -=*_~#\t") and _BANNER.fullmatch(text):
            rules.append(number)
            apart = True
            continue
        marked = False
        if markdown:
            text, marked = _without_markdown(text)
        if "_" in text:
            text = without_italics(text)
        folded = unmarked(" ".join(text.split()))
        if not folded:
            rules.append(number)
            continue
        apart = pages.begins.get(number, apart)
        expanded = found.expandtabs(4)
        indent = len(expanded) - len(expanded.lstrip())
        lines.append(Line(number, folded, indent, len(expanded.rstrip()), apart, marked))
        apart = False
    return lines, rules


def without_italics(text: str) -> str:
    """Return `text` without the underscores around its italics.

    >>> without_italics("the _Ice Age_(TM) set and ____")
    'the Ice Age(TM) set and ____'
    """
    return _ITALICS.sub(r"\2", text)


def _without_markdown(raw: str) -> tuple[str, bool]:
    text = raw.strip().replace(r"\*", _ESCAPED_STAR)
    text = _QUOTED.sub("", text, count=1) if text.startswith(">") else text
    marked = text.startswith("#")
    text = _HEADING.sub("", text, count=1) if marked else text
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    bold = _BOLD.fullmatch(text)
    marked = marked or (bold is not None and "**" not in bold[2])
    text = _BOLD.sub(r"\2", text)
    text = _EMPHASIS.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _BREAK.sub(" ", text)
    text = _ESCAPE.sub(r"\1", text)
    return html.unescape(text).replace(_ESCAPED_STAR, "*"), marked


class Wrapping(NamedTuple):
    """How a text breaks its lines.

    `wrapped`: paragraphs span several lines; a line that fills `width` columns is then full, and `margin` the
    indentation of continuation lines (a line with another begins a paragraph). `parted`: blank lines separate
    paragraphs, so a short line says nothing.
    """

    wrapped: bool
    width: int = 0
    margin: int = 0
    parted: bool = False


_RAGGED = 6
"""The columns by which a full line may fall short: markup counts in some lines and not in others."""


def find_wrapping(lines: Sequence[Line]) -> Wrapping:
    """Return how a text is wrapped at a column, if it is, judged by its own lines.

    It is if a fifth of the lines that follow another without a blank line start in lower case because the
    line before did not end its sentence.
    """
    follows = [(a, b) for a, b in pairwise(lines) if not b.apart]
    broken = [(a, b) for a, b in follows if b.text[0].islower() and a.text[-1:] not in ".!?:"]
    if len(broken) < 5 or len(broken) * 5 < len(follows):
        return Wrapping(False)
    widths = sorted(a.width for a, _ in broken)
    margin = Counter(b.indent for _, b in broken).most_common(1)[0][0]
    numbered = [line.apart for line in lines if (head := read_head(line.text)) and head.level != "chapter"]
    parted = sum(numbered) * 3 > len(numbered) * 2
    return Wrapping(True, widths[int(len(widths) * 0.9)] - _RAGGED, margin, parted)


_ALONE = re.compile(r"\d{3}\.[\s\da-z]*\.?")
"""A number that its words have not followed yet."""


def goes_on(line: Line, before: Line, words: str, wrapping: Wrapping) -> bool:
    """Return whether `line` continues the paragraph of the line before it, whose words so far are `words`."""
    if not words or _ALONE.fullmatch(words):
        return True
    ended = ends_paragraph(words)
    if line.apart or not wrapping.wrapped:
        return not ended and (line.text[0].islower() or (line.text[0].isdigit() and not is_title(words)))
    if abs(line.indent - wrapping.margin) > 1:
        return not (ended or is_title(words))
    if wrapping.parted:
        return True
    return is_full(before, line, wrapping) or not (ended or is_title(words))


def is_full(before: Line, line: Line, wrapping: Wrapping) -> bool:
    """Return whether the first word of a line would not have fitted on the line before it."""
    return before.width + 1 + len(line.text.split(" ", 1)[0]) > wrapping.width
