"""Find which editions and card data sets a store holds, which are current, and which rules were in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from ..ontology import DocumentKind, Iris, QueryFiles
from .store.protocol import Queryable, text_rows

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
        """The key that sorts editions from oldest to newest; undated ones come first."""
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

    They are the newest edition that is not after the release. If it is older than the latest known rule
    change, it cannot be the right one, which is then not loaded.
    """
    if release.issued is None:
        return None
    fitting = [e for e in editions if e.is_rules and e.issued and e.issued <= release.issued]
    newest = max(fitting, key=lambda e: e.age_key, default=None)
    if newest is None or newest.issued is None:
        return None
    return newest if latest_change is None or newest.issued >= latest_change else None


def current_editions(editions: Sequence[EditionInfo], joined: dict[str, str]) -> list[str]:
    """Return the ids of the editions that plain queries see: the newest, and the rules that it is joined to.

    Numbered rules of another kind are seen only if nothing else is loaded.
    """
    if not editions:
        return []
    of_the_game = [it for it in editions if it.kind is not DocumentKind.NUMBERED]
    newest = max(of_the_game or editions, key=lambda e: e.age_key).edition
    return [newest, *([joined[newest]] if newest in joined else [])]


class StoredSet(NamedTuple):
    """The store's description of a card data set."""

    set_id: str
    title: str
    source: str
    issued: date
    cards: int
    rulings: int

    @property
    def age_key(self) -> tuple[date, str]:
        """The key that sorts data sets from oldest to newest."""
        return self.issued, self.set_id

    def graphs(self, iris: Iris) -> tuple[str, str]:
        """Return its graph, and the graph of its links."""
        return iris.cards(self.set_id), iris.card_links(self.set_id)


def stored_sets(store: Queryable) -> dict[str, StoredSet]:
    """Return the card data sets of a store by their ids, the newest last."""
    found = [
        StoredSet(name, title, source, date.fromisoformat(issued), int(cards), int(rulings))
        for name, title, source, issued, cards, rulings in text_rows(store, _QUERIES.read("queries", "sets"))
    ]
    return {it.set_id: it for it in sorted(found, key=lambda it: it.age_key)}
