"""Links of reliance are walked level by level: the shortest way first, then the strongest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ontology.errors import UsageError
from .evidence import Link, Sentence, sentences_behind
from .lookup import Resolution, Thing
from .network import EXPLICIT, KINDS, Network
from .runner import Answer

if TYPE_CHECKING:
    from .runner import Row, Session

Frontier = dict[str, "Reached | None"]
"""The nodes from which the next level is reached; None stands for what is asked about."""

_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


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


@dataclass(frozen=True, slots=True)
class Reach:
    """How far and over which links to walk; `via` None is the default of the module's docstring."""

    via: tuple[str, ...] | None = None
    steps: int | None = None

    def kinds(self, step: int) -> tuple[str, ...]:
        """Return the kinds of link that may be taken at a step, counted from what is asked about."""
        if self.via is not None:
            return self.via
        return KINDS if step == 1 else KINDS[:3]

    def allow(self, step: int) -> bool:
        """Tell whether a walk may be `step` steps long."""
        return self.steps is None or step <= self.steps


def reach_of(via: str | None, steps: int | None) -> Reach:
    """Read `--via` and `--steps`; raises `UsageError` for kinds that there are not, and for no steps."""
    if steps is not None and steps < 1:
        raise UsageError(f"a chain has at least one step, not {steps}")
    if via is None:
        return Reach(None, steps)
    kinds = [kind.strip().lower().removesuffix("s") for kind in via.split(",") if kind.strip()]
    wrong = [kind for kind in kinds if kind not in _RANK]
    if wrong or not kinds:
        raise UsageError(
            f"no kind of link is called {wrong[0]!r}" if wrong else "no kind of link is named",
            way_out=f"The kinds are {', '.join(KINDS)}.",
        )
    return Reach(tuple(kind for kind in KINDS if kind in kinds), steps)


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts names alphabetically and numbers by their value: 420.9 before 420.10.

    >>> sorted(["420.10", "Bell", "420.9", "arc"], key=natural)
    ['420.9', '420.10', 'arc', 'Bell']
    """
    pieces = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces)


class Walk:
    """One walk through the graphs of a scope; `notes` collect what people should know of it."""

    def __init__(self, session: Session, resolution: Resolution, reach: Reach) -> None:
        self.session = session
        self.scope = resolution.scope
        self.things = resolution.things
        self.reach = reach
        self.notes = list(resolution.notes)
        if self.scope.united:
            self.notes.append("Links of several editions were followed together: a chain may mix them.")
        self.network = Network(session, self.scope)
        self._labels: dict[str, str] = {}

    def is_term(self, iri: str) -> bool:
        """Tell terms from rules by their IRIs."""
        return self.network.is_term(iri)

    # -- ends -------------------------------------------------------------------------------------

    def nodes(self, thing: Thing) -> tuple[str, ...]:
        """Return the terms, rules or sections that a thing stands for: an entry stands for its term."""
        if thing.kind in {"term", "rule", "section"}:
            return thing.iris
        rows = self._run("term_of", {"it": thing.iris})
        terms = tuple(dict.fromkeys(str(row[1]) for row in rows))
        if not terms:
            raise UsageError(
                f"{thing.name} stands under no term", way_out="Ask about a term or a rule number."
            )
        self.learn_labels(terms)
        self.notes.append(f"{thing.name} is asked about as {', '.join(self.label(term) for term in terms)}.")
        return terms

    def targets(self, thing: Thing) -> set[str]:
        """Return the nodes to which a link is a link to the thing: itself, its rule, and their parts."""
        nodes = self.nodes(thing)
        terms = [node for node in nodes if self.is_term(node)]
        rules = [node for node in nodes if not self.is_term(node)]
        if terms:
            rules += [str(row[1]) for row in self._run("defining", {"term": terms})]
        return set(nodes).union(*(self.network.parts(rule) for rule in rules))

    def defined_by(self, thing: Thing) -> list[str]:
        """Return the names of the terms that a rule defines itself."""
        terms = {str(row[1]) for row in self._run("defined", {"rule": thing.iris})}
        self.learn_labels(terms)
        return sorted(self.label(term) for term in terms)

    def starts(self, thing: Thing) -> set[str]:
        """Return the nodes whose links are the thing's own: a rule's parts are the rule."""
        nodes = self.nodes(thing)
        return set(nodes).union(*(self.network.parts(node) for node in nodes if not self.is_term(node)))

    # -- walking ----------------------------------------------------------------------------------

    def backward(self, targets: set[str], until: set[str] | None = None) -> dict[str, Reached]:
        """Return everything that relies on `targets`, by IRI; stop early when one of `until` is reached."""
        reached: dict[str, Reached] = {}
        arrived = set(targets)
        frontier: Frontier = dict.fromkeys(targets)
        step = 1
        while frontier and self.reach.allow(step):
            links = self.network.into(frontier, self.reach.kinds(step))
            if step == 1 and EXPLICIT.intersection(self.reach.kinds(step)):
                links += self.network.into_sections(frontier)
            fresh = [link for link in links if link.source not in targets and link.source not in reached]
            new = _level(fresh, step, _source, _target, frontier)
            reached.update(new)
            if until and until & new.keys():
                break
            frontier = {}
            for it in new.values():
                for node in (it.iri,) if self.is_term(it.iri) else self.network.wholes(it.iri):
                    if node not in arrived:
                        _keep_better(frontier, node, it)
            arrived |= frontier.keys()
            step += 1
        return reached

    def forward(self, starts: set[str]) -> dict[str, Reached]:
        """Return everything that `starts` rely on, by IRI, with the terms that a rule on the way defines."""
        reached: dict[str, Reached] = {}
        arrived = set(starts)
        frontier: Frontier = dict.fromkeys(starts)
        step = 1
        while frontier and self.reach.allow(step):
            links = self.network.out_of(frontier, self.reach.kinds(step))
            fresh = [link for link in links if link.target not in arrived]
            new = _level(fresh, step, _target, _source, frontier)
            reached.update({iri: it for iri, it in new.items() if iri not in reached})
            rules = [iri for iri in new if not self.is_term(iri)]
            for rule, term in self.network.defined_by(rules):
                it = new[rule]
                if term not in starts and (term not in reached or _better(it, reached[term])):
                    reached[term] = Reached(term, it.steps, it.weakest, it.links, it.before)
            frontier = {}
            for it in new.values():
                for node in (it.iri,) if self.is_term(it.iri) else self.network.parts(it.iri):
                    if node not in arrived:
                        _keep_better(frontier, node, it)
            arrived |= frontier.keys()
            step += 1
        return reached

    def _run(self, name: str, values: Mapping[str, Iterable[str]]) -> list[Row]:
        return self.session.run("walk", name, self.scope.linked, values)

    # -- answers ----------------------------------------------------------------------------------

    def evidence(self, reached: Iterable[Reached]) -> dict[str, tuple[Link, Sentence | None]]:
        """Choose for each thing the link that stands first in the documents, with its sentence."""
        things = list(reached)
        found = sentences_behind(self.session, self.scope, (link for it in things for link in it.links))
        self.learn_labels(it.iri for it in things)
        chosen: dict[str, tuple[Link, Sentence | None]] = {}
        for it in things:
            with_words = [(found[link][:4], link) for link in it.links if link in found]
            link = min(with_words)[1] if with_words else min(it.links)
            chosen[it.iri] = (link, found.get(link))
        return chosen

    def learn_labels(self, nodes: Iterable[str]) -> None:
        """Look up what people call some nodes."""
        unknown = sorted(set(nodes) - self._labels.keys())
        terms = [node for node in unknown if self.is_term(node)]
        rules = [node for node in unknown if not self.is_term(node)]
        names = (self.session.iris.graph("terms"),)
        for query, graphs, some in (("labels", names, terms), ("numbers", self.scope.linked, rules)):
            if some:
                found = self.session.run("walk", query, graphs, {"it": some})
                self._labels.update((str(it), str(label)) for it, label in found)

    def label(self, iri: str) -> str:
        """Return a term's name or a rule's number."""
        return self._labels.get(iri) or self.session.iris.parse(iri).name

    def answer(self, name: str, columns: tuple[str, ...], rows: list[tuple[Any, Row]]) -> Answer:
        """Return the answer with its rows sorted by their keys."""
        rows.sort(key=lambda item: item[0])
        return Answer(name, columns, tuple(row for _, row in rows), self.scope.label, tuple(self.notes))


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
        own = _RANK[link.kind]
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
