"""Facts that cannot all be true become clashes: which statements exclude each other, and why.

It knows the contradictions that facts about the rules run into (a thing of two kinds that exclude
each other, a thing that comes before itself); a reasoner knows all, but does not say which facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

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
            for name in sorted(hierarchy.ranges(wider)):
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
