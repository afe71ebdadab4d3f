"""Write the graph in formats that other programs read: six of RDF, GraphML, CSV.

Every format is written in one order (numbers inside names count as numbers), so the same graph always gives
the same bytes. N-Quads and TriG contain every named graph; the others contain the triples of the one graph
that plain queries see, or of the requested edition.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO

from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, Triple, parse, serialize

from ...ontology.terms import PREFIXES
from .extract import in_key_order, key_of, key_of_line, key_of_quad_line

if TYPE_CHECKING:
    from ...loaders.store import Store
    from .extract import Extract

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
"""The number of bytes kept in memory; more go to a temporary file."""

_HEAD = 1 << 16
"""The number of bytes within which RDF/XML has declared its prefixes."""

_DECLARED = re.compile(rb'xmlns(?::\w+)?="[^"]*"')


def write(store: Exportable, graphs: Sequence[str], form: str, out: BinaryIO) -> None:
    """Write the named `graphs` of a store to `out` in one of `FORMATS`.

    The formats of `QUADS` keep the graphs separate, all others write their union.
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
            from .plain_graph import graph, write_csv, write_graphml

            write_plainly = write_graphml if form == "graphml" else write_csv
            write_plainly(graph(_lines(store, graphs, RdfFormat.N_TRIPLES), base), out)


def lines_of(
    store: Exportable, graphs: Iterable[str], kind: RdfFormat = RdfFormat.N_TRIPLES
) -> Iterator[str]:
    """Yield the union of graphs as N-Triples, or the statements of each as N-Quads, sorted, each once."""
    return in_key_order((line.encode(), line) for line in _lines(store, graphs, kind))


def _lines(store: Exportable, graphs: Iterable[str], kind: RdfFormat) -> Iterator[str]:
    """Yield the statements of graphs as N-Triples, or as N-Quads, with their graph."""
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
    """Yield the union of graphs, or for N-Quads the statements of each, in order."""
    base, key = store.base, key_of_line if kind == RdfFormat.N_TRIPLES else key_of_quad_line
    lines = in_key_order((key(line, base), line) for line in _lines(store, graphs, kind))
    while block := "".join(islice(lines, _BLOCK)):
        yield from parse(block.encode(), kind)


def in_order(triples: Iterable[Triple], base: str) -> list[Triple]:
    """Sort triples: data, vocabulary, blank nodes; subjects by name; the type of each subject first."""
    return sorted(triples, key=lambda triple: key_of(triple, base))


def turtle_of(lines: Iterable[str], base: str) -> str:
    """Return statements, N-Triples without their final points, as Turtle."""
    text = "".join(f"{line} .\n" for line in lines)
    return turtle((quad.triple for quad in parse(text, RdfFormat.N_TRIPLES)), base)


def turtle(triples: Iterable[Triple], base: str) -> str:
    """Return triples as Turtle with prefixes, a paragraph for each subject."""
    text = io.BytesIO()
    _spaced(in_order(triples, base), RdfFormat.TURTLE, base, text)
    return text.getvalue().decode()


def prefixes_for(base: str) -> dict[str, str]:
    """Return the prefixes of the vocabularies and of the terms under `base`."""
    return {**PREFIXES, **_OTHERS, "term": f"{base}term/"}


def _spaced(things: Iterable[Triple] | Iterable[Quad], form: RdfFormat, base: str, out: BinaryIO) -> None:
    """Write Turtle or TriG: the prefixes in order, and an empty line before each subject.

    The serializer writes one line for each predicate, indented below its subject, so the lines show where
    subjects begin. Its prefixes come in no order, and are replaced by those that are used.
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
    """Serialize to a temporary file; it is read from its beginning."""
    with SpooledTemporaryFile(_IN_MEMORY) as text:
        relative_to = base if base.endswith("/") else None
        serialize(things, text, form, prefixes=prefixes_for(base), base_iri=relative_to)
        text.seek(0)
        yield text


def _write_rdfxml(triples: Iterable[Triple], base: str, out: BinaryIO) -> None:
    """Write RDF/XML with its prefixes in order; the serializer declares them in none."""
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
