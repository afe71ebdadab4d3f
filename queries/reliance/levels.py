"""Follow links of reliance level by level: the shortest path first, then the strongest.

The links may be those of a scope or of a picture. This module decides which kinds of link count and how far
they are followed; `network` decides which things a link connects.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from ...ontology import UsageError
from ..evidence.links import Link

KINDS = ("citation", "note", "definition", "mention")
"""The kinds of link, strongest first."""

EXPLICIT = KINDS[:3]
"""The kinds followed after the first link from the subject of the question."""

RANK = {kind: rank for rank, kind in enumerate(KINDS)}
"""Kind → its rank, 0 for the strongest."""


ALL_STEPS = "all"
"""The value of `--steps` that means no limit."""


class Reach(NamedTuple):
    """How far to follow, and which links; if `steps` is None, without a limit.

    If `via` is None, the first link from the subject may be of any kind and all others must be explicit,
    because chains of mentions soon connect everything.
    """

    via: tuple[str, ...] | None = None
    steps: int | None = 1

    def kinds(self, step: int) -> tuple[str, ...]:
        """Return the kinds of link allowed at a step, counted from the subject."""
        if self.via is not None:
            return self.via
        return KINDS if step == 1 else EXPLICIT

    def allow(self, step: int) -> bool:
        """Return whether a chain may be `step` steps long."""
        return self.steps is None or step <= self.steps


def reach_of(via: str | None = None, steps: int | str | None = None) -> Reach:
    """Read `--via` and `--steps`; the default is one step, and ``"all"`` means no limit.

    Raises `UsageError` for unknown kinds, or for a wrong number of steps.
    """
    return Reach(_kinds(via), _steps(steps))


def _steps(steps: int | str | None) -> int | None:
    if steps is None:
        return 1
    if str(steps).strip().lower() == ALL_STEPS:
        return None
    try:
        number = int(steps)
    except ValueError:
        number = 0
    if number < 1:
        raise UsageError(
            f"a chain has at least one step, not {steps}", way_out=f"Give a number, or {ALL_STEPS}."
        )
    return number


def _kinds(via: str | None) -> tuple[str, ...] | None:
    if via is None:
        return None
    said = [kind.strip().lower() for kind in via.split(",") if kind.strip()]
    kinds = [one if (one := kind.removesuffix("s")) in RANK else kind for kind in said]
    wrong = [kind for kind in kinds if kind not in RANK]
    if wrong or not kinds:
        raise UsageError(
            f"no kind of link is called {wrong[0]!r}" if wrong else "no kind of link was given",
            way_out=f"The kinds are {', '.join(KINDS)}.",
        )
    return tuple(kind for kind in KINDS if kind in kinds)


Links = Callable[[Collection[str], Collection[str], bool], Iterable[Link]]
"""Returns the links of these kinds into, or out of, some nodes; true if the nodes are the subject."""


class Reached(NamedTuple):
    """A term or rule reached by the shortest, and among those the strongest, path.

    `weakest` is the rank of the weakest kind of link on the path. `links` are the equally good links to the
    previous step, and `before` says for each of them how its other end was reached (None at the start).
    """

    iri: str
    steps: int
    weakest: int
    links: tuple[Link, ...]
    before: Mapping[Link, Reached | None]

    @property
    def kind(self) -> str:
        """The weakest kind of link on the path."""
        return KINDS[self.weakest]


def follow(
    links: Links,
    starts: Collection[str],
    reach: Reach,
    *,
    backward: bool = True,
    until: Collection[str] = (),
    but: Collection[str] = (),
) -> dict[str, Reached]:
    """Return everything that relies on `starts`, by IRI; unless `backward`, everything that they rely on.

    `links` gives those into or out of nodes, as the direction needs. What belongs to the starts (`but`) is
    left out. The search stops early when it reaches one of `until`.
    """
    # The end of a link that is reached, then the end that it is reached from.
    ends = attrgetter("source", "target") if backward else attrgetter("target", "source")
    reached: dict[str, Reached] = {}
    arrived = {*starts, *but}
    # The nodes from which to reach the next level; None means the subject.
    frontier: dict[str, Reached | None] = dict.fromkeys(starts)
    step = 1
    while frontier and reach.allow(step):
        by_node: dict[str, list[tuple[int, int, Link]]] = {}
        for link in links(frontier.keys(), reach.kinds(step), step == 1):
            node, left = ends(link)
            if node not in arrived:
                before, own = frontier[left], RANK[link.kind]
                weakest = max(own, before.weakest) if before else own
                by_node.setdefault(node, []).append((weakest, own, link))
        new = {}
        for iri, ways in by_node.items():
            best = min(way[:2] for way in ways)
            equals = tuple(sorted({way[2] for way in ways if way[:2] == best}))
            new[iri] = Reached(iri, step, best[0], equals, {it: frontier[ends(it)[1]] for it in equals})
        reached |= new
        if any(node in new for node in until):
            break
        frontier = {**new}
        arrived.update(new)
        step += 1
    return reached
