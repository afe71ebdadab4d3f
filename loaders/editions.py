"""Find which editions a store holds, which is current, and which rules were in force when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from ..ontology.iris import Iris
from ..ontology.resources import QueryFiles
from .kinds import DocumentKind
from .store.protocol import Queryable
from .store.statements import text_rows

_QUERIES = QueryFiles.beside(__name__)


@dataclass
class EditionInfo:
    """One edition of the store: its id, date, the kind of its documents and their ids."""

    edition: str
    issued: date | None
    kind: DocumentKind
    documents: list[str] = field(default_factory=list)

    @property
    def is_rules(self) -> bool:
        """True for editions of the comprehensive rules."""
        return self.kind is DocumentKind.COMPREHENSIVE and self.issued is not None

    @property
    def age_key(self) -> tuple[date, str]:
        """Sorts editions from oldest to newest; undated ones come first."""
        return self.issued or date.min, self.edition


def stored_documents(store: Queryable) -> Iterator[tuple[str, ...]]:
    """Yield document, edition, kind, day, title and checksum of everything loaded, by the document."""
    return text_rows(store, _QUERIES.bound("documents", {}))


def editions_in(store: Queryable, iris: Iris) -> dict[str, EditionInfo]:
    """Return id → edition for everything loaded, oldest first."""
    found: dict[str, EditionInfo] = {}
    for document, edition, kind, issued, *_ in stored_documents(store):
        name = iris.parse(edition).edition
        info = found.get(name)
        if info is None:
            when = date.fromisoformat(issued) if issued else None
            info = found[name] = EditionInfo(name, when, DocumentKind(kind))
        info.documents.append(iris.parse(document).key)
    return dict(sorted(found.items(), key=lambda item: item[1].age_key))


def rules_in_force(
    release: EditionInfo, latest_change: date | None, editions: Iterable[EditionInfo]
) -> EditionInfo | None:
    """Return the rules that were in force when rulings or tournament rules appeared, if they are loaded.

    These are the newest edition not after the release. An edition older than the latest known rule change
    cannot be right: then the right one is not loaded.
    """
    if release.issued is None:
        return None
    fitting = [e for e in editions if e.is_rules and e.issued and e.issued <= release.issued]
    newest = max(fitting, key=lambda e: e.age_key, default=None)
    if newest is None or newest.issued is None:
        return None
    return newest if latest_change is None or newest.issued >= latest_change else None


def current_editions(editions: Sequence[EditionInfo], joined: dict[str, str]) -> list[str]:
    """Return the ids that plain queries see: the newest edition, and the rules that it is joined to.

    Numbered rules of another kind are seen only where nothing else is loaded.
    """
    if not editions:
        return []
    of_the_game = [it for it in editions if it.kind is not DocumentKind.NUMBERED]
    newest = max(of_the_game or editions, key=lambda e: e.age_key).edition
    return [newest, *([joined[newest]] if newest in joined else [])]
