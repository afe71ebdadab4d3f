"""Traffic between towns becomes roads: what leads the same way takes the same road.

Edge-path bundling (Wallinger and others, 2022): each pair's traffic, the heaviest first, takes the shortest
way over towns that are neighbours, and a road that is used already is cheaper than a new one.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence

import rustworkx as rx

from ..layout import Points
from .slots import Owners
from .traffic import Traffic

Road = tuple[int, int, float]
"""A stretch between two neighbouring towns, and all traffic that takes it in either direction."""

NEAR = 1.05
"""How far apart neighbouring slots are at most, in their own measure."""

REUSE = 0.55
"""What the length of a road counts for once it is used, as a share."""

WINDING = 2.2
"""Traffic whose way is so many times longer than the straight line does not take the roads."""


def neighbours(slots: Points, owners: Owners) -> list[tuple[int, int]]:
    """Return the pairs of owners whose slots touch."""
    from shapely import STRtree, points  # type: ignore[import-untyped]

    places = points(slots)
    first, second = STRtree(places).query(places, predicate="dwithin", distance=NEAR)
    pairs = {(int(a), int(b)) for a, b in zip(owners[first], owners[second], strict=True) if 0 <= a < b}
    return sorted(pairs)


def roads(
    spots: Sequence[tuple[float, float]], touching: Sequence[tuple[int, int]], flows: Traffic
) -> list[Road]:
    """Return the stretches of road, the heaviest first; `spots` are the places of the towns."""
    graph: rx.PyGraph[int, float] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(spots)))
    far = {pair: math.dist(spots[pair[0]], spots[pair[1]]) for pair in touching}
    graph.add_edges_from([(a, b, far[a, b] ** 1.15) for a, b in touching])
    both: dict[tuple[int, int], float] = defaultdict(float)
    for (a, b), flow in flows.items():
        both[min(a, b), max(a, b)] += flow
    carried: dict[tuple[int, int], float] = defaultdict(float)
    for (a, b), flow in sorted(both.items(), key=lambda it: (-it[1], it[0])):
        ways = rx.dijkstra_shortest_paths(graph, a, target=b, weight_fn=float)
        way = list(ways[b]) if b in ways else []
        stretches = [(min(x, y), max(x, y)) for x, y in itertools.pairwise(way)]
        if not stretches or sum(far[it] for it in stretches) > WINDING * math.dist(spots[a], spots[b]):
            continue
        for x, y in stretches:
            if (x, y) not in carried:
                graph.update_edge(x, y, REUSE * far[x, y] ** 1.15)
            carried[x, y] += flow
    return sorted(
        ((a, b, round(flow, 1)) for (a, b), flow in carried.items()), key=lambda it: (-it[2], it[:2])
    )
