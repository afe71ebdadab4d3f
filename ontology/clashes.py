"""Facts that cannot all be true become clashes: which statements exclude each other, and why.

It knows the contradictions that facts about the rules run into (a thing of two kinds that exclude
each other, a thing that comes before itself); a reasoner knows all, but does not say which facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from .literals import is_literal, parts
from .statements import TYPE, PlainTriple, with_article

if TYPE_CHECKING:
    from .hierarchy import Hierarchy


@dataclass(frozen=True, slots=True)
class Clash:
    """`statements` of the facts cannot all be true; `reason` says so in words."""

    node: str
    reason: str
    statements: tuple[PlainTriple, ...]


def types_told(facts: Iterable[PlainTriple], hierarchy: Hierarchy) -> dict[str, dict[str, PlainTriple]]:
    """Return node → class → the fact behind it: its type, or a property with that domain or range."""
    told: dict[str, dict[str, PlainTriple]] = defaultdict(dict)
    for fact in sorted(facts):
        s, p, o = fact
        if p == TYPE:
            told[s].setdefault(o, fact)
            continue
        for wider in hierarchy.above_property(p):
            for name in sorted(hierarchy.domains(wider)):
                told[s].setdefault(name, fact)
            for name in sorted(hierarchy.ranges(wider)) if not is_literal(o) else ():
                told[o].setdefault(name, fact)
    return told


def find_clashes(
    facts: Iterable[PlainTriple], hierarchy: Hierarchy, labels: Mapping[str, str]
) -> list[Clash]:
    """Return the clashes among `facts`, in the order of their nodes; `labels` name the classes."""
    known = set(facts)
    found: dict[tuple[PlainTriple, ...], Clash] = {}

    def called(iri: str) -> str:
        return labels.get(iri, iri)

    def a(iri: str) -> str:
        return with_article(called(iri))

    def add(node: str, reason: str, *statements: PlainTriple) -> None:
        key = tuple(dict.fromkeys(statements))
        found.setdefault(key, Clash(node, reason, key))

    for node, told in sorted(types_told(known, hierarchy).items()):
        for one, other in combinations_with_replacement(sorted(told), 2):
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
    for first, second in _too_many(known, hierarchy):
        add(first[0], f"nothing has more than one '{called(first[1])}'", first, second)
    for first, second in _both_ways(known, hierarchy):
        both = f"both as '{called(first[1])}' and as '{called(second[1])}'"
        add(first[0], f"nothing stands to another {both}", first, second)
    return list(found.values())


def _too_many(
    known: Iterable[PlainTriple], hierarchy: Hierarchy
) -> Iterator[tuple[PlainTriple, PlainTriple]]:
    """Yield pairs of facts that give one thing two values of a property that can have one only."""
    single = hierarchy.properties_of_type("FunctionalProperty")
    of_thing: dict[tuple[str, str], list[PlainTriple]] = defaultdict(list)
    for fact in sorted(known):
        for wider in sorted(hierarchy.above_property(fact[1]) & single):
            of_thing[fact[0], wider].append(fact)
    for facts in of_thing.values():
        for one, other in combinations(facts, 2):
            if _differ(one[2], other[2], hierarchy):
                yield one, other


def _differ(one: str, other: str, hierarchy: Hierarchy) -> bool:
    if is_literal(one) and is_literal(other):
        return parts(one) != parts(other)
    return hierarchy.differ(one, other)


def _both_ways(known: set[PlainTriple], hierarchy: Hierarchy) -> Iterator[tuple[PlainTriple, PlainTriple]]:
    """Yield pairs of facts that join two things in two ways that exclude each other."""
    joined: dict[tuple[str, str], list[PlainTriple]] = defaultdict(list)
    for fact in sorted(known):
        joined[fact[0], fact[2]].append(fact)
    for facts in joined.values():
        for one, other in combinations(facts, 2):
            if hierarchy.exclude_links(one[1], other[1]):
                yield one, other
