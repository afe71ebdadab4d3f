"""What is left over of two editions: the parts that rules were split into, and the rules that were merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .alignment import Alignment, Scales
from .finding import Finder
from .items import Change, ChangeKind, Item
from .pairing import Pairing

SPLIT_OFF = 0.3
"""The share of a new rule's words that must have stood in the old one, and do not stand in its head."""

ALONE = 0.4
"""The same where the old rule has no head yet, or the new one is the head of another."""

MERGED = 0.2
"""The share of an old rule's words that a new one has of it, and not of the rule that heads it as well."""

_WHOLE = 0.75
"""The share of an old rule's words in a new one that shows a merge whatever else is in there."""

_HALF = 0.5
"""The same where the new rule stands where it stood and is nearly as much like it as like its head."""

_BESIDE = 0.4
_AS_MUCH = 0.8

_FEWEST = 6
"""Words below which a text is too short to show where it came from."""

_RUN = 4
"""Words in a row that a part has in common with the whole, at the least."""


def give_heads(pairing: Pairing, scales: Scales, before: Finder, after: Finder) -> None:
    """Let a rule that was taken apart, and went on as no part yet, go on as the one that opens as it did."""
    merged = {change.old for change in merges(pairing, scales, after)}
    parts = defaultdict(list)
    for old, new, share in _parts(pairing, scales, before):
        if pairing.are_free(old, new) and old.iri not in merged:
            parts[old.iri].append((old, new, share))
    for found in parts.values():
        old, head, share = max(found, key=lambda it: _claim(scales.align(it[0], it[1])))
        if pairing.are_free(old, head):
            pairing.pair(old, head, round(min(share, 0.9), 2))


def _claim(found: Alignment) -> float:
    """Return how much speaks for a part as the head, in tenths: of equal ones the first is taken."""
    return round(found.kept + found.opening, 1)


def splits(pairing: Pairing, scales: Scales, before: Finder) -> Iterator[Change]:
    """Yield, for each new rule that stood in an old one, that it was split off."""
    for old, new, share in _parts(pairing, scales, before):
        if old.iri in pairing.successor or new.iri not in pairing.predecessor:
            yield Change(ChangeKind.SPLIT, old.iri, new.iri, round(min(share, 1.0), 2))


def merges(pairing: Pairing, scales: Scales, after: Finder) -> Iterator[Change]:
    """Yield, for each old rule that stands in a new one which another one heads, that it was merged."""
    for item in pairing.old_left():
        if item.title:
            continue
        found = [(merge_claim(pairing, scales, item, other), other) for other in after.like(item, pairing)]
        claim, best = max(found, key=lambda it: it[0], default=(0.0, item))
        if claim:
            yield Change(ChangeKind.MERGED, item.iri, best.iri, round(min(claim, 1.0), 2))


def merge_claim(pairing: Pairing, scales: Scales, old: Item, new: Item) -> float:
    """Return how much speaks for an old rule having gone into a new one that another rule heads, from 0 to 1.

    Rules say many things in the same words: only what the new rule has of this one and not of the one
    that heads it shows that it took this one in, unless nearly all of this one stands in it.
    """
    host = pairing.predecessor.get(new.iri)
    if host is None or host == old.iri or pairing.stands(new.iri):
        return 0.0
    found = scales.align(old, new)
    of_host = _places(scales.align(pairing.item(host), new), 1)
    own = scales.weight(new.tokens[place] for place in _places(found, 1) - of_host) / scales.total(old)
    near = pairing.context(old, new)
    beside = near >= _BESIDE and found.kept >= _HALF
    equal = beside and found.alike >= _AS_MUCH * scales.align(pairing.item(host), new).alike
    if own < MERGED and found.kept < _WHOLE and not equal:
        return 0.0
    return min(1.0, 0.5 * own + 0.5 * found.kept + 0.2 * near)


def _parts(pairing: Pairing, scales: Scales, before: Finder) -> Iterator[tuple[Item, Item, float]]:
    """Yield (old rule, new rule that stood in it, share of its words), the head of the old one left out."""
    for item in pairing.new:
        partner = pairing.predecessor.get(item.iri)
        if item.title or len(item.tokens) < _FEWEST or pairing.stands(item.iri):
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
    return scales.weight(old.tokens[place] for place in _places(found, 0) - _places(head, 0))


def _places(found: Alignment, side: int) -> set[int]:
    """Return where the words in common stand before (`side` 0) or after (1), lone ones left out."""
    return {
        place
        for block in found.blocks
        if block[2] > 1
        for place in range(block[side], block[side] + block[2])
    }
