"""The graph becomes files that other programs read: RDF in six notations, GraphML, CSV.

Every notation is written in one order (numbers inside names count as numbers), so the same graph
always gives the same bytes. N-Quads and TriG hold every named graph; the others hold the triples of
the one graph that plain queries see, or of the edition that is asked for.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, Triple, parse, serialize

from ...ontology.iris import CODE, NAMESPACES
from ...ontology.terms import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from ...loaders.store import Meta

    class Exportable(Protocol):
        """What an export needs of a store: its graphs, and its base."""

        def meta(self) -> Meta:
            """Return what the store knows of itself."""
            ...

        def graph_lines(self, graph: str) -> Iterator[str]:
            """Yield the triples of a graph as N-Triples."""
            ...


_OTHERS = {
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "https://schema.org/",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "spdx": "https://spdx.org/licenses/",
    "vann": "http://purl.org/vocab/vann/",
}
_DIGITS = re.compile(r"(\d+)")
_DECLARED = re.compile(rb'xmlns(?::\w+)?="[^"]*"')


def write(store: Exportable, graphs: Sequence[str], form: str, out: BinaryIO) -> None:
    """Write the named `graphs` of a store to `out` in one of `FORMATS`.

    The notations of `QUADS` keep the graphs apart, all others write their union.
    """
    FORMATS[form](store, graphs, out)


def lines_of(store: Exportable, graphs: Iterable[str]) -> list[str]:
    """Return the union of graphs as N-Triples, sorted, each statement once."""
    lines = {f"{line}\n" for graph in graphs for line in store.graph_lines(graph)}
    return _canonical(lines, RdfFormat.N_TRIPLES)


def quad_lines_of(store: Exportable, graphs: Iterable[str]) -> list[str]:
    """Return the statements of each graph as N-Quads, sorted."""
    lines = (
        f"{line.removesuffix('.').rstrip()} <{graph}> .\n"
        for graph in graphs
        for line in store.graph_lines(graph)
    )
    return _canonical(lines, RdfFormat.N_QUADS)


def _canonical(lines: Iterable[str], form: RdfFormat) -> list[str]:
    """Name the blank nodes by what is said of them (RDFC-1.0), for stores name them as they please."""
    named: list[str] = []
    blank: list[str] = []
    for line in lines:
        (blank if "_:" in line else named).append(line)
    dataset = Dataset(parse("".join(blank).encode(), form))
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    things = dataset if form == RdfFormat.N_QUADS else (quad.triple for quad in dataset)
    text = io.BytesIO()
    serialize(things, text, form)
    return sorted([*named, *(line.decode() for line in text.getvalue().splitlines(keepends=True))])


def triples_of(store: Exportable, graphs: Iterable[str]) -> list[Triple]:
    """Return the union of graphs, in order."""
    text = "".join(lines_of(store, graphs)).encode()
    return in_order((quad.triple for quad in parse(text, RdfFormat.N_TRIPLES)), store.meta().base)


def quads_of(store: Exportable, graphs: Iterable[str]) -> list[Quad]:
    """Return the statements of each graph, in order."""
    base = store.meta().base
    quads = parse("".join(quad_lines_of(store, graphs)).encode(), RdfFormat.N_QUADS)
    return sorted(quads, key=lambda quad: (natural(str(quad.graph_name)), _order(quad.triple, base)))


def in_order(triples: Iterable[Triple], base: str) -> list[Triple]:
    """Sort triples: data, vocabulary, blank nodes; subjects by name; of each subject its type first."""
    return sorted(triples, key=lambda triple: _order(triple, base))


def _order(triple: Triple, base: str) -> tuple[object, ...]:
    is_type = triple.predicate.value == PREFIXES["rdf"] + "type"
    subject = str(triple.subject)
    return (
        subject.startswith("_:"),
        subject[1:].startswith((*NAMESPACES, CODE)) or not subject.startswith(f"<{base}"),
        natural(subject.strip("<>")),
        not is_type,
        triple.predicate.value,
        natural(str(triple.object)),
    )


@lru_cache(maxsize=1 << 16)
def natural(text: str) -> tuple[object, ...]:
    """Return a sort key by which ``rule/100.2`` comes before ``rule/100.10``."""
    parts = _DIGITS.split(text)
    return tuple((int(part), part) if place % 2 else part for place, part in enumerate(parts))


def turtle(triples: Iterable[Triple], base: str) -> str:
    """Return triples as Turtle with prefixes, a paragraph for each subject."""
    return _spaced(in_order(triples, base), RdfFormat.TURTLE, base).decode()


def prefixes_for(base: str) -> dict[str, str]:
    """Return the prefixes of the vocabularies and of the terms under `base`."""
    return {**PREFIXES, **_OTHERS, "term": f"{base}term/"}


def _spaced(things: Sequence[Triple] | Sequence[Quad], form: RdfFormat, base: str) -> bytes:
    """Serialize to Turtle or TriG: the prefixes in order, and an empty line before each subject.

    The serializer writes one line for each predicate, indented below its subject, so the lines say
    where subjects begin. Its prefixes come in no order, and are replaced by those that are used.
    """
    prefixes = prefixes_for(base)
    text = _serialized(things, form, base)
    lines = [line for line in text.split(b"\n") if line and not line.startswith((b"@prefix", b"@base"))]
    used = {
        name
        for name in prefixes
        for mark in [re.compile(rb"(?<![\w.-])" + name.encode() + rb":")]
        if any(mark.search(line) for line in lines)
    }
    head = [f"@base <{base}> ."] if base.endswith("/") else []
    head += [f"@prefix {name}: <{iri}> ." for name, iri in sorted(prefixes.items()) if name in used]
    body = io.BytesIO()
    for line in lines:
        if not line.startswith((b"\t\t", b"\t")) and line != b"}":
            body.write(b"\n")
        body.write(line + b"\n")
    return "\n".join(head).encode() + b"\n" + body.getvalue()


def _serialized(things: Sequence[Triple] | Sequence[Quad], form: RdfFormat, base: str) -> bytes:
    text = io.BytesIO()
    serialize(things, text, form, prefixes=prefixes_for(base), base_iri=base if base.endswith("/") else None)
    return text.getvalue()


def _turtle(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    out.write(_spaced(triples_of(store, graphs), RdfFormat.TURTLE, store.meta().base))


def _trig(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    out.write(_spaced(quads_of(store, graphs), RdfFormat.TRIG, store.meta().base))


def _ntriples(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    out.writelines(line.encode() for line in lines_of(store, graphs))


def _nquads(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    out.writelines(line.encode() for line in quad_lines_of(store, graphs))


def _rdfxml(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    text = _serialized(triples_of(store, graphs), RdfFormat.RDF_XML, store.meta().base)
    end = text.index(b">", text.index(b"<rdf:RDF"))
    declared = iter(sorted(match[0] for match in _DECLARED.finditer(text, 0, end)))
    out.write(_DECLARED.sub(lambda _: next(declared), text[:end]) + text[end:])


def _jsonld(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    import json

    from ...ontology.resources import CONTEXT_FILE, read_text
    from .jsonld import document, dump

    context = json.loads(read_text(CONTEXT_FILE))["@context"]
    out.write(dump(document(triples_of(store, graphs), context, store.meta().base)))


def _graphml(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    from .plain_graph import graph, write_graphml

    write_graphml(graph(triples_of(store, graphs)), out)


def _csv(store: Exportable, graphs: Sequence[str], out: BinaryIO) -> None:
    from .plain_graph import graph, write_csv

    write_csv(graph(triples_of(store, graphs)), out)


FORMATS: dict[str, Callable[[Exportable, Sequence[str], BinaryIO], None]] = {
    "turtle": _turtle,
    "ntriples": _ntriples,
    "nquads": _nquads,
    "trig": _trig,
    "jsonld": _jsonld,
    "rdfxml": _rdfxml,
    "graphml": _graphml,
    "csv": _csv,
}
"""The notations by the names that `--as` takes."""

QUADS = frozenset({"nquads", "trig"})
"""The notations that keep named graphs apart."""

LINKS = frozenset({"graphml", "csv"})
"""The notations that hold nodes and links alone, and nothing about themselves."""
