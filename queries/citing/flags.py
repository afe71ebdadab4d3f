"""A finding about a citation in a file, and a sign that identifies it when the file has changed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ...ontology.errors import UsageError
from ..verifying.judging import Finding
from ..verifying.topics import words_of
from ..verifying.weighing import ERROR, NOTE, WARNING
from .scan import CitationSite

SEVERITIES = (ERROR, WARNING, NOTE, "off")
KINDS = ("unknown", "gone", "moved", "stale", "topic", "imprecise", "newer", "reworded", "ignore", "unread")
UNREAD = "unread"
"""What is found of a number that may be anything: it is not checked."""

COLUMNS = ("path", "line", "column", "citation", "number", "finding", "severity", "now", "why")


class Flag(NamedTuple):
    """A finding at its place. `sign` identifies it wherever its line has moved: path, number, words."""

    site: CitationSite
    number: str
    finding: Finding
    sign: str

    @property
    def row(self) -> tuple[str | int | None, ...]:
        """The values of `COLUMNS`."""
        site, it = self.site, self.finding
        cited = " ".join(site.text[site.start : site.end].split())
        now = ", ".join(it.now) or None
        return (site.path, site.line, site.column, cited, self.number, it.kind, it.severity, now, it.message)


def sign_of(site: CitationSite, number: str, kind: str) -> str:
    """Return a checksum of a finding that stays when lines are added above it, or spaces changed."""
    words = " ".join(words_of(site.line_text))
    return sha256(f"{Path(site.path).as_posix()}\n{number}\n{kind}\n{words}".encode()).hexdigest()[:20]


_HEAD = "# rulesgraph baseline 1: findings that are known"
_WAY_OUT = "`rulesgraph cite baseline PATH… --baseline FILE` writes a new one."


def read_baseline(path: Path) -> frozenset[str]:
    """Return the signs of the known findings; raises `UsageError` for a file that is not a baseline."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", way_out=_WAY_OUT) from error
    if not lines or lines[0] != _HEAD:
        raise UsageError(f"{path} is not a baseline that this version can read", way_out=_WAY_OUT)
    return frozenset(line.split("\t", 1)[0] for line in lines[1:] if line)


def baseline_of(flags: Iterable[Flag]) -> str:
    """Return the file for some findings: a sorted line for each, with its subject for people."""
    lines = {f"{it.sign}\t{it.number}\t{it.finding.kind}\t{it.site.path}" for it in flags}
    return "\n".join((_HEAD, *sorted(lines, key=lambda it: it.split("\t")[::-1]))) + "\n"
