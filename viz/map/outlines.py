"""Draw the rounded outlines of the regions of a map, and find where each region's name goes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...ontology.grouping import grouped
from .placement import CELL, Owners, Placement, scaled

STRAIGHT = 90.0
"""How far a border may be straightened: the root of the area that changes hands, in pixels at scale 1."""

LONGEST = 60.0
"""The maximum straight stretch before its corners are cut, so that neighbours' corners are cut alike."""

CUTS = 2
"""The number of times corners are cut."""

MARGIN = 14.0
"""The distance of the whole map's outline from its sections."""

GROUP_MARGIN = 12.0
"""The distance of a group's border inside the group."""

Outline = list[int]
"""A closed line as x, y, x, y … in pixels at scale 1."""


Area = dict[str, Any]
"""For the page: `outlines`, and the point `x`, `y` farthest from them, `reach` away from them."""


def outlines_of(placement: Placement) -> tuple[Area, list[Area], list[Area], list[Area]]:
    """Return the whole map, the sections, the chapters and the groups, each in order.

    A common border is simplified once, then corners are cut: gaps are at most a line wide.
    """
    from shapely import coverage_simplify, segmentize  # type: ignore[import-untyped]

    cells = _cells(placement)
    owners = _owner_of_all(placement)
    chapters = _united(cells, owners)
    straight = segmentize(coverage_simplify(list(chapters.values()), STRAIGHT), LONGEST)
    smooth = dict(zip(chapters, straight, strict=True))
    home = {int(chapter): int(section) for chapter, section in zip(owners, placement.section, strict=True)}
    sections = {
        k: _union([shape for chapter, shape in smooth.items() if home[chapter] == k])
        for k in sorted(set(home.values()))
    }
    groups = {
        k: shape.buffer(-GROUP_MARGIN).simplify(STRAIGHT / 2)
        for k, shape in _united(cells, placement.group).items()
    }
    return (
        _area(_union(list(sections.values())).buffer(MARGIN)),
        [_area(sections.get(k)) for k in range(int(placement.section.max()) + 1)],
        [_area(smooth.get(k)) for k in range(int(placement.chapter.max()) + 1)],
        [_area(groups.get(k)) for k in range(len(placement.groups))],
    )


def _owner_of_all(placement: Placement) -> Owners:
    """Return the chapter of every cell; the cell of a section's mark belongs to the chapter beside it."""
    owners = placement.chapter.copy()
    for cell in np.flatnonzero(owners < 0):
        far = ((placement.cells - placement.cells[cell]) ** 2).sum(axis=1)
        far[(placement.chapter < 0) | (placement.section != placement.section[cell])] = np.inf
        owners[cell] = placement.chapter[int(far.argmin())]
    return owners


def _cells(placement: Placement) -> Any:
    """Return the cell of each cell: a hexagon whose corners are exactly those of its neighbours."""
    from shapely import polygons

    width, height = CELL[0] / 2, CELL[1] * 2 / 3
    corners = np.array([(0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5)]) * (width, height)
    return polygons(np.round(scaled(placement.cells)[:, None, :] + corners[None, :, :], 2))


def _union(shapes: Any) -> Any:
    from shapely import union_all

    return union_all(shapes)


def _united(cells: Any, owners: Owners) -> dict[int, Any]:
    owned = zip(owners.tolist(), cells, strict=True)
    by: dict[int, list[Any]] = grouped((owner, cell) for owner, cell in owned if owner >= 0)
    return {owner: _union(by[owner]) for owner in sorted(by)}


def _area(shape: Any) -> Area:
    """Return the drawing of a shape; of several pieces the largest has the name."""
    from shapely import maximum_inscribed_circle

    parts = [part for part in getattr(shape, "geoms", [shape]) if part is not None and not part.is_empty]
    if not parts:
        return {"x": 0, "y": 0, "reach": 0, "outlines": []}
    largest = max(parts, key=lambda part: part.area)
    line = maximum_inscribed_circle(largest, tolerance=CELL[1] / 2)
    (x, y), *_ = line.coords
    return {
        "x": round(x),
        "y": round(y),
        "reach": round(line.length),
        "outlines": [_outline(part.exterior.coords) for part in parts],
    }


def _outline(coordinates: Iterable[tuple[float, float]]) -> Outline:
    """Return a closed line with its corners cut (Chaikin, 1974)."""
    points = np.array(list(coordinates))[:-1, :2]
    for _ in range(CUTS):
        after = np.roll(points, -1, axis=0)
        points = np.stack((0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after), axis=1).reshape(-1, 2)
    return [int(value) for value in np.rint(points).ravel()]
