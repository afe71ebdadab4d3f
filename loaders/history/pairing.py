"""Pair the items of two editions, by the odds that one continues the other.

Eleven pieces of evidence, each from 0 to 1, are weighted and added (logistic regression). The sum is the odds
that a judge would say that one rule continues the other. The weights were fitted to the rows of `tests/gold`
that are not held out. Leaving out any part of those rows changes the weights little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import exp

from ...ontology import grouped
from .items import Item, Scales

LIKE = 0.98
"""The highest confidence of a pair whose words differ."""

_FARTHEST_NEIGHBOUR = 3
"""The maximum distance at which an item's nearest matched neighbour counts."""


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
        """Return the IRI of a rule's chapter; for a chapter or a section, its own."""
        while "." in item.key and item.parent in self._items:
            item = self._items[item.parent]
        return item.parent if "." in item.key else item.iri

    def _flow(self, old: Item, new: Item) -> float:
        """Return the share of one chapter's rules that went into the other, reduced if they are few."""
        chapter = self._chapter[old.iri]
        return self._went[chapter, self._chapter[new.iri]] / (self._gone[chapter] + 1)

    def item(self, iri: str) -> Item:
        """Return an item of either edition."""
        return self._items[iri]

    def pair(self, old: Item, new: Item, confidence: float) -> None:
        """Pair two items that are free."""
        self.successor[old.iri] = new.iri
        self.predecessor[new.iri] = old.iri
        self.confidence[new.iri] = confidence
        chapter = self._chapter[old.iri]
        self._gone[chapter] += 1
        self._went[chapter, self._chapter[new.iri]] += 1

    def are_free(self, old: Item, new: Item) -> bool:
        """Return whether both are free, and not two different provisions in the authority file."""
        apart = self.are_settled(old.iri, new.iri) and old.provision != new.provision
        return not apart and old.iri not in self.successor and new.iri not in self.predecessor

    def are_settled(self, *items: str) -> bool:
        """Return whether all of some items have permanent ids."""
        return all(self._items[it].is_settled for it in items)

    def stands(self, iri: str) -> bool:
        """Return whether a later item has the words of its partner, ignoring numbers in them."""
        before = self.predecessor.get(iri)
        return before is not None and self._items[before].masked == self._items[iri].masked

    def old_left(self) -> list[Item]:
        """Return the earlier items that have no partner."""
        return [item for item in self.old if item.iri not in self.successor]

    def new_left(self) -> list[Item]:
        """Return the later items that have no partner."""
        return [item for item in self.new if item.iri not in self.predecessor]

    def context(self, old: Item, new: Item) -> float:
        """Return how well the surroundings of two items agree, from 0 to 1."""
        number, parent, _, before, after = self.places(old, new)
        return 0.2 * number + 0.4 * parent + 0.2 * (before + after)

    def places(self, old: Item, new: Item) -> tuple[bool, bool, float, float, float]:
        """Return how well the places of two items agree, in five respects, each from 0 to 1.

        These are: the same number; the parent of one continued as that of the other; the share of one
        chapter's rules that went into the other chapter; and whether the neighbours before and after
        continued as neighbours.
        """
        there = self.new_place[new.iri]
        beside: list[float] = []
        for step in (-1, 1):
            neighbour, distance = self._neighbour(old, step)
            gap = (there - neighbour) * -step if neighbour is not None else 0
            beside.append((1.0 if gap == distance == 1 else 0.5) if 0 < gap <= _FARTHEST_NEIGHBOUR else 0.0)
        is_below = bool(old.parent) and self.successor.get(old.parent) == new.parent
        return old.key == new.key, is_below, self._flow(old, new), beside[0], beside[1]

    def around(self, old: Item) -> Iterator[Item]:
        """Yield the free later items near the places where an item's neighbours went."""
        for step in (-1, 1):
            place, _ = self._neighbour(old, step)
            if place is not None:
                for near in range(1, _FARTHEST_NEIGHBOUR + 1):
                    there = place - step * near
                    if 0 <= there < len(self.new) and self.new[there].iri not in self.predecessor:
                        yield self.new[there]

    def _neighbour(self, old: Item, step: int) -> tuple[int | None, int]:
        """Return where the nearest matched neighbour on one side went, and its distance from `old`."""
        here = self.old_place[old.iri]
        for distance in range(1, _FARTHEST_NEIGHBOUR + 1):
            there = here + step * distance
            if 0 <= there < len(self.old):
                after = self.successor.get(self.old[there].iri)
                if after is not None:
                    return self.new_place[after], distance
        return None, 0


