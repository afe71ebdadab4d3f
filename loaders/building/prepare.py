"""Prepare the documents of a change: turn a source, or a stored edition, into files ready to load."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...ontology import DocumentKind, Iris, QueryFiles, SourceError
from ..cards.building import CardNames, names_in_digest, names_in_view
from ..cards.reading import is_card_data, read_cards
from ..cards.records import CardSet
from ..cases import CaseSet, is_case_data, read_cases
from ..editions import EditionInfo
from ..graph.emit import document_triples, has_wordings, places_triples
from ..graph.quads import TripleSet, write_quads
from ..graph.readback import read_document
from ..history.authority import bundled, wording_of
from ..history.departures import departures, doubted
from ..history.graphs import Digest, digest_of, read_digest, write_digest
from ..history.stored import WordingsOf, links_and_facts, reading_of, stored_document, whole
from ..language.words import wording
from ..linking.defects import find_defects
from ..linking.derive import Deriver, mentions_in
from ..linking.edition import EditionView
from ..linking.labels import names_of_view
from ..reading.detect import load_document
from ..reading.numbered.form import Form
from ..reading.source import Source, read_source
from ..records import Document, Problem, Severity
from ..store.protocol import Queryable, stored_triples, text_rows
from .report import DocumentSummary, Refused, document_summary

_QUERIES = QueryFiles.beside(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """One source to prepare, and the place for its files."""

    item: str | Path | Source
    place: int
    base: str
    scratch: Path
    strict: bool = False
    form: Form | None = None

    @property
    def name(self) -> str:
        """The name of the source in messages."""
        return self.item.name if isinstance(self.item, Source) else str(self.item)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document whose quads are in files; their paths begin with `stem`.

    `words` is a checksum of its texts, equal for copies in another encoding or layout. A dated edition of the
    rules (`has_wordings`) also has files with a reading and a digest.
    """

    document: str
    edition: str
    kind: DocumentKind
    issued: date | None
    summary: DocumentSummary
    checksum: str
    stem: Path
    words: str
    has_wordings: bool

    @property
    def quads(self) -> Path:
        """The N-Quads of `document/{id}`."""
        return self.stem.with_suffix(".document")

    def record(self) -> Document:
        """Return the document."""
        return self._loaded(".record")  # type: ignore[no-any-return]

    def described(self) -> TripleSet:
        """Return what `edition/{id}/derived` keeps, except mentions."""
        return self._loaded(".described")  # type: ignore[no-any-return]

    def reading(self) -> WordingsOf:
        """Return where each wording is used."""
        return self._loaded(".reading")  # type: ignore[no-any-return]

    def digest(self) -> Digest:
        """Return the data for comparing editions."""
        return read_digest(self.digest_file)

    def whole(self, iris: Iris) -> dict[str, TripleSet]:
        """Return all graphs of the document's edition."""
        mentions = {place: {*map(iris.slug_of, terms)} for place, _, terms in self.reading().placements}
        found = whole(self.record(), mentions, iris)
        found[iris.derived(self.edition)] |= self.described()
        return found

    @property
    def digest_file(self) -> Path:
        """The path of the digest."""
        return self.stem.with_suffix(".digest")

    def keep(self, suffix: str, what: object) -> None:
        """Save something in its own file."""
        self.stem.with_suffix(suffix).write_bytes(pickle.dumps(what, pickle.HIGHEST_PROTOCOL))

    def _loaded(self, suffix: str) -> Any:
        return pickle.loads(self.stem.with_suffix(suffix).read_bytes())


def prepare(task: Task) -> Prepared | CardSet | CaseSet | Refused:
    """Read, parse and write out one source."""
    try:
        if not isinstance(task.item, Source) and is_card_data(task.item):
            return replace(read_cards(task.item), file=task.name)
        if not isinstance(task.item, Source) and is_case_data(task.item):
            return read_cases(task.item)
        source = task.item if isinstance(task.item, Source) else read_source(task.item)
        document = doubted(load_document(source, task.form))
    except SourceError as error:
        return Refused(task.name, str(error.of(task.name)))
    defects = [p for p in document.problems if p.severity is not Severity.INFO]
    if task.strict and defects:
        first = defects[0]
        reason = (
            f"{task.name}:{first.first_line}: {first.message} ({len(defects)} problems in all)\n  Without "
            "--strict the document is loaded, and its problems are recorded."
        )
        return Refused(task.name, reason)
    return write_out(document, task)


