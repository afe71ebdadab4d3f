"""Links between things become traffic between towns: how much each relies on each other."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping

from ..graph import Graph
from ..selection import LinkKind

LOADS = {
    LinkKind.CITATION: 1.0,
    LinkKind.NOTE: 1.0,
    LinkKind.DEFINITION: 1.0,
    LinkKind.MENTION: 0.1,
}
"""What a link of a kind weighs as reliance; kinds not named weigh nothing."""

Traffic = dict[tuple[int, int], float]
"""By town and town: how much the first relies on the second."""


def load(kinds: frozenset[LinkKind] | set[LinkKind]) -> float:
    """Return what a link of some kinds weighs: as much as its strongest."""
    return max((LOADS.get(kind, 0.0) for kind in kinds), default=0.0)


def weights(graph: Graph) -> dict[str, float]:
    """Return how much relies on each thing, where anything does."""
    found: dict[str, float] = defaultdict(float)
    for targets in graph.links.values():
        for target, kinds in targets.items():
            found[target] += load(kinds)
    return found


def traffic(graph: Graph, town_of: Mapping[str, int]) -> Traffic:
    """Return how much each town relies on each other one."""
    found: Traffic = defaultdict(float)
    for source, targets in graph.links.items():
        a = town_of.get(source)
        for target, kinds in targets.items():
            b = town_of.get(target)
            if a is not None and b is not None and a != b:
                found[a, b] += load(kinds)
    return {pair: round(found[pair], 3) for pair in sorted(found) if found[pair] > 0}


def closeness(flows: Traffic) -> dict[tuple[int, int], float]:
    """Return how close each two towns are: their traffic as a share of what they have in all, 0 to 1.

    Without the share everything would lie at the few towns that all others rely on.
    """
    both: Traffic = defaultdict(float)
    total: dict[int, float] = defaultdict(float)
    for (a, b), flow in flows.items():
        both[min(a, b), max(a, b)] += flow
        total[a] += flow
        total[b] += flow
    return {(a, b): flow / math.sqrt(total[a] * total[b]) for (a, b), flow in both.items()}
