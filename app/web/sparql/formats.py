"""Media types of the answers to queries, and the names of formats that each stands for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..negotiation import preferred

RESULTS = {
    "application/sparql-results+json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
"""Of SELECT and ASK; the first is what a client gets that does not mind."""

GRAPHS = {
    "text/turtle": "turtle",
    "application/n-triples": "ntriples",
    "application/rdf+xml": "rdfxml",
    "application/ld+json": "jsonld",
    "text/plain": "ntriples",
    "application/xml": "rdfxml",
    "text/xml": "rdfxml",
    "application/json": "jsonld",
}
"""Of CONSTRUCT, DESCRIBE and the description of the service."""

_TEXT = frozenset(("text/csv", "text/tab-separated-values", "text/turtle", "text/plain", "text/xml"))


class Formats(NamedTuple):
    """The media type for either kind of answer; None where the client takes none."""

    results: str | None
    graph: str | None

    @property
    def names(self) -> tuple[str | None, str | None]:
        """The formats of both."""
        return (
            None if self.results is None else RESULTS[self.results],
            None if self.graph is None else GRAPHS[self.graph],
        )


@lru_cache(256)
def negotiated(accept: str | None, asked: str | None = None) -> Formats:
    """Return what a client wants: a format that it `asked` for by name, such as ``csv``, wins over `Accept`.

    Clients ask so in words of their own; what is not known here does not count.

    >>> negotiated("text/csv, text/turtle;q=0.5")
    Formats(results='text/csv', graph='text/turtle')
    >>> negotiated("text/csv, text/turtle", "ntriples")
    Formats(results='text/csv', graph='application/n-triples')
    """
    return Formats(
        _named(RESULTS, asked) or preferred(accept, [*RESULTS]),
        _named(GRAPHS, asked) or preferred(accept, [*GRAPHS]),
    )


def content_type(media: str) -> str:
    """Return the header for a media type: types of text need their encoding named."""
    return f"{media}; charset=utf-8" if media in _TEXT else media


def _named(offers: dict[str, str], name: str | None) -> str | None:
    return next((media for media, known in offers.items() if known == name), None)
