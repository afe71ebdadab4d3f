"""Find what is near what in the graph: degrees, neighbourhoods, shortest chains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..queries.evidence.links import Link
from ..queries.reliance.levels import Links, Reach, follow
from .graph import Graph
from .selection import LinkKind, NodeKind

WEIGHTS = {LinkKind.MENTION: 0.1, LinkKind.PART: 0.5}
"""The weight of a link in the choice of the most connected; 1 for the kinds not named."""


def candidates(graph: Graph) -> set[str]:
    """Return the terms worth showing, what they are linked to by more than a mention, and shared wholes.

    A term that is only the title of a rule adds nothing to that rule.
    """
    found = set()
    for thing in graph.things.values():
        if thing.kind is NodeKind.TERM:
            near = graph.near(thing.iri)
            if thing.entered or any(k != {LinkKind.DEFINITION} for _, k in near):
                found.add(thing.iri)
                found.update(other for other, kinds in near if kinds != {LinkKind.MENTION})
    below = Counter(whole for iri in found for whole in _wholes(graph, iri))
    return found | {whole for whole, parts in below.items() if parts > 1}


def _wholes(graph: Graph, iri: str) -> Iterable[str]:
    """Yield the rules that a rule is part of, up to its chapter."""
    return (whole for whole in graph.wholes(iri) if graph.things[whole].kind is not NodeKind.SECTION)


def degrees(graph: Graph, among: Collection[str]) -> dict[str, float]:
    """Return how strongly each thing is linked to the others."""
    degree: dict[str, float] = defaultdict(float)
    for iri in sorted(among):  # in order: the last bits of a sum depend on it
        for other, kinds in graph.near(iri):
            if other in among:
                degree[iri] += max(WEIGHTS.get(kind, 1.0) for kind in kinds)
        whole = graph.whole.get(iri, "")
        if whole in among:
            degree[iri] += WEIGHTS[LinkKind.PART]
            degree[whole] += WEIGHTS[LinkKind.PART]
    return degree


def next_to(graph: Graph, shown: Sequence[str], but: Collection[str] = ()) -> list[str]:
    """Return the things linked to the shown ones by more than a mention, most links first."""
    taken = {*shown, *but}
    links: Counter[str] = Counter()
    for iri in shown:
        links.update(o for o, kinds in graph.near(iri) if o not in taken and kinds != {LinkKind.MENTION})
    return sorted(links, key=lambda iri: (-links[iri], iri))


def core(graph: Graph, focus: str) -> list[str]:
    """Return a thing with the rule that defines it, or the terms that it defines, and the parts of those."""
    joined = [o for o, kinds in graph.near(focus) if LinkKind.DEFINITION in kinds]
    found = {focus: None}
    for iri in (focus, *joined):
        found[iri] = None
        if graph.things[iri].kind in (NodeKind.CHAPTER, NodeKind.RULE):
            direct = graph.parts.get(iri, ()) if iri == focus else ()
            found.update(
                (part, None) for part in graph.parts_below(iri) if part in direct or graph.near(part)
            )
    return list(found)


def neighbourhood(graph: Graph, focus: str, depth: int) -> dict[str, int]:
    """Return the things within `depth` links of the focus and their distance."""
    steps = dict.fromkeys(core(graph, focus), 0)
    edge = list(steps)
    for step in range(1, depth + 1):
        reached = set()
        for iri in edge:
            for other, kinds in graph.near(iri):
                if other not in steps and (step == 1 or kinds != {LinkKind.MENTION}):
                    reached.add(other)
            if step > 1 or graph.things[iri].kind is NodeKind.SECTION:
                reached.update(part for part in graph.parts.get(iri, ()) if part not in steps)
        steps.update((iri, step) for iri in sorted(reached))
        edge = sorted(reached)
    return steps


def onward(graph: Graph, focus: str) -> dict[str, str]:
    """Return, for everything that leads to the focus, the next thing on its shortest way there.

    Parts of the focus lead to it at no cost; otherwise these are the ways that reliance takes.
    """
    goal = core(graph, focus)
    after = dict.fromkeys(goal, focus)
    for rule in goal[1:]:
        after.update((part, rule) for part in graph.parts_below(rule) if part in after)
    reached = follow(_links_into(graph), set(goal), Reach(steps=None))
    for it in sorted(reached.values(), key=lambda it: it.steps):
        after.setdefault(it.iri, it.links[0].target)
    del after[focus]
    return after


_RELIED_ON_BY = {
    LinkKind.CITATION: "citation",
    LinkKind.NOTE: "note",
    LinkKind.DEFINITION: "definition",
    LinkKind.REDIRECT: "definition",
    LinkKind.RENAMING: "definition",
    LinkKind.MENTION: "mention",
}
"""The weight of each kind of link in a picture when reliance is followed; parts are no links."""


def _links_into(graph: Graph) -> Links:
    """Return what follows reliance backward through a graph."""

    def into(nodes: Collection[str], kinds: Collection[str], asked: bool) -> Iterator[Link]:
        for target in nodes:
            if not asked and "definition" in kinds:
                # What a part says is said by the term whose rule it belongs to.
                for whole in _wholes(graph, target):
                    yield Link(whole, "definition", target)
            for source in sorted(graph.into.get(target, ())):
                for kind in graph.kinds(source, target):
                    if _RELIED_ON_BY[kind] in kinds:
                        yield Link(source, _RELIED_ON_BY[kind], target)

    return into
