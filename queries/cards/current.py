"""The card data set that questions see: the newest of a store, if it has any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...loaders.cards.sets import StoredSet, stored_sets
from ...ontology.errors import UsageError
from ..session import Cells, Session

NO_CARDS = "No cards are loaded: `rulesgraph build` reads MTGJSON's and Scryfall's files."


def card_sets(session: Session) -> tuple[StoredSet, ...]:
    """Return the card data sets of a store, newest first; they are looked up once in a session."""
    return session.once(_newest_first)


def _newest_first(session: Session) -> tuple[StoredSet, ...]:
    return tuple(stored_sets(session.store).values())[::-1]


def current_cards(session: Session) -> StoredSet | None:
    """Return the newest card data set, None if no cards are loaded."""
    return next(iter(card_sets(session)), None)


def required_cards(session: Session) -> StoredSet:
    """Return the newest card data set; raises `UsageError` if no cards are loaded."""
    data = current_cards(session)
    if data is None:
        what, _, way_out = NO_CARDS.partition(": ")
        raise UsageError(what.lower(), way_out=way_out)
    return data


def about_cards(
    session: Session, data: StoredSet, name: str, values: Mapping[str, Iterable[str | Sequence[str]]]
) -> list[Cells]:
    """Run `cards/{name}.rq` over a card data set alone."""
    return session.run("cards", name, data.graphs(session.iris), values)
