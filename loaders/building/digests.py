"""Cache what a build often needs of single editions: documents, digests and checksums of their rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...ontology.iris import Iris
from ...ontology.resources import QueryFiles
from ..cards.building import CardNames, names_in_digest, names_in_view
from ..editions import EditionInfo
from ..graph.readback import read_document
from ..history.authority import bundled, wording_of
from ..history.outline import digest_of, read_digest, write_digest
from ..history.stored import stored_document
from ..kinds import DocumentKind
from ..linking.edition import EditionView
from ..linking.labels import names_of_view
from ..records import Document
from ..store.protocol import Queryable
from ..store.statements import stored_triples, text_rows
from .prepare import Prepared

_QUERIES = QueryFiles.beside(__name__)


class Digests:
    """The documents of editions, and their digests; `prepared` are those read in this build."""

    def __init__(self, iris: Iris, scratch: Path, prepared: Mapping[str, Prepared], store: Queryable) -> None:
        self._iris = iris
        self._scratch = scratch
        self._prepared = prepared
        self._store = store
        self._checksums: dict[str, dict[str, str]] = {}
        self.records: dict[str, Document] = {}
        """The documents that were read, but for large ones."""

    def members(self, info: EditionInfo) -> list[Document]:
        """Return the documents of an edition, read back from the store if this build did not read them."""
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
        """Return the names by which cards are read: those of the newest rules, else of the newest edition."""
        newest = [it for it in editions.values() if it.is_rules][-1:] or [*editions.values()][-1:]
        if not newest:
            return CardNames({}, (), frozenset())
        if newest[0].is_rules:
            return names_in_digest(read_digest(self.file(newest[0])))
        return names_in_view(EditionView(self.members(newest[0]), self._iris))

    def words_of(self, editions: Mapping[str, EditionInfo], edition: str, number: str) -> str:
        """Return the checksum of a rule's words, as in the authority file; ``""`` without such a rule."""
        if edition not in self._checksums:
            items = (it for it in read_digest(self.file(editions[edition])).items if not it.is_entry)
            names = {self._iris.parse(it.iri).name: it for it in items}
            self._checksums[edition] = {name: wording_of(name, it).checksum for name, it in names.items()}
        return self._checksums[edition].get(number, "")
