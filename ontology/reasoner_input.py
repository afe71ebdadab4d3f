"""Sort statements into axioms and facts for a reasoner, and say why the others are left out.

Every statement is one of the three. Blank nodes of facts get names; those in axioms stay. A literal that no
reasoner can read (a date) is passed on as plain text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pyoxigraph import RdfFormat, parse

from .errors import UsageError
from .hierarchy import READ_BY_REASONERS, Hierarchy, PlainTriple, fits, is_literal, is_well_formed, parts
from .resources import ontology_turtle
from .terms import PREFIXES, RG, TYPE, prefixed

UNNAMED = "urn:rulesgraph:blank:"
"""The names of blank nodes in facts for a reasoner."""

_OWL, _RDFS, _RDF, _XSD = (PREFIXES[name] for name in ("owl", "rdfs", "rdf", "xsd"))
_NAMED, _THING = _OWL + "NamedIndividual", _OWL + "Thing"
_LOGICAL = (_OWL, _RDFS, _RDF)
_ANNOTATIONS = {
    *(_OWL + name for name in ("versionIRI", "versionInfo", "priorVersion", "deprecated")),
    *(_RDFS + name for name in ("label", "comment", "seeAlso", "isDefinedBy")),
}
_BETWEEN_THINGS = {_OWL + name for name in ("sameAs", "differentFrom")}
_NAMING_THINGS = {_OWL + "sourceIndividual", _OWL + "targetIndividual", _RDF + "first"}
UNWRITTEN = {RG.reliesOn}
"""Properties whose closure is left to queries: a reasoner would link everything to everything with them."""

_OURS = (PREFIXES["rg"], PREFIXES["game"])


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement that is not passed to a reasoner (or not unchanged), and `why`.

    `code` is "left_out" if nothing is wrong with it, "bad_literal" or "unknown_word" otherwise.
    """

    statement: PlainTriple
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class ReasonerInput:
    """The input of the reasoner: axioms, facts, the labels of classes and properties, and the bytes."""

    axioms: tuple[PlainTriple, ...]
    facts: frozenset[PlainTriple]
    labels: dict[str, str]
    triples: bytes
    skipped: tuple[Skipped, ...]


def prepare(nt: bytes, aside: Collection[PlainTriple] = ()) -> ReasonerInput:
    """Sort the statements of N-Triples, with those of the vocabulary; the facts `aside` are left out.

    Raises `UsageError` for invalid N-Triples.
    """
    own = read_statements(nt)
    known = [*_vocabulary(), *own]
    words = Declarations(known)
    axioms: dict[PlainTriple, None] = {}
    facts: set[PlainTriple] = set()
    skipped = []
    given = set(own)
    for statement in dict.fromkeys(known):
        found = words.place(statement)
        if isinstance(found, Skipped):
            skipped += [found] if statement in given else []
        elif found == "axiom":
            axioms[statement] = None
        elif found == "fact" and statement not in aside:
            facts.add(statement)
    hierarchy = Hierarchy.of(it for it in axioms if not is_literal(it[2]))
    for fact in sorted(facts):
        problem = _problem_with_value(fact, hierarchy) if is_literal(fact[2]) else None
        if problem:
            skipped.append(problem)
            if problem.code == "bad_literal":
                facts.remove(fact)
    labels: dict[str, str] = {}
    for s, p, o in known:
        if p == _RDFS + "label":
            labels.setdefault(s, parts(o)[0] if is_literal(o) else o)
    things = {(it, TYPE, _NAMED) for it in (*words.things, *_things_of(facts))}
    told = {(s, p, _readable(o)) for s, p, o in facts}
    axiom_list = tuple(it for it in axioms if not is_literal(it[2]))
    return ReasonerInput(
        axiom_list, frozenset(facts), labels, serialize({*axioms, *told, *things}), tuple(skipped)
    )


def read_statements(nt: bytes) -> list[PlainTriple]:
    """Return the statements of N-Triples, blank nodes of facts with names, literals unchanged.

    Raises `UsageError` for invalid N-Triples.
    """
    try:
        found = [_statement(quad) for quad in parse(input=nt, format=RdfFormat.N_TRIPLES)]
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"the facts are not N-Triples: {error}") from error
    parts_of_axioms = {s for s, p, o in found if s.startswith("_:") and _is_of_axioms(p, o)}

    def named(node: str) -> str:
        anonymous = node.startswith("_:") and node not in parts_of_axioms
        return UNNAMED + node.removeprefix("_:") if anonymous else node

    return [(named(s), p, named(o)) for s, p, o in found]


def serialize(statements: Iterable[PlainTriple]) -> bytes:
    """Return statements as sorted N-Triples."""
    return "".join(sorted(f"{_term(s)} <{p}> {_term(o)} .\n" for s, p, o in statements)).encode()


def _term(it: str) -> str:
    return it if it.startswith(("_:", '"')) else f"<{it}>"


def _vocabulary() -> list[PlainTriple]:
    return [
        _statement(q) for turtle in ontology_turtle() for q in parse(input=turtle, format=RdfFormat.TURTLE)
    ]


def _statement(quad: Any) -> PlainTriple:
    return plain(quad.subject), quad.predicate.value, plain(quad.object)


def plain(node: object) -> str:
    """Return a node of pyoxigraph as a string: an IRI without its brackets, anything else as in N-Triples."""
    text = str(node)
    return text[1:-1] if text.startswith("<") else text


