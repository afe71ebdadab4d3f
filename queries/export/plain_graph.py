"""Write a plain graph of terms, rules, sections and entries for programs that do not read RDF."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from ...loaders.store.protocol import value_of
from ...ontology.terms import DCTERMS, RG, SKOS, TYPE, last_name
from .extract import key_of_statement, key_of_subject

_TYPE = f"<{TYPE}>"
_KINDS = {RG.Term: "term", RG.Rule: "rule", RG.Section: "section", RG.Entry: "entry"}
_LINKS = {
    iri: last_name(iri)
    for iri in (
        *(RG.cites, RG.seeAlso, RG.redirectsTo, RG.defines, RG.definedBy, RG.mentions, RG.usesTerm),
        *(RG.reliesByCitation, RG.reliesByNote, RG.reliesByDefinition, RG.sameRule, RG.renamedTo),
        DCTERMS.isPartOf,
    )
}
_NAMES = frozenset((SKOS.prefLabel, DCTERMS.title))
_SAID = frozenset((_TYPE, *(f"<{name}>" for name in (*_NAMES, SKOS.notation, RG.loaded, *_LINKS))))
"""The statements that make a plain graph; all others are ignored."""

_HEAD = """\
<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="link" for="edge" attr.name="link" attr.type="string" />
  <key id="label" for="node" attr.name="label" attr.type="string" />
  <key id="kind" for="node" attr.name="kind" attr.type="string" />
  <key id="number" for="node" attr.name="number" attr.type="string" />
  <key id="loaded" for="node" attr.name="loaded" attr.type="string" />
  <graph edgedefault="directed">
"""
_FOOT = "  </graph>\n</graphml>\n"


@dataclass
class PlainNode:
    """One thing: `kind` is term, rule, section or entry; `label` is its usual name."""

    kind: str
    number: str = ""
    title: str = ""
    loaded: bool = True

    @property
    def label(self) -> str:
        """The number followed by the title, or the name."""
        return " ".join(part for part in (self.number, self.title) if part)


PlainGraph = tuple[dict[str, PlainNode], list[tuple[str, str, str]]]
"""IRI → node, and links as (source IRI, kind of link, target IRI), in order."""


def graph(lines: Iterable[str], base: str) -> PlainGraph:
    """Return the nodes of the four kinds and the links between them, in the order of exports.

    `lines` are statements in N-Triples, in any order and perhaps repeated. Most are ignored; the others are
    collected by subject, so that each subject is put into its place once.
    """
    said: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for line in lines:
        subject, predicate, rest = line.split(" ", 2)
        if predicate in _SAID:
            said[subject].add((predicate, rest.rstrip().removesuffix(".").rstrip()))
    typed = (subject for subject, about in said.items() if any(map(_kind_in, about)))
    nodes: dict[str, PlainNode] = {}
    told = []
    for subject in sorted(typed, key=lambda it: key_of_subject(it, base)):
        statements = sorted(said[subject], key=lambda it: key_of_statement(*it))
        *_, kind = filter(None, map(_kind_in, statements))
        nodes[_value(subject)] = PlainNode(kind)
        told.append(statements)
    links = []
    for (iri, node), statements in zip(nodes.items(), told, strict=True):
        for predicate, term in statements:
            name, value = predicate[1:-1], _value(term)
            if name in _LINKS and value in nodes:
                links.append((iri, _LINKS[name], value))
            elif name == SKOS.notation:
                node.number = value
            elif name in _NAMES:
                node.title = value
            elif name == RG.loaded:
                node.loaded = value == "true"
    return nodes, links


def _kind_in(statement: tuple[str, str]) -> str:
    """Return the kind that a statement gives its subject, or ``""``."""
    predicate, term = statement
    return _KINDS.get(term[1:-1], "") if predicate == _TYPE else ""


def _value(term: str) -> str:
    """Return an IRI, the name of a blank node or the words of a literal."""
    return term.removeprefix("_:") if term.startswith("_:") else value_of(term)


def write_csv(plain: PlainGraph, out: BinaryIO) -> None:
    """Write the links as CSV: a row for each, with kind and label at both ends."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow("source source_kind source_label link target target_kind target_label".split())
    nodes, links = plain
    for source, link, target in links:
        a, b = nodes[source], nodes[target]
        writer.writerow((source, a.kind, a.label, link, target, b.kind, b.label))
    text.detach()


def write_graphml(plain: PlainGraph, out: BinaryIO) -> None:
    """Write the graph as GraphML: directed, several links between two nodes allowed.

    It is written directly: networkx would first make a graph and then a tree.
    """
    nodes, links = plain
    ids = {iri: quoteattr(iri) for iri in nodes}
    text = io.TextIOWrapper(out, encoding="utf-8", newline="\n")
    text.write(_HEAD)
    for iri, node in nodes.items():
        loaded = str(node.loaded).lower()
        about = (("label", node.label), ("kind", node.kind), ("number", node.number), ("loaded", loaded))
        text.write(f"    <node id={ids[iri]}>\n")
        text.writelines(f'      <data key="{key}">{escape(value)}</data>\n' for key, value in about)
        text.write("    </node>\n")
    for source, link, target in dict.fromkeys(links):
        text.write(f'    <edge source={ids[source]} target={ids[target]} id="{link}">\n')
        text.write(f'      <data key="link">{link}</data>\n    </edge>\n')
    text.write(_FOOT)
    text.detach()
