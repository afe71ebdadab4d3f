"""The graphs of an edition become passages: what carries words there, with its headings, place and links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ...ontology.iris import Iris
from ...ontology.query_files import QueryFiles
from ...ontology.terms import PREFIXES, RG
from ..store.lines import statements
from ..store.protocol import Queryable
from ..store.rows import text_rows

KINDS = ("section", "chapter", "rule", "subrule", "example", "entry", "note", "ruling", "paragraph")
"""What a passage may be. A paragraph is a text that stands under nothing but its document."""

_QUERIES = QueryFiles.beside(__name__)
_TYPE = PREFIXES["rdf"] + "type"
_PART_OF = PREFIXES["dcterms"] + "isPartOf"
_TITLE = PREFIXES["dcterms"] + "title"
_NOTATION = PREFIXES["skos"] + "notation"
_READ = (
    *(_TYPE, _PART_OF, _TITLE, _NOTATION),
    *(RG.text, RG.firstLine, RG.level, RG.cites, RG.defines, RG.mentions, RG.definedBy),
)
"""The properties that make passages."""


class TextUnit(NamedTuple):
    """One passage of an edition; `above` and `below` are its place in the tree of headings.

    `number` is that of the rule or paragraph, for an example that of its rule, else ``""``; `heading` is
    its own title, `headings` those above it, chapter first; `parent` is the IRI of the passage or thing it
    is part of; `cites` are numbers, or the IRIs of terms; `mentions` and `defines` are slugs of terms.
    """

    iri: str
    kind: str
    number: str
    heading: str
    headings: tuple[str, ...]
    text: str
    document: str
    line: int
    parent: str
    cites: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


Stated = dict[str, dict[str, list[str]]]


def state(store: Queryable, iris: Iris, edition: str, documents: Iterable[str]) -> str:
    """Return what an edition consists of at the moment, as text: an index of another state is not its own.

    `documents` are the IRIs of its documents.
    """
    graphs = [*documents, iris.derived(edition)]
    signs = text_rows(store, _QUERIES.bound("state", {"graph": graphs, "catalog": [iris.graph("catalog")]}))
    return "\n".join((edition, *(" ".join(row) for row in signs)))


def read_passages(
    store: Queryable,
    iris: Iris,
    edition: str,
    documents: Sequence[str],
    written: Mapping[str, Path] | None = None,
) -> list[TextUnit]:
    """Return the passages of an edition in the order of its documents; `documents` are their IRIs.

    `written` are graphs of which the N-Quads are still at hand: the store is asked for the others alone.
    """
    stated: Stated = {}
    document_of: dict[str, str] = {}
    graphs = [*documents, iris.derived(edition)]
    for graph, it, name, value in statements(store, graphs, _READ, written or {}):
        stated.setdefault(it, {}).setdefault(name, []).append(value)
        if name == RG.firstLine:
            document_of[it] = iris.parse(graph).key
    reader = _Reader(stated, iris, document_of)
    found = [passage for it in document_of if (passage := reader.passage(it))]
    return sorted(found, key=lambda passage: (passage.document, passage.line, passage.iri))


class _Reader:
    """Makes passages of what is stated of each thing."""

    def __init__(self, stated: Stated, iris: Iris, document_of: dict[str, str]) -> None:
        self._stated = stated
        self._iris = iris
        self._document_of = document_of
        self._slug_of: dict[str, str] = {}
        self._with_words = {
            parent for about in stated.values() if RG.text in about for parent in about.get(_PART_OF, ())
        }
        self._definers: dict[str, list[str]] = {}
        for term, about in stated.items():
            for rule in about.get(RG.definedBy, ()):
                self._definers.setdefault(rule, []).append(term)

    def passage(self, it: str) -> TextUnit | None:
        """Return the passage that a thing is, or None: a heading of an entry is told with its paragraphs."""
        kind = self._kind(it)
        heading = self._one(it, _TITLE)
        text = self._one(it, RG.text) or ("" if kind == "entry" and it in self._with_words else heading)
        if not kind or not text:
            return None
        return TextUnit(
            iri=it,
            kind=kind,
            number=self._number(self._parent(it) if kind == "example" else it, kind),
            heading=heading,
            headings=self._headings(it),
            text=text,
            document=self._document_of[it],
            line=int(self._one(it, RG.firstLine)),
            parent=self._parent(it),
            cites=self._cites(it),
            mentions=tuple(sorted(self._slugs(self._all(it, RG.mentions)))),
            defines=self._defines(it),
        )

    def _number(self, it: str, kind: str) -> str:
        """Return the number that a thing is cited by; the senses of a glossary entry have places alone."""
        number = self._one(it, _NOTATION)
        return "" if kind == "entry" and "." not in number else number

    def _kind(self, it: str) -> str:
        classes = {cls.removeprefix(PREFIXES["rg"]) for cls in self._all(it, _TYPE)}
        if "Rule" in classes and "Entry" not in classes:
            return self._one(it, RG.level)
        for kind in ("section", "example", "entry", "note", "ruling"):
            if kind.capitalize() in classes:
                return kind
        if "Paragraph" not in classes:
            return ""
        return "entry" if "Entry" in " ".join(self._all(self._parent(it), _TYPE)) else "paragraph"

    def _headings(self, it: str) -> tuple[str, ...]:
        """Return the titles above a passage; that of a section says nothing of what is in it."""
        found: list[str] = []
        above = self._parent(it)
        while above and RG.Section not in self._all(above, _TYPE):
            found += self._all(above, _TITLE) if above in self._document_of else ()
            above = self._parent(above)
        return tuple(reversed(found))

    def _defines(self, it: str) -> tuple[str, ...]:
        """Return the terms that a passage defines: as the rule of one, or as a paragraph of its entry."""
        terms = [*self._all(it, RG.defines), *self._definers.get(it, ())]
        if self._kind(it) == "entry":
            terms += self._all(self._parent(it), RG.defines)
        return tuple(sorted(self._slugs(terms)))

    def _cites(self, it: str) -> tuple[str, ...]:
        places = ((to, self._iris.parse(to)) for to in self._all(it, RG.cites))
        return tuple(sorted({to if place.kind == "term" else place.key for to, place in places}))

    def _slugs(self, terms: Sequence[str]) -> set[str]:
        known = self._slug_of
        for term in terms:
            if term not in known:
                known[term] = self._iris.parse(term).key
        return {known[term] for term in terms}

    def _parent(self, it: str) -> str:
        return self._one(it, _PART_OF)

    def _one(self, it: str, name: str) -> str:
        return next(iter(self._all(it, name)), "")

    def _all(self, it: str, name: str) -> list[str]:
        return self._stated.get(it, {}).get(name, [])
