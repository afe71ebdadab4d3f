"""Clean the lines of a rules text, note their layout, and read the rule numbers at their start."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from ..language.names import is_title
from ..language.numbers import successors
from ..language.words import ends_paragraph
from .web_page import BREAK, JOINED, SPACED

_BANNER = re.compile(r"\s*([-=*_~#])\1{2,}\s*|\s*(?:[-=*_~]\s+){3,}[-=*_~]?\s*")
_ITALICS = re.compile(r"(?<![\w_])(_{1,2})(?=[^\s_])([^_]*[^\s_])\1(?!_)(?=\W|$|s\b|TM\b)")
_MARKDOWN_SIGN = re.compile(
    r"\s*(?:[>+*-]\s+)*(?:\*\*\d{3}\b|#{1,6}\s+\S|\*\*Example|\*\*[^*]+\*\*$)|\s*\*\s+\w"
)
_QUOTED = re.compile(r"(?:>\s?)+")
_HEADING = re.compile(r"#{1,6}\s+|#+$")
_BULLET = re.compile(r"[+*•-]\s+(?=\S)")
_BOLD = re.compile(r"(?<![_\w])(\*\*|__)(?=[^\s_])(.+?)(?<=[^\s_])\1(?!_)")
_EMPHASIS = re.compile(r"(?<![\w*/+\\])\*(?=[^\s*])(?=[^*]*[A-Za-z])([^*]++)(?<=[^\s*])\*(?![\w*/])")
_LINK = re.compile(r"\[([^\]]{1,300})\]\((?:https?:|#|/|mailto:)[^)\s]*\)")
_BREAK = re.compile(r"<br\s*/?>|\\$", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!<>~|&-])")
_ESCAPED_STAR = "\ue000"
_RUN_IN = re.compile(r"(?:(?<=[.!?)\]”’])\s*|(?<=[\"'])\s+)(?=examples?:\s)", re.IGNORECASE)
"""The place where an example lost the line break before it."""


class Line(NamedTuple):
    """One line that is not blank.

    `number` is its place in the file, `text` its words without markup and with white space folded, `indent`
    the columns before them, and `width` its length. `apart` says whether a blank line comes before it,
    `marked` whether markup made it a heading.
    """

    number: int
    text: str
    indent: int
    width: int
    apart: bool
    marked: bool = False


class Pagination(NamedTuple):
    """The effect of pages on a text; lines are identified by their numbers, from 1.

    `around` are the lines that are not part of the text: page numbers, headers and footers. `begins` maps the
    first line of each page except the first to whether it is separate from the end of the page before: blank
    lines there say nothing.
    """

    around: frozenset[int] = frozenset()
    begins: Mapping[int, bool] = MappingProxyType({})


NO_PAGES = Pagination()


def clean_lines(raw: Sequence[str], pages: Pagination = NO_PAGES) -> tuple[list[Line], list[int]]:
    """Return the lines with words, and the numbers of ruled lines (``-----``) and lines around pages.

    Cleaning steps, each of which only removes characters:

    1. *Markdown*, where the text is written in it: quote marks, heading marks, bullets, bold, italics,
       links, escapes (in other texts a star is a power or toughness);
    2. *italics* in underscores: ``_Magic_`` is *Magic*, in every text, so that editions with and without
       marked italics have the same words; a blank to fill in (``____``) stays;
    3. *white space*: every run of it is one space;
    4. *marks* before a number, bullets or *CR*, and brackets around an example.

    >>> [line.text for line in clean_lines(["  The _Magic_(TM)\\tgame", "", "-----"])[0]]
    ['The Magic(TM) game']
    """
    markdown = sum(1 for line in raw if _MARKDOWN_SIGN.match(line)) >= 3
    lines: list[Line] = []
    rules: list[int] = []
    apart = True
    for number, found in ((number, part) for number, it in enumerate(raw, 1) for part in _printed(it)):
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


def _printed(line: str) -> list[str]:
    """Return the printed lines in a line of the file; an example after a sentence is a separate one."""
    return (_RUN_IN.sub(BREAK, line) if "ample" in line.lower() else line).split(BREAK)


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

    `wrapped`: paragraphs span several lines. A line that fills `width` columns is then full, and `margin` is
    the indentation of continuation lines (a line with a different one begins a paragraph). `parted`: blank
    lines separate paragraphs, so a short line says nothing.
    """

    wrapped: bool
    width: int = 0
    margin: int = 0
    parted: bool = False


_RAGGED = 6
"""How many columns a full line may lack: markup counts in some lines and not in others."""


