"""Statements of the user's own: what of the graph touches them, and which of them no reasoner is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from ...loaders.store.results import Solutions
from ...ontology.briefing import Objection, read_statements
from ...ontology.hierarchy import own_hierarchy
from ...ontology.iris import Iris
from ...ontology.literals import is_literal
from ...ontology.query_files import bind
from ...ontology.statements import TYPE, PlainTriple
from ...ontology.terms import PREFIXES
from ..files import QUERIES
from ..session import Cells, Scope, Session
from .statements import Names

_OWL = PREFIXES["owl"]
_WORDS = tuple(PREFIXES[name] for name in ("rg", "game", "owl", "rdf", "rdfs", "xsd"))
_GRAVE = {"bad_literal": "error", "unknown_word": "error", "left_out": "info"}
ENOUGH = 20
"""How many links of one property that lead to a thing tell all that such links say of it."""

_NAMED = 3
"""How many of the things that the same objection is made to are named."""


class Touched(NamedTuple):
    """What the graph says of some things, and the links that were left out: (property, thing) → how many."""

    facts: set[PlainTriple]
    left_out: dict[tuple[str, str], int]


@dataclass(frozen=True)
class Own:
    """Statements of the user's own, as N-Triples, from the file called `name`."""

    name: str
    ntriples: bytes

    @cached_property
    def statements(self) -> tuple[PlainTriple, ...]:
        """The statements; blank nodes that are no parts of axioms have names."""
        return tuple(dict.fromkeys(read_statements(self.ntriples)))

    @cached_property
    def things(self) -> tuple[str, ...]:
        """The IRIs that the statements are about, other than words of a vocabulary."""
        found = {node for s, p, o in self.statements for node in ((s,) if p == TYPE else (s, o))}
        return tuple(sorted(it for it in found if not it.startswith((*_WORDS, "_:")) and not is_literal(it)))

    def touched(self, session: Session, scope: Scope) -> Touched:
        """Return every statement of the graph that one of the things stands in.

        Things of other editions than the scope's bring the facts of theirs with them. Of many links by
        which one property leads to a thing some are enough: they say the same of it; the others are counted.
        """
        iris = session.iris
        loaded = {it.id for it in session.editions()}
        known = [it for it in self.things if it.startswith(iris.base)]
        beside = {str(iris.parse(it).edition) for it in known} & loaded
        names = [*scope.editions, *sorted(beside - set(scope.editions))]
        wide = session.scope(",".join(names)) if beside - set(scope.editions) else scope
        linked = (graph for name in names for graph in (iris.derived(name), iris.history(name)))
        graphs = (*wide.documents, *linked, iris.graph("terms"))
        text = bind(QUERIES.read("checking", "touching"), {"node": known})
        found = session.store.query(text, default_graphs=graphs, timeout=session.timeout)
        assert isinstance(found, Solutions)
        facts = {(_plain(s), _plain(p), _plain(o)) for s, p, o in found}
        return _few_alike(facts, set(self.things))

    def unheard_of(self, iris: Iris, touched: Iterable[PlainTriple]) -> Iterator[Cells]:
        """Yield a row for each thing with an IRI of ours of which the graph says nothing."""
        heard = {node for s, _, o in touched for node in (s, o)}
        for it in self.things:
            if it.startswith(iris.base) and it not in heard:
                message = f"{self.name} speaks of {iris.local(it)}, of which the graph says nothing"
                yield ("info", "unknown_thing", iris.local(it), self.name, None, message, "", "")

    def two_things(self, iris: Iris, touched: Iterable[PlainTriple]) -> set[PlainTriple]:
        """Return which values of what can have one value only are two things: those with two IRIs of ours.

        Those that the file says are the same are left out.
        """
        own = own_hierarchy()
        single = own.properties_of_type("FunctionalProperty")
        values: dict[tuple[str, str], set[str]] = defaultdict(set)
        for s, p, o in (*self.statements, *touched):
            if p in single and o.startswith(iris.base):
                values[s, p].add(o)
        same = {frozenset((s, o)) for s, p, o in self.statements if p == _OWL + "sameAs"}
        pairs = (pair for these in values.values() for pair in combinations(sorted(these), 2))
        return {(a, _OWL + "differentFrom", b) for a, b in pairs if frozenset((a, b)) not in same}

    def remarks(self, objections: Sequence[Objection], names: Names) -> Iterator[Cells]:
        """Yield a row for each objection to statements of the file, those of one kind together."""
        mine = set(self.statements)
        alike: dict[tuple[str, str, str], list[Objection]] = defaultdict(list)
        for it in objections:
            if it.statement in mine:
                grouped = it.statement[1] if it.code == "left_out" else str(it.statement)
                alike[it.code, it.why, grouped].append(it)
        for (code, why, _), these in alike.items():
            said = [names.said(it.statement) for it in these[:_NAMED]]
            more = [f"{len(these) - _NAMED} more"] if len(these) > _NAMED else []
            message = (
                f"{self.name} says that {', that '.join(said)}{''.join(f', and {it}' for it in more)}: {why}"
            )
            yield (_GRAVE[code], code, names(these[0].statement[0]), self.name, None, message, "", "")


def left_out(links: Mapping[tuple[str, str], int], names: Names) -> str:
    """Return a sentence on the links of which the reasoner was told `ENOUGH` alone; none: an empty one."""
    if not links:
        return ""
    things = sorted({names(thing) for _, thing in links})
    more = [f"{len(things) - _NAMED} more"] if len(things) > _NAMED else []
    return (
        f"Of the many links of one kind that lead to one thing the reasoner was told {ENOUGH}; "
        f"{sum(links.values())} were left out, to {', '.join([*things[:_NAMED], *more])}."
    )


def _few_alike(touched: Iterable[PlainTriple], things: Container[str]) -> Touched:
    """Return facts without most of the links by which many things lead to one: they say the same of it."""
    alike: dict[tuple[str, str], list[PlainTriple]] = defaultdict(list)
    kept = set()
    for fact in sorted(touched):
        if fact[0] in things:
            kept.add(fact)
        else:
            alike[fact[1], fact[2]].append(fact)
    told = kept.union(*(facts[:ENOUGH] for facts in alike.values()))
    return Touched(told, {link: len(these) - ENOUGH for link, these in alike.items() if len(these) > ENOUGH})


def _plain(node: object) -> str:
    text = str(node)
    return text[1:-1] if text.startswith("<") else text
