"""Split a text into blocks for reading citations, keeping the position of each character.

Hard wraps, comment marks, Markdown and tags are removed, and variants of "rule" become that word, so that the
rest reads like the rules documents.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

_LONGEST = 4_000
"""Longer blocks are cut, between sentences if possible, so that reading takes linear time."""

_LEADER = re.compile(
    r"[^\S\n]*(?P<mark>>|#+!?|//+!?|/\*+|\*+|--+|;+|<!--|[-+•·‣◦]|\d{1,2}[.)]|\||\(?[a-z]\))"
    r"(?=\s|\d{3}\.|>)\s?"
)
APART = "\u2029"
"""Ends a block, as an empty line does."""

_COMMENTS = frozenset("# /* /** * ** -- ; ;;".split())
LONGEST_CODE = 160
_LONGEST_NUMBER = 10
_HEAD = re.compile(r"\d{3}\.\d{1,3}[a-z]?[.:]?\s+[A-Z“\"]")
_NOTE = re.compile(r"\[\^?[\w-]{1,20}\]:\s|\[\d{1,3}\]\s(?=.*\b[1-9]\d\d)")
_ITEMS = frozenset("- + • · ‣ ◦ |".split())
_CLEAN = re.compile(
    # what is between a word for rules and the number: *rule no. 704*, *rule_id: "704.5*
    r"(?P<word>(?<=[Rr]ule)\s?(?:[Nn]o\.|[Nn]r\.|[Nn]umber|#|:)\s?(?=\d{3}(?!\d))"
    r"|(?<=[Rr]ule)(?:s|[\s_-]?(?:[Nn]umber|[Ii]d))?[`\"']?\s?[:=|{]\s?(?:\[\s{0,80})?[`\"'\[]{0,2}(?=\d{3}\.\d))"
    # space, quotations in HTML, and marks and addresses of Markdown and HTML
    r"|(?P<space>\s{2,}|[^\S ])"
    r"|(?P<opens><(?:blockquote|q)\b[^<>\n]{0,200}>)|(?P<closes></(?:blockquote|q)>)"
    r"|(?P<gone>\]\([^()\s]{0,500}\)|\[(?=[^\[\]\n]{1,120}\]\()|</?(?![Rr]ule\b[^<>\n]{0,20}\d{3}\.\d)[A-Za-z][^<>\n]{0,200}>|\[!\w+\]"
    r"|[*`\u200b\ufeff\u00ad\x00-\x08\x0e-\x1f\x7f-\x9f]|(?<!\w)_+|_+(?!\w))"
    # *CR*, *comp rules* and the like before a number
    r"|(?P<cue>(?<![\w.])(?:C\.?R\.?|CRs|cr(?=[`\"']?\s?[:=|]?\s?[`\"'\[]{0,2}\d{3}\.)|[Cc]omp\.?(?:rehensive)?\s{0,3}[Rr]ules?)"
    r"(?:[\s,:#§-]{1,4}|\(\s?[\"']|[`\"']?\s?[:=|]\s?[`\"'\[]{0,2}|(?<=[RrSs.])(?=\d))(?:[Rr]ules?\s{1,3})?(?=\d{3}(?!\d|_\d))"
    r"|(?<![\w.$])R(?=\d{3}\.\d{1,3}[a-z]?(?!\w))(?!\d{3}\.\d\d(?!\w)))"
    # names in programs: *rule_704_5a*, *CR704_5*
    r"|(?P<name>(?:(?<![A-Za-z])(?:cr|CR|[Rr]ule|RULE)|(?<=[a-z])(?:CR|Rule))_?\d{3}_\d{1,3}[A-Za-z]?(?![A-Za-z0-9]))"
    r"|(?P<sign>§{1,2}\s{0,2}(?=\d{3}(?!\d)))"
    # lists joined by a slash: *601.2a/b*, *rule 601/602*, *601.2/601.3*
    r"|(?P<letters>(?<=[a-z])/[a-z](?:/[a-z])*(?!\w))"
    r"|(?P<chapters>(?:(?<=CR \d{3})|(?<=ule \d{3}))/(?=\d{3}(?![\d.])))"
    r"|(?P<slash>(?<=\w)/(?=\d{3}\.\d))"
    # a subrule in other forms: *601.2(a)*, *601.2, part b*, *rule 601,2a*, *rule 601-2a*, *rule 601.2A*
    r"|(?P<apart>\d{3}\.\d{1,3}(?:\.[a-z](?!\w)|\([a-z]\)"
    r"|,?\s(?:sub(?:section|rule|part)|(?:sub)?paragraph|part|letter|clause)\s\(?[a-z]\)?(?!\w))"
    r"|(?:(?<=[Rr]ule\s)|(?<=[Rr]ules\s)|(?<=CR\s)|(?<=CR))"
    r"(?:\d{3},\d{1,2}[a-z]?(?![\w,])|\d{3}(?:-\d{1,3}|\.\d{1,3}-)[a-z](?!\w)"
    r"|\d{3}\.\d{1,3}\s(?:\([a-z]\)|(?:[b-z](?=[.,;:)\]]?(?:\s|$))|a(?=[.,;:)\]]|$)))))"
    r"|(?P<large>(?:(?<=[Rr]ule )|(?<=[Rr]ules )|(?<=[Cc][Rr] ))\d{3}\.\d{1,3}[A-Z](?!\w))"
)
"""What is replaced in a block: by `_WORDS` for most groups, by `_instead` for the others."""

_LETTERED = re.compile(r"(?<![\w.])\d{3}\.\d{1,3}(?=[a-z]$)")
_APART = re.compile(r"(\d{3})[.,-](\d{1,3})(?:.*?([a-z])\)?)?", re.DOTALL)
"""The parts of a subrule's number, whatever is between them."""

