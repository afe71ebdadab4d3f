"""Derive all graphs of an edition of the comprehensive rules from what a store keeps of it.

A store keeps where its wordings are, its problems and which rules define its terms. Everything else (words
and references at their places, links, facts) follows from that, and from `graph/wordings`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ...ontology.iris import Iris
from ...ontology.terms import RG
from ..facts.find import fact_triples
from ..graph.emit import document_triples
from ..graph.quads import RDF_TYPE, C, P, TripleSet, node, write_quads
from ..graph.readback import read_document
from ..linking.derive import link_triples
from ..linking.edition import EditionView
from ..linking.labels import hierarchy
from ..records import Document
from ..store.protocol import Queryable
from ..store.statements import stored_triples
from .wordings import Worded


class Whole(NamedTuple):
    """Everything that a document of the comprehensive rules says, and everything derived from it."""

    document: TripleSet
    derived: TripleSet
    wordings: TripleSet
    """The wordings in it."""


def whole(document: Document, mentions: Mapping[str, Collection[str]], iris: Iris) -> Whole:
    """Return the graphs of an edition that is one document, without its problems.

    `mentions` are the terms (slugs) that its texts mention, by the IRI of the text.
    """
    view = EditionView([replace(document, problems=())], iris)
    facts = fact_triples(view)
    links = link_triples(view, (), mentions)
    derived = links | facts | hierarchy(facts, view.names, iris)
    return Whole(document_triples(document, iris), derived, TripleSet())


def stored_document(
    store: Queryable, iris: Iris, edition: str, document: str
) -> tuple[Document, dict[str, set[str]], Worded]:
    """Return a document of the comprehensive rules as a store keeps it, and the terms that its texts mention.

    The terms are slugs, by the IRI of the text. Its problems stay in the store. Last come its wordings.
    """
    graph = iris.document(document)
    worded = Worded(store, iris, graph)
    places = list(stored_triples(store, graph))
    standing = {place: wording for place, name, wording in places if name == RG.wording}
    said = (worded.statements(place, wording, edition) for place, wording in standing.items())
    mentions = {
        place: {iris.slug_of(term) for term in worded.mentions(wording)}
        for place, wording in standing.items()
    }
    for place, name, term in stored_triples(store, iris.derived(edition)):
        if name == RG.mentions:
            mentions[place].add(iris.slug_of(term))
    record = read_document(document, chain(places, chain.from_iterable(said)), (), iris)
    return record, mentions, worded


def stored_whole(store: Queryable, iris: Iris, edition: str, document: str) -> Whole:
    """Return all graphs of an edition of the comprehensive rules that a store keeps."""
    record, mentions, worded = stored_document(store, iris, edition, document)
    found = whole(record, mentions, iris)
    kept = TripleSet(line[:-2] for line in store.graph_lines(iris.derived(edition)))
    return found._replace(derived=found.derived | kept, wordings=worded.triples)


_PROVISION = f" {P['provision']} ".encode()


def with_types(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines of triples or quads, and for each rule that its provision is one.

    This is stated with everything else about an edition: each history would repeat it.
    """
    for line in lines:
        yield line
        if _PROVISION in line:
            provision, _, end = line.split(b" ", 2)[2].partition(b" ")
            yield f"{provision.decode()} {RDF_TYPE} {C['Provision']} ".encode() + end


def write_said(store: Queryable, iris: Iris, edition: str, document: str, folder: Path) -> dict[str, Path]:
    """Write the words of a stored edition, and what they mention and define, as files of its graphs."""
    record, mentions, _ = stored_document(store, iris, edition, document)
    links = TripleSet(line[:-2] for line in store.graph_lines(iris.derived(edition)))
    for place, terms in mentions.items():
        for term in terms:
            links.add(node(place), P["mentions"], node(iris.term(term)))
    written: dict[str, Path] = {}
    for graph, triples in (
        (iris.document(document), document_triples(record, iris)),
        (iris.derived(edition), links),
    ):
        written[graph] = folder / f"{len(written)}.nq"
        write_quads(written[graph], triples, graph)
    return written
