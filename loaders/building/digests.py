"""Cache what a build needs repeatedly of single editions: their digests and the checksums of their rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...ontology.iris import Iris
from ..cards.building import CardNames, names_in_digest, names_in_view
from ..editions import EditionInfo
from ..history.authority import bundled, wording_of
from ..history.outline import digest_of, read_digest, write_digest
from ..linking.edition import EditionView
from ..linking.labels import names_of_view
from ..records import Document
from .prepare import Prepared


class Digests:
    """The digests of editions.

    `prepared` are the documents of a build, `members` gives all those of an edition.
    """

    def __init__(
        self,
        iris: Iris,
        scratch: Path,
        prepared: Mapping[str, Prepared],
        members: Callable[[EditionInfo], Sequence[Document]],
    ) -> None:
        self._iris = iris
        self._scratch = scratch
        self._prepared = prepared
        self._members = members
        self._files: dict[str, Path] = {}
        self._checksums: dict[str, dict[str, str]] = {}

    def file(self, info: EditionInfo) -> Path:
        """Return the file with an edition's digest, made from the store when the edition is not new."""
        document = info.documents[0]
        if document in self._prepared:
            return self._prepared[document].digest_file
        if info.edition not in self._files:
            view = EditionView(self._members(info), self._iris)
            path = self._scratch / f"{info.edition}.digest"
            write_digest(path, digest_of(view, names_of_view(view), bundled()))
            self._files[info.edition] = path
        return self._files[info.edition]

    def card_names(self, editions: Mapping[str, EditionInfo]) -> CardNames:
        """Return what cards are read with: the names of the newest rules, else of the newest edition."""
        newest = [*editions.values()][-1:]
        newest = [info for info in editions.values() if info.is_rules][-1:] or newest
        if not newest:
            return CardNames({}, (), frozenset())
        if newest[0].is_rules:
            return names_in_digest(read_digest(self.file(newest[0])))
        return names_in_view(EditionView(self._members(newest[0]), self._iris))

    def words_of(self, info: EditionInfo, number: str) -> str:
        """Return the checksum of a rule's words, as the authority file has it; ``""`` for no such rule."""
        if info.edition not in self._checksums:
            items = read_digest(self.file(info)).items
            parse = self._iris.parse
            names = {parse(it.iri).name: it for it in items if not it.is_entry}
            checksums = {name: wording_of(name, it).checksum for name, it in names.items()}
            self._checksums[info.edition] = checksums
        return self._checksums[info.edition].get(number, "")
