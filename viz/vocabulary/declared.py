"""Read the Turtle files of the vocabulary: each term with all statements about it, ready for a page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any, NamedTuple

from pyoxigraph import BlankNode, RdfFormat, parse

from ...ontology import IN_OLDER_EDITIONS, NAMESPACES, PREFIXES, RG, VOCABULARY, grouped, prefixed
from ...ontology.hierarchy import own_hierarchy
from ...ontology.resources import VOCABULARY_FILES, read_text

PREFIXED = {
    **PREFIXES,
    "schema": "https://schema.org/",
    "wd": "http://www.wikidata.org/entity/",
    "mtgo": "https://cmdoret.net/mtg_ontology/",
    "oa": "http://www.w3.org/ns/oa#",
}
_RDF, _RDFS, _OWL, _SKOS = (PREFIXES[name] for name in ("rdf", "rdfs", "owl", "skos"))
KINDS = {
    _OWL + "Class": "class",
    _OWL + "ObjectProperty": "object property",
    _OWL + "DatatypeProperty": "datatype property",
    _OWL + "AnnotationProperty": "annotation property",
    _OWL + "NamedIndividual": "individual",
}
"""The kinds of names that can be declared."""

CHARACTERISTICS = {
    _OWL + "FunctionalProperty": "functional: at most one value",
    _OWL + "TransitiveProperty": "transitive: holds along chains",
    _OWL + "SymmetricProperty": "symmetric: holds both ways",
    _OWL + "AsymmetricProperty": "asymmetric: never holds both ways",
    _OWL + "IrreflexiveProperty": "irreflexive: never holds between a thing and itself",
}
_HEADING = re.compile(r"^### (.+)$|^(?:rg|game):(\w+) a ", re.MULTILINE)


class LinkedName(NamedTuple):
    """A name in a row: `href` leads to its anchor or to its owner, `title` is its full IRI or its label."""

    text: str
    href: str = ""
    title: str = ""


class TermRow(NamedTuple):
    """One line about a term."""

    label: str
    links: tuple[LinkedName, ...]
    plain: bool = False
    """True for words that form a phrase, not a list."""
    folded: bool = False
    """True for a row that is shown only on demand."""


class Term(NamedTuple):
    """A class, property or individual; `name` is its local name, and the anchor on the page."""

    name: str
    kind: str
    label: str
    definition: str
    examples: tuple[str, ...]
    notes: tuple[str, ...]
    rows: tuple[TermRow, ...]


Ontology = dict[str, Any]
"""A file: the `iri` of the ontology, the statements of its `HEADER`, and its `groups`.

