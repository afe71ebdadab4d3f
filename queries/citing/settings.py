"""Read the settings for checking citations, and the records of what is known about a tree.

Settings are in .rulesgraph.toml or pyproject.toml. A baseline contains a signature for each known finding,
which survives changes of the file. A lock contains the edition and a sorted line for each cited number, with
its provision and the checksum of its wording, so that a newer edition reports no unchanged citation.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.language.numbers import open_range, order
from ...ontology import UsageError
from ..verifying.findings import ERROR, NOTE, WARNING, Finding
from ..verifying.rulebook import Book
from ..verifying.topics import words_of
from .scan import CitationSite, Patterns

_FILES = (".rulesgraph.toml", "pyproject.toml")
_KNOWN = {
    **{"paths": list, "patterns": list, "severities": dict},
    **dict.fromkeys(("edition", "written", "data", "baseline"), str),
}


class Settings(NamedTuple):
    """The content of a settings file; paths in it are relative to it, and `patterns` are compiled."""

    file: Path | None = None
    paths: tuple[str, ...] = ()
    edition: str | None = None
    written: str | None = None
    data: str | None = None
    baseline: str | None = None
    severities: Mapping[str, str] = MappingProxyType({})
    patterns: Patterns = ()
    lock: Path | None = None

    @property
    def records(self) -> list[Path]:
        """The files that record the edition of the numbers: this one, if it does, and the lock."""
        return [it for it in (self.written and self.file, self.lock) if it]

    def with_written(self, edition: str) -> str:
        """Return the file with a new edition in `written`; raises `UsageError` if its place is unclear."""
        assert self.file
        text = self.file.read_bytes().decode("utf-8")
        plain = re.compile(rf"^(\s*written\s*=\s*)([\"']){re.escape(self.written or '')}\2", re.MULTILINE)
        new, count = plain.subn(rf"\g<1>\g<2>{edition}\g<2>", text)
        if count != 1:
            said = f"{self.file} does not have `written` once, on a line of its own"
            raise UsageError(said, way_out="Correct the file: --fix has to write the new edition there.")
        return new


def nearest(*names: str) -> Iterator[Path]:
    """Yield files with these names in this folder and the folders above, up to the root of the repository."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield from (it for name in names if (it := Path(os.path.relpath(folder)) / name).is_file())
        if (folder / ".git").exists():
            return


def nearest_settings() -> Settings:
    """Return the settings for this folder; raises `UsageError` for a wrong one, naming it."""
    for path in nearest(*_FILES):
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}", way_out="Correct the file.") from error
        told = content.get("cite")
        if path.name == "pyproject.toml":
            tool = content.get("tool")
            own = tool.get("rulesgraph") if isinstance(tool, dict) else None
            told = own.get("cite") if isinstance(own, dict) else None
        if told is not None:
            return _checked(path, told)
    return Settings()


def _checked(path: Path, told: object) -> Settings:
    way_out = f"Known are {', '.join(_KNOWN)}."
    if not isinstance(told, dict):
        raise UsageError(f"{path}: [cite] is not a table", way_out=way_out)
    for key, value in told.items():
        is_list = isinstance(value, list) and all(isinstance(it, str) for it in value)
        if (
            key not in _KNOWN
            or not isinstance(value, _KNOWN[key])
            or (isinstance(value, list) and not is_list)
        ):
            raise UsageError(f"{path}: {key} = {value!r} is not a setting of cite", way_out=way_out)
    beside = {key: str(path.parent / told[key]) for key in ("data", "baseline") if key in told}
    paths = tuple(str(path.parent / it) for it in told.get("paths", ()))
    patterns = tuple(_compiled(path, it) for it in told.get("patterns", ()))
    return Settings(**{**told, **beside, "file": path, "paths": paths, "patterns": patterns})


def _compiled(path: Path, pattern: object) -> re.Pattern[str]:
    """Return a compiled pattern, which must have a group for the number."""
    try:
        found = re.compile(str(pattern), re.MULTILINE)
    except re.error as error:
        raise UsageError(f"{path}: the pattern {pattern!r} is wrong: {error}", way_out="Mend it.") from None
    if not found.groups:
        way_out = r"Put brackets around the number: 'rule_id\((\d{3}_\d+[a-z]?)\)'."
        raise UsageError(f"{path}: the pattern {pattern!r} has no group for the number", way_out=way_out)
    return found


SEVERITIES = (ERROR, WARNING, NOTE, "off")
COLUMNS = ("path", "line", "column", "citation", "number", "finding", "severity", "now", "why")


@lru_cache(maxsize=8)
def _line_words(line: str) -> str:
    """Return the words of a line. It may have megabytes, and thousands of numbers."""
    return " ".join(words_of(line))


