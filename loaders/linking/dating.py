"""The dates of a release's paragraphs become agreement or disagreement with the rules of those days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from ...ontology.iris import Iris, slug
from ...ontology.query_files import QueryFiles
from ..editions import EditionInfo
from ..graph.nodes import P
from ..graph.places import paragraph_iri
from ..graph.quads import TripleSet, node
from ..language.words import wording
from ..records import Document, Entry, Paragraph
from ..store.protocol import Queryable
from ..store.rows import text_rows

_QUERIES = QueryFiles.beside(__name__)

LEAST_WORDS = 6
"""Shorter paragraphs of rules say the same in several places, and prove no date."""


class Dating:
    """The editions of the rules in a store, to hold dated paragraphs against.

    A paragraph's date says since when its words have stood. They are looked for, word for word (white
    space, quotes and capitals folded), in the entries of the same term, or among the rules for a page of
    rules.
    """

    def __init__(self, store: Queryable, iris: Iris, editions: Iterable[EditionInfo]) -> None:
        self._store = store
        self._iris = iris
        self._editions = sorted((e for e in editions if e.is_rules), key=lambda e: e.age_key)
        self._words: dict[str, frozenset[tuple[str, str]]] = {}

    def facts(self, members: Sequence[Document]) -> TripleSet:
        """Return what the loaded editions say of the dates of a release's paragraphs.

        A date agrees with the edition of that day when it holds the words and the edition before does
        not; it disagrees with the edition before when that one holds them already. Where neither is so,
        nothing is said.
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
        """Return (term slug, or empty for rules; words) of everything that an edition says."""
        if edition.edition not in self._words:
            self._words[edition.edition] = frozenset(self._read(edition))
        return self._words[edition.edition]

    def _read(self, edition: EditionInfo) -> Iterator[tuple[str, str]]:
        for document in edition.documents:
            values = {"graph": [self._iris.document(document)]}
            for term, _, text in text_rows(self._store, _QUERIES.bound("entry_texts", values)):
                name = self._iris.parse(term).key
                yield name, wording(text).casefold()
            for (text,) in text_rows(self._store, _QUERIES.bound("rule_texts", values)):
                yield "", wording(text).casefold()


def _dated(document: Document) -> Iterator[tuple[Entry, Paragraph]]:
    for entry in document.entries:
        for paragraph in entry.paragraphs:
            if paragraph.attributions:
                yield entry, paragraph
