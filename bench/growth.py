"""How each figure grows with the editions of a store, as rows of a table and as a plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import log2

from .editions import COMMANDS, Grown, StoreFigures

COLUMNS = (
    *("editions", "quads each", "MB each", "memory, MB", "build each, s", "times bulk_load", "of the other"),
    *("add one, s", "question, ms", *(f"`{command}`, ms" for command in COMMANDS)),
)

ASKED_COLUMNS = ("editions", "quads each", "MB each", "question, ms", *(f"`{it}`, ms" for it in COMMANDS))

_LINES: tuple[tuple[str, str, Callable[[Grown], float]], ...] = (
    ("quads of each", "#1b6ca8", lambda it: it.quads / it.editions),
    ("building each", "#b3541e", lambda it: it.build / it.editions),
    ("adding one", "#5b7f2b", lambda it: it.add),
    ("a question", "#7a3e9d", lambda it: it.question),
    *(
        (f"{command}", colour, lambda it, place=place: it.commands[place])
        for place, (command, colour) in enumerate(
            zip(COMMANDS, ("#555555", "#a8761b", "#1b8a8a"), strict=True)
        )
    ),
)
"""The drawn figures, as multiples of those with one edition."""

_WIDE, _HIGH, _LEFT, _TOP = 640, 360, 50, 20


def rows(stages: Sequence[Grown]) -> list[tuple[str, ...]]:
    """Return a row for each stage, under `COLUMNS`."""
    return [
        (
            str(it.editions),
            f"{it.quads / it.editions:,.0f}",
            f"{it.megabytes / it.editions:.1f}",
            str(it.memory),
            f"{it.build / it.editions:.2f}",
            f"{it.build / it.load:.2f}",
            f"{it.build / it.beside:.2f}" if it.beside else "",
            f"{it.add:.2f}",
            f"{it.question * 1000:.0f}",
            *(f"{seconds * 1000:.0f}" for seconds in it.commands),
        )
        for it in stages
    ]


def asked_row(it: StoreFigures) -> tuple[str, ...]:
    """Return the row of an existing store, under `ASKED_COLUMNS`."""
    size = f"{it.quads / it.editions:,.0f}", f"{it.megabytes / it.editions:.1f}"
    times = (f"{seconds * 1000:.0f}" for seconds in (it.question, *it.commands))
    return (str(it.editions), *size, *times)


def plot(stages: Sequence[Grown]) -> str:
    """Return the plot as SVG: a figure that grows no faster than its input stays at 1."""
    most = max(value(it) / value(stages[0]) for _, _, value in _LINES for it in stages)
    across = max(log2(stages[-1].editions), 1.0)

    def point(it: Grown, height: float) -> tuple[float, float]:
        x = _LEFT + (_WIDE - _LEFT - 150) * log2(it.editions) / across
        return x, _TOP + (_HIGH - 2 * _TOP - 20) * (1 - height / most)

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" font-family="sans-serif" '
        'font-size="11">',
        f'<rect width="{_WIDE}" height="{_HIGH}" fill="#ffffff"/>',
    ]
    for height in (1, most):
        _, y = point(stages[0], height)
        drawn.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDE - 150}" stroke="#cccccc"/>')
        drawn.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{height:.1f} ×</text>')
    for it in stages:
        x, _ = point(it, 0)
        drawn.append(f'<text x="{x:.1f}" y="{_HIGH - 12}" text-anchor="middle">{it.editions}</text>')
    labels: list[float] = []
    for name, colour, value in sorted(_LINES, key=lambda line: line[2](stages[-1]) / line[2](stages[0])):
        points = [point(it, value(it) / value(stages[0])) for it in stages]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        labels.append(min(points[-1][1], labels[-1] - 13) if labels else points[-1][1])
        drawn.append(
            f'<text x="{_WIDE - 142}" y="{labels[-1] + 4:.1f}" fill="{colour}">{escape(name)}</text>'
        )
    return "\n".join([*drawn, "</svg>\n"])
