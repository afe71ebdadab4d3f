"""Read the citations of many files: one pass of a compiled matcher, in several processes where that pays."""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ...loaders.given import beginning
from ...loaders.records import TargetKind
from ..verifying.citations import Citation, citations
from ..verifying.passages import TextBlock, line_starts, passages, place_of
from .regions import may_cite, regions_of

_LARGEST = 16 << 20
_BEGINNING = 8192
_SEVERAL = 400
"""From how many files on more than one process reads them."""

_RULES_LINE = re.compile(rb"^[1-9]\d\d\.\d{1,3}[a-z]?\.? [A-Z\xe2\"]", re.MULTILINE)
_RULES_LINES = 400
"""So many lines that begin as rules do make a file a copy of the rules."""

_NUMBER = re.compile(r"([1-9]\d\d)(?:[._](\d{1,3}[a-z]{0,2}))?")
_IGNORE = re.compile(r"cite:\s*ignore(?:\[(?P<kinds>[a-z, -]*)\])?[ \t]*(?P<why>[^\n*]*)")


class CitationSite(NamedTuple):
    """A citation in a file: where its number stands, as offsets and as line and column, both from 1.

    `kind` is that of the region it was read in, `line_text` the line on which it begins.
    """

    path: str
    citation: Citation
    kind: str
    start: int
    end: int
    line: int
    column: int
    line_text: str


class Ignore(NamedTuple):
    """A comment that ignores findings on its line and the next; without kinds, all of them."""

    path: str
    line: int
    kinds: frozenset[str]
    why: str


class Scan(NamedTuple):
    """What was read: citations, comments that ignore findings, and how many files there were of each sort."""

    sites: list[CitationSite]
    ignores: list[Ignore]
    files: int = 0
    binary: int = 0
    copies: int = 0
    long_lines: int = 0
    unreadable: tuple[str, ...] = ()

    def with_more(self, other: Scan) -> Scan:
        """Return both together."""
        return Scan(
            self.sites + other.sites,
            self.ignores + other.ignores,
            self.files + other.files,
            self.binary + other.binary,
            self.copies + other.copies,
            self.long_lines + other.long_lines,
            self.unreadable + other.unreadable,
        )


Patterns = Sequence[re.Pattern[str]]
"""Other ways in which a tree writes citations; the first group of each is the number."""


def scan(files: Iterable[Path], own: Patterns = ()) -> Scan:
    """Read the citations of some files, those that `own` patterns find among them."""
    names = [str(it) for it in files]
    workers = min(os.cpu_count() or 1, 8)
    if len(names) < _SEVERAL or workers == 1:
        return _read_all(names, own)
    share = max(50, len(names) // (workers * 8))
    parts = [names[start : start + share] for start in range(0, len(names), share)]
    whole = Scan([], [])
    with ProcessPoolExecutor(workers) as pool:
        for part in pool.map(partial(_read_all, own=own), parts):
            whole = whole.with_more(part)
    return whole


def _read_all(names: Sequence[str], own: Patterns = ()) -> Scan:
    whole = Scan([], [])
    for name in names:
        try:
            data = beginning(name, _LARGEST)
        except OSError:
            whole = whole._replace(unreadable=(*whole.unreadable, name))
            continue
        whole = whole._replace(files=whole.files + 1)
        is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        if not is_wide and b"\0" in data[:_BEGINNING]:
            whole = whole._replace(binary=whole.binary + 1)
        elif not is_wide and not own and not may_cite(data):
            continue
        elif len(_RULES_LINE.findall(data)) >= _RULES_LINES:
            whole = whole._replace(copies=whole.copies + 1)
        else:
            sites, ignores, skipped = read(name, decoded(data), own)
            whole.sites.extend(sites)
            whole.ignores.extend(ignores)
            whole = whole._replace(long_lines=whole.long_lines + skipped)
    return whole


def decoded(data: bytes) -> str:
    """Return the text of a file; a byte that is not UTF-8 stands for itself, and can be written back."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape")


def read(name: str, text: str, own: Patterns = ()) -> tuple[list[CitationSite], list[Ignore], int]:
    """Return the citations of a file, the comments that ignore some, and how many long lines were skipped."""
    regions, skipped = regions_of(name, text)
    starts = line_starts(text)
    sites: list[CitationSite] = []
    seen = -1
    for region in regions:
        for passage in passages(region.text):
            for it in citations(passage):
                start, end = it.span
                if start >= region.end or region.start + start <= seen or not _counts(region.kind, it):
                    continue
                seen = region.start + start
                line, column = place_of(starts, seen)
                whole = text[starts[line - 1] : starts[line] if line < len(starts) else len(text)]
                sites.append(
                    CitationSite(
                        name, it, region.kind, seen, region.start + end, line, column, whole.rstrip("\r\n")
                    )
                )
    if own:
        taken = {it.start for it in sites}
        sites += [it for it in _by_patterns(name, text, starts, own) if it.start not in taken]
        sites.sort(key=lambda it: it.start)
    return sites, list(_ignores(name, text, starts)), skipped


def _by_patterns(name: str, text: str, starts: Sequence[int], own: Patterns) -> Iterator[CitationSite]:
    """Yield what patterns find; their first group has the number, also with an underscore for the dot."""
    for match in (match for pattern in own for match in pattern.finditer(text)):
        if not (number := _NUMBER.fullmatch(match[1] or "")):
            continue
        at, end = match.span(1)
        line, column = place_of(starts, at)
        first = starts[line - 1]
        whole = text[first : starts[line] if line < len(starts) else len(text)].rstrip("\r\n")
        block = TextBlock(whole, array("q", range(first, first + len(whole))))
        numbers = (".".join(filter(None, number.groups())),)
        found = Citation(block, at - first, end - first, numbers, TargetKind.RULE, True)
        yield CitationSite(name, found, "name", at, end, line, column, whole)


def _counts(kind: str, it: Citation) -> bool:
    """Return whether what looks like a citation is one at its place; names and data must say "rule"."""
    return it.kind is TargetKind.RULE and (it.sure or kind not in {"name", "data"})


def _ignores(name: str, text: str, starts: Sequence[int]) -> Iterator[Ignore]:
    for match in _IGNORE.finditer(text):
        kinds = frozenset(re.split(r"[,\s]+", match["kinds"].strip())) if match["kinds"] else frozenset[str]()
        yield Ignore(name, place_of(starts, match.start())[0], kinds, match["why"].strip())