def find_wrapping(lines: Sequence[Line]) -> Wrapping:
    """Return how a text is wrapped at a column, if it is, judged by its own lines.

    It is if a fifth of the lines that follow another without a blank line start in lower case after an
    unfinished sentence.
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
"""A number whose words have not followed yet."""


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
    """Return whether the first word of a line would not have fit on the line before it."""
    return before.width + 1 + len(line.text.split(" ", 1)[0]) > wrapping.width


# -- numbers ----------------------------------------------------------------------------------------

_HEAD = re.compile(
    r"""
    (?P<chapter>[0-9]{3})(?!\d)
    (?:
        (?P<before>\s?)\.(?P<after>\s?)                     # 606.8b, 606. 8b
        (?:
            (?P<rule>[0-9]{1,3})(?!\d)
            (?:
                (?P<letter>[a-z](?![a-z’'])                 # 704.5a
                    | [a-z]{2}(?=\.?\s*(?:[^a-z\s]|$)))      # 704.5aa
              | (?P<apart>\s|\.\s?)(?P<letter2>[a-z])(?=\.?\s+[“"‘'(\[{A-Z])   # 704.5 a, 704.5.a
            )?
          | (?P<letter3>[a-z]{1,2})(?=\.?\s)                # 408.f
        )?
    )?
    """,
    re.VERBOSE,
)
_NOT_A_HEAD = re.compile(r"\.?[,;:)\]–—/”\"’'-]|\.\d")


_MARKED = re.compile(r"^(?:(?:[-–>+*o]|#+)\s|[•·§]\s?)*(?:CR\s+)?(?=\d{3}\.)")


_BRACKETED = re.compile(r"[\[(](examples?(?:\s+\d+)?\s*:.*)[\])]", re.IGNORECASE)


def unmarked(text: str) -> str:
    """Return a line without the marks that some pages put before a rule number, or around an example.

    >>> unmarked("• CR 606.2a A lamp glows.")
    '606.2a A lamp glows.'
    """
    bracketed = _BRACKETED.fullmatch(text) if text[:1] in "[(" else None
    return bracketed[1] if bracketed else _MARKED.sub("", text)


@dataclass(frozen=True, slots=True)
class Head:
    """A number at the start of a line, and what follows it.

    `number` is canonical (``606.8b``); for a subrule that has lost its figure (``408.f``) it is not known yet
    and `lost` is true. `printed` is the number as printed, without a final dot; `level` is ``"chapter"``,
    ``"rule"`` or ``"subrule"``; `slips` are codes of problems.
    """

    number: str
    level: str
    printed: str
    rest: str
    slips: tuple[str, ...] = ()
    lost: bool = False

    @property
    def chapter(self) -> str:
        """The chapter of the number: the first three figures."""
        return self.number[:3]


def read_head(text: str) -> Head | None:
    """Return the number that `text` (white space folded) begins with, or None.

    A number followed by a comma, a bracket or a dash is in the middle of a sentence, so None is returned;
    whether a number after a line break begins a rule depends on the words before it.

    >>> read_head("606. 8b The lamp goes out.").number, read_head("901.4.All lamps glow.").slips
    ('606.8b', ('missing-space',))
    """
    match = _HEAD.match(text)
    if not match:
        return None
    chapter, rule = match["chapter"], match["rule"]
    letter = match["letter"] or match["letter2"] or match["letter3"] or ""
    tail = text[match.end() :]
    if not rule and not letter:
        return _chapter(chapter, match["after"] is not None, tail, text)
    if _NOT_A_HEAD.match(tail):
        return None
    slips = ["extra-space"] if match["before"] or match["after"] else []
    if match["letter2"]:
        slips.append("extra-dot" if "." in match["apart"] else "extra-space")
    lost = bool(match["letter3"])
    if lost:
        slips.append("lost-digit")
    dotted = tail.startswith(".")
    rest = tail[1:] if dotted else tail
    if letter and dotted:
        slips.append("extra-dot")
    elif not letter and not dotted:
        slips.append("missing-dot")
    if rest and not rest.startswith(" "):
        slips.append("missing-space")
    if lost and letter == "l":  # no subrule has this letter: the figure 1 was misread
        rule, letter, lost = "1", "", False
    number = f"{chapter}.{rule or ''}{letter}"
    level = "subrule" if letter else "rule"
    return Head(number, level, match[0], rest.strip(), tuple(dict.fromkeys(slips)), lost)


_WITHIN = re.compile(
    r"(?<=[a-z.!?:”\"’')\]])\s?(?P<number>(?P<chapter>\d{3})\.(?:\d{1,3}(?:[a-z]{1,2})?)?)\.?\s?(?=[A-Z“\"‘'(\[{])"
)
"""A number within a line that is followed by the beginning of a rule."""


def cut_at_numbers(text: str, before: str, following: str) -> Iterator[str]:
    """Yield the parts of a line that contains numbers which lost the line break before them.

    Such a number is the next one in order after a title or a sentence that has ended; a chapter is followed
    by its first rule. `before` is the number of the rule before the line, if its own words do not begin with
    one; `following` is the line below it.

    >>> list(cut_at_numbers("606.6. Turns of Ships 606.6a A ship turns. See rule 606.6b.", "606.5", ""))
    ['606.6. Turns of Ships', '606.6a A ship turns. See rule 606.6b.']
    """
    head, start = read_head(text), 0
    current, begin = (head.number, len(head.printed)) if head else (before, 0)
    for match in _WITHIN.finditer(text, begin):
        number = match["number"].rstrip(".")
        words = text[begin : match.start()].lstrip(". ")
        if not current or number not in successors(current) or not (is_title(words) or ends_paragraph(words)):
            continue
        if "." not in number and f"{number}.1" not in (text[match.end() :] + following):
            continue
        yield text[start : match.start()].rstrip()
        start, begin, current = match.start("number"), match.end(), number
    yield text[start:]


def _chapter(chapter: str, dotted: bool, tail: str, text: str) -> Head | None:
    if dotted:
        rest = tail.lstrip(". ")
        spaced = text[3:5] in (". ", ".")
        if rest and not (rest[0].isupper() or rest[0] in "“\"'‘([{_"):
            return None
        return Head(chapter, "chapter", chapter, rest, () if spaced else ("missing-space",))
    if tail.startswith(" ") and tail[1:2].isupper() and is_title(tail.strip()):
        return Head(chapter, "chapter", chapter, tail.strip(), ("missing-dot",))
    return None