class Flag(NamedTuple):
    """A finding about a number, with its place."""

    site: CitationSite
    number: str
    finding: Finding

    def graded(self, severity: str) -> Flag:
        """Return the finding with another severity."""
        return self._replace(finding=replace(self.finding, severity=severity))

    def because(self, more: str) -> Flag:
        """Return the finding with more in its message."""
        return self._replace(finding=replace(self.finding, message=f"{self.finding.message}; {more}"))

    def of_range(self, own: Sequence[Flag]) -> Flag:
        """Return a single finding for several numbers of one range.

        If the range is now a run of other rules in the same order, `now` has all of their numbers.
        """
        it, numbers = self.finding, self.site.citation.numbers
        if len(numbers) == 1:
            return self
        more = f"; also {it.kind}: {len(own) - 1} more of this range" if len(own) > 1 else ""
        now = tuple(one for flag in own if len(flag.finding.now) == 1 for one in flag.finding.now)
        is_run = len(now) == len(numbers) and now == open_range(now[0], now[-1])
        fix = is_run and all(flag.finding.fix for flag in own)
        message = f"{it.message}{more}"
        return self._replace(finding=replace(it, message=message, now=now if fix else it.now, fix=fix))

    @property
    def moves(self) -> dict[str, str]:
        """Old number → new number, for each number that a correction replaces."""
        numbers = self.site.citation.numbers
        return dict(zip(numbers if len(numbers) > 1 else (self.number,), self.finding.now, strict=False))

    @property
    def sign(self) -> str:
        """A checksum that stays the same if lines are added above the finding or spaces change."""
        path = Path(self.site.path).as_posix()
        whole = f"{path}\n{self.number}\n{self.finding.kind}\n{_line_words(self.site.line_text)}"
        return sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:20]

    @property
    def row(self) -> tuple[str | int | None, ...]:
        """The values of `COLUMNS`."""
        site, it = self.site, self.finding
        cited = " ".join(site.text[site.start : site.end].split())
        now = ", ".join(it.now) or None
        return (site.path, site.line, site.column, cited, self.number, it.kind, it.severity, now, it.message)


_HEAD = "# rulesgraph baseline 1: findings that are known"
_WAY_OUT = "`rulesgraph cite baseline PATH… --baseline FILE` writes a new one."


def read_baseline(path: Path) -> frozenset[str]:
    """Return the signatures of the known findings; raises `UsageError` for a file that is not a baseline."""
    lines = _below(_HEAD, path, "baseline", _WAY_OUT)
    return frozenset(line.split("\t", 1)[0] for line in lines if line)


def _below(head: str, path: Path, what: str, way_out: str) -> list[str]:
    """Return the lines below the first line of a file; raises `UsageError` if that is not `head`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", way_out=way_out) from error
    if lines[:1] != [head]:
        raise UsageError(f"{path} is not a {what} that this version can read", way_out=way_out)
    return lines[1:]


def baseline_of(flags: Iterable[Flag]) -> str:
    """Return the baseline for some findings: a sorted line for each, with its subject for people."""
    paths = {it.site.path: os.fsencode(it.site.path).decode("utf-8", "replace") for it in flags}
    lines = {f"{it.sign}\t{it.number}\t{it.finding.kind}\t{paths[it.site.path]}" for it in flags}
    return "\n".join((_HEAD, *sorted(lines, key=lambda it: it.split("\t")[::-1]))) + "\n"


NAME = "rulesgraph.lock"
_LOCK_HEAD = "# rulesgraph lock 1: number, provision, checksum of its words"
_FIELDS = 3

CHANGES = frozenset(("moved", "reworded"))
"""The kinds of findings that are due to changes since the lock."""


class Lock(NamedTuple):
    """The edition of a lock, and number → provision and checksum."""

    edition: str
    rows: Mapping[str, tuple[str, str]]

    @property
    def text(self) -> str:
        """The file: a line for each number, so that separate changes merge line by line."""
        lines = [f"{number} {' '.join(self.rows[number])}" for number in sorted(self.rows, key=order)]
        return "\n".join((_LOCK_HEAD, f"edition {self.edition}", *lines)) + "\n"


def lock_of(book: Book, numbers: Iterable[str]) -> Lock:
    """Return the lock for the cited numbers; those that do not exist are left out."""
    wanted = {it for it in numbers if it in book.titles and it[0].isdigit()}
    held = {number: book.meanings.at(number, book.name) for number in wanted}
    rows = {number: (it.provision, it.words) if it else ("-", "-") for number, it in held.items()}
    return Lock(book.name, rows)


def read_lock(path: Path) -> Lock:
    """Read a lock; raises `UsageError` for any other file, naming the wrong line."""
    way_out = "`rulesgraph cite lock PATH…` writes a new one."
    edition, rows = "", {}
    for place, line in enumerate(_below(_LOCK_HEAD, path, "lock", way_out), 2):
        parts = line.split()
        if len(parts) == 2 and parts[0] == "edition" and not edition:
            edition = parts[1]
        elif len(parts) == _FIELDS and parts[0][:1].isdigit():
            rows[parts[0]] = (parts[1], parts[2])
        elif line.strip():
            raise UsageError(f"{path}:{place} is not a line of a lock: {line[:60]!r}", way_out=way_out)
    if not edition:
        raise UsageError(f"{path} names no edition", way_out=way_out)
    return Lock(edition, rows)


def changed_since_lock(
    book: Book, lock: Lock, flags: Sequence[Flag], sites: Sequence[CitationSite]
) -> list[Flag]:
    """Return findings in which changes since a lock are mere notes, and a note for each reworded rule."""
    told = [it.graded(NOTE) if it.finding.kind in CHANGES and it.number in lock.rows else it for it in flags]
    now = lock_of(book, lock.rows).rows
    for site in sites:
        for number in () if site.citation.is_bare else site.citation.numbers:
            was, is_now = lock.rows.get(number), now.get(number)
            if was and is_now and was[0] == is_now[0] and "-" != was[1] != is_now[1]:
                finding = Finding("reworded", f"{number} has been reworded since {lock.edition}")
                told.append(Flag(site, number, finding))
    return told
