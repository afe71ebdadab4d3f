"""The vocabulary's Turtle files become the triples of `graph/ontology`."""

from __future__ import annotations

from functools import cache
from importlib import resources

from .quads import Triples

FILES = ("vocabulary.ttl", "game.ttl")


@cache
def vocabulary_triples() -> Triples:
    """Return vocabulary and game ontology; blank nodes are named by file and order of appearance."""
    from pyoxigraph import BlankNode, RdfFormat, parse

    triples = Triples()
    folder = resources.files("rulesgraph.ontology")
    for name in FILES:
        known: dict[object, str] = {}
        stem = name.partition(".")[0]
        for quad in parse(input=(folder / name).read_bytes(), format=RdfFormat.TURTLE):
            ends = []
            for it in (quad.subject, quad.object):
                if isinstance(it, BlankNode):
                    ends.append(known.setdefault(it, f"_:{stem}{len(known)}"))
                else:
                    ends.append(str(it))
            triples.add(ends[0], str(quad.predicate), ends[1])
    return triples
