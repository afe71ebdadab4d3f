"""Find the rules that were split or merged, among those that were not paired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from .alignment import Alignment, Scales
from .items import Change, ChangeKind, Item
from .pairing import SLIM, Finder, Pairing, chance, odds

SPLIT_OFF = 0.35
"""The share of a new rule's words that must have stood in the old one, and do not stand in its head."""

ALONE = 0.4
"""The same where the old rule has no head yet, or the new one is the head of another."""

_WHOLE = 0.75
"""The share of a new rule's words in the old one that shows a part whatever the run of words."""

_FEWEST = 6
"""Words below which a text is too short to show where it came from."""

_RUN = 4
"""Words in a row that a part has in common with the whole, at the least."""


def give_heads(pairing: Pairing, scales: Scales, before: Finder, after: Finder) -> None:
    """Pair each rule that was split, and has no successor yet, with the part that opens as it did."""
    merged = {change.old for change in merges(pairing, scales, after)}
    parts = defaultdict(list)
    for old, new, share in _parts(pairing, scales, before):
        if pairing.are_free(old, new) and old.iri not in merged:
            parts[old.iri].append((old, new, share))
    for found in parts.values():
        old, head, share = max(found, key=lambda it: odds(pairing, scales, it[0], it[1]))
        if pairing.are_free(old, head) and odds(pairing, scales, old, head) >= SLIM:
            pairing.pair(old, head, round(min(share, 0.9), 2))


def splits(pairing: Pairing, scales: Scales, before: Finder) -> Iterator[Change]:
    """Yield, for each new rule that stood in an old one, that it was split off."""
    for old, new, share in _parts(pairing, scales, before):
        is_heir = new.iri not in pairing.predecessor and odds(pairing, scales, old, new) >= SLIM
        if old.iri in pairing.successor or is_heir:
            yield Change(ChangeKind.SPLIT, old.iri, new.iri, round(min(share, 1.0), 2))


def merges(pairing: Pairing, scales: Scales, after: Finder) -> Iterator[Change]:
    """Yield, for each old rule that stands in a new one which another one heads, that it was merged."""
    for item in pairing.old_left():
        if item.title:
            continue
        taken = [other for other in after.like(item, pairing) if other.iri in pairing.predecessor]
        found = [(odds(pairing, scales, item, other), other) for other in taken]
        claim, best = max(found, key=lambda it: it[0], default=(0.0, item))
        if claim > 0:
            yield Change(ChangeKind.MERGED, item.iri, best.iri, chance(claim))


def with_heirs(pairing: Pairing, scales: Scales, after: Finder, found: Iterable[Change]) -> list[Change]:
    """Return splits and merges, and for other old rules the new one that each went on as in all but its id.

    The authority file never holds two provisions for one: there the one comes of the other. Parts of an old
    rule that are less likely than its heir are none.
    """
    changes = list(found)
    merged = {change.old for change in changes if change.kind is ChangeKind.MERGED}
    parts = {(change.old, change.new): change for change in changes if change.kind is ChangeKind.SPLIT}
    of_another = {new for _, new in parts}
    for item in pairing.old_left():
        if item.title or item.iri in merged:
            continue
        own = [part for (old, _), part in parts.items() if old == item.iri]
        least = max((odds(pairing, scales, item, pairing.item(part.new)) for part in own), default=0.0)
        free = [other for other in after.like(item, pairing) if other.iri not in pairing.predecessor]
        claims = [(odds(pairing, scales, item, it), it) for it in free if it.iri not in of_another]
        claim, heir = max(claims, key=lambda it: it[0], default=(0.0, item))
        if claim > max(least, 0.0):
            changes = [change for change in changes if change not in own]
            changes.append(Change(ChangeKind.SPLIT, item.iri, heir.iri, chance(claim)))
    return changes


def _parts(pairing: Pairing, scales: Scales, before: Finder) -> Iterator[tuple[Item, Item, float]]:
    """Yield (old rule, new rule that stood in it, share of its words), the head of the old one left out."""
    for item in pairing.new:
        partner = pairing.predecessor.get(item.iri)
        if item.title or len(item.stems) < _FEWEST or pairing.stands(item.iri):
            continue
        best: tuple[float, Item] | None = None
        for other in before.like(item):
            head = pairing.successor.get(other.iri)
            if other.iri == partner or (head and pairing.stands(head)):
                continue
            found = scales.align(other, item)
            if max((length for _, _, length in found.blocks), default=0) < _RUN and found.taken < _WHOLE:
                continue
            own = _own(found, scales, other, scales.align(other, pairing.item(head)) if head else None)
            share = own / scales.total(item)
            if share >= (SPLIT_OFF if head and partner is None else ALONE) and (
                best is None or share > best[0]
            ):
                best = share, other
        if best is not None:
            yield best[1], item, best[0]


def _own(found: Alignment, scales: Scales, old: Item, head: Alignment | None) -> float:
    """Return the weight of what `found` has of the old rule's words that its head has not."""
    if head is None:
        return scales.shared(old, found.blocks)
    return scales.weight(old.stems[place] for place in found.places(0) - head.places(0))
