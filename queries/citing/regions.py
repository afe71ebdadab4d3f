"""Find the comments, strings and paragraphs of a file that contain rule numbers.

A line that begins with a comment mark is a comment. Pygments finds comments, strings and names in other
lines. It is a hundred times slower than a search, so only files with such a line are lexed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..verifying.blocks import line_starts

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

_CITED = (
    r"(?<![A-Za-z0-9])(?:C\.?R\.?|[Cc]omp(?:rehensive)? [Rr]ules?|[Rr]ules?)[ \t:#§(\"'-]{0,3}[1-9]\d\d(?!\d)"
    r"|(?:cr|CR|[Rr]ule|RULE)_?[1-9]\d\d_\d"
    r"|(?<![\w.,$€£+=#-])[1-9]\d\d\.[1-9]\d{0,2}(?:ff|[a-z]?)(?![\w%]|\.\d)"
)
_LIKELY = re.compile(_CITED)
"""A possible citation. A file is read only near these."""

_HINTS = (
    r"[1-9]\d\d[._][1-9]",
    r"CR[ \t:#(\"'_-]{0,3}[1-9]\d\d",
    r"ules?[ \t:#(_-]{0,3}[1-9]\d\d",
    r"C\.R\.",
)
"""Every citation contains one of these; finding them takes a tenth of the time of `_LIKELY`."""

_PLACES = tuple(re.compile(hint) for hint in _HINTS)
_BYTES = tuple(re.compile(hint.encode()) for hint in (*_HINTS, r"cite:\s*ignore"))

_SLASHES = (
    "rs kt kts java js jsx mjs ts tsx c h cc cpp cxx hpp cs go swift scala dart php groovy proto zig m mm "
    "gradle vue svelte scss less css"
)
_HASHES = "py pyi rb sh bash pl yaml yml toml r jl ex exs tf cfg conf mk nim cmake"
_MARKS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_SLASHES.split(), ("//",)),
    **dict.fromkeys(_HASHES.split(), ("#",)),
    **dict.fromkeys("lua sql hs elm adb".split(), ("--",)),
    **dict.fromkeys("clj cljs el lisp scm asm ini".split(), (";",)),
}
_TEXTS = frozenset(("", "md", "markdown", "txt", "rst", "adoc", "org", "tex", "html", "htm"))
_DATA = frozenset("json jsonl csv tsv lock svg xml ipynb yaml yml toml ini cfg conf".split())
_TABLES = frozenset(("csv", "tsv"))
_QUOTES = re.compile(r"\"|(?<!\w)'|'(?!\w)")
"""Signs that are replaced as in Markdown: *`trample`: `702.19`* is read as a name and its number."""

_SIGNS = str.maketrans("={}", ":[]")
_CELLS = str.maketrans(",;\t", "|||")
_BESIDE_CODE = re.compile(r"[\"`*]|//|ule|ULE|[Cc]\.?[Rr]")
"""What a citation in a line of code contains, because bare numbers there are not citations."""

_HEAD = re.compile(r"\s*[1-9]\d\d\.[1-9]\d{0,2}[a-z]?(?![\w%]|\.\d)")
_CONTINUED = re.compile(r"\\\s*$")
_IDENTIFIER = re.compile(r"(?:cr|CR|[Rr]ule|RULE)_?[1-9]\d\d_\w+")
_OF_NAMES = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_LINES, _LONGEST_LINE, _LONGEST_WORDS = 12, 4000, 20


class CitingRegion(NamedTuple):
    """A part of a file to be searched for citations; `kind` is comment, string, name or text.

    `text` is found at `start`. Citations after the offset `end` are outside of the region: the text continues
    with the line of code below a comment.
    """

    kind: str
    text: str
    start: int
    end: int


def may_cite(data: bytes) -> bool:
    """Return whether a file may contain citations, without decoding it."""
    return any(hint.search(data) for hint in _BYTES)


def regions_of(name: str, text: str) -> tuple[list[CitingRegion], int]:
    """Return the regions of a file that may contain rule numbers, in order, each once.

    Also return how many lines were too long to be written by hand.
    """
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    edges = [*line_starts(text), len(text)]
    marks = _MARKS.get(ending, ())
    is_text = ending in _TEXTS or (not marks and ending not in _DATA and not _lexer(name))
    lines = sorted({bisect_right(edges, it.start()) - 1 for hint in _PLACES for it in hint.finditer(text)})
    found: list[CitingRegion] = []
    unclear: list[int] = []
    skipped, done = 0, 0
    for line in lines:
        begin, end = edges[line : line + 2]
        if end <= done:
            continue
        if _is_generated(text, begin, end) if is_text else end - begin > _LONGEST_LINE:
            skipped += 1
            continue
        block = _block(text, begin, end) if "//" in marks else None
        if "//" in marks and not block and not _BESIDE_CODE.search(text, begin, end):
            continue
        if is_text and _LIKELY.search(text, begin, end):
            found.append(_paragraph(text, edges, line))
        elif region := block or (_comment(text, edges, line, marks) if marks else None):
            found.append(region)
        elif ending in _DATA:
            found += _data(text, begin, end, marks, ending in _TABLES)
        else:
            for match in _LIKELY.finditer(text, begin, end):
                if region := _beside_code(text, begin, match.start(), end, marks):
                    found.append(region)
                elif "//" not in marks or not match[0][0].isdigit():
                    unclear.append(match.end() - 1)  # the number, of *rule("702.19a")*
        done = found[-1].start + found[-1].end if found else done
    if unclear:
        found += _lexed(name, text, unclear)
        found.sort(key=lambda it: it.start)
    return found, skipped


def kind_at(name: str, text: str, begin: int, at: int, end: int) -> str:
    """Return the kind of region at a place in a line; ``"name"`` if the line alone does not show it."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    marks = _MARKS.get(ending, ())
    if ending in _TEXTS or text[begin:at].lstrip().startswith(marks or "\n"):
        return "text" if ending in _TEXTS else "comment"
    region = _beside_code(text, begin, at, end, marks) if marks else None
    return region.kind if region else "name"


