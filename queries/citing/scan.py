"""Find the files of a tree and read their citations, in several processes if there are many."""

from __future__ import annotations

import os
import re
import subprocess
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...loaders.given import beginning
from ...loaders.records import TargetKind
from ...loaders.workers import Workers
from ...ontology import UsageError, batches
from ..verifying.blocks import LONGEST_CODE, TextBlock, line_starts, place_of, text_blocks
from ..verifying.citations import BARE, MARKED, SURE, Citation, citations
from .regions import CitingRegion, kind_at, may_cite, regions_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LONG_LINES, _UNREADABLE = "with long lines", "unreadable"
_LARGEST = 16 << 20
_BEGINNING = 8192
_SEVERAL = 400
"""The number of files from which several processes read them."""

_AROUND = 1500
"""The number of characters before and after a citation that may name its subject."""

_RULES_LINE = re.compile(rb"^[1-9]\d\d\.\d{1,3}[a-z]?\.? [A-Z\xe2\"]", re.MULTILINE)
_RULES_LINES = 400
"""A file with this many lines that begin like rules is a copy of the rules."""

_OWN = re.compile(
    rb"# rulesgraph (?:baseline|lock) \d|\{\"rulesgraph citations\": "
    rb"|::(?:error|warning|notice) file=[^\n]*,title=[\w.]+ \w+::"
    rb"|(?:[^\n]* checked against [^\n]*\n)?[^\n]*:\d+:\d+: (?:error|warning|note): [^\n]*\[\w+\] "
    rb"|\[\s+\{\s+\"path\": [^\n]*\s+\"line\": \d+,\s+\"column\": \d+,\s+\"citation\": "
    rb"|\{\s+\"\$schema\": [^\n]*/sarif-[^{]*\{[^{]*\{[^{]*\{\s+\"name\": \"rulesgraph\""
)
"""The beginnings of files that `cite` writes itself: records, and reports in each format."""

_NUMBER = re.compile(r"([1-9]\d\d)(?:[._](\d{1,3}[a-z]{0,2}))?")
_DOTTED = re.compile(r"(?<![\d.])[1-9]\d\d\.[1-9]\d{0,2}(?![\d.])")
_LABEL = re.compile(r"(?:version|release|build|revision|price|cost)[\"'`]?\s?[:=]\s?[\"'`]$", re.IGNORECASE)
"""The name before a value that is not a rule number: *version = "702.19"*."""

_QUOTED_WORD = re.compile(r"[\"'][^\W\d_]")
_LINE = re.compile(r"[^\r\n]*")
_BROKEN = re.compile(r"(?:\D*[\r\n]\D*(?=\d))?")
"""The last words of a line before a number on the next: *of the rule*, then *704.5f*."""

_IGNORE = re.compile(r"cite:\s*ignore(?:\[(?P<kinds>[a-z, -]*)\])?[ \t]*(?P<why>[^\n*]*)")


class CitationSite(NamedTuple):
    """A citation in a file, with the place of its number as offsets and as line and column, both from 1.

    `kind` is that of its region, `text` is that of the file.
    """

    path: str
    citation: Citation
    kind: str
    start: int
    end: int
    line: int
    column: int
    text: str

    @property
    def line_text(self) -> str:
        """The line on which it begins."""
        return next(_LINE.finditer(self.text, self.start - self.column + 1))[0]

    @property
    def around(self) -> str:
        """The name of the file, and the text around the citation."""
        return f"{self.path}\n{self.text[max(0, self.start - _AROUND) : self.end + _AROUND]}"


class Ignore(NamedTuple):
    """A comment that ignores findings on its own line and the next: all, or those of the given kinds."""

    path: str
    line: int
    kinds: frozenset[str]
    why: str


class Scan(NamedTuple):
    """What was read: citations, comments that ignore findings, files, and how much was skipped."""

    sites: list[CitationSite]
    ignores: list[Ignore]
    files: int
    left_out: Counter[str]

    def with_more(self, *more: Scan) -> Scan:
        """Return this and other scans as one."""
        return Scan._make(reduce(add, parts) for parts in zip(self, *more, strict=True))


Patterns = Sequence[re.Pattern[str]]
"""A tree's own ways to write citations; the first group of each pattern is the number."""


