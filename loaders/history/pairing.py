"""The pairs found so far between two lists of items, and how well the surroundings of two items agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .items import Item

LIKE = 0.98
"""The highest confidence of a pair whose words differ."""

_REACH = 3
"""How far beside an item its nearest matched neighbour may stand."""


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
        self.old_place = {item.iri: place for place, item in enumerate(self.old)}
        self.new_place = {item.iri: place for place, item in enumerate(self.new)}

    def item(self, iri: str) -> Item:
        """Return an item of either edition."""
        return self._items[iri]

    def pair(self, old: Item, new: Item, confidence: float) -> None:
        """Join two items that are free."""
        self.successor[old.iri] = new.iri
        self.predecessor[new.iri] = old.iri
        self.confidence[new.iri] = confidence

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
        score = 0.2 if old.key == new.key else 0.0
        if old.parent and self.successor.get(old.parent) == new.parent:
            score += 0.4
        there = self.new_place[new.iri]
        for step in (-1, 1):
            neighbour, distance = self._neighbour(old, step)
            if neighbour is not None:
                gap = (there - neighbour) * -step
                if 0 < gap <= _REACH:
                    score += 0.2 if gap == distance == 1 else 0.1
        return score

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
