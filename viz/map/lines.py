"""Draw the lines of a map: bundles of links between chapters, and the rounded outlines of regions.

Edge-path bundling (Wallinger and others, 2022): the links of each pair of chapters, the heaviest first, take
the shortest path through adjacent chapters, and a stretch already in use is cheaper than a new one.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import rustworkx as rx
import shapely  # type: ignore[import-untyped]

from ...ontology import grouped
from ..graph import Graph
from ..layout import Points
from ..selection import LinkKind
from .placement import CELL, Owners, Placement, scaled

WEIGHTS = {LinkKind.CITATION: 1.0, LinkKind.NOTE: 1.0, LinkKind.DEFINITION: 1.0, LinkKind.MENTION: 0.1}
"""The weight of each kind of link as reliance; other kinds weigh nothing."""

Flows = dict[tuple[int, int], float]
"""By chapter and chapter: how much the first relies on the second."""


def weight_of(kinds: frozenset[LinkKind] | set[LinkKind]) -> float:
    """Return the weight of a link of some kinds: that of its strongest."""
    return max((WEIGHTS.get(kind, 0.0) for kind in kinds), default=0.0)


def weights(graph: Graph) -> dict[str, float]:
    """Return how much relies on each thing, if anything does."""
    found: dict[str, float] = defaultdict(float)
    for targets in graph.links.values():
        for target, kinds in targets.items():
            found[target] += weight_of(kinds)
    return found


def flows_between(graph: Graph, chapter_of: Mapping[str, int]) -> Flows:
    """Return how much each chapter relies on each other one."""
    found: Flows = defaultdict(float)
    for source, targets in graph.links.items():
        a = chapter_of.get(source)
        for target, kinds in targets.items():
            b = chapter_of.get(target)
            if a is not None and b is not None and a != b:
                found[a, b] += weight_of(kinds)
    return {pair: round(found[pair], 3) for pair in sorted(found) if found[pair] > 0}


def closeness(flows: Flows) -> dict[tuple[int, int], float]:
    """Return how close each two chapters are: their links as a share of all links of both, 0 to 1.

    By absolute numbers, everything would be near the few chapters that all others rely on.
    """
    total: dict[int, float] = defaultdict(float)
    for (a, b), flow in flows.items():
        total[a] += flow
        total[b] += flow
    return {(a, b): flow / math.sqrt(total[a] * total[b]) for (a, b), flow in _both_ways(flows).items()}


def _both_ways(flows: Flows) -> Flows:
    """Return how much two chapters rely on each other, by the lower and the higher of them."""
    both: Flows = defaultdict(float)
    for (a, b), flow in flows.items():
        both[min(a, b), max(a, b)] += flow
    return both


# -- bundles -----------------------------------------------------------------------------------------

Bundle = tuple[int, int, float]
"""A stretch between two neighbouring chapters, and all flows that take it, in either direction."""

NEAR = 1.05
"""The maximum distance between neighbouring cells, in units of the grid."""

REUSE = 0.55
"""The share of its length that a bundle costs once it is in use."""

WINDING = 2.2
"""Flows do not take a bundle if the detour is longer than this multiple of the straight line."""


def touching_owners(cells: Points, owners: Owners) -> list[tuple[int, int]]:
    """Return the pairs of owners whose cells touch."""
    places = shapely.points(cells)
    first, second = shapely.STRtree(places).query(places, predicate="dwithin", distance=NEAR)
    pairs = {(int(a), int(b)) for a, b in zip(owners[first], owners[second], strict=True) if 0 <= a < b}
    return sorted(pairs)


def bundle(
    centres: Sequence[tuple[float, float]], touching: Sequence[tuple[int, int]], flows: Flows
) -> list[Bundle]:
    """Return the stretches of the bundles, the heaviest first; `centres` are the places of the chapters."""
    graph: rx.PyGraph[int, float] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(centres)))
    far = {pair: math.dist(centres[pair[0]], centres[pair[1]]) for pair in touching}
    graph.add_edges_from([(a, b, far[a, b] ** 1.15) for a, b in touching])
    carried: dict[tuple[int, int], float] = defaultdict(float)
    for (a, b), flow in sorted(_both_ways(flows).items(), key=lambda it: (-it[1], it[0])):
        ways = rx.dijkstra_shortest_paths(graph, a, target=b, weight_fn=float)
        way = list(ways[b]) if b in ways else []
        stretches = [(min(x, y), max(x, y)) for x, y in itertools.pairwise(way)]
        if not stretches or sum(far[it] for it in stretches) > WINDING * math.dist(centres[a], centres[b]):
            continue
        for x, y in stretches:
            if (x, y) not in carried:
                graph.update_edge(x, y, REUSE * far[x, y] ** 1.15)
            carried[x, y] += flow
    return sorted(
        ((a, b, round(flow, 1)) for (a, b), flow in carried.items()), key=lambda it: (-it[2], it[:2])
    )


STRAIGHT = 90.0
"""How far a border may be straightened: the root of the area that changes hands, in pixels at scale 1."""

LONGEST = 60.0
"""The maximum straight stretch before its corners are cut, so that neighbours' corners are cut alike."""

CUTS = 2
"""How many times corners are cut."""

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
    cells = _cells(placement)
    owners = _owner_of_all(placement)
    chapters = _united(cells, owners)
    straight = shapely.segmentize(shapely.coverage_simplify(list(chapters.values()), STRAIGHT), LONGEST)
    smooth = dict(zip(chapters, straight, strict=True))
    home = {int(chapter): int(section) for chapter, section in zip(owners, placement.section, strict=True)}
    sections = {
        k: shapely.union_all([shape for chapter, shape in smooth.items() if home[chapter] == k])
        for k in sorted(set(home.values()))
    }
    groups = {
        k: shape.buffer(-GROUP_MARGIN).simplify(STRAIGHT / 2)
        for k, shape in _united(cells, placement.group).items()
    }
    return (
        _area(shapely.union_all(list(sections.values())).buffer(MARGIN)),
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
    """Return the shape of each cell: a hexagon that shares its corners exactly with its neighbours."""
    width, height = CELL[0] / 2, CELL[1] * 2 / 3
    corners = np.array([(0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5)]) * (width, height)
    return shapely.polygons(np.round(scaled(placement.cells)[:, None, :] + corners[None, :, :], 2))


def _united(cells: Any, owners: Owners) -> dict[int, Any]:
    owned = zip(owners.tolist(), cells, strict=True)
    by: dict[int, list[Any]] = grouped((owner, cell) for owner, cell in owned if owner >= 0)
    return {owner: shapely.union_all(by[owner]) for owner in sorted(by)}


def _area(shape: Any) -> Area:
    """Return the drawing of a shape; if it has several pieces, the largest gets the name."""
    parts = [part for part in getattr(shape, "geoms", [shape]) if part is not None and not part.is_empty]
    if not parts:
        return {"x": 0, "y": 0, "reach": 0, "outlines": []}
    largest = max(parts, key=lambda part: part.area)
    line = shapely.maximum_inscribed_circle(largest, tolerance=CELL[1] / 2)
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
