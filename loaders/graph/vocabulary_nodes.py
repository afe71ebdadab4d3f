"""The vocabulary's Turtle files become the triples of `graph/ontology`."""

from __future__ import annotations

from functools import cache

from ...ontology.iris import BASE
from ...ontology.resources import CODES_FILE, VOCABULARY_FILES, read_bytes
from .quads import TripleSet

SKOLEM = f"{BASE}.well-known/genid/"


@cache
def vocabulary_triples() -> TripleSet:
    """Return vocabulary, game ontology and controlled values; blank nodes become IRIs that stay the same.

    Stores rename blank nodes as they load them. The names are those that RDF 1.1 (section 3.5) sets
    aside for this, numbered by file and order of appearance; the Turtle files keep their blank nodes.
    """
    from pyoxigraph import BlankNode, RdfFormat, parse

    triples = TripleSet()
    for name in (*VOCABULARY_FILES, CODES_FILE):
        known: dict[object, str] = {}
        stem = name.partition(".")[0]
        for quad in parse(input=read_bytes(name), format=RdfFormat.TURTLE):
            ends = []
            for it in (quad.subject, quad.object):
                if isinstance(it, BlankNode):
                    ends.append(known.setdefault(it, f"<{SKOLEM}{stem}-{len(known) + 1}>"))
                else:
                    ends.append(str(it))
            triples.add(ends[0], str(quad.predicate), ends[1])
    return triples