_IN_NAMES = re.compile(r"(\d{3})_(\d{1,3}[A-Za-z]?)")
_WORDS = {
    "space": " ",
    "gone": "",
    "opens": "“",
    "closes": "”",
    "cue": "rule ",
    "sign": "rule ",
    "word": " ",
    "slash": " & ",
    "chapters": " & rule ",
}


class TextBlock(NamedTuple):
    """A paragraph, list item or table row; `places` are the positions of its characters in the text.

    `mark` is what its lines begin with, ``>`` in a block quotation; `code` is the line of program after a
    comment. `lines` are the positions at which its lines begin.
    """

    text: str
    places: array[int]
    mark: str = ""
    code: str = ""
    lines: Sequence[int] = ()

    @property
    def quoted(self) -> bool:
        """Whether it is in a block quotation."""
        return self.mark == ">"

    @property
    def heading(self) -> bool:
        """Whether it is a Markdown heading."""
        return self.mark.strip("#") == "" != self.mark

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the block begins and ends in the text."""
        return self.places[start], self.places[end - 1] + 1


def text_blocks(text: str) -> Iterator[TextBlock]:
    """Yield the blocks of a text, in order."""
    lines: list[tuple[int, str]] = []
    mark, is_item = "", False
    has_stars = "/*" not in text  # otherwise stars begin the lines of a comment
    place = 0
    for line in text.splitlines(keepends=True):
        leader = _LEADER.match(line)
        own = leader["mark"] if leader else ""
        start = leader.end() if leader else 0
        body = line[start:]
        heads = own in _ITEMS or own.strip("(")[:1].isalnum()
        begins = (
            heads
            # A number after a sentence begins something new.
            or (bool(_HEAD.match(body)) and (not lines or lines[-1][1].rstrip()[-1:] in {*".!?:"}))
            or own != mark
            or bool(_NOTE.match(body))
            or (own == "*" and line[:1] == "*")
            or (bool(lines) and lines[-1][1].endswith(APART))
        )
        if lines and (begins or not body.strip()) and not (not own and is_item and body.strip()):
            yield from _blocks(lines, mark, "" if own else body.strip()[:LONGEST_CODE])
            lines = []
        if body.strip():
            is_item = is_item if lines else heads or (own == "*" and has_stars)
            mark = mark if lines else own
            lines.append((place + start, body))
        place += len(line)
    if lines:
        yield from _blocks(lines, mark)


def _blocks(lines: list[tuple[int, str]], mark: str, behind: str = "") -> Iterator[TextBlock]:
    code = behind if mark in _COMMENTS or mark.startswith("//") else ""
    raw = "".join(line for _, line in lines)
    at = array("q")
    for place, line in lines:
        at.extend(range(place, place + len(line)))
    start = 0
    while start < len(raw):
        end = min(len(raw), start + _LONGEST)
        if end < len(raw):
            half = start + _LONGEST // 2
            whole = max(raw.rfind("\n", half, end), 0) or raw.rfind(". ", half, end) + 1  # 0 for none
            space = whole or raw.rfind(" ", half, end)
            end = space + 1 if space > 0 else end
        text, places = _cleaned(raw[start:end], at[start:end])
        if text.strip():
            yield TextBlock(text, places, mark, code, [it for it, _ in lines])
        start = end


def _cleaned(raw: str, at: array[int]) -> tuple[str, array[int]]:
    pieces: list[str] = []
    places: array[int] = array("q")
    done = 0
    for match in _CLEAN.finditer(raw):
        piece, own = _instead(match, at)
        pieces += [raw[done : match.start()], piece]
        places.extend(at[done : match.start()])
        places.extend(own)
        done = match.end()
    places.extend(at[done:])
    return "".join((*pieces, raw[done:])), places


def _instead(match: re.Match[str], at: array[int]) -> tuple[str, list[int]]:
    """Return the replacement of a match, and the position of each of its characters."""
    raw, (start, end), kind = match.string, match.span(), match.lastgroup or ""
    if kind in _WORDS:
        return _WORDS[kind], [at[start]] * len(_WORDS[kind])
    if kind == "letters":
        first = _LETTERED.search(raw, max(0, start - _LONGEST_NUMBER), start)
        ahead = f" & {first[0]}" if first else "/"
        places = [at[place] for slash in range(start, end, 2) for place in (*[slash] * len(ahead), slash + 1)]
        return "".join(ahead + letter for letter in raw[start + 1 : end : 2]), places
    if kind == "name" and (number := _IN_NAMES.search(raw, start, end)):
        places = [at[start]] * len(" rule ") + [*at[number.start() : end], at[end - 1]]
        return f" rule {number[1]}.{number[2].lower()} ", places
    parts = _APART.fullmatch(raw, start, end)
    if kind == "apart" and parts:
        kept = [*range(*parts.span(1)), parts.end(1), *range(*parts.span(2)), *range(*parts.span(3))]
        return f"{parts[1]}.{parts[2]}{parts[3]}", [*(at[place] for place in kept[:-1]), at[end - 1]]
    return match[0].lower(), [*at[start:end]]


def line_starts(text: str) -> list[int]:
    """Return where the lines of a text begin.

    >>> line_starts("oil\\nwick\\n"), line_starts("oil\\r\\nwick")
    ([0, 4, 9], [0, 5])
    """
    if "\r" not in text:  # true of most texts, and four times as fast
        return [0, *accumulate(map((1).__add__, map(len, text.split("\n")[:-1])))]
    return [0, *(match.end() for match in re.finditer(r"\r\n?|\n", text))]


def place_of(starts: Sequence[int], offset: int) -> tuple[int, int]:
    """Return the line and column of a character, both from 1, in a text whose lines begin at `starts`."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1