SLIM = -1.5
"""The odds below which not even a part of a rule continues: about one in five."""

_BEFORE = -6.7
"""The odds of any two rules without evidence."""

_KEPT = 3.8
"""The share of the old words that are anywhere in the new rule, rare ones counting most."""

_TAKEN = 3.2
"""The share of the new words that the old rule has."""

_OPENING = 3.1
"""The share of the old rule's opening that the new one has in the same order."""

_BEGUN = 1.8
"""The share of the old rule's first words that are among the first of the new one."""

_PARENT = 1.0
"""The rule that contains the old one continued as the one that contains the new one."""

_CHAPTER = 1.1
"""The share of the old chapter's rules that went into the new rule's chapter."""

_BESIDE = 0.85
"""A neighbour of the old one continued as a neighbour of the new one; for each of the two."""

_NUMBER = 0.6
"""The same number, unless another rule is the head of the new one, to which it then belongs."""

_OWN = 1.6
"""The share of the old words that the new rule has and its head lacks."""

_RIVAL = -2.8
"""The likeness of the new rule to its head, which explains its words."""

_STANDS = -2.2
"""Its head has the same words in both editions: nothing was added to it."""


def odds(pairing: Pairing, scales: Scales, old: Item, new: Item) -> float:
    """Return the logarithm of the odds that an old rule continues as a new one, or as a part of it.

    More than 0 is more likely than not. The opening is skipped if it could not change that, since aligning
    texts takes most of the time.
    """
    if not old.distinct or not new.distinct:
        return _BEFORE
    common = scales.weight(old.distinct & new.distinct)
    number, parent, chapter, beside_before, beside_after = pairing.places(old, new)
    found = (
        _BEFORE
        + _KEPT * common / scales.breadth[old.iri]
        + _TAKEN * common / scales.breadth[new.iri]
        + _BEGUN * scales.begun(old, new)
        + _PARENT * parent
        + _CHAPTER * chapter
        + _BESIDE * (beside_before + beside_after)
    )
    if found + _OPENING < SLIM:
        return found
    aligned = scales.align(old, new)
    found += _OPENING * aligned.opening
    host = pairing.predecessor.get(new.iri)
    if host is None or host == old.iri:
        return found + _NUMBER * number
    of_host = scales.align(pairing.item(host), new)
    own = scales.weight(new.stems[at] for at in aligned.places(1) - of_host.places(1)) / scales.total[old.iri]
    return found + _OWN * own + _RIVAL * of_host.alike + _STANDS * pairing.stands(new.iri)


def chance(odds: float) -> float:
    """Return the probability of log odds, to the hundredth.

    >>> chance(0.0), chance(2.0)
    (0.5, 0.88)
    """
    return round(1 / (1 + exp(-odds)), 2)


_WORDS = 16
"""The number of rare words by which a rule is looked up."""

_LIKEST = 8
"""The number of items worth comparing with an item because of their words."""

_MOST = 80
"""A word that more rules have is not looked up."""


class Finder:
    """Items of one edition by their words, numbers and parents."""

    def __init__(self, items: Iterable[Item], scales: Scales) -> None:
        self._scales = scales
        self._items = {item.iri: item for item in items}
        own = self._items.values()
        self._index = grouped((token, item.iri) for item in own for token in item.distinct)
        self._by_key = grouped((item.key, item) for item in own)
        self._by_parent = grouped((item.parent, item) for item in own)
        self._known: dict[str, list[Item]] = {}

    def like(self, item: Item, pairing: Pairing | None = None) -> list[Item]:
        """Return the items that share the most of an item's rare words, the most similar first.

        With a pairing in which `item` is an earlier one, also return the items with the same number, those
        below the place where its parent went and those near where its neighbours went.
        """
        if item.iri not in self._known:
            self._known[item.iri] = self._sharing(item)
        chosen = {other.iri: other for other in self._known[item.iri]}
        if pairing is not None:
            near = self._by_parent.get(pairing.successor.get(item.parent, ""), ())
            for other in (*self._by_key.get(item.key, ()), *near, *pairing.around(item)):
                chosen.setdefault(other.iri, other)
        return list(chosen.values())

    def _sharing(self, item: Item) -> list[Item]:
        """Return the items that share some of an item's rare words, the most similar first."""
        votes = self._scales.votes(self._scales.rarest(item.distinct)[:40], self._index, _MOST, _WORDS)
        best = nsmallest(_LIKEST, votes, key=lambda iri: (-votes[iri], iri))
        return [self._items[iri] for iri in best]
