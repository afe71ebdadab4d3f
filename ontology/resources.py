"""Read the files of packages: those of the vocabulary, and queries, with values bound into them as terms.

A parameter of a query is a block `VALUES ?name { UNDEF }`: valid SPARQL that means "anything", and the only
place for serialised terms. Text is never formatted into a query.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from .errors import UsageError
from .iris import BASE
from .terms import PREFIXES

VOCABULARY_FILES = ("vocabulary.ttl", "game.ttl")
"""Documents and links; kinds of things in the game: together the ontology."""

CODES_FILE = "codes.ttl"
"""The controlled values, in SKOS."""

PLAYERS_FILE = "players.ttl"
"""Players' words for names, in SKOS-XL; its IRIs are relative to the base of a store."""

SHAPES_FILE = "shapes.ttl"
CONSTRAINTS_FILE = "constraints.ttl"
"""The required shape of data, in SHACL core and in SHACL-SPARQL."""

CONSTRAINTS = f"{BASE}constraints#"
"""The namespace of the latter."""

CONTEXT_FILE = "context.jsonld"


def packaged(package: str, *path: str) -> bytes:
    """Return the bytes of a file of an imported package; raises `OSError` when there is none.

    The package's own loader reads it: importing `importlib.resources` takes longer than a whole answer.
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
    """Return players' words for names: IRI of the term or provision, word, note on its use.

    `base` is the base IRI of the data. The words are sorted; one word may mean several things.

    >>> [iri for iri, word, _ in players_words("https://example.org/") if word == "sac"]
    ['https://example.org/term/sacrifice']
    """
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    things: dict[BlankNode, str] = {}
    said: dict[BlankNode, dict[str, str]] = {}
    for quad in parse(input=read_bytes(PLAYERS_FILE), format=RdfFormat.TURTLE, base_iri=BASE):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, BlankNode):
            # A base may end in "#" or ":", where relative IRIs would resolve to another IRI.
            things[quad.object] = base + quad.subject.value.removeprefix(BASE)
        elif isinstance(quad.subject, BlankNode) and isinstance(quad.object, Literal):
            said.setdefault(quad.subject, {})[quad.predicate.value] = quad.object.value
    return tuple(
        sorted((things[label], own[f"{_XL}literalForm"], own[f"{_SKOS}note"]) for label, own in said.items())
    )


class QueryFiles(NamedTuple):
    """The queries of one package, in its folders: ``QueryFiles.beside(__name__).read("find", "term")``.

    The files are package data, `{folder}/{name}.rq`; `package` is the dotted name of an imported package.
    """

    package: str

    @classmethod
    def beside(cls, module: str) -> QueryFiles:
        """Return the queries of the package that a module is in; `module` is its ``__name__``."""
        return cls(module.rpartition(".")[0])

    def read(self, folder: str, name: str) -> str:
        """Return the text of `{folder}/{name}.rq`; raises `OSError` when there is none."""
        return _text(self.package, folder, name)

    def bound(self, name: str, values: Mapping[str, Iterable[str | Sequence[str]]]) -> str:
        """Return the text of `queries/{name}.rq` with values for its parameters, see `bind`."""
        return bind(self.read("queries", name), values)

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the queries in a folder, sorted."""
        files = names_in(self.package, folder)
        return tuple(sorted(name.removesuffix(".rq") for name in files if name.endswith(".rq")))

    def has(self, folder: str, name: str) -> bool:
        """Return whether `{folder}/{name}.rq` exists."""
        if not name.isidentifier():
            return False
        try:
            self.read(folder, name)
        except OSError:
            return False
        return True


@cache
def _text(package: str, folder: str, name: str) -> str:
    return packaged(package, folder, f"{name}.rq").decode("utf-8")


ANY = "UNDEF"
"""The mark for any value in a block of several variables."""


def bind(text: str, values: Mapping[str, Iterable[str | Sequence[str]]]) -> str:
    """Return `text` with its blocks `VALUES ?name { UNDEF }` filled with terms.

    A value is an IRI, or a serialised term (``"text"``, ``<iri>``); for a block of several variables, `VALUES
    (?a ?b) { (UNDEF UNDEF) }`, the key is ``"a b"`` and each value a sequence. Raises `UsageError` for a name
    that has no block, `ValueError` for an invalid IRI.

    >>> bind("SELECT ?x { VALUES ?x { UNDEF } }", {"x": ["https://example.org/a"]})
    'SELECT ?x { VALUES ?x { <https://example.org/a> } }'
    """
    for names, given in values.items():
        variables = names.split()
        if len(variables) == 1:
            block = f"VALUES ?{names} {{ UNDEF }}"
            filled = " ".join(_serialise(value) for value in given if isinstance(value, str))
            after = f"VALUES ?{names} {{ {filled} }}"
        else:
            head = "VALUES (" + " ".join(f"?{name}" for name in variables) + ")"
            block = f"{head} {{ ({' '.join('UNDEF' for _ in variables)}) }}"
            rows = " ".join(f"({' '.join(_serialise(value) for value in row)})" for row in given)
            after = f"{head} {{ {rows} }}"
        if block not in text:
            raise UsageError(f"the query has no parameter {names!r}", way_out=f"It needs a block {block}")
        text = text.replace(block, after)
    return text


def literal(value: str, language: str | None = None) -> str:
    """Serialise a string as a SPARQL term, plain or in a language.

    >>> literal('say "bell"'), literal("bell", "en")
    ('"say \\\\"bell\\\\""', '"bell"@en')
    """
    import pyoxigraph

    return str(pyoxigraph.Literal(value, language=language))


def _serialise(value: str) -> str:
    if value[:1] in '<"' or value == ANY:
        return value
    import pyoxigraph

    return str(pyoxigraph.NamedNode(value))
