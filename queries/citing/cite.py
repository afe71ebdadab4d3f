"""Check the citations in a source tree: findings by file and line, except known or ignored ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ...ontology.errors import UsageError
from ..session import Answer
from ..verifying.judging import Judge
from ..verifying.verify import counted
from ..verifying.weighing import ERROR, NOT_CHECKED, NOTE, STANDS, UNREAD, WARNING, Finding
from .flags import CHANGES, COLUMNS, KINDS, SEVERITIES, Flag, Lock, changed_since_lock
from .material import Material
from .scan import LONG_LINES, CitationSite, Patterns, Scan, files_of, read, scan


class CitationReport(NamedTuple):
    """The result of a check: findings, the edition checked against, and what was read.

    `known` counts findings of the baseline, `ignored` those that a comment ignores; `cited` has the number of
    places of each number. `written` is the edition that the numbers were written against, ``""`` if unknown;
    `since` counts the notes on what has changed since, where they were not asked for, `unlocked` the numbers
    that the lock does not have, and `unread` the places where nothing says that a number is that of a rule.
    """

    flags: list[Flag]
    edition: str
    scan: Scan
    cited: Mapping[str, int]
    known: int = 0
    ignored: int = 0
    excused: bool = False
    written: str = ""
    since: int = 0
    unlocked: int = 0
    unread: int = 0

    @property
    def summary(self) -> str:
        """One sentence with all counts; it also says so if nothing was read."""
        done = self.scan
        counts = {it: sum(flag.finding.severity == it for flag in self.flags) for it in SEVERITIES}
        told = [counted(count, severity) for severity, count in counts.items() if count]
        left = {"of the baseline": self.known, "ignored": self.ignored, **dict(sorted(done.left_out.items()))}
        also = [f"{count} {what}" for what, count in left.items() if count]
        skipped = f" ({', '.join(also)} left out)" if also else ""
        numbers = f"{counted(sum(self.cited.values()), 'citation')} of {counted(len(self.cited), 'number')}"
        counts_all = (
            f"{counted(done.files, 'file')}, {numbers} checked against {self.edition}: "
            f"{', '.join(told) or 'no findings'}{skipped}"
        )
        more = [counts_all]
        if self.since:
            notes = f"{counted(self.since, 'note')} on what has changed since {self.written}"
            more.append(f"{notes}: --notes lists them, --fix --notes corrects the numbers")
        if self.unlocked:
            more.append(
                f"{counted(self.unlocked, 'number')} not in the lock, taken for those of {self.edition}"
            )
        if self.unread:
            more.append(f"{counted(self.unread, 'number')} not checked: --every lists them")
        return "; ".join(more)

    @property
    def answer(self) -> Answer:
        """The findings as a table."""
        return Answer("cite", COLUMNS, tuple(it.row for it in self.flags), self.edition, (self.summary,))

    @property
    def code(self) -> int:
        """The exit code: 1 for errors, 2 if no citation was found where some were expected."""
        if any(it.finding.severity == ERROR for it in self.flags):
            return 1
        return 2 if not self.cited and not self.excused else 0


class SourceTree(NamedTuple):
    """The input: files and folders, or the parts of them that differ from a revision; a `text` without name.

    `patterns` are the tree's own, see `scan`.
    """

    paths: Sequence[str]
    changed_since: str | None = None
    text: str | None = None
    patterns: Patterns = ()

    @property
    def is_certain(self) -> bool:
        """Whether there may be no citation: the user named single files, or changes."""
        places = [Path(it) for it in self.paths]
        return bool(self.changed_since) or self.text is not None or all(it.is_file() for it in places)

    def read(self) -> Scan:
        """Return the citations of all of it."""
        done = scan(files_of([Path(it) for it in self.paths], self.changed_since), self.patterns)
        if self.text is None:
            return done
        sites, ignores, skipped = read("-", self.text, self.patterns)
        return done.with_more(Scan(sites, ignores, 1, Counter({LONG_LINES: skipped})))


def cite(
    material: Material,
    tree: SourceTree,
    *,
    written: str = "",
    lock: Lock | None = None,
    baseline: frozenset[str] = frozenset(),
    severities: Mapping[str, str] | None = None,
    notes: bool = False,
    every: bool = False,
) -> CitationReport:
    """Check the citations of a tree; with `every`, also list the numbers that may be citations.

    `written` is the edition that they were written against, else the lock's, if known.
    """
    chosen = severities or {}
    if wrong := [
        f"{kind} = {it}" for kind, it in chosen.items() if kind not in KINDS or it not in SEVERITIES
    ]:
        raise UsageError(
            f"{wrong[0]!r} is not a severity",
            way_out=f"{', '.join(KINDS)}: {', '.join(SEVERITIES)}.",
        )
    done = tree.read()
    against = written or (lock.edition if lock else "")
    if lock and against != lock.edition:  # it was not the lock that they were written against
        lock = None
    flags, cited = judged(material, done.sites, against, lock.rows if lock else None)
    if lock:
        flags = changed_since_lock(material, lock, flags, done.sites)
    flags = [
        it._replace(finding=it.finding._replace(severity=chosen.get(it.finding.kind, it.finding.severity)))
        for it in flags
    ]
    kept, ignored = _without_ignored([it for it in flags if it.finding.severity != "off"], done)
    new = [it for it in kept if it.sign not in baseline] if baseline else kept
    known = len(kept) - len(new)
    since = 0 if notes else sum(it.finding.severity == NOTE and it.finding.kind in CHANGES for it in new)
    unread = sum(it.finding.kind == UNREAD for it in new)
    shown = [
        it for it in new if (every if it.finding.kind == UNREAD else notes or it.finding.severity != NOTE)
    ]
    shown.sort(key=lambda it: (it.site.path, it.site.line, it.site.column, it.number))
    is_behind = lock and lock.edition < material.edition
    unlocked = len(cited.keys() & material.book.titles.keys() - lock.rows.keys()) if lock and is_behind else 0
    more = (known, ignored, tree.is_certain, against, since, unlocked, 0 if every else unread)
    return CitationReport(shown, material.edition, done, cited, *more)


def judged(
    material: Material,
    sites: Sequence[CitationSite],
    written: str,
    numbers: Collection[str] | None = None,
) -> tuple[list[Flag], dict[str, int]]:
    """Return the findings about some citations, and how often each number is cited.

    If `numbers` are given, only they are of the edition `written`; it is unknown of which the others are.
    """
    homes = {id(it.citation): it for it in sites}
    rules = material.book, None, material.meanings, material.topics
    judge = Judge(*rules, written=written, numbers=numbers, around=lambda it: homes[id(it)].around)
    found: dict[tuple[int, str], list[Flag]] = {}
    cited: dict[str, int] = {}
    read = set()
    for citation, number, finding in judge.judge(it.citation for it in sites):
        read.add(id(citation))
        cited[number] = cited.get(number, 0) + 1
        if finding.kind != STANDS:
            flag = Flag(homes[id(citation)], number, finding)
            found.setdefault((id(citation), finding.kind), []).append(flag)
    flags = [own[0].of_range(len(own)) for own in found.values()]
    others = [it for it in sites if it.citation.bare and id(it.citation) not in read]
    material.meanings.read(it.citation.numbers[0] for it in others)
    for it in others:
        number = it.citation.numbers[0]
        if number in material.book.titles or material.meanings.of(number):
            flags.append(Flag(it, number, NOT_CHECKED))
    return flags, cited


def _without_ignored(flags: Iterable[Flag], done: Scan) -> tuple[list[Flag], int]:
    """Return the findings that no comment ignores, with one for each such comment that ignores none."""
    comments = {(it.path, line): it for it in done.ignores for line in (it.line, it.line + 1)}
    used = set()
    kept: list[Flag] = []
    count = 0
    for it in flags:
        comment = comments.get((it.site.path, it.site.line))
        if comment and (not comment.kinds or it.finding.kind in comment.kinds):
            used.add(comment)
            count += 1
        else:
            kept.append(it)
    sites = {it.path: it for it in done.sites}
    for comment in done.ignores:
        why = "" if comment in used else "this comment ignores nothing"
        why = why or ("" if comment.why else "this comment does not say why")
        if why and comment.path in sites:
            place = sites[comment.path]._replace(line=comment.line, column=1, text="")
            kept.append(Flag(place, "", Finding("ignore", why, severity=WARNING)))
    return kept, count


def self_check(material: Material, folder: Path) -> str:
    """Send right and wrong citations of the edition through the whole path; return the result in words.

    Raises `UsageError` if a wrong one was missed, or a right one reported.
    """
    titled = [(number, title) for number, title in material.book.titles.items() if title and "." in number][
        :40
    ]
    wrong = [f"{number[:3]}.999" for number, _ in titled[:20]]
    lines = [f"// CR {number}: {title}" for number, title in titled]
    lines += [f"// CR {number}: nobody wrote this rule" for number in wrong]
    (folder / "self_check.rs").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    report = cite(material, SourceTree([str(folder)]))
    told = [it.number for it in report.flags]
    if told != wrong or not titled:
        raise UsageError(
            f"the self-check failed: {len(told)} findings instead of {len(wrong)}",
            way_out="Build the store again, or write the file of citations again.",
        )
    return f"self-check: {len(titled)} right and {len(wrong)} wrong citations judged correctly"
