"""The card data set that questions see: the newest of a store, if it has any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...ontology.errors import UsageError
from ..session import Cells, Session

NO_CARDS = "No cards are loaded: `rulesgraph build` reads MTGJSON's and Scryfall's files."


class CardData(NamedTuple):
    """One card data set: its id, title, day and counts, and its graphs: what it says, and its links."""

    set_id: str
    title: str
    issued: date
    cards: int
    rulings: int
    graphs: tuple[str, str]


_LOADED: WeakKeyDictionary[Session, tuple[CardData, ...]] = WeakKeyDictionary()


def card_sets(session: Session) -> tuple[CardData, ...]:
    """Return the card data sets of a store, the newest first; they are looked for once in a session."""
    if session not in _LOADED:
        rows = session.run("cards", "sets")
        iris = session.iris
        _LOADED[session] = tuple(
            CardData(
                str(name),
                str(title),
                issued,
                int(str(cards)),
                int(str(rulings)),
                (iris.cards(str(name)), iris.card_links(str(name))),
            )
            for _, name, title, issued, cards, rulings in rows
            if isinstance(issued, date)
        )
    return _LOADED[session]


def current_cards(session: Session) -> CardData | None:
    """Return the newest card data set, None where no cards are loaded."""
    return next(iter(card_sets(session)), None)


def required_cards(session: Session) -> CardData:
    """Return the newest card data set; raises `UsageError` where no cards are loaded."""
    data = current_cards(session)
    if data is None:
        what, _, way_out = NO_CARDS.partition(": ")
        raise UsageError(what.lower(), way_out=way_out)
    return data


def about_cards(
    session: Session, data: CardData, name: str, values: Mapping[str, Iterable[str | Sequence[str]]]
) -> list[Cells]:
    """Run `cards/{name}.rq` over a card data set alone."""
    return session.run("cards", name, data.graphs, values)