def _is_generated(text: str, begin: int, end: int) -> bool:
    """Return whether a line is long and not a paragraph of words."""
    length = end - begin
    return length > _LONGEST_LINE and text.count(" ", begin, end) <= length // _LONGEST_WORDS


def _paragraph(text: str, edges: Sequence[int], line: int) -> CitingRegion:
    """Return the lines around a line, up to blank or generated ones; `edges` has the edges of all lines."""

    def is_part(begin: int, end: int) -> bool:
        return bool(text[begin:end].strip()) and not _is_generated(text, begin, end)

    first, last = _first_of(line, edges, is_part), _last_of(line, edges, is_part)
    start, end = edges[max(first, line - _MOST_LINES)], edges[last + 1]
    return CitingRegion("text", text[start:end], start, end - start)


def _comment(text: str, edges: Sequence[int], line: int, marks: tuple[str, ...]) -> CitingRegion | None:
    """Return the comment of whole lines around a line, with the line below it; None if it is no comment."""

    def lead(begin: int, end: int) -> str:
        own = text[begin:end].lstrip()[:3]
        if own.startswith(marks):
            return marks[0]
        return "*" if "//" in marks and own.startswith(("*", "/*")) else ""

    kind = lead(*edges[line : line + 2])
    if not kind or not _LIKELY.search(text, *edges[line : line + 2]):
        return None

    def is_part(begin: int, end: int) -> bool:
        return lead(begin, end) == kind

    first = _first_of(line, edges, is_part)
    if kind == "*" and not text[edges[first] : edges[first + 1]].lstrip().startswith("/*"):
        return None
    last = _last_of(line, edges, is_part)
    start, end = edges[max(first, line - _MOST_LINES)], edges[last + 1]
    below = edges[min(last + 2, len(edges) - 1)]
    return CitingRegion("comment", text[start : min(below, end + _LONGEST_LINE)], start, end - start)


def _block(text: str, begin: int, end: int) -> CitingRegion | None:
    """Return the block comment, without stars, in which a line begins with a number; None for other lines."""
    start = text.rfind("/*", max(0, begin - _LONGEST_LINE), begin) if _HEAD.match(text, begin, end) else -1
    stop = text.find("*/", start, begin + _LONGEST_LINE)
    if start < 0 or 0 <= stop < begin or text[max(0, start - 1) : start].strip():
        return None
    stop = stop if stop > 0 else end
    return CitingRegion("comment", text[start:stop], start, stop - start)


