"""Record which rules a tree cites, so that a newer edition reports no unchanged citation.

A lock has the edition and a sorted line for each number: its provision and the checksum of its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...loaders.language.numbers import order
from ...ontology.errors import UsageError
from ..verifying.judging import Finding
from ..verifying.weighing import NOTE
from .flags import Flag, sign_of
from .material import Material

if TYPE_CHECKING:
    from .scan import CitationSite

NAME = "rulesgraph.lock"
_HEAD = "# rulesgraph lock 1: number, provision, checksum of its words"
_FIELDS = 3

CHANGES = frozenset(("moved", "reworded"))
"""What is found of a number because its rule has changed since the lock."""


class Lock(NamedTuple):
    """The edition of a lock, and number → provision and checksum."""

    edition: str
    rows: Mapping[str, tuple[str, str]]

    @property
    def text(self) -> str:
        """The file, a line for each number; two that were changed separately merge line by line."""
        lines = [f"{number} {' '.join(self.rows[number])}" for number in sorted(self.rows, key=order)]
        return "\n".join((_HEAD, f"edition {self.edition}", *lines)) + "\n"


def lock_of(material: Material, numbers: Iterable[str]) -> Lock:
    """Return the lock of some cited numbers; those that do not exist are left out."""
    wanted = sorted({it for it in numbers if it in material.book.titles and it[0].isdigit()})
    held = material.lives.all_holders(wanted)
    here, rows = material.edition, {}
    for number in wanted:
        own = [(it, stands.words) for it, stands in held[number] if stands.first <= here <= stands.last]
        provision = material.others.get(here, {}).get(number, "-")
        rows[number] = own[0] if own else (provision, "-")
    return Lock(here, rows)


def read_lock(path: Path) -> Lock:
    """Read a lock; raises `UsageError` for any other file, with the wrong line."""
    way_out = "`rulesgraph cite lock PATH…` writes a new one."
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", way_out=way_out) from error
    if not lines or lines[0] != _HEAD:
        raise UsageError(f"{path} is not a lock that this version can read", way_out=way_out)
    edition, rows = "", {}
    for place, line in enumerate(lines[1:], 2):
        parts = line.split()
        if len(parts) == 2 and parts[0] == "edition" and not edition:
            edition = parts[1]
        elif len(parts) == _FIELDS and parts[0][:1].isdigit():
            rows[parts[0]] = (parts[1], parts[2])
        elif line.strip():
            raise UsageError(f"{path}:{place} is not a line of a lock: {line[:60]!r}", way_out=way_out)
    if not edition:
        raise UsageError(f"{path} names no edition", way_out=way_out)
    return Lock(edition, rows)


def changed_since_lock(
    material: Material, lock: Lock, flags: Sequence[Flag], sites: Sequence[CitationSite]
) -> list[Flag]:
    """Return findings in which changes since a lock are notes, with a note for each reworded rule."""
    told = [
        it._replace(finding=it.finding._replace(severity=NOTE))
        if it.finding.kind in CHANGES and it.number in lock.rows
        else it
        for it in flags
    ]
    now = lock_of(material, lock.rows).rows
    for site in sites:
        for number in () if site.citation.bare else site.citation.numbers:
            was, is_now = lock.rows.get(number), now.get(number)
            if was and is_now and was[0] == is_now[0] and "-" != was[1] != is_now[1]:
                finding = Finding(
                    "reworded", f"{number} has been reworded since {lock.edition}", severity=NOTE
                )
                told.append(Flag(site, number, finding, sign_of(site, number, "reworded")))
    return told
