"""Keep the edition that a project says its numbers are of, in settings and lock, in step with fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ...ontology.errors import UsageError
from ..verifying.meanings import Meanings
from ..verifying.verify import edition_written
from .cite import CitationReport, SourceTree
from .fixing import IN_STRINGS, Fix
from .flags import Flag
from .lock import lock_of, read_lock
from .material import Material
from .settings import Settings


class Record(NamedTuple):
    """The files of a project that say of which edition its numbers are: settings with `written`, a lock."""

    settings: Settings
    lock: Path | None

    @property
    def files(self) -> list[Path]:
        """Those of the two that there are."""
        return [it for it in (self.settings.written and self.settings.file, self.lock) if it]

    @property
    def tree(self) -> SourceTree:
        """All that the files are about."""
        paths = self.settings.paths or [str(it.parent) for it in self.files[:1]]
        return SourceTree(paths, patterns=self.settings.patterns)

    def refuse_half(
        self,
        report: CitationReport,
        check: Callable[[SourceTree], CitationReport],
        meanings: Meanings,
        *,
        strings: bool,
    ) -> None:
        """Raise `UsageError` if numbers of an older edition would stay beside those that are written.

        Later nobody could tell them apart. Nor may they be fixed that the files say are of a newer one.
        """
        said_by = {it: edition_written(meanings, self.settings.written) for it in self.files}
        if self.lock:
            said_by[self.lock] = read_lock(self.lock).edition
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
        moved = [it for it in check(self.tree).flags if it.finding.kind == "moved"] if self.files else []
        if others := [it.site.path for it in moved if Path(it.site.path).resolve() not in read]:
            said = f"{others[0]} has numbers of {report.written}, too"
            raise UsageError(said, way_out="Fix all files at once, that is, without naming any.")

    def moved_on(self, material: Material, report: CitationReport, mended: Sequence[Flag]) -> list[Fix]:
        """Return the files as they are when all numbers are of the edition checked against."""
        found = []
        if self.settings.written and self.settings.file:
            content = self.settings.with_written(material.edition)
            found.append(Fix(self.settings.file, self.settings.file.read_bytes(), content.encode()))
        if self.lock:
            cited = Counter(report.cited)
            cited.subtract(it.number for it in mended)
            cited.update(it.finding.now[0] for it in mended)
            elsewhere = read_lock(self.lock).rows.keys() - report.cited.keys()
            content = lock_of(material, {*(+cited), *elsewhere}).text
            found.append(Fix(self.lock, self.lock.read_bytes(), content.encode()))
        return found
