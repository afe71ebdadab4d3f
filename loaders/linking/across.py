"""Links between editions: undated text and the editions that hold it, rulings and their rules."""

from __future__ import annotations

from collections.abc import Sequence

from ...ontology.iris import Iris, child, code
from ...ontology.query_files import QueryFiles
from ..editions import EditionInfo
from ..graph.nodes import C, P
from ..graph.quads import RDF_TYPE, TripleSet, decimal, node, text
from ..records import SUSPECTED_SHIFT, Document, Paragraph
from ..store.protocol import Queryable
from ..store.rows import text_rows
from .edition import EditionView

_QUERIES = QueryFiles.beside(__name__)

EntryTexts = list[tuple[str, list[tuple[str, str]]]]


def _entry_texts(store: Queryable, iris: Iris, info: EditionInfo) -> EntryTexts:
    """Return (term slug, [(paragraph IRI, text)]) of an edition's entries in the order of the text.

    Paragraphs that the source seems to print under the wrong entry are left out.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    about = (iris.derived(info.edition), code(SUSPECTED_SHIFT))
    shifted = text_rows(store, _QUERIES.bound("concerned", {"graph code": [about]}))
    astray = {iris.parse(entry) for (entry,) in shifted}
    for document in info.documents:
        query = _QUERIES.bound("entry_texts", {"graph": [iris.document(document)]})
        for term, unit, words in text_rows(store, query):
            place = iris.parse(unit)
            if place.parts and place.whole in astray:
                continue
            slug = iris.parse(term).key
            found.setdefault(slug, []).append((unit, words))
    return list(found.items())


class Comparison:
    """An undated text held against every dated edition in the store."""

    def __init__(
        self, members: Sequence[Document], store: Queryable, iris: Iris, editions: Sequence[EditionInfo]
    ) -> None:
        from .align import agreement

        self.iris = iris
        self.edition = members[0].edition
        self.loose: list[Paragraph] = [p for d in members for p in d.paragraphs]
        self.headed: list[Paragraph] = [p for d in members for e in d.entries for p in e.paragraphs]
        dated = [e for e in editions if e.issued]
        self.texts = {e.edition: _entry_texts(store, iris, e) for e in dated}
        words = [p.text for p in (*self.loose, *self.headed)]
        held = {
            name: [words for _, units in texts for _, words in units] for name, texts in self.texts.items()
        }
        self.agreement: dict[str, tuple[int, int]] = agreement(words, held)
        self._ages = {e.edition: e.age_key for e in dated}

    @property
    def best(self) -> str:
        """The edition that holds most of the text word for word; the older one of equals."""
        if not self.agreement:
            return ""
        return min(self.agreement, key=lambda name: (-self.agreement[name][0], self._ages[name]))

    def about(self) -> tuple[dict[str, str], TripleSet]:
        """Return paragraph IRI → term, and the matches with their confidence."""
        triples = TripleSet()
        about: dict[str, str] = {}
        if not self.best:
            return about, triples
        from .align import align

        for match in align([p.text for p in self.loose], self.texts[self.best]):
            unit = self.iris.paragraph(self.edition, self.loose[match.index].key)
            me, it = node(child(unit, "match", 1)), node(unit)
            about[unit] = match.slug
            triples.add(it, P["hasMatch"], me)
            triples.add(it, P["about"], node(self.iris.term(match.slug)))
            triples.add(me, RDF_TYPE, C["Match"])
            triples.add(me, P["matches"], node(match.unit_iri))
            triples.add(me, P["confidence"], decimal(match.confidence))
            triples.add(me, P["matchedBy"], text(match.by))
        return about, triples

    def dating(self) -> TripleSet:
        """Return `agreesWith` for every edition that holds every paragraph word for word."""
        triples = TripleSet()
        for name, (held, total) in self.agreement.items():
            if total and held == total:
                triples.add(
                    node(self.iris.edition(self.edition)), P["agreesWith"], node(self.iris.edition(name))
                )
        return triples


def same_rules(
    view: EditionView, rules: str, documents: Sequence[str], store: Queryable, iris: Iris
) -> TripleSet:
    """Join a rulings release to the rules then in force: the release, and each rule that it names."""
    triples = TripleSet()
    triples.add(node(iris.edition(view.edition)), P["rulesInForce"], node(iris.edition(rules)))
    query = _QUERIES.bound("rule_numbers", {"graph": map(iris.document, documents)})
    numbers = {number for (number,) in text_rows(store, query)}
    for number in numbers & (view.cited_rules | view.loaded_rules):
        triples.add(node(iris.rule(view.edition, number)), P["sameRule"], node(iris.rule(rules, number)))
    return triples
