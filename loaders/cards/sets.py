"""Find which card data sets a store holds."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from ...ontology.iris import Iris
from ...ontology.resources import QueryFiles
from ..store.protocol import Queryable
from ..store.statements import text_rows

_QUERIES = QueryFiles.beside(__name__)


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
        """Sorts data sets from oldest to newest."""
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
