"""Triples become a plain graph of terms, rules, sections and entries, for programs that know no RDF."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from ...ontology.terms import PREFIXES, RG

if TYPE_CHECKING:
    from pyoxigraph import Triple

_TYPE = PREFIXES["rdf"] + "type"
_KINDS = {RG.Term: "term", RG.Rule: "rule", RG.Section: "section", RG.Entry: "entry"}
_LINKS = {
    RG.cites: "cites",
    RG.seeAlso: "seeAlso",
    RG.redirectsTo: "redirectsTo",
    RG.defines: "defines",
    RG.definedBy: "definedBy",
    RG.mentions: "mentions",
    RG.usesTerm: "usesTerm",
    RG.reliesByCitation: "reliesByCitation",
    RG.reliesByNote: "reliesByNote",
    RG.reliesByDefinition: "reliesByDefinition",
    RG.sameRule: "sameRule",
    RG.renamedTo: "renamedTo",
    PREFIXES["dcterms"] + "isPartOf": "isPartOf",
}
_NAME = PREFIXES["skos"] + "prefLabel"
_NUMBER = PREFIXES["skos"] + "notation"
_TITLE = PREFIXES["dcterms"] + "title"


@dataclass
class PlainNode:
    """One thing: `kind` is term, rule, section or entry; `label` is what people call it."""

    kind: str
    number: str = ""
    title: str = ""
    loaded: bool = True

    @property
    def label(self) -> str:
        """The number with the title behind it, or the name."""
        return " ".join(part for part in (self.number, self.title) if part)


@dataclass(frozen=True)
class PlainGraph:
    """IRI → node, and links as (source IRI, kind of link, target IRI), in order."""

    nodes: dict[str, PlainNode]
    links: list[tuple[str, str, str]]


def graph(triples: Iterable[Triple]) -> PlainGraph:
    """Return the nodes of the four kinds and the links between them, in the order of `triples`."""
    found = [(_value(t.subject), t.predicate.value, _value(t.object)) for t in triples]
    nodes = {s: PlainNode(_KINDS[o]) for s, p, o in found if p == _TYPE and o in _KINDS}
    links = []
    for subject, predicate, value in found:
        node = nodes.get(subject)
        if node is None:
            continue
        if predicate in _LINKS and value in nodes:
            links.append((subject, _LINKS[predicate], value))
        elif predicate == _NUMBER:
            node.number = value
        elif predicate in {_NAME, _TITLE}:
            node.title = value
        elif predicate == RG.loaded:
            node.loaded = value == "true"
    return PlainGraph(nodes, links)


def _value(term: object) -> str:
    value: str = getattr(term, "value", "")
    return value


def write_csv(plain: PlainGraph, out: BinaryIO) -> None:
    """Write the links as CSV: a row for each, with kind and label at both ends."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow("source source_kind source_label link target target_kind target_label".split())
    for source, link, target in plain.links:
        a, b = plain.nodes[source], plain.nodes[target]
        writer.writerow((source, a.kind, a.label, link, target, b.kind, b.label))
    text.detach()


def write_graphml(plain: PlainGraph, out: BinaryIO) -> None:
    """Write the graph as GraphML: directed, several links between two nodes allowed."""
    import networkx

    made: Any = networkx.MultiDiGraph()
    for iri, node in plain.nodes.items():
        made.add_node(
            iri, label=node.label, kind=node.kind, number=node.number, loaded=str(node.loaded).lower()
        )
    for source, link, target in plain.links:
        made.add_edge(source, target, key=link, link=link)
    networkx.write_graphml_xml(made, out, named_key_ids=True)
