"""The command that checks the citations in source trees."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ...loaders.given import read_whole
from ...ontology import UsageError, counted
from ..files import output_file
from ..output import write_rows
from ..python.rules import Rules, open
from ..terminal import talk
from . import OUTPUT, command

if TYPE_CHECKING:
    from ...queries.citing.cite import CitationReport, SourceTree
    from ...queries.citing.fixing import Fix
    from ...queries.citing.settings import Flag, Settings
    from ...queries.verifying.rulebook import Book

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
        "help": "the format of the findings",
    },
    path={**OUTPUT, "default": "-"},
    diff={"help": "show what `fix` would write"},
    fix={"help": "write today's numbers, where it is certain which rules are meant"},
    fix_strings={"help": "with `fix`: also in strings and names, not only in comments"},
    fix_gone={"help": "with `fix`: only numbers the edition no longer has (for sources of mixed age)"},
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

    Exit code 1 means that there are errors, 2 that no citation was read; warnings alone give 0, unless the
    settings make their kind an error: severities = { words = "error" }.
    """
    from ...queries.citing.cite import SourceTree, self_check
    from ...queries.citing.cite import cite as check
    from ...queries.citing.settings import (
        NAME,
        baseline_of,
        nearest,
        nearest_settings,
        read_baseline,
        read_lock,
    )
    from ...queries.verifying.verify import edition_written

    alone = [it for it in ("fix_strings", "fix_gone") if getattr(options, it)]
    if alone and not (options.fix or options.diff):
        flag = f"--{alone[0].replace('_', '-')}"
        raise UsageError(f"{flag} writes nothing by itself", way_out="Give --fix or --diff with it.")
    told = nearest_settings()
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
        if options.fix or options.diff:
            raise UsageError("text from stdin cannot be corrected", way_out="Give the name of a file.")
        text = read_whole("-").decode("utf-8", "replace")
    elif not paths:
        paths = [*told.paths] or ["."]
    book = _material(options, told.edition, told.data)
    if options.self_check:
        with TemporaryDirectory() as folder:
            talk(self_check(book, Path(folder)))
    kept = Path(options.lock) if options.lock else next(nearest(NAME), None)
    lock = read_lock(kept) if kept and work != "lock" else None
    known = options.baseline or told.baseline
    checked = partial(
        check,
        book,
        written=edition_written(book, options.written or told.written),
        lock=lock,
        baseline=read_baseline(Path(known)) if known and work != "baseline" else frozenset(),
        severities=told.severities,
    )
    tree = SourceTree(paths, options.changed_since, text, told.patterns)
    report = checked(tree, notes=options.notes, every=options.every)
    talk(report.summary)
    if work == "lock":
        return _lock(report, book, Path(options.lock or NAME))
    if work == "baseline":
        if not known:
            raise UsageError("the baseline needs a file name", way_out="Give --baseline FILE.")
        with output_file(Path(known)) as out:
            out.write(baseline_of(report.flags).encode())
        talk(f"Wrote {known}: {counted(len(report.flags), 'finding')}.")
        return 0
    if work == "coverage":
        return _coverage(report, book, options)
    if options.fix or options.diff:
        return _apply_fixes(report, options, book, told._replace(lock=kept), partial(checked, notes=True))
    return _print_findings(report, options)


def _material(options: argparse.Namespace, edition: str | None, data: str | None) -> Book:
    from ...queries.citing.material import material_of, read_material

    edition = options.edition or edition
    file = options.data or (None if options.edition else data)
    if file:
        return read_material(Path(file))
    return material_of(open(options.store).session, edition)


def _print_findings(report: CitationReport, options: argparse.Namespace) -> int:
    from ...queries.citing.reports import written

    text = written(report, options.form)
    with output_file(options.path) as out:
        out.write(text.encode("utf-8", "replace"))
    if report.code == 2:
        talk("No citation was found: either the paths are wrong or the files have none.")
    elif not report.cited:
        talk("No citation was found.")
    return report.code


