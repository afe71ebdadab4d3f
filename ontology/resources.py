"""Read the files of the vocabulary from wherever the package is installed."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

from .iris import BASE
from .terms import PREFIXES

VOCABULARY_FILES = ("vocabulary.ttl", "game.ttl")
"""Documents and links; kinds of things in the game: together the ontology."""

CODES_FILE = "codes.ttl"
"""The controlled values, in SKOS."""

PLAYERS_FILE = "players.ttl"
"""What players say instead of a name, in SKOS-XL; its IRIs are relative to the base of a store."""

SHAPES_FILE = "shapes.ttl"
CONSTRAINTS_FILE = "constraints.ttl"
"""What data must be like, in SHACL core and in SHACL-SPARQL."""

CONSTRAINTS = f"{BASE}constraints#"
"""The namespace of the latter."""

CONTEXT_FILE = "context.jsonld"


def packaged(package: str, *path: str) -> bytes:
    """Return the bytes of a file of an imported package; raises `OSError` when there is none.

    The package's own loader reads it: to import `importlib.resources` takes more time than a whole answer.
    """
    spec: Any = sys.modules[package].__spec__
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), *path))
    return data


def names_in(package: str, folder: str) -> list[str]:
    """Return the names of the files in a folder of an imported package, sorted."""
    spec: Any = sys.modules[package].__spec__
    return sorted(os.listdir(os.path.join(os.path.dirname(spec.origin), folder)))


def read_bytes(name: str) -> bytes:
    """Return the bytes of one file of this folder: ``vocabulary.ttl``, ``game.ttl``, ``shapes.ttl`` …"""
    return packaged("rulesgraph.ontology", name)


def read_text(name: str) -> str:
    """Return one file of this folder as text (UTF-8)."""
    return read_bytes(name).decode("utf-8")


def ontology_turtle() -> tuple[bytes, ...]:
    """Return the vocabulary and the game ontology, each as one Turtle document."""
    return tuple(read_bytes(name) for name in VOCABULARY_FILES)


_SKOS = PREFIXES["skos"]
_XL = "http://www.w3.org/2008/05/skos-xl#"


@cache
def players_words(base: str) -> tuple[tuple[str, str, str], ...]:
    """Return what players say instead of a name: IRI of the term or provision, word, note on its use.

    `base` is the base IRI of the data. The words are sorted; one word may stand for several things.

    >>> [iri for iri, word, _ in players_words("https://example.org/") if word == "sac"]
    ['https://example.org/term/sacrifice']
    """
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    things: dict[BlankNode, str] = {}
    said: dict[BlankNode, dict[str, str]] = {}
    for quad in parse(input=read_bytes(PLAYERS_FILE), format=RdfFormat.TURTLE, base_iri=BASE):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, BlankNode):
            # A base may end in "#" or ":", where what is relative to it would become another IRI.
            things[quad.object] = base + quad.subject.value.removeprefix(BASE)
        elif isinstance(quad.subject, BlankNode) and isinstance(quad.object, Literal):
            said.setdefault(quad.subject, {})[quad.predicate.value] = quad.object.value
    return tuple(
        sorted((things[label], own[f"{_XL}literalForm"], own[f"{_SKOS}note"]) for label, own in said.items())
    )
