"""Write current numbers into files where it is certain which rules are meant; update the recorded edition."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from difflib import diff_bytes, unified_diff
from pathlib import Path
from typing import NamedTuple

from ...loaders.language.numbers import ALPHABET, completed
from ...ontology import UsageError, grouped
from ..verifying.findings import FITS_TODAY, UNREAD
from ..verifying.meanings import past_of
from ..verifying.rulebook import Book
from ..verifying.verify import edition_written
from .cite import CitationReport, SourceTree
from .scan import decoded, git
from .settings import Flag, Settings, lock_of, read_lock

IN_STRINGS = frozenset(("string", "data", "name"))

_DENIED = re.compile(
    r"(?:\b(?:was|were|not|never)|n[’']t)"
    r"\W+(?:(?:the|an?|in|as|at|under|numbered|called|cited?|use|quote|write|mean|see|rules?)\W+)*$",
    re.IGNORECASE,
)
_LEFT = re.compile(r"(?:\s*\([^()]{0,40}\))?[\s,;(]*(?:was|were|before)\b", re.IGNORECASE)
"""What follows a number that is no longer right."""

_END = re.compile(r"(?P<between>\W+(?:(?:through|thru)\s)?(?:[Rr]ules?\s)?)(?P<end>\w+(?:\.\w+)?)")
"""What follows the first number of a range."""


class Fix(NamedTuple):
    """A file before and after the change, and the findings that it settles."""

    path: Path
    before: bytes
    after: bytes
    mended: tuple[Flag, ...] = ()

    @property
    def diff(self) -> bytes:
        """The change as a unified diff in the bytes of the file, for `git apply`."""
        old, new = (re.findall(rb"[^\n]*\n|[^\n]+", it) for it in (self.before, self.after))
        name = os.fsencode(self.path.as_posix())
        lines = diff_bytes(unified_diff, old, new, b"a/" + name, b"b/" + name)
        return b"".join(
            it if it.endswith(b"\n") else it + b"\n\\ No newline at end of file\n" for it in lines
        )


_STRING = "it is in a string, a docstring or a name: --fix-strings corrects these"
_HISTORY = "the words beside it are about older or other numbers: correct it by hand if they are not"
_DATED = "a date stands before it, and would make the new number one of that day: correct both by hand"
_FORM = "its form cannot be kept: correct it by hand"
_LIST = "another number of its list cannot be written: correct them together by hand"
_STANDING = "the edition has this number, and --fix-gone keeps those: correct it by hand if it is an old one"


def fixes(
    flags: Sequence[Flag], *, strings: bool = False, gone: Container[str] | None = None
) -> tuple[list[Fix], list[tuple[Flag, str]]]:
    """Return the changes to write, in comments and texts; with `strings`, also in strings and names.

    All numbers of a file are replaced in a single pass over the text that was read. Numbers in `gone` stay,
    and so does a list of letters that contains one. The second list has every finding that stays, with the
    reason and what to do.
    """
    certain = [it for it in flags if it.finding.fix and not (gone and any(one in gone for one in it.moves))]
    sure = {*map(id, certain)}
    moving = {(it.site.path, it.site.line, number) for it in certain for number in it.moves}
    new = {(_whole(it), number): now for it in certain for number, now in it.moves.items()}
    found = []
    kept = [(it, _STANDING if it.finding.fix else _obstacle(it)) for it in flags if id(it) not in sure]
    halves = {_whole(it) for it, _ in kept if it.finding.kind not in ("reworded", UNREAD)}
    for path, own in grouped((it.site.path, it) for it in certain).items():
        before = Path(path).read_bytes()
        text = decoded(before)
        is_kept = text.encode("utf-8", "surrogateescape") == before
        written, done = [], 0
        for it in sorted(own, key=lambda it: it.site.start):
            start, end = it.site.start, it.site.end
            raw = _rewritten(text[start:end], it, new) if is_kept and start >= done else None
            reason = _STRING if it.site.kind in IN_STRINGS and not strings else ""
            reason = reason or (_DATED if it.site.citation.written else "")
            reason = reason or (_HISTORY if _is_history(it, moving) else "")
            if reason or raw is None:
                kept.append((it, reason or _FORM))
                halves.add(_whole(it))
            else:
                written.append((it, raw))
                done = end
        kept += [(it, _LIST) for it, _ in written if _whole(it) in halves]
        written = [(it, raw) for it, raw in written if _whole(it) not in halves]
        pieces, done = [], 0
        for it, raw in written:
            pieces += [text[done : it.site.start], raw]
            done = it.site.end
        after = "".join((*pieces, text[done:])).encode("utf-8", "surrogateescape")
        if written:
            found.append(Fix(Path(path), before, after, tuple(it for it, _ in written)))
    return found, sorted(kept, key=lambda it: (it[0].site.path, it[0].site.line, it[0].site.column))


def _whole(it: Flag) -> tuple[object, ...]:
    """Return a key for what is rewritten together: a number, or its list if it has mere letters."""
    citation = it.site.citation
    chain = (id(citation.block), *citation.chain) if citation.chain else (it.site.start,)
    return (it.site.path, *chain)


def _obstacle(it: Flag) -> str:
    """Return why only the author can correct the number of a finding, and how."""
    kind, now, citation = it.finding.kind, it.finding.now, it.site.citation
    doubts = (
        (kind == "topic", "either the number or the words are wrong: correct one of them"),
        (kind == "reworded", "the number is right: read the rule again, and correct what is said about it"),
        (not now, "nothing shows which rule is meant: look it up, and correct it by hand"),
        (now and past_of(citation), _HISTORY),
        (
            len(citation.numbers) > 1,
            "the numbers of this range no longer follow one another: correct it by hand",
        ),
        (len(now) > 1, "several rules may be meant: choose one"),
        (
            FITS_TODAY in it.finding.message,
            "the words beside it fit the rule that has it today: keep it if that is meant",
        ),
    )
    last = f"the words next to it do not name {''.join(now)} for certain: write this number if it is meant"
    return next((why for holds, why in doubts if holds), last)


def _is_history(it: Flag, moving: Collection[tuple[str, int, str]]) -> bool:
    """Return whether the text around a number is about older rules, or names the new number as well.

    `moving` has the path, line and number of everything that is being replaced.
    """
    citation, line, new = it.site.citation, it.site.line_text, it.finding.now[0]
    if re.search(rf"(?<![\w.]){re.escape(new)}(?![a-z]*\d)", line):
        return (it.site.path, it.site.line, new) not in moving
    return bool(_DENIED.search(citation.ahead(60)) or _LEFT.match(citation.behind(60)) or past_of(citation))


def _rewritten(raw: str, it: Flag, new: Mapping[tuple[tuple[object, ...], str], str]) -> str | None:
    """Return a citation with another number in the same form; None if that is impossible.

    `new` has all new numbers. In a list, a letter stays a letter if it continues the number before it.
    """
    old, now, chain = it.number, it.finding.now[0], it.site.citation.chain
    stem = now.rstrip(ALPHABET)
    if stem != old.rstrip(ALPHABET) and any((_whole(it), one) not in new for one in chain):
        return None
    for sign, cased in (".", str), ("_", str), (".", str.upper), ("_", str.upper):
        ahead, named, behind = raw.partition(cased(old.replace(".", sign)))
        if named and (len(it.moves) > 1 or named not in behind):
            end = _end_rewritten(behind, it)
            return None if end is None else f"{ahead}{cased(now.replace('.', sign))}{end}"
    letters = raw.lstrip("/")
    if old not in chain[1:] or not letters.isalpha():
        return None
    ahead = chain[chain.index(old) - 1]
    goes_on = new.get((_whole(it), ahead), ahead).rstrip(ALPHABET) == stem != now
    return raw.removesuffix(letters) + (now.removeprefix(stem) if goes_on else now)


def _end_rewritten(behind: str, it: Flag) -> str | None:
    """Return what follows the first number of a citation, with a new end of the range in the same form."""
    if len(it.moves) == 1:
        return behind
    first, last, now = it.number, [*it.moves][-1], it.finding.now[-1]
    match = _END.match(behind)
    if not match or completed(match["end"], first) != last:
        return None
    letters = now[len(now.rstrip(ALPHABET)) :]
    end = now if match["end"] == last else letters if match["end"].isalpha() else now.partition(".")[2]
    return f"{match['between']}{end}{behind[match.end() :]}" if end else None


def refuse_dirty(paths: Sequence[Path]) -> None:
    """Raise `UsageError` if git could not restore the files to be written."""
    for folder, own in grouped((it.parent, it) for it in paths).items():
        try:
            changed = git(folder, "status", "--porcelain", "--ignored", "--", *(it.name for it in own))
        except UsageError:
            said = f"{folder} is not in git, so changes by --fix could not be undone"
            raise UsageError(said, way_out="Use --allow-dirty to write anyway.") from None
        if changed:
            why = "is ignored by git" if changed[0].startswith("!!") else "has uncommitted changes"
            said = f"{changed[0][3:]} {why}"
            raise UsageError(said, way_out="Commit them first, or use --allow-dirty.")


# -- the recorded edition: the setting `written`, and a lock -------------------------------------------


def refuse_partial(
    settings: Settings,
    report: CitationReport,
    check: Callable[[SourceTree], CitationReport],
    book: Book,
) -> None:
    """Raise `UsageError` if some files would keep numbers of an older edition while others are updated.

    Nobody could tell them apart later. Files that claim to be from a newer edition are refused as well.
    """
    said_by = {it: edition_written(book, settings.written) for it in settings.records}
    if settings.lock:
        said_by[settings.lock] = read_lock(settings.lock).edition
    for file, edition in said_by.items():
        if report.written < edition:
            said = f"{file} says that these numbers are from {edition}, not from {report.written}"
            raise UsageError(said, way_out="Leave out --written, or correct that file.")
    read = {Path(it.path).resolve() for it in report.scan.sites}
    paths = settings.paths or [str(it.parent) for it in settings.records[:1]]
    tree = SourceTree(paths, patterns=settings.patterns)
    moved = [it for it in check(tree).flags if it.finding.kind == "moved"] if settings.records else []
    if others := [it.site.path for it in moved if Path(it.site.path).resolve() not in read]:
        said = f"{others[0]} has numbers from {report.written}, too"
        raise UsageError(said, way_out="Fix all files at once, that is, without naming any.")


def updated_records(
    settings: Settings, book: Book, report: CitationReport, mended: Sequence[Flag]
) -> list[Fix]:
    """Return the settings and the lock, updated to the edition checked against."""
    found = []
    if settings.written and settings.file:
        content = settings.with_written(book.name)
        found.append(Fix(settings.file, settings.file.read_bytes(), content.encode()))
    if settings.lock:
        cited = Counter(report.cited)
        cited.subtract(number for it in mended for number in it.moves)
        cited.update(now for it in mended for now in it.moves.values())
        elsewhere = read_lock(settings.lock).rows.keys() - report.cited.keys()
        content = lock_of(book, {*(+cited), *elsewhere}).text
        found.append(Fix(settings.lock, settings.lock.read_bytes(), content.encode()))
    return found
