"""Records of cards and their rulings, without RDF."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple


class CardFace(NamedTuple):
    """One face of a card: its name, its type line, its words and its mana cost, ``""`` without one."""

    name: str
    type_line: str
    text: str
    cost: str = ""


class CardRuling(NamedTuple):
    """One ruling about a card, with its day."""

    issued: date | None
    text: str


class Card(NamedTuple):
    """One card; `name` is that of all faces together, `oracle` is Scryfall's id for it."""

    name: str
    layout: str
    faces: tuple[CardFace, ...]
    rulings: tuple[CardRuling, ...] = ()
    oracle: str = ""


@dataclass(frozen=True, slots=True)
class CardSet:
    """One card data set: the cards of one file or several; `set_id` names it.

    `loose` are rulings about cards that the files do not have: oracle id → rulings. `left_out` counts the
    objects that are no cards, by kind. `file` is the name of the file that it was read from.
    """

    set_id: str
    source: str
    issued: date
    checksum: str
    cards: tuple[Card, ...]
    loose: dict[str, tuple[CardRuling, ...]] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    file: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The usual name of the data set."""
        return f"Cards of {self.source}, {self.issued.isoformat()}"

    @property
    def rulings(self) -> int:
        """The number of rulings about its cards."""
        return sum(len(card.rulings) for card in self.cards)


@dataclass(frozen=True, slots=True)
class CardSummary:
    """One loaded file of cards: its data set, the size of that set, and what was left out.

    `left_out` counts objects by kind: tokens, rulings about cards that are not loaded.
    """

    source: str
    card_set: str
    issued: date
    cards: int
    rulings: int
    left_out: dict[str, int]