def _apply_fixes(
    report: CitationReport,
    options: argparse.Namespace,
    book: Book,
    settings: Settings,
    check: Callable[[SourceTree], CitationReport],
) -> int:
    """Write or show the certain corrections, list what is left, and update the recorded edition."""
    from ...queries.citing.fixing import fixes, refuse_dirty, refuse_partial, updated_records

    standing = book.titles if options.fix_gone else None
    found, kept = fixes(report.flags, strings=options.fix_strings, gone=standing)
    mended = [flag for it in found for flag in it.mended]
    left = [it.because(f"not written: {reason}") for it, reason in kept]
    counts = f"in {counted(len(found), 'file')}; {counted(len(left), 'more finding')} left."
    if options.diff:
        with output_file(options.path) as out:
            out.write(b"".join(it.diff for it in found))
        talk(f"{counted(len(mended), 'number')} would be written {counts}")
        code = report.code
    else:
        if not options.allow_dirty:
            refuse_dirty([it.path for it in found])
        is_behind = "" < report.written < report.edition and not report.since and not options.fix_gone
        if is_behind:
            refuse_partial(settings, report, check, book)
            found += updated_records(settings, book, report, mended)
        write(found)
        talk(f"{counted(len(mended), 'number')} written {counts}")
        code = _print_findings(report._replace(flags=left), options)
        if is_behind:
            code = _report_edition(report, settings.records, left, strings=options.fix_strings) or code
    for it, reason in kept if options.diff else ():
        now = f" → {', '.join(it.finding.now)}" if it.finding.now else ""
        talk(f"{it.site.path}:{it.site.line}:{it.site.column}: {it.number}{now} not written: {reason}")
    return code


def write(found: Iterable[Fix]) -> None:
    """Write files, each as a whole; raises `UsageError` before any, if one changed since it was read."""
    found = [*found]
    for it in found:
        if it.path.read_bytes() != it.before:
            raise UsageError(f"{it.path} changed while it was being read", way_out="Run the command again.")
    for it in found:
        with output_file(it.path) as out:
            out.write(it.after)


def _report_edition(
    report: CitationReport, records: Sequence[Path], left: Sequence[Flag], *, strings: bool
) -> int:
    """Say which edition all numbers belong to from now on; return 1 if old ones are left."""
    from ...queries.citing.fixing import IN_STRINGS

    if records:
        talk(f"The edition in {' and '.join(map(str, records))} is now {report.edition}.")
    else:
        talk(
            f"All numbers in these files now count as those of {report.edition}. Never fix them "
            f"with --written {report.written} again: it would change correct numbers. "
            "`rulesgraph cite lock` records the edition."
        )
    moved = [it for it in left if it.finding.kind == "moved"]
    if moved:
        by_hand = (
            f"Check the {counted(len(moved), 'moved number')} listed above, and correct the old ones by hand"
        )
        if not strings and any(it.site.kind in IN_STRINGS for it in moved):
            by_hand += " (or undo all this with git, and add --fix-strings for those in strings)"
        talk(f"{by_hand}: later, nothing will show that they are old.")
    return int(bool(moved))


def _lock(report: CitationReport, book: Book, path: Path) -> int:
    from ...queries.citing.settings import lock_of

    lock = lock_of(book, report.cited)
    with output_file(path) as out:
        out.write(lock.text.encode())
    talk(f"Wrote {path}: {counted(len(lock.rows), 'number')} of {lock.edition}.")
    if report.flags:
        kept = counted(len(report.flags), "finding")
        talk(f"The lock keeps {kept} unchanged; `rulesgraph cite` lists what is wrong.")
    return 0 if report.cited else 2


def _coverage(report: CitationReport, book: Book, options: argparse.Namespace) -> int:
    from ...queries.citing.material import COLUMNS, coverage

    rows = coverage(book, report.cited)
    write_rows(COLUMNS, rows, "json" if options.form == "json" else "table")
    return 0 if report.cited else 2