def _first_of(line: int, edges: Sequence[int], is_part: Callable[[int, int], bool]) -> int:
    """Return the first of the lines before a line, not far from it, that belong to it."""
    first = line
    while first > 0 and line - first < 3 * _MOST_LINES and is_part(*edges[first - 1 : first + 1]):
        first -= 1
    return first


def _last_of(line: int, edges: Sequence[int], is_part: Callable[[int, int], bool]) -> int:
    """Return the last of the lines after a line that belong to it."""
    last = line
    while last + 2 < len(edges) and is_part(*edges[last + 1 : last + 3]):
        last += 1
    return last


def _beside_code(text: str, begin: int, at: int, end: int, marks: tuple[str, ...]) -> CitingRegion | None:
    """Return the end-of-line comment, string or name around a place in a line; None if that is unclear."""
    ahead = text[begin:at]
    is_like_c = "//" in marks
    begins = [ahead.find(f" {mark}") + 1 for mark in marks]
    if is_like_c and (last := ahead.rfind("/*")) > ahead.rfind("*/"):
        begins.append(last)
    place = max(begins, default=0)
    if place > 0 and not any(ahead[:place].count(quote) % 2 for quote in "\"'`"):
        start, close = begin + place, text.find("*/", at, end)
        stop = close if close >= 0 and text.startswith("/*", start) else end
        return CitingRegion("comment", text[start:stop], start, stop - start)
    for sign in '"`' if is_like_c else "":
        quotes = [k for k, own in enumerate(ahead) if own == sign and ahead[k - 1 : k] != "\\"]
        if len(quotes) % 2:
            start, close = begin + quotes[-1] + 1, text.find(sign, at, end)
            stop = close if close >= 0 else end if _CONTINUED.search(text, at, end) else 0
            return CitingRegion("string", text[start:stop], start, stop - start) if stop else None
    if is_like_c and (name := _IDENTIFIER.match(text, at, end)) and not any(sign in ahead for sign in "\"'`"):
        start = at - len(ahead) + len(ahead.rstrip(_OF_NAMES))
        return CitingRegion("name", text[start : name.end()], start, name.end() - start)
    return None


def _data(text: str, begin: int, end: int, marks: tuple[str, ...], is_table: bool) -> Iterator[CitingRegion]:
    """Yield a line of data, with uniform signs, and the comment after it."""
    own = (_beside_code(text, begin, it.start(), end, marks) for it in _LIKELY.finditer(text, begin, end))
    comment = next((it for it in own if it and it.kind == "comment"), None)
    size = (comment.start if comment else end) - begin
    line = _QUOTES.sub("`", text[begin : begin + size]).translate(_SIGNS)
    yield CitingRegion("data", line.translate(_CELLS) if is_table else line, begin, size)
    if comment:
        yield comment


def _lexer(name: str) -> Lexer | None:
    """Return the lexer for a file name; None if the language is unknown."""
    # Imported here because few files need it.
    from pygments.lexers import find_lexer_class_for_filename  # type: ignore[import-untyped]

    found = find_lexer_class_for_filename(name)
    return found(stripnl=False, ensurenl=False) if found and "TextLexer" not in found.__name__ else None


def _lexed(name: str, text: str, wanted: Sequence[int]) -> Iterator[CitingRegion]:
    """Yield the comments, strings and names of a program at the places `wanted`, but not its code."""
    from pygments.token import Comment, Name, String  # type: ignore[import-untyped]

    lexer = _lexer(name)
    if not lexer:
        return
    kinds = ((Comment, "comment"), (String, "string"), (Name, "name"))
    kind, start, end = "", 0, 0
    for at, token, value in (*lexer.get_tokens_unprocessed(text), (len(text), None, "")):
        own = next((word for kind_of, word in kinds if token in kind_of), "")
        if own == kind and at == end and own != "name":
            end = at + len(value)
            continue
        if kind and bisect_right(wanted, end - 1) > bisect_right(wanted, start - 1):
            yield CitingRegion(kind, text[start:end], start, end - start)
        kind, start, end = own, at, at + len(value)
