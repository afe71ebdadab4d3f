"""Explain contradictions: find facts that cannot all be true, and put a reasoner's axioms into sentences.

`find_clashes` knows the contradictions that occur between facts about the rules (a thing of two kinds that
exclude each other, a thing that comes before itself). A reasoner finds all of them, but names no facts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from .grouping import grouped, with_article
from .hierarchy import PlainTriple, is_literal, parts
from .terms import TYPE

if TYPE_CHECKING:
    from .hierarchy import Hierarchy


@dataclass(frozen=True, slots=True)
class Clash:
    """`statements` of the facts that cannot all be true; `reason` says so in words."""

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
            add(s, f"nothing has itself as '{called(p)}'", (s, p, o))
        elif s < o and p in asymmetric and (o, p, s) in known:
            add(s, f"'{called(p)}' holds in only one direction", (s, p, o), (o, p, s))
    for first, second in _too_many(known, hierarchy):
        add(first[0], f"nothing has more than one '{called(first[1])}'", first, second)
    for first, second in _both_ways(known, hierarchy):
        both = f"both as '{called(first[1])}' and as '{called(second[1])}'"
        add(first[0], f"nothing has the same thing {both}", first, second)
    return list(found.values())


def _too_many(
    known: Iterable[PlainTriple], hierarchy: Hierarchy
) -> Iterator[tuple[PlainTriple, PlainTriple]]:
    """Yield pairs of facts that give one thing two values of a property that can have only one."""
    single = hierarchy.properties_of_type("FunctionalProperty")
    of_thing = grouped(
        ((fact[0], wider), fact)
        for fact in sorted(known)
        for wider in sorted(hierarchy.above_property(fact[1]) & single)
    )
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
    joined = grouped(((s, o), (s, p, o)) for s, p, o in sorted(known))
    for facts in joined.values():
        for one, other in combinations(facts, 2):
            if hierarchy.exclude_links(one[1], other[1]):
                yield one, other


# -- the axioms of a reasoner ------------------------------------------------------------------------

_FORMS: tuple[tuple[str, str], ...] = (
    (r"Functional (?P<p>\S+)", "nothing has more than one '{p}'"),
    (r"InverseFunctional (?P<p>\S+)", "no two things have the same '{p}'"),
    (r"Irreflexive (?P<p>\S+)", "nothing has itself as '{p}'"),
    (r"Asymmetric (?P<p>\S+)", "'{p}' holds in only one direction"),
    (r"Symmetric (?P<p>\S+)", "'{p}' holds in both directions"),
    (r"Transitive (?P<p>\S+)", "'{p}' holds along chains"),
    (r"NOT \((?P<s>\S+) (?P<p>\S+) (?P<o>.+)\)", "it is stated that {s} does not have {o} as '{p}'"),
    (r"(?P<s>\S+) type (?P<a>.+)", "{s} is {a}"),
    (r"(?P<every>\S+) subClassOf (?P<a>.+)", "every {every} is {a}"),
    (r"(?P<every>\S+) equivalentTo (?P<every2>.+)", "'{every}' and '{every2}' are the same class"),
    (r"(?P<a>.+) disjointWith (?P<a2>.+)", "nothing is both {a} and {a2}"),
    (r"(?P<p>\S+) domain (?P<a>.+)", "what has '{p}' is {a}"),
    (r"(?P<p>\S+) range (?P<a>.+)", "the value of '{p}' is {a}"),
    (r"(?P<p>\S+) subPropertyOf (?P<p2>\S+)", "what has a thing as '{p}' also has it as '{p2}'"),
    (
        r"(?P<p>\S+) propertyDisjointWith (?P<p2>\S+)",
        "nothing has the same thing both as '{p}' and as '{p2}'",
    ),
    (r"(?P<p>\S+) inverseOf (?P<p2>\S+)", "'{p}' and '{p2}' are inverse relations"),
    (r"(?P<s>\S+) differentFrom (?P<o>\S+)", "{s} and {o} are different things"),
    (r"(?P<s>\S+) sameAs (?P<o>\S+)", "{s} and {o} are the same thing"),
    (r"(?P<s>\S+) (?P<p>\S+) (?P<o>.+)", "{s} '{p}' {o}"),
)
_READ = tuple((re.compile(form), said) for form, said in _FORMS)
_EXPRESSION = re.compile(r"[^\s()\[\],]+")
_SMALL = frozenset({"and", "or", "not", "some", "only", "value", "min", "max", "exactly", "self", "inv"})


def in_sentences(explanation: str, called: Callable[[str], str]) -> list[str]:
    """Return the lines of a reasoner's explanation as sentences.

    `called` gives the name for a reasoner's word for a class, a property or a thing.

    >>> in_sentences("1)   dim subClassOf lit\\n     Functional of", str)
    ['every dim is a lit', "nothing has more than one 'of'"]
    """
    lines = (re.sub(r"^\s*\d+\)\s+", "", line).strip() for line in explanation.splitlines())
    return [_sentence(line, called) for line in lines if line]


def _sentence(line: str, called: Callable[[str], str]) -> str:
    for form, said in _READ:
        match = form.fullmatch(line)
        if match:
            return said.format_map({key: _said(key, it, called) for key, it in match.groupdict().items()})
    return line


def _said(key: str, value: str, called: Callable[[str], str]) -> str:
    """Return a part of a line in plain names; those called `a…` get an article."""
    if value.startswith('"'):
        return re.sub(r"\^\^\S+$", "", value)
    if " " in value or "[" in value:
        return "such that: " + _EXPRESSION.sub(
            lambda word: word[0] if word[0] in _SMALL or word[0].isdigit() else called(word[0]), value
        )
    return with_article(called(value)) if key.startswith("a") else called(value)
