"""Read the passages of an edition from its graphs: words with their headings, places and links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ...ontology import DCTERMS, RG, SKOS, TYPE, Iris, QueryFiles, grouped
from ..store.protocol import Queryable, statements, text_rows

KINDS = ("section", "chapter", "rule", "subrule", "example", "entry", "note", "ruling", "paragraph")
"""The kinds of passages. A paragraph is a text directly under its document."""

_QUERIES = QueryFiles.beside(__name__)
_PART_OF, _TITLE, _NOTATION = DCTERMS.isPartOf, DCTERMS.title, SKOS.notation
_TEXT, _FIRST_LINE, _LEVEL, _CITES = RG.text, RG.firstLine, RG.level, RG.cites
_DEFINES, _MENTIONS, _DEFINED_BY = RG.defines, RG.mentions, RG.definedBy
_READ = (
    *(TYPE, _PART_OF, _TITLE, _NOTATION),
    *(_TEXT, _FIRST_LINE, _LEVEL, _CITES, _DEFINES, _MENTIONS, _DEFINED_BY),
)
"""The properties that passages are made from."""

_SECTION, _RULE, _ENTRY, _PARAGRAPH = RG.Section, RG.Rule, RG.Entry, RG.Paragraph
_KIND_OF_CLASS = {
    _SECTION: "section",
    RG.Example: "example",
    _ENTRY: "entry",
    RG.Note: "note",
    RG.Ruling: "ruling",
}


class TextUnit(NamedTuple):
    """One passage of an edition; `above` and `below` are its place in the tree of headings.

    `number` is that of the rule or paragraph, for an example that of its rule, else ``""``; `heading` is its
    own title, `headings` those above it, chapter first; `parent` is the IRI of the passage or thing it is
    part of; `cites` are numbers, or the IRIs of terms; `mentions` and `defines` are slugs of terms.
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
    """Return the current state of an edition as text: an index of another state is outdated.

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

    `written` are files with the N-Quads of graphs; only the others are read from the store.
    """
    stated: Stated = {}
    document_of: dict[str, str] = {}
    graphs = [*documents, iris.derived(edition)]
    keys = {graph: iris.parse(graph).key for graph in graphs}
    for graph, it, name, value in statements(store, graphs, _READ, written or {}):
        stated.setdefault(it, {}).setdefault(name, []).append(value)
        if name == _FIRST_LINE:
            document_of[it] = keys[graph]
    reader = _Reader(stated, iris, document_of)
    found = [passage for it in document_of if (passage := reader.passage(it))]
    return sorted(found, key=lambda passage: (passage.document, passage.line, passage.iri))


class _Reader:
    """Makes passages from the statements about each thing; the titles above things are cached."""

    def __init__(self, stated: Stated, iris: Iris, document_of: dict[str, str]) -> None:
        self._stated = stated
        self._iris = iris
        self._document_of = document_of
        self._titles_from: dict[str, tuple[str, ...]] = {"": ()}
        self._with_words = {
            parent for about in stated.values() if _TEXT in about for parent in about.get(_PART_OF, ())
        }
        self._definers = grouped(
            (rule, term) for term, about in stated.items() for rule in about.get(_DEFINED_BY, ())
        )

    def passage(self, it: str) -> TextUnit | None:
        """Return the passage of a thing, or None: an entry's heading is in its paragraphs."""
        kind = self._kind(it)
        heading = self._one(it, _TITLE)
        text = self._one(it, _TEXT) or ("" if kind == "entry" and it in self._with_words else heading)
        if not kind or not text:
            return None
        parent = self._one(it, _PART_OF)
        return TextUnit(
            iri=it,
            kind=kind,
            number=self._number(parent if kind == "example" else it, kind),
            heading=heading,
            headings=self._headings_from(parent),
            text=text,
            document=self._document_of[it],
            line=int(self._one(it, _FIRST_LINE)),
            parent=parent,
            cites=self._cites(it),
            mentions=self._slugs(self._all(it, _MENTIONS)),
            defines=self._defines(it, kind, parent),
        )

    def _number(self, it: str, kind: str) -> str:
        """Return the number by which a thing is cited; senses of a glossary entry only have positions."""
        number = self._one(it, _NOTATION) or (
            self._one(self._one(it, _PART_OF), _NOTATION) if kind == "entry" else ""
        )
        return "" if kind == "entry" and not {".", "-"} & {*number} else number

    def _kind(self, it: str) -> str:
        classes = self._all(it, TYPE)
        if _RULE in classes and _ENTRY not in classes:
            return self._one(it, _LEVEL)
        for cls, kind in _KIND_OF_CLASS.items():
            if cls in classes:
                return kind
        if _PARAGRAPH not in classes:
            return ""
        return "entry" if _ENTRY in self._all(self._one(it, _PART_OF), TYPE) else "paragraph"

    def _headings_from(self, it: str) -> tuple[str, ...]:
        """Return the titles of a thing and above it, chapter first; a section's title says nothing."""
        if it not in self._titles_from:
            found: tuple[str, ...] = ()
            if _SECTION not in self._all(it, TYPE):
                own = self._all(it, _TITLE) if it in self._document_of else ()
                found = (*self._headings_from(self._one(it, _PART_OF)), *sorted(own, reverse=True))
            self._titles_from[it] = found
        return self._titles_from[it]

    def _defines(self, it: str, kind: str, parent: str) -> tuple[str, ...]:
        """Return the terms that a passage defines, as a defining rule or as a paragraph of their entries."""
        terms = [*self._all(it, _DEFINES), *self._definers.get(it, ())]
        if kind == "entry":
            terms += self._all(parent, _DEFINES)
        return self._slugs(terms)

    def _cites(self, it: str) -> tuple[str, ...]:
        """Return what a thing cites, sorted: rules by their numbers, terms by their IRIs."""
        places = {to: self._iris.parse(to) for to in self._all(it, _CITES)}
        return tuple(sorted({to if place.kind == "term" else place.key for to, place in places.items()}))

    def _slugs(self, terms: Sequence[str]) -> tuple[str, ...]:
        """Return the slugs of terms, sorted, each once."""
        return tuple(sorted({*map(self._iris.slug_of, terms)}))

    def _one(self, it: str, name: str) -> str:
        about = self._stated.get(it)
        return min(about[name]) if about and name in about else ""

    def _all(self, it: str, name: str) -> Sequence[str]:
        about = self._stated.get(it)
        return about.get(name, ()) if about else ()
