"""The pairs found so far between two lists of items, and how well the surroundings of two items agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .items import Item

LIKE = 0.98
"""The highest confidence of a pair whose words differ."""

_REACH = 3
"""How far beside an item its nearest matched neighbour may stand."""


class Surroundings(NamedTuple):
    """How well the places of two items agree, each from 0 to 1.

    `parent` tells whether the one's went on as the other's, `chapter` which share of the one's rules went
    into the other's, `before` and `after` whether a neighbour went on as a neighbour.
    """

    number: bool
    parent: bool
    chapter: float
    before: float
    after: float


@dataclass
class Pairing:
    """Pairs of items of two editions, each in the order of its text; no item has two partners."""

    old: Sequence[Item]
    new: Sequence[Item]
    successor: dict[str, str] = field(default_factory=dict)
    predecessor: dict[str, str] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._items = {item.iri: item for item in (*self.old, *self.new)}
        self._chapter = {item.iri: self._chapter_of(item) for item in self._items.values()}
        self._gone: Counter[str] = Counter()
        self._went: Counter[tuple[str, str]] = Counter()
        self.old_place = {item.iri: place for place, item in enumerate(self.old)}
        self.new_place = {item.iri: place for place, item in enumerate(self.new)}

    def _chapter_of(self, item: Item) -> str:
        """Return the IRI of the chapter that a rule is part of; a chapter's and a section's is its own."""
        while "." in item.key and item.parent in self._items:
            item = self._items[item.parent]
        return item.parent if "." in item.key else item.iri

    def _flow(self, old: Item, new: Item) -> float:
        """Return the share of the rules of one's chapter that went into the other's; of few it is less."""
        chapter = self._chapter[old.iri]
        return self._went[chapter, self._chapter[new.iri]] / (self._gone[chapter] + 1)

    def item(self, iri: str) -> Item:
        """Return an item of either edition."""
        return self._items[iri]

    def pair(self, old: Item, new: Item, confidence: float) -> None:
        """Join two items that are free."""
        self.successor[old.iri] = new.iri
        self.predecessor[new.iri] = old.iri
        self.confidence[new.iri] = confidence
        chapter = self._chapter[old.iri]
        self._gone[chapter] += 1
        self._went[chapter, self._chapter[new.iri]] += 1

    def are_free(self, old: Item, new: Item) -> bool:
        """Tell whether neither has a partner, and the authority file knows them for no two provisions."""
        apart = old.is_settled and new.is_settled and old.provision != new.provision
        return not apart and old.iri not in self.successor and new.iri not in self.predecessor

    def stands(self, iri: str) -> bool:
        """Tell whether an item after has the words of its partner, numbers in them aside."""
        before = self.predecessor.get(iri)
        return before is not None and self._items[before].masked == self._items[iri].masked

    def old_left(self) -> list[Item]:
        """Return the items before that have no partner."""
        return [item for item in self.old if item.iri not in self.successor]

    def new_left(self) -> list[Item]:
        """Return the items after that have no partner."""
        return [item for item in self.new if item.iri not in self.predecessor]

    def context(self, old: Item, new: Item) -> float:
        """Return how well the surroundings of two items agree, from 0 to 1."""
        place = self.place(old, new)
        return 0.2 * place.number + 0.4 * place.parent + 0.2 * (place.before + place.after)

    def place(self, old: Item, new: Item) -> Surroundings:
        """Return how well the places of two items agree."""
        there = self.new_place[new.iri]
        beside = []
        for step in (-1, 1):
            neighbour, distance = self._neighbour(old, step)
            gap = (there - neighbour) * -step if neighbour is not None else 0
            beside.append((1.0 if gap == distance == 1 else 0.5) if 0 < gap <= _REACH else 0.0)
        return Surroundings(
            old.key == new.key,
            bool(old.parent) and self.successor.get(old.parent) == new.parent,
            self._flow(old, new),
            *beside,
        )

    def around(self, old: Item) -> Iterator[Item]:
        """Yield the free items after that stand where an item's neighbours went."""
        for step in (-1, 1):
            place, _ = self._neighbour(old, step)
            if place is not None:
                for near in range(1, _REACH + 1):
                    there = place - step * near
                    if 0 <= there < len(self.new) and self.new[there].iri not in self.predecessor:
                        yield self.new[there]

    def _neighbour(self, old: Item, step: int) -> tuple[int | None, int]:
        """Return where the nearest matched neighbour on one side went, and how far from `old` it stood."""
        here = self.old_place[old.iri]
        for distance in range(1, _REACH + 1):
            there = here + step * distance
            if 0 <= there < len(self.old):
                after = self.successor.get(self.old[there].iri)
                if after is not None:
                    return self.new_place[after], distance
        return None, 0