def write_out(document: Document, task: Task) -> Prepared:
    """Write the files of a parsed document."""
    iris = Iris(task.base)
    stem = task.scratch / f"{task.place:05}"
    is_worded = has_wordings(document)
    view = EditionView([document], iris) if is_worded else None
    defects = defects_of(view) if view else []
    told = [it for it in defects if it.severity is not Severity.INFO]
    summary = document_summary(document, task.name, told)
    identity = (document.document, document.edition, document.kind, document.issued)
    known = document.checksum, stem, words_of(document), is_worded
    done = Prepared(*identity, summary, *known)
    triples = places_triples(document, iris) if is_worded else document_triples(document, iris)
    write_quads(done.quads, triples, iris.document(document.document))
    done.keep(".record", document)
    if view:
        done.keep(".described", Deriver(view, defects).described())
        done.keep(".reading", reading_of(view, mentions_in(view)))
        write_digest(done.digest_file, digest_of(view, names_of_view(view), bundled()))
    return done


def words_of(document: Document) -> str:
    """Return a checksum of the headings, numbers and words of a document."""
    words = sha256()
    for entry in document.entries:
        words.update(f"{entry.number}\0{wording(entry.heading)}\0".encode())
    for unit in document.units:
        words.update(f"{unit.number}\0{wording(unit.text)}\0".encode())
    return words.hexdigest()


def without_conflicts(prepared: Sequence[Prepared]) -> tuple[list[Prepared], list[Refused]]:
    """Separate the documents to load from those that duplicate an earlier one with a different text."""
    first = {it.document: it for it in reversed(prepared)}
    kept: list[Prepared] = []
    refused: list[Refused] = []
    for it in prepared:
        one, name = first[it.document], it.summary.source
        if one.words == it.words:
            kept.append(it)
            continue
        what = (
            f"{name}: this is {it.document}, like {one.summary.source}, which has different words and loads"
        )
        refused.append(Refused(name, f"{what}\n  Load only the correct one."))
    return kept, refused


def derived_triples(view: EditionView) -> TripleSet:
    """Return everything computed over the documents of one edition, each statement with its evidence."""
    return links_and_facts(view, defects_of(view))


def defects_of(view: EditionView) -> list[Problem]:
    """Return the defects of an edition: what its text shows, and where it differs from the known copy."""
    found = [*find_defects(view), *departures(view)]
    return sorted(found, key=lambda it: (it.first_line, it.code, it.message))


class Digests:
    """The documents of editions, and their digests; `prepared` are those read in this build."""

    def __init__(self, iris: Iris, scratch: Path, prepared: Mapping[str, Prepared], store: Queryable) -> None:
        self._iris = iris
        self._scratch = scratch
        self._prepared = prepared
        self._store = store
        self._checksums: dict[str, dict[str, str]] = {}
        self.records: dict[str, Document] = {}
        """The documents that were read, except large ones."""

    def members(self, info: EditionInfo) -> list[Document]:
        """Return the documents of an edition; those that this build did not read are read from the store."""
        return [self.record(info, document) for document in sorted(info.documents)]

    def record(self, info: EditionInfo, document: str) -> Document:
        """Return one document of an edition."""
        if document not in self.records:
            if document in self._prepared:
                record = self._prepared[document].record()
            elif info.is_rules:
                record, *_ = stored_document(self._store, self._iris, info.edition, document)
            else:
                graph = self._iris.document(document)
                about = {"graph document": [(self._iris.derived(info.edition), graph)]}
                problems = text_rows(self._store, _QUERIES.bound("problems", about))
                record = read_document(document, stored_triples(self._store, graph), problems, self._iris)
            if record.kind is DocumentKind.COMPREHENSIVE:
                return record  # large, and needed once
            self.records[document] = record
        return self.records[document]

    def file(self, info: EditionInfo) -> Path:
        """Return the file with an edition's digest, made from the store unless the edition is new."""
        document = info.documents[0]
        if document in self._prepared:
            return self._prepared[document].digest_file
        path = self._scratch / f"{info.edition}.digest"
        if not path.exists():
            view = EditionView(self.members(info), self._iris)
            write_digest(path, digest_of(view, names_of_view(view), bundled()))
        return path

    def card_names(self, editions: Mapping[str, EditionInfo]) -> CardNames:
        """Return the names to look for in cards: those of the newest rules, else of the newest edition."""
        newest = [it for it in editions.values() if it.is_rules][-1:] or [*editions.values()][-1:]
        if not newest:
            return CardNames({}, (), frozenset())
        if newest[0].is_rules:
            return names_in_digest(read_digest(self.file(newest[0])))
        return names_in_view(EditionView(self.members(newest[0]), self._iris))

    def words_of(self, editions: Mapping[str, EditionInfo], edition: str, number: str) -> str:
        """Return the checksum of a rule's words, as in the authority file; ``""`` if there is no rule."""
        if edition not in self._checksums:
            items = (it for it in read_digest(self.file(editions[edition])).items if not it.is_entry)
            names = {self._iris.parse(it.iri).name: it for it in items}
            self._checksums[edition] = {name: wording_of(name, it).checksum for name, it in names.items()}
        return self._checksums[edition].get(number, "")
