"""Write what a question sees, the whole store, or the history of every rule, in a choice of formats."""

from __future__ import annotations

import csv
import io
from functools import cache
from typing import TYPE_CHECKING, BinaryIO

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from ...ontology import BASE, PREFIXES, Iris, UsageError
from .extract import Extract
from .notations import FORMATS, LINKS, QUADS, prefixes_for, turtle_of, write

if TYPE_CHECKING:
    import rdflib

    from ...loaders.history.authority import Authority
    from ..session import Session

THESAURUS = "skos"
"""The terms as a thesaurus, in Turtle."""

PASSAGES = "jsonl"
"""Passages for retrieval programs, one to a line."""

NAMES = (*FORMATS, THESAURUS, PASSAGES)
"""The values of `--as`."""


def export(
    session: Session,
    notation: str,
    out: BinaryIO,
    *,
    edition: str | None = None,
    words: bool = True,
    chunk: str | None = None,
    min_chars: int = 80,
    framed: bool = False,
) -> None:
    """Write what a question about `edition` sees to `out`, in one of the formats `NAMES`, as UTF-8.

    `THESAURUS` has only the terms, see `thesaurus`. `chunk` and `min_chars` set the size of `PASSAGES`, see
    `retrieval`. ``"jsonld"`` can be `framed`, one tree for each rule and entry, see `jsonld`. All others have
    the whole graph.

    The formats of `QUADS` keep named graphs separate; without `edition` they contain every graph of the
    store. The others contain one merged graph. All except `LINKS` include a VoID and DCAT description.
    Without `words`, no sentence of a source is written.

    Raises `UsageError` for an unknown format, `UnknownNameError` for an edition that is not loaded.
    """
    if notation not in NAMES:
        raise UsageError(f"no notation is called {notation!r}", way_out=f"There are {', '.join(NAMES)}.")
    if chunk is not None and notation != PASSAGES:
        raise UsageError(
            "only jsonl lets you choose the size of passages", way_out=f"Leave it out for {notation}."
        )
    if framed and notation != "jsonld":
        raise UsageError("only jsonld can be framed", way_out=f"Leave that out for {notation}.")
    if notation == THESAURUS:
        from .thesaurus import thesaurus_turtle

        out.write(thesaurus_turtle(session, edition, words=words).encode())
    elif notation == PASSAGES:
        from .retrieval import write_passages

        write_passages(session, out, edition=edition, chunk=chunk, words=words, shortest=min_chars)
    elif framed:
        from .jsonld import write_framed

        write_framed(session, out, edition=edition, words=words)
    else:
        _write_graph(session, notation, out, edition, words)


def _write_graph(session: Session, notation: str, out: BinaryIO, edition: str | None, words: bool) -> None:
    """Write all statements that a question about `edition` sees, or the whole store's."""
    apart = notation in QUADS
    if apart and edition is None:
        extract = Extract(session.store, words=words)
        graphs = tuple(session.store.graphs())
        if not words:
            loaded = [it.id for it in session.editions()]
            extract.describe(loaded, session.current.editions, apart=True)
    else:
        scope = session.scope(edition)
        graphs = scope.default_graphs if notation in LINKS else scope.named_graphs
        extract = Extract(
            session.holding(graphs), words=words, wordings=session.iris.graph("wordings") in graphs
        )
        if notation not in LINKS:
            extract.describe(scope.editions, (), apart=apart)
            graphs = (*graphs, extract.iris.graph("catalog"))
    write(extract, graphs, notation, out)


_STRING = PREFIXES["xsd"] + "string"


def rdflib_graph(session: Session, edition: str | None = None) -> rdflib.Graph:
    """Return one graph with what a query about `edition` sees, except tenures, with the usual prefixes.

    pyoxigraph reads the statements in half the time of rdflib's own reader.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    import rdflib

    iri = cache(rdflib.URIRef)

    def node(term: NamedNode | BlankNode | Literal | Triple) -> rdflib.term.Node:
        if isinstance(term, NamedNode):
            return iri(term.value)
        if isinstance(term, BlankNode):
            return rdflib.BNode(term.value)
        assert isinstance(term, Literal)
        datatype = term.datatype.value
        if term.language or datatype == _STRING:
            return rdflib.Literal(term.value, lang=term.language)
        return rdflib.Literal(term.value, datatype=iri(datatype))

    graph = rdflib.Graph(bind_namespaces="none")
    for name, namespace in prefixes_for(session.iris.base).items():
        graph.bind(name, namespace)
    graphs = session.scope(edition).default_graphs
    store = session.holding(graphs)
    for seen in graphs:
        text = "\n".join(store.graph_lines(seen)).encode()
        graph.addN(
            (node(it.subject), node(it.predicate), node(it.object), graph)
            for it in parse(text, RdfFormat.N_TRIPLES)
        )
    return graph


COLUMNS = tuple(
    "provision number first_edition last_edition until change from into checksum confidence".split()
)


def lives_as(notation: str, authority: Authority, base: str = BASE) -> str:
    """Return the tenures of all provisions and their successors, as `turtle` or `csv`."""
    from ...loaders.history.lives import Lives
    from ...loaders.history.timeline import all_lives

    lives = Lives(authority.text())
    if notation == "turtle":
        return turtle_of(all_lives(lives, Iris(base)).lines, base)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for provision in lives.provisions:
        into = " ".join(lives.heirs(provision))
        for it in lives.tenures(provision):
            change, came = it.change.value if it.change else "", " ".join(it.sources)
            told = (provision, it.number, it.first, it.last, it.until, change, came, into, it.words)
            rows.writerow((*told, it.sure))
    return text.getvalue()
