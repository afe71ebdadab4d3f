"""Link editions: undated texts with the editions that contain them, rulings with the rules of their day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from ...ontology import RG, SKOS, Iris, QueryFiles, child, code, slug
from ..editions import EditionInfo
from ..graph.emit import paragraph_iri
from ..graph.quads import C, P, TripleSet, decimal, node, text
from ..language.words import wording
from ..records import SUSPECTED_SHIFT, Document, Entry, Paragraph
from ..store.protocol import Queryable, statements, text_rows
from .edition import EditionView

_QUERIES = QueryFiles.beside(__name__)


def rule_texts(store: Queryable, graph: str) -> Iterator[tuple[str, ...]]:
    """Yield (IRI, text) of the rules of a document, in order."""
    return text_rows(store, _QUERIES.bound("rule_texts", {"graph": [graph]}))


EntryTexts = list[tuple[str, list[tuple[str, str]]]]


def _entry_texts(store: Queryable, iris: Iris, info: EditionInfo) -> EntryTexts:
    """Return (term slug, [(paragraph IRI, text)]) for an edition's entries, in the order of the text.

    Paragraphs that the source seems to print under the wrong entry are left out.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    told = [*statements(store, [iris.derived(info.edition)], (RG.problemCode, RG.concerns))]
    shifted = {it for _, it, by, value in told if (by, value) == (RG.problemCode, code(SUSPECTED_SHIFT))}
    astray = {iris.parse(entry) for _, it, by, entry in told if by == RG.concerns and it in shifted}
    for document in info.documents:
        query = _QUERIES.bound("entry_texts", {"graph": [iris.document(document)]})
        for term, unit, words in text_rows(store, query):
            place = iris.parse(unit)
            if place.parts and place.whole in astray:
                continue
            slug = iris.parse(term).key
            found.setdefault(slug, []).append((unit, words))
    return list(found.items())


def compare(
    members: Sequence[Document], store: Queryable, iris: Iris, editions: Iterable[EditionInfo]
) -> tuple[dict[str, str], TripleSet]:
    """Compare an undated text with every dated edition in a store.

    Returns paragraph IRI → slug of the term that the paragraph is about, and the triples that say so: the
    matches with their confidence, and `agreesWith` for each edition that contains every paragraph word for
    word. Paragraphs are matched with the edition that contains most of them, or the older of several.
    """
    from .align import agreement, align  # imported here because few builds have an undated text

    edition = members[0].edition
    loose = [p for d in members for p in d.paragraphs]
    words = [p.text for p in (*loose, *(p for d in members for e in d.entries for p in e.paragraphs))]
    dated = sorted((it for it in editions if it.issued), key=lambda it: it.age_key)
    texts = {it.edition: _entry_texts(store, iris, it) for it in dated}
    held = agreement(
        words, {name: [said for _, its in own for _, said in its] for name, own in texts.items()}
    )
    about: dict[str, str] = {}
    triples = TripleSet()
    for name, (count, total) in held.items():
        if total and count == total:
            triples.say(node(iris.edition(edition)), agreesWith=node(iris.edition(name)))
    best = max(held, key=lambda name: held[name][0], default="")
    for match in align([p.text for p in loose], texts[best]) if best else ():
        unit = iris.paragraph(edition, loose[match.index].key)
        me = node(child(unit, "match", 1))
        about[unit] = match.slug
        triples.say(node(unit), hasMatch=me, about=node(iris.term(match.slug)))
        triples.say(me, type=C["Match"], matches=node(match.unit_iri), matchedBy=text(match.by))
        triples.say(me, confidence=decimal(match.confidence))
    return about, triples