def scan(files: Iterable[Path], own: Patterns = ()) -> Scan:
    """Read the citations in files, including those that the tree's `own` patterns find."""
    names = [str(it) for it in files]
    workers = min(os.cpu_count() or 1, 8)
    if len(names) < _SEVERAL or workers == 1:
        return _read_all(names, own)
    parts = [*batches(names, max(50, len(names) // (workers * 8)))]
    with Workers(workers) as pool:
        first, *more = pool.map(partial(_read_all, own=own), parts, lambda _: None, start=True)
    return first.with_more(*more)


def _read_all(names: Sequence[str], own: Patterns = ()) -> Scan:
    sites: list[CitationSite] = []
    ignores: list[Ignore] = []
    left_out: Counter[str] = Counter()
    for name in names:
        try:
            data = beginning(name, _LARGEST)
        except OSError:
            left_out[_UNREADABLE] += 1
            continue
        if len(data) >= _LARGEST:
            left_out[f"larger than {_LARGEST >> 20} MB"] += 1
            continue
        is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        if not is_wide and b"\0" in data[:_BEGINNING]:
            left_out["binary"] += 1
        elif not is_wide and not own and not may_cite(data):
            continue
        elif _OWN.match(data):
            left_out["written by rulesgraph"] += 1
        elif len(_RULES_LINE.findall(data)) >= _RULES_LINES:
            left_out["copies of the rules"] += 1
        else:
            done = read(name, decoded(data), own)
            sites += done.sites
            ignores += done.ignores
            left_out += done.left_out
    return Scan(sites, ignores, len(names) - left_out[_UNREADABLE], left_out)


def decoded(data: bytes) -> str:
    """Return the text of a file. Bytes that are not UTF-8 are kept so that they can be written back."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape")


def read(name: str, text: str, patterns: Patterns = ()) -> Scan:
    """Return what was read from one file with a text."""
    regions, skipped = regions_of(name, text)
    edges = [*line_starts(text), len(text)]
    sites: list[CitationSite] = []
    seen = -1
    for region in regions:
        code = _code_beside(text, edges, region)
        for block in text_blocks(region.text):
            for it in citations(block._replace(code=block.code or code), bare=True):
                start, end = (region.start + place for place in it.span)
                if start >= region.start + region.end or start <= seen or not _counts(region, it, name):
                    continue
                seen = start
                start = _BROKEN.match(text, start, end).end()  # type: ignore[union-attr]
                line, column = place_of(edges, start)
                is_bare = region.kind == "data" and not _is_alone(region, it)
                is_bare = it.grade < SURE and (
                    is_bare or bool(_LABEL.search(text, max(0, start - 40), start))
                )
                own = replace(it, grade=BARE) if is_bare else it
                sites.append(CitationSite(name, own, region.kind, start, end, line, column, text))
    if patterns:
        sure = [it for it in sites if not it.citation.is_bare]
        taken = {place for it in sure for place in range(it.start, it.end)}
        by_place = {it.start: it for it in _by_patterns(name, text, edges, patterns)}
        more = [it for place, it in by_place.items() if place not in taken]
        taken |= {place for it in more for place in range(it.start, it.end)}
        bare = [it for it in sites if it.citation.is_bare and taken.isdisjoint(range(it.start, it.end))]
        sites = sorted([*sure, *more, *bare], key=lambda it: it.start)
    return Scan(sites, list(_ignores(name, text, edges)), 1, Counter({_LONG_LINES: skipped}))


def _code_beside(text: str, edges: Sequence[int], region: CitingRegion) -> str:
    """Return the rest of the line around a region, which may name the subject: what comes before it or, for
    strings, also after it.

    Beside other numbers, it is what comes before, or what follows if the line begins with a number.
    """
    place = bisect_right(edges, region.start)
    first, at, end = edges[place - 1], region.start, region.start + region.end
    last = edges[place] if region.kind == "string" else end
    numbers = [it.span() for it in _DOTTED.finditer(text, first, last)]
    if len(numbers) > 1 and region.kind == "string":
        if _QUOTED_WORD.search(text, first, numbers[0][0]):
            first, last = max([first, *(stop for _, stop in numbers if stop <= at)]), end
        else:
            first, last = at, min([last, *(start for start, _ in numbers if start >= end)])
    ahead, behind = text[max(first, at - LONGEST_CODE) : at], text[end : min(last, end + LONGEST_CODE)]
    return f"{ahead} {behind}".strip()


def _by_patterns(name: str, text: str, edges: Sequence[int], own: Patterns) -> Iterator[CitationSite]:
    """Yield the matches of patterns. The first group has the number, perhaps with an underscore for the dot.

    Matches on one line share its text, so words between two numbers are not used for both.
    """
    blocks: dict[int, TextBlock] = {}
    for match in (match for pattern in own for match in pattern.finditer(text)):
        if not (number := _NUMBER.fullmatch(match[1] or "")):
            continue
        at, end = match.span(1)
        line, column = place_of(edges, at)
        first = edges[line - 1]
        whole = text[first : edges[line]].rstrip("\r\n")
        block = blocks.setdefault(first, TextBlock(whole, array("q", range(first, first + len(whole)))))
        numbers = (".".join(filter(None, number.groups())),)
        found = Citation(block, at - first, end - first, numbers, TargetKind.RULE, SURE)
        kind = kind_at(name, text, first, at, first + len(whole))
        yield CitationSite(name, found, kind, at, end, line, column, text)


def _counts(region: CitingRegion, it: Citation, file: str) -> bool:
    """Return whether an apparent citation can be one in its place. A name must contain "rule".

    In JSON, a number without quotes is a quantity: `702.10` equals `702.1` there.
    """
    if region.kind == "data" and file.endswith((".json", ".jsonl")):
        return it.kind is TargetKind.RULE and region.text.count("`", 0, it.span[1]) % 2 == 1
    is_ours = it.is_possible or not it.surface.lower().startswith("rule")
    return it.kind is TargetKind.RULE and is_ours and (it.grade == SURE or region.kind != "name")


def _is_alone(region: CitingRegion, it: Citation) -> bool:
    """Return whether a subrule's number is marked, or begins a value of data."""
    return it.numbers[0][-1].isalpha() and (it.grade >= MARKED or region.text[: it.span[0]].endswith("`"))


def _ignores(name: str, text: str, edges: Sequence[int]) -> Iterator[Ignore]:
    for match in _IGNORE.finditer(text):
        kinds = frozenset(re.split(r"[,\s]+", match["kinds"].strip())) if match["kinds"] else frozenset[str]()
        yield Ignore(name, place_of(edges, match.start())[0], kinds, match["why"].strip())


_NEVER = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"))


def files_of(paths: Sequence[Path], changed_since: str | None = None) -> Iterator[Path]:
    """Yield the files below some paths, each once, in order. A file given by name is never ignored.

    With `changed_since`, yield only those that differ from that git revision. Links to folders are not
    followed. Raises `UsageError` for a path that does not exist, and if git fails.
    """
    seen: set[Path] = set()  # as the system knows them: the same file may be given in several ways
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder", way_out="Give files and folders.")
        found = [path] if path.is_file() and not changed_since else _below(path, changed_since)
        for one in found:
            if (real := one.resolve()) not in seen:
                seen.add(real)
                yield one


def _below(path: Path, changed_since: str | None) -> Iterator[Path]:
    folder = path if path.is_dir() else path.parent
    if changed_since:
        names = {
            *git(folder, "diff", "--name-only", "--relative", "--diff-filter=d", changed_since, "--"),
            *git(folder, "ls-files", "--others", "--exclude-standard"),
        }
    else:
        try:
            names = {*git(folder, "ls-files", "--cached", "--others", "--exclude-standard")}
        except UsageError:
            yield from _walk(folder)
            return
    for name in sorted(names):
        one = folder / name
        if one.is_file() and not one.is_symlink() and (path.is_dir() or one == path):
            yield one


def git(folder: Path, *command: str) -> list[str]:
    """Return the lines that a git command prints; raises `UsageError` if it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *command[:1], "-z", *command[1:]], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"").decode("utf-8", "replace").strip().splitlines() or [str(error)]
        raise UsageError(f"git cannot list the files of {folder}: {said[0]}") from error
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that is not in git, except those that its .gitignore files name."""
    # Imported here because only folders outside of git need it.
    from pathspec import GitIgnoreSpec

    specs: dict[Path, GitIgnoreSpec] = {}
    for place, folders, names in os.walk(folder):
        here = Path(place)
        if ".gitignore" in names:
            lines = (here / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
            specs[here] = GitIgnoreSpec.from_lines(lines)
        above = [(base, spec) for base, spec in specs.items() if here.is_relative_to(base)]

        folders[:] = sorted(
            name for name in folders if name not in _NEVER and not _ignored(here / name, above, "/")
        )
        for path in (here / name for name in sorted(names)):
            if not _ignored(path, above) and path.is_file() and not path.is_symlink():
                yield path


def _ignored(path: Path, above: Sequence[tuple[Path, GitIgnoreSpec]], end: str = "") -> bool:
    """Return whether one of the .gitignore files above a path names it; for folders, `end` is a slash."""
    return any(spec.match_file(path.relative_to(base).as_posix() + end) for base, spec in above)
