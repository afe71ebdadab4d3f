"""Rules by their rare words: which of another edition are worth comparing with one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from .alignment import Scales
from .items import Item
from .pairing import Pairing

_WORDS = 16
"""The rare words of a rule by which it is looked up."""

_LIKEST = 8
"""Items that are worth comparing with one for their words."""

_MOST = 80
"""Rules that share a word, above which the word leads nowhere."""


class Finder:
    """Items of one edition by their words, numbers and parents."""

    def __init__(self, items: Iterable[Item], scales: Scales) -> None:
        self._scales = scales
        self._items: dict[str, Item] = {}
        self._index: dict[str, list[str]] = defaultdict(list)
        self._by_key: dict[str, list[Item]] = defaultdict(list)
        self._by_parent: dict[str, list[Item]] = defaultdict(list)
        self._known: dict[str, list[Item]] = {}
        for item in items:
            self._items[item.iri] = item
            for token in item.distinct:
                self._index[token].append(item.iri)
            self._by_key[item.key].append(item)
            self._by_parent[item.parent].append(item)

    @classmethod
    def of_rules(cls, items: Iterable[Item], scales: Scales) -> Finder:
        """Return the finder of those that have words of their own: a title says too little."""
        return cls([item for item in items if not item.title], scales)

    def like(self, item: Item, pairing: Pairing | None = None) -> list[Item]:
        """Return the items that share the most of an item's rare words, the likest first.

        With a pairing in which `item` stands before, the items of the same number, those below where its
        parent went and those about where its neighbours went come as well.
        """
        chosen = {other.iri: other for other in self._sharing(item)}
        if pairing is not None:
            near = self._by_parent.get(pairing.successor.get(item.parent, ""), ())
            for other in (*self._by_key.get(item.key, ()), *near, *pairing.around(item)):
                chosen.setdefault(other.iri, other)
        return list(chosen.values())

    def _sharing(self, item: Item) -> list[Item]:
        """Return the items that share some of an item's rare words, the likest first."""
        if item.iri not in self._known:
            self._known[item.iri] = self._vote(item)
        return self._known[item.iri]

    def _vote(self, item: Item) -> list[Item]:
        votes: dict[str, float] = defaultdict(float)
        looked_up = 0
        for token in self._scales.rarest(item, 40):
            holders = self._index.get(token, ())
            if not 0 < len(holders) <= _MOST:
                continue
            weight = self._scales.weight((token,))
            for iri in holders:
                votes[iri] += weight
            looked_up += 1
            if looked_up == _WORDS:
                break
        least = min(sorted(votes.values())[-_LIKEST:], default=0.0)
        likely = (vote for vote in votes.items() if vote[1] >= least)
        best = sorted(likely, key=lambda vote: (-vote[1], vote[0]))[:_LIKEST]
        return [self._items[iri] for iri, _ in best]
