"""Slots become borders: the land of each owner as rounded outlines, and the point where its name stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .places import SLOT, Ground, scaled
from .slots import Owners

STRAIGHT = 90.0
"""How much a border may be straightened: the root of the area that changes hands, in pixels at scale 1."""

LONGEST = 60.0
"""How long a straight stretch may be before its corners are cut: so neighbours' corners are cut alike."""

CUTS = 2
"""How often corners are cut."""

BEACH = 14.0
"""How far the island reaches beyond its countries."""

DISTRICT_MARGIN = 12.0
"""How far the border of a district stays within it."""

Outline = list[int]
"""A closed line as x, y, x, y … in pixels at scale 1."""


@dataclass(frozen=True, slots=True)
class Land:
    """The outlines of an owner's land, the point in it that is farthest from its borders, and how far."""

    outlines: tuple[Outline, ...]
    x: int
    y: int
    reach: int


def borders(ground: Ground) -> tuple[Land, list[Land], list[Land], list[Land]]:
    """Return the whole island, the countries, the towns and the districts, each in its order.

    What two neighbours share is simplified once for both, then corners are cut: no gap is wider than a line.
    """
    from shapely import coverage_simplify, segmentize  # type: ignore[import-untyped]

    cells = _cells(ground)
    owners = _everywhere(ground)
    towns = _united(cells, owners)
    straight = segmentize(coverage_simplify(list(towns.values()), STRAIGHT), LONGEST)
    smooth = dict(zip(towns, straight, strict=True))
    home = {int(town): int(country) for town, country in zip(owners, ground.country, strict=True)}
    countries = {
        k: _union([shape for town, shape in smooth.items() if home[town] == k])
        for k in sorted(set(home.values()))
    }
    districts = {
        k: shape.buffer(-DISTRICT_MARGIN).simplify(STRAIGHT / 2)
        for k, shape in _united(cells, ground.district).items()
    }
    return (
        _land(_union(list(countries.values())).buffer(BEACH)),
        [_land(countries.get(k)) for k in range(int(ground.country.max()) + 1)],
        [_land(smooth.get(k)) for k in range(int(ground.town.max()) + 1)],
        [_land(districts.get(k)) for k in range(len(ground.districts))],
    )


def _everywhere(ground: Ground) -> Owners:
    """Return the town of every slot; the slot of a country's mark belongs to the town beside it."""
    owners = ground.town.copy()
    for slot in np.flatnonzero(owners < 0):
        far = ((ground.slots - ground.slots[slot]) ** 2).sum(axis=1)
        far[(ground.town < 0) | (ground.country != ground.country[slot])] = np.inf
        owners[slot] = ground.town[int(far.argmin())]
    return owners


def _cells(ground: Ground) -> Any:
    """Return the cell of each slot: a hexagon whose corners are exactly those of its neighbours."""
    from shapely import polygons

    width, height = SLOT[0] / 2, SLOT[1] * 2 / 3
    corners = np.array([(0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5)]) * (width, height)
    return polygons(np.round(scaled(ground.slots)[:, None, :] + corners[None, :, :], 2))


def _union(shapes: Any) -> Any:
    from shapely import union_all

    return union_all(shapes)


def _united(cells: Any, owners: Owners) -> dict[int, Any]:
    by: dict[int, list[Any]] = defaultdict(list)
    for cell, owner in zip(cells, owners.tolist(), strict=True):
        if owner >= 0:
            by[owner].append(cell)
    return {owner: _union(by[owner]) for owner in sorted(by)}


def _land(shape: Any) -> Land:
    """Return what is drawn of a shape; of several pieces the name stands in the largest."""
    from shapely import maximum_inscribed_circle

    parts = [part for part in getattr(shape, "geoms", [shape]) if part is not None and not part.is_empty]
    if not parts:
        return Land((), 0, 0, 0)
    largest = max(parts, key=lambda part: part.area)
    line = maximum_inscribed_circle(largest, tolerance=SLOT[1] / 2)
    (x, y), *_ = line.coords
    return Land(
        tuple(_outline(part.exterior.coords) for part in parts), round(x), round(y), round(line.length)
    )


def _outline(coordinates: Iterable[tuple[float, float]]) -> Outline:
    """Return a closed line with its corners cut (Chaikin, 1974)."""
    points = np.array(list(coordinates))[:-1, :2]
    for _ in range(CUTS):
        after = np.roll(points, -1, axis=0)
        points = np.stack((0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after), axis=1).reshape(-1, 2)
    return [int(value) for value in np.rint(points).ravel()]
