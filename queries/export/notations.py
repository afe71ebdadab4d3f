"""Write the graph in formats that other programs read: six of RDF, GraphML, and CSV.

Every format is sorted in the same order, with numbers in names sorted by value, so the same graph always
gives the same bytes. N-Quads and TriG contain every named graph. The others contain a single graph: the
requested edition's, or the one that plain queries see.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, Triple, parse, serialize

from ...loaders.store import Store, value_of
from ...ontology import DCTERMS, PREFIXES, RG, SKOS, TYPE, last_name
from .extract import (
    Extract,
    in_key_order,
    in_order,
    key_of_line,
    key_of_quad_line,
    key_of_statement,
    key_of_subject,
)

Exportable = Store | Extract

_OTHERS = {
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "https://schema.org/",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "spdx": "https://spdx.org/licenses/",
    "vann": "http://purl.org/vocab/vann/",
}
_BLOCK = 1000
"""The number of statements read at a time."""

_IN_MEMORY = 1 << 22
"""The number of bytes kept in memory; the rest goes into a temporary file."""

_HEAD = 1 << 16
"""RDF/XML declares its prefixes within this number of bytes."""

_DECLARED = re.compile(rb'xmlns(?::\w+)?="[^"]*"')


def write(store: Exportable, graphs: Sequence[str], form: str, out: BinaryIO) -> None:
    """Write the named `graphs` of a store to `out` in one of `FORMATS`.

    The formats of `QUADS` keep the graphs separate; all others write their union.
    """
    base = store.base
    match form:
        case "turtle":
            _spaced(_triples(store, graphs), RdfFormat.TURTLE, base, out)
        case "trig":
            _spaced(_quads(store, graphs, RdfFormat.N_QUADS), RdfFormat.TRIG, base, out)
        case "ntriples" | "nquads":
            kind = RdfFormat.N_QUADS if form in QUADS else RdfFormat.N_TRIPLES
            out.writelines(line.encode() for line in lines_of(store, graphs, kind))
        case "rdfxml":
            _write_rdfxml(_triples(store, graphs), base, out)
        case "jsonld":
            from .jsonld import write_document

            write_document(_triples(store, graphs), base, out)
        case _:
            write_plainly = write_graphml if form == "graphml" else write_csv
            write_plainly(plain_graph(_lines(store, graphs, RdfFormat.N_TRIPLES), base), out)


def lines_of(
    store: Exportable, graphs: Iterable[str], kind: RdfFormat = RdfFormat.N_TRIPLES
) -> Iterator[str]:
    """Yield the union of graphs as N-Triples, or the statements of each as N-Quads, sorted and unique."""
    return in_key_order((line.encode(), line) for line in _lines(store, graphs, kind))


def _lines(store: Exportable, graphs: Iterable[str], kind: RdfFormat) -> Iterator[str]:
    """Yield the statements of graphs as N-Triples, or as N-Quads with their graph."""
    lines = ((graph, line) for graph in graphs for line in store.graph_lines(graph))
    if kind == RdfFormat.N_TRIPLES:
        return _canonical((f"{line}\n" for _, line in lines), kind)
    return _canonical((f"{line.removesuffix('.').rstrip()} <{graph}> .\n" for graph, line in lines), kind)


def _canonical(lines: Iterable[str], form: RdfFormat) -> Iterator[str]:
    """Name the blank nodes by their statements (RDFC-1.0), because stores name them arbitrarily."""
    blank: list[str] = []
    for line in lines:
        if "_:" in line:
            blank.append(line)
        else:
            yield line
    dataset = Dataset(parse("".join(blank).encode(), form))
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    things = dataset if form == RdfFormat.N_QUADS else (quad.triple for quad in dataset)
    text = io.BytesIO()
    serialize(things, text, form)
    yield from (line.decode() for line in text.getvalue().splitlines(keepends=True))


def _triples(store: Exportable, graphs: Iterable[str]) -> Iterator[Triple]:
    """Yield the union of graphs, in order."""
    return (quad.triple for quad in _quads(store, graphs, RdfFormat.N_TRIPLES))


def _quads(store: Exportable, graphs: Iterable[str], kind: RdfFormat) -> Iterator[Quad]:
    """Yield the union of graphs in order, or for N-Quads the statements of each graph."""
    base, key = store.base, key_of_line if kind == RdfFormat.N_TRIPLES else key_of_quad_line
    lines = in_key_order((key(line, base), line) for line in _lines(store, graphs, kind))
    while block := "".join(islice(lines, _BLOCK)):
        yield from parse(block.encode(), kind)


def turtle_of(lines: Iterable[str], base: str) -> str:
    """Return statements, given as N-Triples without the final dots, as Turtle."""
    text = "".join(f"{line} .\n" for line in lines)
    return turtle((quad.triple for quad in parse(text, RdfFormat.N_TRIPLES)), base)


def turtle(triples: Iterable[Triple], base: str) -> str:
    """Return triples as Turtle with prefixes and a paragraph for each subject."""
    text = io.BytesIO()
    _spaced(in_order(triples, base), RdfFormat.TURTLE, base, text)
    return text.getvalue().decode()


def prefixes_for(base: str) -> dict[str, str]:
    """Return the prefixes of the vocabularies and of the terms under `base`."""
    return {**PREFIXES, **_OTHERS, "term": f"{base}term/"}


def _spaced(things: Iterable[Triple] | Iterable[Quad], form: RdfFormat, base: str, out: BinaryIO) -> None:
    """Write Turtle or TriG with sorted prefixes and an empty line before each subject.

    The serializer indents the lines of a subject below its first, which shows where subjects begin. Its own
    prefixes, which are unsorted, are replaced by those in use.
    """
    prefixes = prefixes_for(base)
    marks = {name: re.compile(rb"(?<![\w.-])" + name.encode() + rb":") for name in prefixes}
    used: set[str] = set()
    with _written(things, form, base) as text, SpooledTemporaryFile(_IN_MEMORY) as body:
        for line in text:
            if line == b"\n" or line.startswith((b"@prefix", b"@base")):
                continue
            if not line.startswith(b"\t") and line != b"}\n":
                body.write(b"\n")
            body.write(line)
            used.update(name for name in marks.keys() - used if marks[name].search(line))
        head = [f"@base <{base}> .\n"] if base.endswith("/") else []
        head += [f"@prefix {name}: <{iri}> .\n" for name, iri in sorted(prefixes.items()) if name in used]
        out.write("".join(head).encode())
        body.seek(0)
        copyfileobj(body, out)


@contextmanager
def _written(
    things: Iterable[Triple] | Iterable[Quad], form: RdfFormat, base: str
) -> Iterator[SpooledTemporaryFile[bytes]]:
    """Serialize to a temporary file, and return it open at its beginning."""
    with SpooledTemporaryFile(_IN_MEMORY) as text:
        relative_to = base if base.endswith("/") else None
        serialize(things, text, form, prefixes=prefixes_for(base), base_iri=relative_to)
        text.seek(0)
        yield text


def _write_rdfxml(triples: Iterable[Triple], base: str, out: BinaryIO) -> None:
    """Write RDF/XML with sorted prefixes, which the serializer does not sort."""
    with _written(triples, RdfFormat.RDF_XML, base) as text:
        start = text.read(_HEAD)
        end = start.index(b">", start.index(b"<rdf:RDF"))
        declared = iter(sorted(match[0] for match in _DECLARED.finditer(start, 0, end)))
        out.write(_DECLARED.sub(lambda _: next(declared), start[:end]) + start[end:])
        copyfileobj(text, out)


FORMATS = ("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml", "graphml", "csv")
"""The formats by the names that `--as` takes."""

QUADS = frozenset({"nquads", "trig"})
"""The formats that keep named graphs separate."""

LINKS = frozenset({"graphml", "csv"})
"""The formats with only nodes and links, and no description."""


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
"""The statements that make up a plain graph; all others are ignored."""

_GRAPHML = """\
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
        """The number and the title, or the name."""
        return " ".join(part for part in (self.number, self.title) if part)


