"""Compute node positions; the same input always gives the same picture.

Connected parts are laid out by springs (Fruchterman and Reingold, seeded), pushed apart until no two labels
overlap, and packed beside each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

from ..ontology import grouped

Point = tuple[float, float]
Points = NDArray[np.float64]

SEED = 420
ROUNDS, ROUNDS_APART = 400, 300
ASPECT = 1.4
"""The ratio of a picture's width to its height: about that of the space on the page."""
GAP = 60.0
"""The space between connected parts, in pixels at scale 1."""
ROOM = 2.6
"""The ratio of a connected part's area to that of its boxes."""
EVENNESS = 0.55
"""How far positions move towards an even spread, from 0 to 1."""
SPIRAL = 2000
"""How many places are tried for a late box."""
TRIALS = 100
"""The number of them tried at once."""
GOLDEN = np.pi * (3 - np.sqrt(5))
"""The angle between successive sunflower seeds, which leaves out no direction."""


def arrange(
    boxes: Sequence[tuple[float, float]], links: Sequence[tuple[int, int, float]], late: int = 0
) -> list[Point]:
    """Return one position per box.

    A box is the width and height of a node with its label, in pixels at scale 1. `links` are (place, place,
    weight): the greater the weight, the stronger the pull. The last `late` boxes get the remaining space, as
    near as possible to what they are linked to.
    """
    first = len(boxes) - late
    sizes = np.array(boxes, dtype=float).reshape(-1, 2)
    where = np.zeros((len(boxes), 2))
    where[:first] = _parts([link for link in links if max(link[:2]) < first], sizes[:first])
    _squeeze_in(where, sizes, links, first)
    return [(round(float(x), 1), round(float(y), 1)) for x, y in where]


def _parts(links: Sequence[tuple[int, int, float]], sizes: Points) -> Points:
    """Lay out each connected part separately and put the parts side by side, the largest first."""
    graph: rx.PyGraph[int, float] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(sizes)))
    graph.add_edges_from([link for link in links if link[0] != link[1]])
    where = np.zeros((len(sizes), 2))
    parts = sorted((sorted(part) for part in rx.connected_components(graph)), key=lambda p: (-len(p), p))
    extents = []
    for part in parts:
        points = separate(_springs(graph.subgraph(part), sizes[part]), sizes[part])
        low = (points - sizes[part] / 2).min(axis=0)
        extents.append((points + sizes[part] / 2).max(axis=0) - low)
        where[part] = points - low
    for part, corner in zip(parts, _rows_of_parts(extents), strict=True):
        where[part] += corner
    return where


def _squeeze_in(where: Points, sizes: Points, links: Sequence[tuple[int, int, float]], first: int) -> None:
    """Place the boxes from `first` on, each at a free place on a spiral around what it is linked to."""
    near = grouped((max(a, b), min(a, b)) for a, b, _ in links)
    turns = np.arange(SPIRAL)
    spiral = (20.0 * np.sqrt(turns))[:, None] * np.stack(
        (ASPECT * np.cos(turns * GOLDEN), np.sin(turns * GOLDEN)), axis=1
    )
    for late in range(first, len(where)):
        around = near[late] or range(late)
        start = where[around].mean(axis=0) if late else where[late]
        room = (sizes[:late] + sizes[late]) / 2
        for at in range(0, SPIRAL, TRIALS):
            trials = start + spiral[at : at + TRIALS]
            free = ~(np.abs(trials[:, None, :] - where[None, :late, :]) < room).all(axis=2).any(axis=1)
            if free.any():
                where[late] = trials[int(np.argmax(free))]
                break


def _springs(graph: rx.PyGraph[int, float], sizes: Points) -> Points:
    """Return a force layout of one connected part, its long axis horizontal, at the size it needs."""
    count = graph.num_nodes()
    if count == 1:
        return np.zeros((1, 2))
    found = rx.spring_layout(
        graph, k=1.2 / np.sqrt(count), num_iter=ROUNDS, weight_fn=float, seed=SEED, adaptive_cooling=True
    )
    points = np.array([found[i] for i in range(count)])
    points -= points.mean(axis=0)
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    points = points @ (axes * np.sign(axes.sum(axis=1, keepdims=True) + 1e-9)).T
    room = np.sqrt(ROOM * sizes.prod(axis=1).sum()) * np.array([np.sqrt(ASPECT), 1 / np.sqrt(ASPECT)])
    scaled: Points = _spread(points) * room
    return scaled


def _spread(points: Points) -> Points:
    """Return positions between 0 and 1, half-way from where they are to where their order puts them.

    Springs crowd the middle and leave the corners empty; order alone would lose every shape.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    share = (points - low) / np.maximum(high - low, 1e-9)
    order = points.argsort(axis=0, kind="stable").argsort(axis=0) / max(len(points) - 1, 1)
    blended: Points = (1 - EVENNESS) * share + EVENNESS * order
    return blended


def separate(points: Points, sizes: Points) -> Points:
    """Push boxes around `points` apart until none overlaps another, in at most `ROUNDS_APART`.

    Each round moves every overlapping pair apart along the axis on which it overlaps least, half each.
    """
    points = points.copy()
    room = (sizes[:, None, :] + sizes[None, :, :]) / 2
    upper = np.triu_indices(len(points), 1)
    for _ in range(ROUNDS_APART):
        apart = points[upper[0]] - points[upper[1]]
        over = room[upper] - np.abs(apart)
        hit = (over > 0.5).all(axis=1)
        if not hit.any():
            break
        first, second = upper[0][hit], upper[1][hit]
        axis = np.argmin(over[hit] / np.array([1.6, 1.0]), axis=1)
        rows = np.arange(len(axis))
        push = over[hit][rows, axis] * 0.55 * np.where(apart[hit][rows, axis] < 0, -0.5, 0.5)
        np.add.at(points, (first, axis), push)
        np.add.at(points, (second, axis), -push)
    return points


def _rows_of_parts(extents: Sequence[Points]) -> list[Points]:
    """Return the corner of each part: the first on top, the others in rows below it."""
    area = sum(float((extent + GAP).prod()) for extent in extents)
    full = max([float(extents[0][0]), float(np.sqrt(area * ASPECT))]) if extents else 0.0
    corners: list[Points] = []
    x = y = row = 0.0
    for width, height in extents:
        if x and x + width > full:
            x, y, row = 0.0, y + row + GAP, 0.0
        corners.append(np.array([x, y]))
        x += float(width) + GAP
        row = max(row, float(height))
    return corners
