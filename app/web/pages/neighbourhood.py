"""What relies on a thing, and what it relies on, become a small drawing that needs no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

MOST = 9
"""How many things are drawn on one side."""

WIDTH, ROW, TOP = 760, 30, 34
_LEFT, _MIDDLE, _RIGHT = 210, 380, 550
_LONGEST = 24


class Neighbour(NamedTuple):
    """A thing beside the one in the middle: its name, the link to its page, and the kind of its link."""

    name: str
    link: str
    kind: str


@dataclass(frozen=True, slots=True)
class Strand:
    """One line of the drawing: what it leads to, where that is written, and its way."""

    neighbour: Neighbour
    label: str
    x: int
    y: float
    anchor: str
    way: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing: its size, the name in the middle, the strands of both sides, and how many are left out."""

    name: str
    height: int
    middle: float
    before: tuple[Strand, ...]
    behind: tuple[Strand, ...]
    more: int

    @property
    def width(self) -> int:
        """The width, in units of the drawing."""
        return WIDTH

    @property
    def half(self) -> float:
        """Half the width of the name in the middle."""
        return min(118.0, 18 + 4.4 * len(self.name))


def drawing(name: str, before: Sequence[Neighbour], behind: Sequence[Neighbour]) -> Drawing | None:
    """Return the drawing of a thing with what relies on it at the left and what it relies on at the right.

    Those that come first are drawn, each name once; None where there is nothing to draw.
    """
    left, right = _first(before), _first(behind)
    rows = max(len(left), len(right))
    if not rows:
        return None
    height = TOP + rows * ROW + 10
    middle = TOP + rows * ROW / 2
    more = len({it.name for it in before}) + len({it.name for it in behind}) - len(left) - len(right)
    drawn = Drawing(_short(name), height, middle, (), (), more)
    return Drawing(
        drawn.name,
        height,
        middle,
        tuple(_strand(it, k, len(left), drawn, -1) for k, it in enumerate(left)),
        tuple(_strand(it, k, len(right), drawn, 1) for k, it in enumerate(right)),
        more,
    )


def _first(given: Sequence[Neighbour]) -> list[Neighbour]:
    found: dict[str, Neighbour] = {}
    for it in given:
        found.setdefault(it.name, it)
    return list(found.values())[:MOST]


def _strand(it: Neighbour, place: int, count: int, drawn: Drawing, side: int) -> Strand:
    y = drawn.middle + (place - (count - 1) / 2) * ROW
    x = _LEFT if side < 0 else _RIGHT
    start = _MIDDLE + side * drawn.half
    bend = (start + x) / 2
    way = f"M{x - side * 6:g} {y:g}C{bend:g} {y:g} {bend:g} {drawn.middle:g} {start:g} {drawn.middle:g}"
    return Strand(it, _short(it.name), x, y, "end" if side < 0 else "start", way)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1].rstrip() + "…"
