"""Look up retired names and their replacements in the bundled authority file.

A store needs it where it holds only one of the editions around a renaming. With both of them it knows the
renaming itself (`rg:renamedTo`).
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


class Successor(NamedTuple):
    """What took the place of a name or a provision; `since` is the first edition known to have it."""

    old: str
    new: str
    since: str


def told_in(lines: Iterable[str]) -> Iterator[Successor]:
    """Yield the renamings of an authority file; of its lines only those of the head are read."""
    for line in takewhile(lambda line: line.startswith(_HEAD), lines):
        kind, *told = line.rstrip("\n").split("\t")
        if kind == "renamed":
            yield Successor(*told)


@cache
def bundled_renamings() -> tuple[Successor, ...]:
    """Return the renamings of the authority file that comes with the project, the oldest first."""
    lines = BytesIO(packaged("rulesgraph.loaders.history", FILE))
    return tuple(told_in(line.decode("utf-8") for line in lines))