def same_rules(
    view: EditionView, rules: str, documents: Sequence[str], store: Queryable, iris: Iris
) -> TripleSet:
    """Link a rulings release, and each rule that it names, with the rules then in force."""
    triples = TripleSet()
    triples.say(node(iris.edition(view.edition)), rulesInForce=node(iris.edition(rules)))
    notations = statements(store, map(iris.document, documents), [SKOS.notation])
    numbers = {number for _, it, _, number in notations if iris.parse(it).kind == "rule"}
    for number in numbers & (view.cited_rules | view.loaded_rules):
        triples.say(node(iris.rule(view.edition, number)), sameRule=node(iris.rule(rules, number)))
    return triples


LEAST_WORDS = 6
"""Shorter paragraphs of rules recur in several places, and prove no date."""


class Dating:
    """The editions of the rules in a store, for comparison with dated paragraphs.

    A paragraph's date says since when it has had its words. They are looked up, word for word (white space,
    quotes and capitals folded), in the entries of the same term, or for a page of rules among the rules.
    """

    def __init__(self, store: Queryable, iris: Iris, editions: Iterable[EditionInfo]) -> None:
        self._store = store
        self._iris = iris
        self._editions = sorted((e for e in editions if e.is_rules), key=lambda e: e.age_key)
        self._words: dict[str, frozenset[tuple[str, str]]] = {}

    def facts(self, members: Sequence[Document]) -> TripleSet:
        """Return what the loaded editions say about the dates of a release's paragraphs.

        A date agrees with the edition of that day if that edition has the words and the one before does not.
        It disagrees with the edition before if that already has them. Otherwise nothing is stated.
        """
        triples = TripleSet()
        for document in members:
            for entry, paragraph in _dated(document):
                me = node(paragraph_iri(self._iris, document.edition, entry, paragraph))
                for day in sorted({a.as_of for a in paragraph.attributions if a.as_of}):
                    verdict = self._verdict(entry, paragraph, day)
                    if verdict:
                        name, edition = verdict
                        triples.add(me, P[name], node(self._iris.edition(edition.edition)))
        return triples

    def _verdict(self, entry: Entry, paragraph: Paragraph, day: date) -> tuple[str, EditionInfo] | None:
        before = [e for e in self._editions if e.issued and e.issued < day][-1:]
        of_the_day = [e for e in self._editions if e.issued == day]
        if not before:
            return None
        if self._holds(before[0], entry, paragraph):
            return "dateDisagreesWith", before[0]
        if of_the_day and self._holds(of_the_day[0], entry, paragraph):
            return "dateAgreesWith", of_the_day[0]
        return None

    def _holds(self, edition: EditionInfo, entry: Entry, paragraph: Paragraph) -> bool:
        words = wording(paragraph.text).casefold()
        if entry.is_rule:
            return len(words.split()) >= LEAST_WORDS and ("", words) in self._held(edition)
        return any((slug(name), words) in self._held(edition) for name in entry.names[:1])

    def _held(self, edition: EditionInfo) -> frozenset[tuple[str, str]]:
        """Return (term slug, or empty for rules; words) of everything in an edition."""
        if edition.edition not in self._words:
            self._words[edition.edition] = frozenset(self._read(edition))
        return self._words[edition.edition]

    def _read(self, edition: EditionInfo) -> Iterator[tuple[str, str]]:
        for document in edition.documents:
            values = {"graph": [self._iris.document(document)]}
            for term, _, words in text_rows(self._store, _QUERIES.bound("entry_texts", values)):
                name = self._iris.parse(term).key
                yield name, wording(words).casefold()
            for _, words in rule_texts(self._store, self._iris.document(document)):
                yield "", wording(words).casefold()


def _dated(document: Document) -> Iterator[tuple[Entry, Paragraph]]:
    for entry in document.entries:
        for paragraph in entry.paragraphs:
            if paragraph.attributions:
                yield entry, paragraph


def attributed_days(document: Document) -> Iterator[date]:
    """Yield every day that dates a paragraph of a document; rulings do not count, as they are not rules."""
    for _, paragraph in _dated(document):
        yield from (a.as_of for a in paragraph.attributions if a.as_of)
