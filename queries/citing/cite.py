"""Check the citations in a source tree: findings by file and line, except known and ignored ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ...ontology import UsageError, counted, grouped
from ..session import Answer
from ..verifying.findings import ERROR, KINDS, NOT_CHECKED, NOTE, STANDS, UNREAD, Finding
from ..verifying.judging import Judge
from ..verifying.meanings import day_of_rules
from ..verifying.nearness import FEWEST_WORDS
from ..verifying.quotations import with_quotations
from ..verifying.rulebook import Book, Rulebook
from ..verifying.successors import may_be_newer
from .scan import CitationSite, Ignore, Patterns, Scan, files_of, read, scan
from .settings import CHANGES, COLUMNS, SEVERITIES, Flag, Lock, changed_since_lock

_BY_EVERY = {UNREAD: "not checked", "sibling": "beside words of another rule"}
"""The kinds of notes that only `every` lists, because too many of them are not mistakes, in words."""

_SEVERAL = 3
"""This many numbers right after the last known ones are hardly all typing errors."""


class CitationReport(NamedTuple):
    """The result of a check: findings, the edition checked against, and what was read.

    `cited` counts the places of each number; `summary` has all counts in one sentence. `written` is the
    edition that the numbers are from, ``""`` if unknown. `since` counts the notes on later changes if they
    were not asked for. If `excused`, finding no citation is not a failure.
    """

    flags: list[Flag]
    edition: str
    scan: Scan
    cited: Mapping[str, int]
    written: str
    since: int
    summary: str
    excused: bool

    @property
    def answer(self) -> Answer:
        """The findings as a table."""
        return Answer("cite", COLUMNS, tuple(it.row for it in self.flags), self.edition, (self.summary,))

    @property
    def code(self) -> int:
        """The exit code: 1 for errors, 2 if citations were expected but none found."""
        if any(it.finding.severity == ERROR for it in self.flags):
            return 1
        return 2 if not self.cited and not self.excused else 0


class SourceTree(NamedTuple):
    """The input: files and folders, only what differs from a revision, or a `text` without a name.

    `patterns` are the tree's own ways to cite, see `scan`.
    """

    paths: Sequence[str]
    changed_since: str | None = None
    text: str | None = None
    patterns: Patterns = ()

    def read(self) -> Scan:
        """Return the citations in all of it."""
        done = scan(files_of([Path(it) for it in self.paths], self.changed_since), self.patterns)
        return done if self.text is None else done.with_more(read("-", self.text, self.patterns))


def cite(
    book: Book,
    tree: SourceTree,
    *,
    written: str = "",
    lock: Lock | None = None,
    baseline: frozenset[str] = frozenset(),
    severities: Mapping[str, str] = MappingProxyType({}),
    notes: bool = False,
    every: bool = False,
) -> CitationReport:
    """Check the citations in a tree; with `every`, also list doubtful numbers.

    `written` is the edition that they were written for; by default the lock's, if known.
    """
    for kind, it in severities.items():
        if kind not in KINDS or it not in SEVERITIES:
            known = f"{', '.join(KINDS)}: {', '.join(SEVERITIES)}."
            raise UsageError(f"{f'{kind} = {it}'!r} is not a severity", way_out=known)
    done = tree.read()
    against = written or (lock.edition if lock else "")
    if lock and against != lock.edition:  # the lock is from a different edition
        lock = None
    flags, cited = judged(book, done.sites, against, lock.rows if lock else None)
    if lock:
        flags = changed_since_lock(book, lock, flags, done.sites)
    flags = [it.graded(severities.get(it.finding.kind, it.finding.severity)) for it in flags]
    kept, ignored = _without_ignored([it for it in flags if it.finding.severity != "off"], done)
    new = [it for it in kept if it.sign not in baseline] if baseline else kept
    shown = [
        it for it in new if (every if it.finding.kind in _BY_EVERY else notes) or it.finding.severity != NOTE
    ]
    shown.sort(key=lambda it: (it.site.path, it.site.line, it.site.column, it.number))

    left_out = {"of the baseline": len(kept) - len(new), "ignored": ignored}
    left_out |= dict(sorted(done.left_out.items()))
    skipped = ", ".join(f"{count} {what}" for what, count in left_out.items() if count)
    counts = Counter(it.finding.severity for it in shown)
    found = ", ".join(counted(counts[it], it) for it in SEVERITIES if counts[it])
    numbers = f"{counted(sum(cited.values()), 'citation')} of {counted(len(cited), 'number')}"
    told = [
        f"{counted(done.files, 'file')}, {numbers} checked against {book.name}: {found or 'no findings'}"
        f"{skipped and f' ({skipped} left out)'}"
    ]
    since = 0 if notes else sum(it.finding.severity == NOTE and it.finding.kind in CHANGES for it in new)
    if since:
        changed = f"{counted(since, 'note')} on changes since {against}"
        told.append(f"{changed}: --notes lists them, --fix --notes corrects the numbers")
    if past := 0 if notes else sum(it.finding.kind == "stale" and it.finding.severity == NOTE for it in new):
        told.append(f"{counted(past, 'number')} read as of an older time named beside: --notes lists them")
    is_behind = lock and lock.edition < book.name
    if unlocked := cited.keys() & book.titles.keys() - lock.rows.keys() if lock and is_behind else ():
        told.append(f"{counted(len(unlocked), 'number')} not in the lock, read as those of {book.name}")
    for kind, said in () if every else _BY_EVERY.items():
        if count := sum(it.finding.kind == kind for it in new):
            told.append(f"{counted(count, 'number')} {said}: --every lists them")
    texts = {} if against else {it.path: it.text for it in done.sites}
    dated = ((path, day) for path, text in texts.items() if (day := day_of_rules(text)))
    get = "`rulesgraph get` loads the newest"
    ahead = {it.number for it in new if it.finding.kind == "unknown" and may_be_newer(book, it.number)}
    if len(ahead) >= _SEVERAL:
        told.append(f"{counted(len(ahead), 'number')} may be of newer rules: {get}")
    for path, day in islice(dated, 1):
        newer = f", newer than {book.name}: {get}" if f"cr-{day}" > book.name else ""
        way = newer or f": --written {day} follows its numbers from there"
        told.append(f"{path} is about the rules of {day}{way}")
    if cited:
        quoted = _quoted(done.sites)
        what = f"{counted(quoted, 'quotation')} and the sentences" if quoted else "the sentences"
        told.append(f"{what} beside numbers not compared: `rulesgraph verify` compares them")
    if cited and not isinstance(book, Rulebook):
        told.append(f"{book.name} without its words: figures and obsolete terms not compared either")
    # Single files and changes need not have any.
    is_fine = (
        bool(tree.changed_since) or tree.text is not None or all(Path(it).is_file() for it in tree.paths)
    )
    return CitationReport(shown, book.name, done, cited, against, since, "; ".join(told), is_fine)


def _quoted(sites: Iterable[CitationSite]) -> int:
    """Return how many sentences are quoted beside citations. None is compared: many are from cards."""
    by_block = grouped((id(it.citation.block), it.citation) for it in sites if not it.citation.is_bare)
    found, _ = with_quotations((own[0].block, own) for own in by_block.values())
    return sum(len(words.split()) >= FEWEST_WORDS for it in found for words in it.quotes)


def judged(
    book: Book,
    sites: Sequence[CitationSite],
    written: str,
    numbers: Collection[str] | None = None,
) -> tuple[list[Flag], dict[str, int]]:
    """Return the findings about citations, and how often each number is cited.

    If `numbers` are given, only they are known to be from the edition `written`.
    """
    homes = {it.citation: it for it in sites}
    judge = Judge(book, written=written, numbers=numbers, around=lambda it: homes[it].around)
    told = judge.judge(homes)
    found = grouped(
        ((citation, finding.kind), Flag(homes[citation], number, finding))
        for citation, number, finding in told
        if finding.kind != STANDS
    )
    flags = [own[0].of_range(own) for own in found.values()]
    read = {citation for citation, _, _ in told}
    bare = [it for it in sites if it.citation.is_bare and it.citation not in read]
    for it in bare:
        number = it.citation.numbers[0]
        if number in book.titles or book.meanings.of(number):
            flags.append(Flag(it, number, NOT_CHECKED))
    return flags, Counter(number for _, number, _ in told)


def _without_ignored(flags: Iterable[Flag], done: Scan) -> tuple[list[Flag], int]:
    """Return the findings that no comment ignores, and one for each such comment without effect or reason."""
    comments = grouped(((it.path, line), it) for it in done.ignores for line in (it.line, it.line + 1))
    used: list[Ignore] = []
    kept: list[Flag] = []
    for it in flags:
        near = comments.get((it.site.path, it.site.line), ())
        ignoring = [comment for comment in near if not comment.kinds or it.finding.kind in comment.kinds]
        used += ignoring[:1]
        kept += [] if ignoring else [it]
    sites = {it.path: it for it in done.sites}
    for comment in done.ignores:
        why = "" if comment in used else "this comment ignores nothing"
        why = why or ("" if comment.why else "this comment does not say why")
        if why and comment.path in sites:
            place = sites[comment.path]._replace(line=comment.line, column=1, text="")
            kept.append(Flag(place, "", Finding("ignore", why)))
    return kept, len(used)


def self_check(book: Book, folder: Path) -> str:
    """Check right and wrong citations of the edition in the usual way; return the result in words.

    Raises `UsageError` if a wrong one was missed or a right one reported.
    """
    titled = [(number, title) for number, title in book.titles.items() if title and "." in number][:40]
    wrong = [f"{number[:3]}.999" for number, _ in titled[:20]]
    lines = [f"// CR {number}: {title}" for number, title in titled]
    lines += [f"// CR {number}: nobody wrote this rule" for number in wrong]
    (folder / "self_check.rs").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    report = cite(book, SourceTree([str(folder)]))
    told = [it.number for it in report.flags]
    if told != wrong or not titled:
        raise UsageError(
            f"the self-check failed: {len(told)} findings instead of {len(wrong)}",
            way_out="Build the store again, or write the file of citations again.",
        )
    return f"self-check: {len(titled)} right and {len(wrong)} wrong citations judged correctly"
