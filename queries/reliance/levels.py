"""Links of reliance are followed level by level: the shortest way first, then the strongest.

What is walked is anything that knows its links (`LinksInto`, `Links`): the graphs of a scope, or what a
picture is drawn of. What reliance means stands here and in `reach`, and nowhere else: arriving at a
rule one goes on from all that it is part of (backward) or from its parts (forward), at no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from ..evidence.links import Link
from .reach import KINDS, RANK, Reach


class LinksInto(Protocol):
    """What can be walked backward, from what is relied on to what relies on it."""

    def is_term(self, iri: str) -> bool:
        """Tell terms from rules and sections."""
        ...

    def wholes(self, rule: str) -> Collection[str]:
        """Return a rule and all that it is part of, but for its section."""
        ...

    def into(self, nodes: Collection[str], kinds: Collection[str], *, asked: bool) -> Iterable[Link]:
        """Return the links of some kinds into some nodes; `asked` is true of what is asked about itself."""
        ...


class Links(LinksInto, Protocol):
    """What can be walked in both directions."""

    def parts(self, rule: str) -> Collection[str]:
        """Return a rule and all its parts."""
        ...

    def out_of(self, nodes: Collection[str], kinds: Collection[str]) -> Iterable[Link]:
        """Return the links of some kinds out of some nodes."""
        ...

    def defined_by(self, rules: Iterable[str]) -> Iterable[tuple[str, str]]:
        """Return (rule, term) for the terms that some rules, or the rules above them, define."""
        ...


@dataclass(frozen=True, slots=True)
class Reached:
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
    links: LinksInto, targets: Collection[str], reach: Reach, until: Collection[str] = ()
) -> dict[str, Reached]:
    """Return everything that relies on `targets`, by IRI; stop early when one of `until` is reached."""
    reached: dict[str, Reached] = {}
    arrived = set(targets)
    frontier: Frontier = dict.fromkeys(targets)
    step = 1
    while frontier and reach.allow(step):
        found = links.into(frontier.keys(), reach.kinds(step), asked=step == 1)
        fresh = [link for link in found if link.source not in targets and link.source not in reached]
        new = _level(fresh, step, _source, _target, frontier)
        reached.update(new)
        if any(node in new for node in until):
            break
        frontier = _onward(new, arrived, links, links.wholes)
        step += 1
    return reached


def forward(links: Links, starts: Collection[str], reach: Reach) -> dict[str, Reached]:
    """Return everything that `starts` rely on, by IRI, with the terms that a rule on the way defines."""
    reached: dict[str, Reached] = {}
    arrived = set(starts)
    frontier: Frontier = dict.fromkeys(starts)
    step = 1
    while frontier and reach.allow(step):
        found = links.out_of(frontier.keys(), reach.kinds(step))
        new = _level((link for link in found if link.target not in arrived), step, _target, _source, frontier)
        reached.update({iri: it for iri, it in new.items() if iri not in reached})
        for rule, term in links.defined_by(iri for iri in new if not links.is_term(iri)):
            it = new[rule]
            if term not in starts and (term not in reached or _better(it, reached[term])):
                reached[term] = Reached(term, it.steps, it.weakest, it.links, it.before)
        frontier = _onward(new, arrived, links, links.parts)
        step += 1
    return reached


def _onward(
    new: Mapping[str, Reached],
    arrived: set[str],
    links: LinksInto,
    beside: Callable[[str], Collection[str]],
) -> Frontier:
    """Return the nodes to go on from, and count them as arrived at; `beside` gives those of a rule."""
    frontier: Frontier = {}
    for it in new.values():
        for node in (it.iri,) if links.is_term(it.iri) else beside(it.iri):
            if node not in arrived:
                _keep_better(frontier, node, it)
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


def _keep_better(frontier: Frontier, node: str, it: Reached) -> None:
    there = frontier.get(node)
    if there is None or _better(it, there):
        frontier[node] = it


def _better(one: Reached, other: Reached) -> bool:
    """Tell whether `one` is the shorter way, or the stronger of two as short."""
    return (one.steps, one.weakest, one.iri) < (other.steps, other.weakest, other.iri)
