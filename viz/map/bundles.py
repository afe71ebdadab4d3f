"""Sum up the links between chapters, and bundle those in the same direction.

Edge-path bundling (Wallinger and others, 2022): the links of each pair of chapters, the heaviest first, take
the shortest way through adjacent chapters, and a stretch already in use is cheaper than a new one.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import rustworkx as rx

from ..graph import Graph
from ..layout import Points
from ..selection import LinkKind
from .placement import Owners

WEIGHTS = {
    LinkKind.CITATION: 1.0,
    LinkKind.NOTE: 1.0,
    LinkKind.DEFINITION: 1.0,
    LinkKind.MENTION: 0.1,
}
"""The weight of a link of a kind as reliance; kinds not named weigh nothing."""

Flows = dict[tuple[int, int], float]
"""By chapter and chapter: how much the first relies on the second."""


def weight_of(kinds: frozenset[LinkKind] | set[LinkKind]) -> float:
    """Return the weight of a link of some kinds: that of its strongest."""
    return max((WEIGHTS.get(kind, 0.0) for kind in kinds), default=0.0)


def weights(graph: Graph) -> dict[str, float]:
    """Return how much relies on each thing, where anything does."""
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

    Without the share everything would be near the few chapters that all others rely on.
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
"""A stretch between two neighbouring chapters, and all flows_between that take it in either direction."""

NEAR = 1.05
"""The maximum distance between neighbouring cells, in their own measure."""

REUSE = 0.55
"""The cost of a bundle's length once it is used, as a share."""

WINDING = 2.2
"""The detour, as a multiple of the straight line, above which flows do not take the bundle."""


def touching_owners(cells: Points, owners: Owners) -> list[tuple[int, int]]:
    """Return the pairs of owners whose cells touch."""
    from shapely import STRtree, points  # type: ignore[import-untyped]

    places = points(cells)
    first, second = STRtree(places).query(places, predicate="dwithin", distance=NEAR)
    pairs = {(int(a), int(b)) for a, b in zip(owners[first], owners[second], strict=True) if 0 <= a < b}
    return sorted(pairs)


def bundle(
    centres: Sequence[tuple[float, float]], touching: Sequence[tuple[int, int]], flows: Flows
) -> list[Bundle]:
    """Return the stretches of bundle, the heaviest first; `centres` are the places of the chapters."""
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
