"""Names that were given up for others, as the bundled authority file tells: for stores of few editions.

Where the editions on both sides of a renaming are loaded, the store itself knows it (`rg:renamedTo`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import takewhile
from typing import NamedTuple

from ...ontology.resources import packaged

FILE = "provisions.tsv"
"""The bundled authority file, beside this module."""

_HEAD = ("edition", "renamed")


class Renamed(NamedTuple):
    """A concept that was given another name; `since` is the first edition known to have the new one."""

    old: str
    new: str
    since: str

    @property
    def line(self) -> str:
        """The line of the authority file that says so."""
        return "\t".join(("renamed", *self))


def told_in(lines: Iterable[str]) -> Iterator[Renamed]:
    """Yield the renamings of an authority file; of its lines only those of the head are read."""
    for line in takewhile(lambda line: line.startswith(_HEAD), lines):
        kind, *told = line.rstrip("\n").split("\t")
        if kind == "renamed":
            yield Renamed(*told)


@cache
def bundled_renamings() -> tuple[Renamed, ...]:
    """Return the renamings of the authority file that comes with the project, the oldest first."""
    lines = BytesIO(packaged("rulesgraph.loaders.history", FILE))
    return tuple(told_in(line.decode("utf-8") for line in lines))
