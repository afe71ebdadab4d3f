"""Rules by their rare words: which of another edition are worth comparing with one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from .alignment import Scales
from .items import Item
from .pairing import Pairing

_WORDS = 16
"""The rare words of a rule by which it is looked up."""

_MOST = 80
"""Rules that share a word, above which the word leads nowhere."""


class Finder:
    """Items of one edition by their words, numbers and parents."""

    def __init__(self, items: Iterable[Item], scales: Scales) -> None:
        self._scales = scales
        self._index: dict[str, list[Item]] = defaultdict(list)
        self._by_key: dict[str, list[Item]] = defaultdict(list)
        self._by_parent: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            for token in item.distinct:
                self._index[token].append(item)
            self._by_key[item.key].append(item)
            self._by_parent[item.parent].append(item)

    @classmethod
    def of_rules(cls, items: Iterable[Item], scales: Scales) -> Finder:
        """Return the finder of those that have words of their own: a title says too little."""
        return cls([item for item in items if not item.title], scales)

    def like(self, item: Item, pairing: Pairing | None = None, count: int = 8) -> list[Item]:
        """Return the `count` items that share the most of an item's rare words, the likest first.

        With a pairing in which `item` stands before, the items of the same number, those below where its
        parent went and those about where its neighbours went come as well.
        """
        votes: dict[str, float] = defaultdict(float)
        found: dict[str, Item] = {}
        looked_up = 0
        for token in self._scales.rarest(item, 40):
            holders = self._index.get(token, ())
            if not 0 < len(holders) <= _MOST:
                continue
            weight = self._scales.weight((token,))
            for other in holders:
                votes[other.iri] += weight
                found[other.iri] = other
            looked_up += 1
            if looked_up == _WORDS:
                break
        best = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:count]
        chosen = {iri: found[iri] for iri, _ in best}
        if pairing is not None:
            near = self._by_parent.get(pairing.successor.get(item.parent, ""), ())
            for other in (*self._by_key.get(item.key, ()), *near, *pairing.around(item)):
                chosen.setdefault(other.iri, other)
        return list(chosen.values())