PlainGraph = tuple[dict[str, PlainNode], list[tuple[str, str, str]]]
"""IRI → node, and links as (source IRI, kind of link, target IRI), in order."""


def plain_graph(lines: Iterable[str], base: str) -> PlainGraph:
    """Return the nodes of the four kinds and the links between them, in the usual order of exports.

    `lines` are statements in N-Triples, in any order, perhaps repeated. Most are ignored; the rest is
    collected by subject, so that each subject is sorted only once.
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
    """Return an IRI, the name of a blank node, or the text of a literal."""
    return term.removeprefix("_:") if term.startswith("_:") else value_of(term)


def write_csv(plain: PlainGraph, out: BinaryIO) -> None:
    """Write the links as CSV: a row for each, with the kind and label of both ends."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow("source source_kind source_label link target target_kind target_label".split())
    nodes, links = plain
    for source, link, target in links:
        a, b = nodes[source], nodes[target]
        writer.writerow((source, a.kind, a.label, link, target, b.kind, b.label))
    text.detach()


def write_graphml(plain: PlainGraph, out: BinaryIO) -> None:
    """Write the graph as directed GraphML with parallel edges, without networkx's intermediate tree."""
    nodes, links = plain
    ids = {iri: quoteattr(iri) for iri in nodes}
    text = io.TextIOWrapper(out, encoding="utf-8", newline="\n")
    text.write(_GRAPHML)
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
