"""A finding about a citation in a file, and what tells it again when the file has changed."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ..verifying.judging import Finding
from ..verifying.topics import words_of
from ..verifying.weighing import ERROR, NOTE, WARNING
from .scan import CitationSite

SEVERITIES = (ERROR, WARNING, NOTE, "off")
KINDS = ("unknown", "gone", "moved", "stale", "topic", "imprecise", "newer", "reworded", "ignore")
COLUMNS = ("path", "line", "column", "citation", "number", "finding", "severity", "now", "why")


class Flag(NamedTuple):
    """A finding at its place. `sign` tells it again wherever its line has moved: path, number, words."""

    site: CitationSite
    number: str
    finding: Finding
    sign: str

    @property
    def row(self) -> tuple[str | int | None, ...]:
        """The values of `COLUMNS`."""
        site, it = self.site, self.finding
        cited = " ".join(site.citation.passage.text[site.citation.start : site.citation.end].split())
        now = ", ".join(it.now) or None
        return (site.path, site.line, site.column, cited, self.number, it.kind, it.severity, now, it.message)


def sign_of(site: CitationSite, number: str, kind: str) -> str:
    """Return a checksum of a finding that stays when lines are added above it, or spaces changed."""
    words = " ".join(words_of(site.line_text))
    return sha256(f"{Path(site.path).as_posix()}\n{number}\n{kind}\n{words}".encode()).hexdigest()[:20]
