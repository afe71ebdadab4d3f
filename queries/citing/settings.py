"""Read the settings for checking the citations of a tree.

They are in .rulesgraph.toml or pyproject.toml.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ...ontology.errors import UsageError
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