def _is_of_axioms(predicate: str, value: str) -> bool:
    if predicate == TYPE:
        return value.startswith(_LOGICAL) and value not in {_NAMED, _THING}
    if predicate in _ANNOTATIONS | _BETWEEN_THINGS:
        return False
    return predicate.startswith((*_LOGICAL, _XSD))


def _things_of(facts: Iterable[PlainTriple]) -> set[str]:
    return {node for s, p, o in facts for node in ((s,) if p == TYPE or is_literal(o) else (s, o))}


def _readable(value: str) -> str:
    if not is_literal(value) or parts(value)[1] in READ_BY_REASONERS or re.search(r'"@[a-zA-Z-]+$', value):
        return value
    return value[: value.rindex('"') + 1]


def _problem_with_value(fact: PlainTriple, hierarchy: Hierarchy) -> Skipped | None:
    """Return what is wrong with the literal of a fact, or that only its words are read."""
    value = fact[2]
    datatype = parts(value)[1]
    called = prefixed(datatype)
    if not is_well_formed(value):
        return Skipped(fact, "bad_literal", f"this is not a valid {called}")
    for wider in sorted(hierarchy.above_property(fact[1])):
        for kind in sorted(hierarchy.ranges(wider)):
            if kind in READ_BY_REASONERS and not fits(value, kind):
                return Skipped(fact, "bad_literal", f"{prefixed(wider)} takes {prefixed(kind)}, not {called}")
    if datatype not in READ_BY_REASONERS and _readable(value) != value:
        return Skipped(fact, "left_out", f"reasoners do not read {called}, so it is passed on as plain text")
    return None


class Declarations:
    """Which IRIs are classes, properties and things, and where each statement belongs."""

    def __init__(self, known: Sequence[PlainTriple]) -> None:
        of_kind: dict[str, set[str]] = defaultdict(set)
        for s, p, o in known:
            if p == TYPE:
                of_kind[o].add(s)
        self._classes, self._links, self._values, annotations, ontologies = (
            of_kind[_OWL + name]
            for name in ("Class", "ObjectProperty", "DatatypeProperty", "AnnotationProperty", "Ontology")
        )
        self._silent = annotations | ontologies
        self._annotations = annotations | _ANNOTATIONS
        self._words = self._classes | self._links | self._values | self._silent
        self._expressions = {s for s, p, o in known if s.startswith("_:") and _is_of_axioms(p, o)}
        self.things = of_kind[_NAMED] | of_kind[_THING]
        for s, p, o in known:
            if p in _BETWEEN_THINGS:
                self.things |= {s, o}
            elif p in _NAMING_THINGS and not is_literal(o):
                self.things.add(o)
        self.things = {it for it in self.things - self._words if not it.startswith("_:")} - {_RDF + "nil"}

    def place(self, statement: PlainTriple) -> str | Skipped:
        """Return "axiom", "fact", "" for a description of words alone, or the reason to leave it out."""
        s, p, o = statement
        if {s, p, o} & UNWRITTEN:
            return Skipped(statement, "left_out", "queries follow its chains, which is faster")
        if p == _OWL + "imports":
            return Skipped(statement, "left_out", "imports are not downloaded: join the files yourself")
        if p in self._annotations:
            return Skipped(statement, "left_out", "an annotation, from which nothing follows")
        found: str | Skipped = ""
        if p == TYPE and s not in self._silent:
            found = self._kind(statement)
        elif p.startswith((*_LOGICAL, _XSD)) and s not in self._silent:
            found = self._axiom(statement)
        elif p in self._links | self._values:
            found = self._fact(statement)
        elif s not in self._silent:
            found = self._unknown(statement, p, "property")
        return found

    def _kind(self, statement: PlainTriple) -> str | Skipped:
        s, _, o = statement
        if o in self._expressions:
            self.things.add(s)
            return "axiom"
        if o.startswith(_LOGICAL):
            return "axiom"
        if o not in self._classes:
            return self._unknown(statement, o, "class")
        if s in self._words:
            return Skipped(statement, "left_out", "to a reasoner, a class or property is not an individual")
        return "fact"

    @staticmethod
    def _axiom(statement: PlainTriple) -> str | Skipped:
        value = statement[2]
        if is_literal(value) and not is_well_formed(value):
            return Skipped(statement, "bad_literal", f"this is not a valid {prefixed(parts(value)[1])}")
        if statement[1] == _RDFS + "range" and value.startswith(_XSD) and value not in READ_BY_REASONERS:
            return Skipped(statement, "left_out", f"reasoners do not read {prefixed(value)}")
        return "axiom"

    def _fact(self, statement: PlainTriple) -> str | Skipped:
        s, p, o = statement
        if p in self._links and is_literal(o):
            return Skipped(statement, "bad_literal", f"{prefixed(p)} takes a resource, and this is a literal")
        if p in self._values and not is_literal(o):
            return Skipped(statement, "bad_literal", f"{prefixed(p)} takes a literal, and this is a resource")
        if {s, o} & self._words:
            return Skipped(statement, "left_out", "to a reasoner, a class or property is not an individual")
        return "fact"

    @staticmethod
    def _unknown(statement: PlainTriple, word: str, what: str) -> Skipped:
        if word.startswith(_OURS):
            return Skipped(statement, "unknown_word", f"the vocabulary has no {what} {prefixed(word)}")
        return Skipped(statement, "left_out", f"{prefixed(word)} is not declared as a {what}")