A group has the `title` of its heading, its `anchor` on the page, and its `terms` in order.
"""

HEADER = {
    "title": PREFIXES["dcterms"] + "title",
    "description": PREFIXES["dcterms"] + "description",
    "version": _OWL + "versionInfo",
    "created": PREFIXES["dcterms"] + "created",
    "modified": PREFIXES["dcterms"] + "modified",
    "note": _SKOS + "scopeNote",
}
"""The properties of an ontology that the page shows."""


class Facts:
    """All statements of some Turtle files, by subject or by object; a blank node is called ``_:file/id``."""

    def __init__(self, files: Iterable[str] = VOCABULARY_FILES) -> None:
        self.said: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.of: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for file in files:
            for quad in parse(read_text(file), RdfFormat.TURTLE):
                subject, value = (
                    f"_:{file}/{it.value}" if isinstance(it, BlankNode) else str(getattr(it, "value", it))
                    for it in (quad.subject, quad.object)
                )
                self.said[subject][quad.predicate.value].append(value)
                self.of[quad.predicate.value][value].append(subject)

    def values(self, subject: str, name: str) -> list[str]:
        """Return the values of a property of a name, without blank nodes, in the order of the file."""
        return [it for it in self.said[subject][name] if not it.startswith("_:")]

    def first(self, subject: str, name: str) -> str:
        """Return the one value, or an empty string."""
        return next(iter(self.values(subject, name)), "")

    def subjects(self, name: str, value: str) -> list[str]:
        """Return our names that have `value` under a property."""
        return [s for s in self.of[name][value] if s.startswith(NAMESPACES)]

    def kind(self, iri: str) -> str:
        """Return the declared kind of one of our names."""
        return next((KINDS[it] for it in self.values(iri, _RDF + "type") if it in KINDS), "")

    def above(self, iri: str, name: str) -> list[str]:
        """Return everything that chains of the property `name` lead to, nearest first."""
        found: dict[str, None] = {}
        todo = self.values(iri, name)
        while todo:
            upper = todo.pop(0)
            if upper not in found:
                found[upper] = None
                todo += self.values(upper, name)
        return list(found)

    def expressions(self, subject: str, name: str) -> Iterator[tuple[LinkedName, ...]]:
        """Yield the class expressions that a name leads to, in words."""
        for it in self.said[subject][name]:
            if it.startswith("_:"):
                yield tuple(self._in_words(it))

    def _in_words(self, node: str) -> Iterator[LinkedName]:
        for part in self.said[node][_OWL + "unionOf"]:
            for place, member in enumerate(self.members(part)):
                if place:
                    yield LinkedName("or")
                yield self.link(member)
        for target in self.values(node, _OWL + "someValuesFrom"):
            yield self.link(self.first(node, _OWL + "onProperty"))
            yield LinkedName("some")
            yield self.link(target)

    def members(self, node: str) -> Iterator[str]:
        """Yield the members of an RDF list."""
        while first := self.values(node, _RDF + "first"):
            yield first[0]
            node = self.said[node][_RDF + "rest"][0]

    def link(self, iri: str) -> LinkedName:
        """Return a name as a link: to its anchor if it is ours, to its owner otherwise."""
        if iri.startswith(NAMESPACES):
            name = iri.rpartition("#")[2]
            return LinkedName(name, f"#{name}", self.first(iri, _RDFS + "label"))
        return LinkedName(prefixed(iri, PREFIXED), iri, iri)


def ontologies(facts: Facts) -> tuple[Ontology, ...]:
    """Return vocabulary and game ontology, every term with all statements about it."""
    disjoint = grouped(sorted(it for pair in own_hierarchy().disjoint for it in permutations(pair, 2)))
    files = zip(facts.of[_RDF + "type"][_OWL + "Ontology"], VOCABULARY_FILES, strict=True)
    return tuple(
        {
            "iri": iri,
            **{key: facts.first(iri, name) for key, name in HEADER.items()},
            "groups": [*_groups(facts, f"{iri}#", read_text(file), disjoint)],
        }
        for iri, file in files
    )


def _groups(
    facts: Facts, namespace: str, text: str, disjoint: dict[str, list[str]]
) -> Iterator[dict[str, Any]]:
    """Yield the groups of terms under the headings of a file."""
    title, names = "", list[str]()
    for heading, name in [*_HEADING.findall(text), ("", "")]:
        if name:
            names.append(name)
            continue
        if names:
            anchor = "group-" + re.sub(r"\W+", "-", title.partition(":")[0].lower()).strip("-")
            terms = [_term(facts, namespace + n, disjoint) for n in names]
            yield {"title": title, "anchor": anchor, "terms": terms}
        title, names = heading, []


def _term(facts: Facts, iri: str, disjoint: dict[str, list[str]]) -> Term:
    kind = facts.kind(iri)
    older = [IN_OLDER_EDITIONS[name] for name in (iri.removeprefix(VOCABULARY),) if name in IN_OLDER_EDITIONS]
    where = facts.values(iri, RG.written) or older
    written = TermRow("written", tuple(map(LinkedName, where)), plain=True)
    rows = _class_rows(facts, iri, disjoint) if kind == "class" else _property_rows(facts, iri)
    return Term(
        name=iri.rpartition("#")[2],
        kind=kind,
        label=facts.first(iri, _RDFS + "label"),
        definition=facts.first(iri, _SKOS + "definition"),
        examples=tuple(facts.values(iri, _SKOS + "example")),
        notes=tuple(facts.values(iri, _SKOS + "scopeNote")),
        rows=tuple(row for row in (written, *rows, *_alignments(facts, iri)) if row.links),
    )


def _class_rows(facts: Facts, iri: str, disjoint: dict[str, list[str]]) -> Iterator[TermRow]:
    sub, domain, range_ = _RDFS + "subClassOf", _RDFS + "domain", _RDFS + "range"
    uppers = [upper for upper in facts.above(iri, sub) if upper.startswith(NAMESPACES)]
    yield _row(facts, "subclass of", [it for it in facts.values(iri, sub) if it.startswith(NAMESPACES)])
    for links in facts.expressions(iri, sub):
        yield TermRow("subclass of", links, plain=True)
    for links in facts.expressions(iri, _OWL + "equivalentClass"):
        yield TermRow("equivalent to", links, plain=True)
    yield _row(facts, "subclasses", facts.subjects(sub, iri))
    yield _row(facts, "individuals", facts.subjects(_RDF + "type", iri))
    yield _row(facts, "domain of", facts.subjects(domain, iri))
    yield _row(facts, "range of", facts.subjects(range_, iri))
    yield _row(facts, "disjoint with", disjoint.get(iri, []))
    for label, link in (("domain of", domain), ("range of", range_)):
        inherited = [name for upper in uppers for name in facts.subjects(link, upper)]
        yield _row(facts, f"{label}, as a subclass", inherited, folded=True)


def _property_rows(facts: Facts, iri: str) -> Iterator[TermRow]:
    sub, apart = _RDFS + "subPropertyOf", _OWL + "propertyDisjointWith"
    types = facts.values(iri, _RDF + "type")
    yield _row(facts, "domain", facts.values(iri, _RDFS + "domain"))
    yield _row(facts, "range", facts.values(iri, _RDFS + "range"))
    traits = tuple(LinkedName(CHARACTERISTICS[name]) for name in types if name in CHARACTERISTICS)
    yield TermRow("characteristics", traits)
    yield _row(facts, "type", [it for it in types if it.startswith(NAMESPACES)])
    yield _row(facts, "subproperty of", [it for it in facts.values(iri, sub) if it.startswith(NAMESPACES)])
    yield _row(facts, "subproperties", facts.subjects(sub, iri))
    yield _row(facts, "disjoint with", [*facts.values(iri, apart), *facts.subjects(apart, iri)])
    different = _OWL + "differentFrom"
    yield _row(facts, "different from", [*facts.values(iri, different), *facts.subjects(different, iri)])


def _alignments(facts: Facts, iri: str) -> Iterator[TermRow]:
    for name in ("subClassOf", "subPropertyOf"):
        wider = [it for it in facts.values(iri, _RDFS + name) if not it.startswith(NAMESPACES)]
        yield _row(facts, "narrower than", wider)
    yield _row(facts, "see also", facts.values(iri, _RDFS + "seeAlso"))


def _row(facts: Facts, label: str, iris: Iterable[str], *, folded: bool = False) -> TermRow:
    return TermRow(label, tuple(facts.link(iri) for iri in dict.fromkeys(iris)), folded=folded)
