"""Links of reliance are followed level by level: the shortest way first, then the strongest.

What is walked is anything that knows its links (`LinksInto`, `Links`): the graphs of a scope, or what a
picture is drawn of. Whose link one is stands in `bodies`; here and in `reach` stands how far one goes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from ..evidence.links import Link
from .reach import KINDS, RANK, Reach


class LinksInto(Protocol):
    """What can be walked backward, from what is relied on to what relies on it."""

    def into(self, nodes: Collection[str], kinds: Collection[str], *, asked: bool) -> Iterable[Link]:
        """Return the links of some kinds into some nodes; `asked` is true of what is asked about itself."""
        ...


class Links(LinksInto, Protocol):
    """What can be walked in both directions."""

    def out_of(self, nodes: Collection[str], kinds: Collection[str], *, asked: bool) -> Iterable[Link]:
        """Return the links of some kinds out of some nodes; `asked` is true of what is asked about itself."""
        ...


class Reached(NamedTuple):
    """A term or rule that a walk arrived at, by the shortest and then strongest way.

    `weakest` is the rank of the weakest kind of link on the way; `links` are the equally good links to or
    from the step before, and `before` says for each of them how its other end was reached (None at the
    start).
    """

    iri: str
    steps: int
    weakest: int
    links: tuple[Link, ...]
    before: Mapping[Link, Reached | None]

    @property
    def kind(self) -> str:
        """The weakest kind of link on the way."""
        return KINDS[self.weakest]


Frontier = dict[str, Reached | None]
"""The nodes from which the next level is reached; None stands for what is asked about."""


def backward(
    links: LinksInto,
    targets: Collection[str],
    reach: Reach,
    until: Collection[str] = (),
    but: Collection[str] = (),
) -> dict[str, Reached]:
    """Return everything that relies on `targets`, by IRI, but for what belongs to them (`but`).

    The walk stops early when one of `until` is reached.
    """
    reached: dict[str, Reached] = {}
    arrived = {*targets, *but}
    frontier: Frontier = dict.fromkeys(targets)
    step = 1
    while frontier and reach.allow(step):
        found = links.into(frontier.keys(), reach.kinds(step), asked=step == 1)
        fresh = [link for link in found if link.source not in arrived and link.source not in reached]
        new = _level(fresh, step, _source, _target, frontier)
        reached.update(new)
        if any(node in new for node in until):
            break
        frontier = _onward(new, arrived)
        step += 1
    return reached


def forward(
    links: Links, starts: Collection[str], reach: Reach, but: Collection[str] = ()
) -> dict[str, Reached]:
    """Return everything that `starts` rely on, by IRI, but for what belongs to them (`but`)."""
    reached: dict[str, Reached] = {}
    arrived = {*starts, *but}
    frontier: Frontier = dict.fromkeys(starts)
    step = 1
    while frontier and reach.allow(step):
        found = links.out_of(frontier.keys(), reach.kinds(step), asked=step == 1)
        new = _level((link for link in found if link.target not in arrived), step, _target, _source, frontier)
        reached.update({iri: it for iri, it in new.items() if iri not in reached})
        frontier = _onward(new, arrived)
        step += 1
    return reached


def _onward(new: Mapping[str, Reached], arrived: set[str]) -> Frontier:
    """Return the nodes to go on from, and count them as arrived at."""
    frontier: Frontier = {iri: it for iri, it in new.items() if iri not in arrived}
    arrived.update(frontier)
    return frontier


def _source(link: Link) -> str:
    return link.source


def _target(link: Link) -> str:
    return link.target


def _level(
    links: Iterable[Link],
    step: int,
    reaches: Callable[[Link], str],
    leaves: Callable[[Link], str],
    frontier: Frontier,
) -> dict[str, Reached]:
    """Return what one level of links reaches: `reaches` gives a link's new end, `leaves` its old one."""
    by_node: dict[str, list[tuple[int, int, Link]]] = {}
    for link in links:
        before = frontier[leaves(link)]
        own = RANK[link.kind]
        weakest = max(own, before.weakest) if before else own
        by_node.setdefault(reaches(link), []).append((weakest, own, link))
    new = {}
    for iri, ways in by_node.items():
        best = min(way[:2] for way in ways)
        equals = tuple(sorted({way[2] for way in ways if way[:2] == best}))
        new[iri] = Reached(iri, step, best[0], equals, {link: frontier[leaves(link)] for link in equals})
    return new
