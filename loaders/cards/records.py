"""Records of cards and their rulings, without RDF."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple


class CardFace(NamedTuple):
    """One face of a card: its name, its type line and its words."""

    name: str
    type_line: str
    text: str


class CardRuling(NamedTuple):
    """One ruling about a card, with its day."""

    issued: date | None
    text: str


class Card(NamedTuple):
    """One card; `name` is that of all faces together, `oracle` the id by which Scryfall knows it."""

    name: str
    layout: str
    faces: tuple[CardFace, ...]
    rulings: tuple[CardRuling, ...] = ()
    oracle: str = ""


@dataclass(frozen=True, slots=True)
class CardSet:
    """One card data set: the cards of one file or several; `set_id` names it.

    `loose` are rulings of cards that the files do not have: oracle id → rulings. `left_out` counts, by
    what they are, the objects that are no cards.
    """

    set_id: str
    source: str
    issued: date
    checksum: str
    cards: tuple[Card, ...]
    loose: dict[str, tuple[CardRuling, ...]]
    left_out: dict[str, int]

    @property
    def title(self) -> str:
        """What people call the data set."""
        return f"Cards of {self.source}, {self.issued.isoformat()}"

    @property
    def rulings(self) -> int:
        """How many rulings its cards have."""
        return sum(len(card.rulings) for card in self.cards)


@dataclass(frozen=True, slots=True)
class CardSummary:
    """One file of cards that was loaded: its data set, how much is in that, and what was left out.

    `left_out` counts objects by what they are: tokens, rulings about cards that are not loaded.
    """

    source: str
    card_set: str
    issued: date
    cards: int
    rulings: int
    left_out: dict[str, int]
