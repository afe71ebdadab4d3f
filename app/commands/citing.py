"""The command that checks the citations in source trees."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ...loaders.given import LARGEST_GIVEN
from ...ontology.errors import UsageError
from ..files import output_file
from ..output import write_rows
from ..python.rules import Rules, open
from ..terminal import counted, talk
from . import OUTPUT, command

if TYPE_CHECKING:
    from ...queries.citing.cite import CitationReport
    from ...queries.citing.material import Material

_SUBCOMMANDS = ("lock", "baseline", "coverage")


@command(
    Rules.cite,
    apart=(("--data", "--edition"), ("--fix", "--diff")),
    paths={"metavar": "PATH", "help": "files and folders, or - for stdin (default: the current folder)"},
    written={"metavar": "DATE|EDITION"},
    changed_since={"metavar": "REV"},
    lock={"metavar": "FILE", "help": "the lock (default: rulesgraph.lock, if there is one)"},
    baseline={"metavar": "FILE"},
    data={
        "metavar": "FILE",
        "help": "check against a file made by `rulesgraph export --as citations`, without a store",
    },
    form={
        "flags": ["--format"],
        "choices": ("text", "json", "sarif", "github"),
        "default": "text",
        "metavar": None,
        "help": "the format of the findings",
    },
    path={**OUTPUT, "default": "-"},
    diff={"help": "show what `fix` would write"},
    fix={"help": "write today's numbers, where it is certain which rules are meant"},
    fix_strings={"help": "with `fix`: also in strings and names, not only in comments"},
    allow_dirty={"help": "with `fix`: also change files that git could not restore"},
    self_check={"help": "first test that known right and wrong citations are judged correctly"},
)
def cite(options: argparse.Namespace) -> int:
    """Print the findings and what was read; return 1 for errors, 2 if no citation was read.

      rulesgraph cite                                     # the current folder
      rulesgraph cite src docs --written 2025-02-07       # numbers of an older edition
      rulesgraph cite --changed-since origin/main --format github
      rulesgraph cite src --diff                          # what --fix would write
      rulesgraph cite --data citations.json src           # without a store, for CI
      rulesgraph cite lock src                            # record the edition in rulesgraph.lock
      rulesgraph cite baseline src --baseline known.tsv   # record today's findings
      rulesgraph cite coverage src                        # which rules are cited and which are not

    You can put paths, edition, written, data, baseline, severities and patterns (regular expressions for
    other ways to write citations, with a group that captures the number) in .rulesgraph.toml under [cite], or
    in pyproject.toml under [tool.rulesgraph.cite]. A comment `cite: ignore[topic] why` on a line or the line
    above ignores findings of these kinds. For a folder called lock, baseline or coverage, write ./lock.
    """
    from ...queries.citing.cite import SourceTree, self_check
    from ...queries.citing.cite import cite as check
    from ...queries.citing.flags import baseline_of, read_baseline
    from ...queries.citing.lock import NAME, read_lock
    from ...queries.citing.settings import settings_in
    from ...queries.verifying.verify import edition_written

    told = settings_in(Path())
    work, paths = "", list(options.paths)
    if paths and paths[0] in _SUBCOMMANDS:
        work, *paths = paths
    if work == "lock" and (options.written or told.written):
        raise UsageError(
            "a lock records the numbers of the edition checked against, not of the edition written against",
            way_out="Update them with `rulesgraph cite --fix --written EDITION`, and lock without --written.",
        )
    text = None
    if "-" in paths:
        paths.remove("-")
        text = sys.stdin.buffer.read(LARGEST_GIVEN).decode("utf-8", "replace")
    elif not paths:
        paths = [*told.paths] or ["."]
    material = _material(options, told.edition, told.data)
    if options.self_check:
        with TemporaryDirectory() as folder:
            talk(self_check(material, Path(folder)))
    kept = options.lock or (NAME if Path(NAME).is_file() else None)
    known = options.baseline or told.baseline
    report = check(
        material,
        SourceTree(paths, options.changed_since, text, told.patterns),
        written=edition_written(material.meanings, options.written or told.written),
        lock=read_lock(Path(kept)) if kept and work != "lock" else None,
        baseline=read_baseline(Path(known)) if known and work != "baseline" else frozenset(),
        severities=told.severities,
        notes=options.notes,
    )
    talk(report.summary)
    if work == "lock":
        return _lock(report, material, Path(options.lock or NAME))
    if work == "baseline":
        if not known:
            raise UsageError("the baseline needs a file name", way_out="Give --baseline FILE.")
        Path(known).write_text(baseline_of(report.flags), encoding="utf-8")
        talk(f"Wrote {known}: {counted(len(report.flags), 'finding')}.")
        return 0
    if work == "coverage":
        return _coverage(report, material, options)
    if options.fix or options.diff:
        return _fixed(report, options)
    return _told(report, options)


def _material(options: argparse.Namespace, edition: str | None, data: str | None) -> Material:
    from ...queries.citing.material import material_of, read_material

    edition = options.edition or edition
    file = options.data or (None if options.edition else data)
    if file:
        return read_material(Path(file))
    return material_of(open(options.store).session, edition)


def _told(report: CitationReport, options: argparse.Namespace) -> int:
    from ...queries.citing.reports import written

    text = written(report, options.form)
    with output_file(options.path) as out:
        out.write(text.encode("utf-8", "replace"))
    if report.code == 2:
        talk("No citation was found: either the paths are wrong or the files have none.")
    elif not report.cited:
        talk("No citation was found.")
    return report.code


def _fixed(report: CitationReport, options: argparse.Namespace) -> int:
    from ...queries.citing.fixing import IN_STRINGS, fixes, refuse_dirty, write

    found = fixes(report.flags, strings=options.fix_strings)
    if options.diff:
        sys.stdout.write("".join(it.diff for it in found))
    else:
        if not options.allow_dirty:
            refuse_dirty([it.path for it in found])
        write(found)
    count = sum(it.numbers for it in found)
    left = len(report.flags) - count
    done = "would be written" if options.diff else "written"
    talk(
        f"{counted(count, 'number')} {done} in {counted(len(found), 'file')}; "
        f"{counted(left, 'more finding')} left."
    )
    if not options.fix_strings and (
        inside := sum(it.finding.fix and it.site.kind in IN_STRINGS for it in report.flags)
    ):
        talk(f"Of these {inside} could be written in strings, docstrings and names: --fix-strings does.")
    return report.code if options.diff or left else 0


def _lock(report: CitationReport, material: Material, path: Path) -> int:
    from ...queries.citing.lock import lock_of

    lock = lock_of(material, report.cited)
    path.write_text(lock.text, encoding="utf-8")
    talk(f"Wrote {path}: {counted(len(lock.rows), 'number')} of {lock.edition}.")
    if report.flags:
        kept = counted(len(report.flags), "finding")
        talk(f"The lock keeps {kept} unchanged; `rulesgraph cite` lists what is wrong.")
    return 0 if report.cited else 2


def _coverage(report: CitationReport, material: Material, options: argparse.Namespace) -> int:
    from ...queries.citing.material import COLUMNS, coverage

    rows = coverage(material, report.cited, material.relied)
    write_rows(COLUMNS, rows, "json" if options.form == "json" else "table")
    return 0 if report.cited else 2
