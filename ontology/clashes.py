"""Facts that cannot all be true become clashes: which statements exclude each other, and why.

It knows the contradictions that facts about the rules run into (a thing of two kinds that exclude
each other, a thing that comes before itself); a reasoner knows all, but does not say which facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from .terms import PREFIXES

Statement = tuple[str, str, str]
"""Subject, predicate and object as IRIs (or blank node labels)."""

_RDFS, _OWL = PREFIXES["rdfs"], PREFIXES["owl"]
TYPE = PREFIXES["rdf"] + "type"


@dataclass(frozen=True, slots=True)
class Clash:
    """`statements` of the facts cannot all be true; `reason` says so in words."""

    node: str
    reason: str
    statements: tuple[Statement, ...]


class Hierarchy:
    """Classes and properties with all that is above them, and what excludes what."""

    def __init__(self, axioms: Iterable[Statement]) -> None:
        self.axioms = list(axioms)
        self.classes = _closure(self._pairs(_RDFS + "subClassOf") + self._equivalents())
        self.properties = _closure(self._pairs(_RDFS + "subPropertyOf"))
        self.domains = _collect(self._pairs(_RDFS + "domain"))
        self.ranges = _collect(self._pairs(_RDFS + "range"))
        self.disjoint = {frozenset(pair) for pair in self._pairs(_OWL + "disjointWith")}
        self.disjoint |= {frozenset(pair) for group in self._groups() for pair in combinations(group, 2)}

    def _pairs(self, predicate: str) -> list[tuple[str, str]]:
        return [(s, o) for s, p, o in self.axioms if p == predicate and not s.startswith("_:")]

    def _equivalents(self) -> list[tuple[str, str]]:
        pairs = self._pairs(_OWL + "equivalentClass")
        return pairs + [(o, s) for s, o in pairs]

    def _groups(self) -> list[list[str]]:
        first = {s: o for s, p, o in self.axioms if p == PREFIXES["rdf"] + "first"}
        rest = {s: o for s, p, o in self.axioms if p == PREFIXES["rdf"] + "rest"}
        groups = []
        for _, predicate, start in self.axioms:
            if predicate == _OWL + "members":
                cell, group = start, []
                while cell in first:
                    group.append(first[cell])
                    cell = rest[cell]
                groups.append(group)
        return groups

    def above_class(self, name: str) -> set[str]:
        """Return a class with all named classes above it."""
        return {name, *self.classes.get(name, ())}

    def above_property(self, name: str) -> set[str]:
        """Return a property with all properties above it."""
        return {name, *self.properties.get(name, ())}

    def properties_of_type(self, kind: str) -> set[str]:
        """Return the properties with a characteristic: ``IrreflexiveProperty`` …"""
        return {s for s, p, o in self.axioms if p == TYPE and o == _OWL + kind}

    def exclude(self, one: str, other: str) -> tuple[str, str] | None:
        """Return the two classes, above the given ones, that have no members in common."""
        for a in sorted(self.above_class(one)):
            for b in sorted(self.above_class(other)):
                if frozenset((a, b)) in self.disjoint:
                    return a, b
        return None


def _collect(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one, other in pairs:
        found[one].add(other)
    return found


def _closure(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    direct = _collect(pairs)
    closed: dict[str, set[str]] = {}
    for start in direct:
        found: set[str] = set()
        todo = list(direct[start])
        while todo:
            if (it := todo.pop()) not in found:
                found.add(it)
                todo += direct.get(it, ())
        closed[start] = found
    return closed


def types_told(facts: Iterable[Statement], hierarchy: Hierarchy) -> dict[str, dict[str, Statement]]:
    """Return node → class → the fact behind it: its type, or a property with that domain or range."""
    told: dict[str, dict[str, Statement]] = defaultdict(dict)
    for fact in sorted(facts):
        s, p, o = fact
        if p == TYPE:
            told[s].setdefault(o, fact)
            continue
        for wider in hierarchy.above_property(p):
            for name in hierarchy.domains.get(wider, ()):
                told[s].setdefault(name, fact)
            for name in hierarchy.ranges.get(wider, ()):
                told[o].setdefault(name, fact)
    return told


def with_article(name: str) -> str:
    """Return a name with its article.

    >>> with_article("evasion ability"), with_article("rule")
    ('an evasion ability', 'a rule')
    """
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def in_words(statement: Statement, labels: Mapping[str, str]) -> str:
    """Return a statement as a reader would say it, its classes and properties by their labels."""
    s, p, o = statement
    if p == TYPE:
        return f"{s} is {with_article(labels.get(o, o))}"
    return f"{s} {labels.get(p, p)} {o}"


def find_clashes(facts: Iterable[Statement], hierarchy: Hierarchy, labels: Mapping[str, str]) -> list[Clash]:
    """Return the clashes among `facts`, in the order of their nodes; `labels` name the classes."""
    known = set(facts)
    found: dict[tuple[Statement, ...], Clash] = {}

    def called(iri: str) -> str:
        return labels.get(iri, iri)

    def a(iri: str) -> str:
        return with_article(called(iri))

    def add(node: str, reason: str, *statements: Statement) -> None:
        key = tuple(dict.fromkeys(statements))
        found.setdefault(key, Clash(node, reason, key))

    for node, told in sorted(types_told(known, hierarchy).items()):
        for one, other in combinations(sorted(told), 2):
            pair = hierarchy.exclude(one, other)
            if pair:
                add(node, f"nothing is both {a(pair[0])} and {a(pair[1])}", told[one], told[other])
    irreflexive = hierarchy.properties_of_type("IrreflexiveProperty")
    asymmetric = hierarchy.properties_of_type("AsymmetricProperty")
    for s, p, o in sorted(known):
        if s == o and p in irreflexive:
            add(s, f"nothing stands to itself as '{called(p)}'", (s, p, o))
        elif s < o and p in asymmetric and (o, p, s) in known:
            add(s, f"'{called(p)}' holds in one direction only", (s, p, o), (o, p, s))
    return list(found.values())
