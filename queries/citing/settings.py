"""Read the settings for checking the citations of a tree, and keep their edition in step with fixes.

They are in .rulesgraph.toml or pyproject.toml.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ...ontology.errors import UsageError
from ..verifying.meanings import Meanings
from ..verifying.verify import edition_written
from .cite import CitationReport, SourceTree
from .fixing import IN_STRINGS, Fix
from .flags import Flag, lock_of, read_lock
from .material import Material
from .scan import Patterns

_FILES = (".rulesgraph.toml", "pyproject.toml")
_KNOWN = {
    **{"paths": list, "patterns": list, "severities": dict},
    **dict.fromkeys(("edition", "written", "data", "baseline"), str),
}


class Settings(NamedTuple):
    """The content of a file; files that it names are beside it, and `patterns` are compiled."""

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
        """The files that say of which edition the numbers are: this one, if it does, and the lock."""
        return [it for it in (self.written and self.file, self.lock) if it]

    def with_written(self, edition: str) -> str:
        """Return the file with another edition for `written`; raises `UsageError` where that is not plain."""
        assert self.file
        text = self.file.read_bytes().decode("utf-8")
        plain = re.compile(rf"^(\s*written\s*=\s*)([\"']){re.escape(self.written or '')}\2", re.MULTILINE)
        new, count = plain.subn(rf"\g<1>\g<2>{edition}\g<2>", text)
        if count != 1:
            said = f"{self.file} does not have `written` once, on a line of its own"
            raise UsageError(said, way_out="Correct the file: --fix has to write the new edition there.")
        return new


def nearest(*names: str) -> Iterator[Path]:
    """Yield the files with some names in this folder and those above it, up to the root of its repository."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield from (it for name in names if (it := Path(os.path.relpath(folder)) / name).is_file())
        if (folder / ".git").exists():
            return


def nearest_settings() -> Settings:
    """Return the settings that hold for this folder; raises `UsageError` that names a wrong one."""
    for path in nearest(*_FILES):
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}", way_out="Correct the file.") from error
        told = content.get("cite")
        if path.name == "pyproject.toml":
            told = content.get("tool", {}).get("rulesgraph", {}).get("cite")
        if told is not None:
            return _checked(path, told)
    return Settings()


def _checked(path: Path, told: object) -> Settings:
    way_out = f"Known are {', '.join(_KNOWN)}."
    if not isinstance(told, dict):
        raise UsageError(f"{path}: [cite] is not a table", way_out=way_out)
    for key, value in told.items():
        if key not in _KNOWN or not isinstance(value, _KNOWN[key]):
            raise UsageError(f"{path}: {key} = {value!r} is not a setting of cite", way_out=way_out)
    beside = {key: str(path.parent / told[key]) for key in ("data", "baseline") if key in told}
    paths = tuple(str(path.parent / it) for it in told.get("paths", ()))
    patterns = tuple(_compiled(path, it) for it in told.get("patterns", ()))
    return Settings(**{**told, **beside, "file": path, "paths": paths, "patterns": patterns})


def _compiled(path: Path, pattern: object) -> re.Pattern[str]:
    """Return a pattern that has a group for the number, as people write it in a file."""
    try:
        found = re.compile(str(pattern), re.MULTILINE)
    except re.error as error:
        raise UsageError(f"{path}: the pattern {pattern!r} is wrong: {error}", way_out="Mend it.") from None
    if not found.groups:
        way_out = r"Put brackets around the number: 'rule_id\((\d{3}_\d+[a-z]?)\)'."
        raise UsageError(f"{path}: the pattern {pattern!r} has no group for the number", way_out=way_out)
    return found


def refuse_half(
    settings: Settings,
    report: CitationReport,
    check: Callable[[SourceTree], CitationReport],
    meanings: Meanings,
    *,
    strings: bool,
) -> None:
    """Raise `UsageError` if numbers of an older edition would stay beside those that are written.

    Later nobody could tell them apart. Nor may they be fixed that the files say are of a newer one.
    """
    said_by = {it: edition_written(meanings, settings.written) for it in settings.records}
    if settings.lock:
        said_by[settings.lock] = read_lock(settings.lock).edition
    for file, edition in said_by.items():
        if report.written < edition:
            said = f"{file} says that these numbers are of {edition}, not of {report.written}"
            raise UsageError(said, way_out="Leave out --written, or correct that file.")
    moved = [it for it in report.flags if it.finding.kind == "moved" and it.finding.fix]
    if not strings and (inside := [it for it in moved if it.site.kind in IN_STRINGS]):
        said = f"{inside[0].site.path} has numbers of {report.written} in strings, docstrings or names"
        way_out = "Use --fix-strings to write these as well; `cite: ignore[moved] why` keeps one."
        raise UsageError(said, way_out=way_out)
    read = {Path(it.path).resolve() for it in report.scan.sites}
    paths = settings.paths or [str(it.parent) for it in settings.records[:1]]
    tree = SourceTree(paths, patterns=settings.patterns)
    moved = [it for it in check(tree).flags if it.finding.kind == "moved"] if settings.records else []
    if others := [it.site.path for it in moved if Path(it.site.path).resolve() not in read]:
        said = f"{others[0]} has numbers of {report.written}, too"
        raise UsageError(said, way_out="Fix all files at once, that is, without naming any.")


def moved_on(
    settings: Settings, material: Material, report: CitationReport, mended: Sequence[Flag]
) -> list[Fix]:
    """Return the files as they are when all numbers are of the edition checked against."""
    found = []
    if settings.written and settings.file:
        content = settings.with_written(material.edition)
        found.append(Fix(settings.file, settings.file.read_bytes(), content.encode()))
    if settings.lock:
        cited = Counter(report.cited)
        cited.subtract(it.number for it in mended)
        cited.update(it.finding.now[0] for it in mended)
        elsewhere = read_lock(settings.lock).rows.keys() - report.cited.keys()
        content = lock_of(material, {*(+cited), *elsewhere}).text
        found.append(Fix(settings.lock, settings.lock.read_bytes(), content.encode()))
    return found
