"""What speaks for a rule of one edition being a rule of the next becomes odds.

Eleven pieces of evidence, each from 0 to 1, are weighed and added up (logistic regression). The odds are
those that a judge would follow the one to the other. The weights were fitted to the rows of `tests/gold`
that may be looked at and stay much the same whichever of them are left out, see DECISIONS.md.
"""

from __future__ import annotations

from math import exp

from .alignment import Scales
from .items import Item
from .pairing import Pairing

SLIM = -1.5
"""The odds below which not even a part of a rule leads on: about one in five."""

_BEFORE = -6.7
"""The odds of any two rules of which nothing is known."""

_KEPT = 3.8
"""The share of the old words that the new rule has, wherever they stand, rare ones counting most."""

_TAKEN = 3.2
"""The share of the new words that the old rule has."""

_OPENING = 3.1
"""The share of the old rule's opening that the new one has in the same order."""

_BEGUN = 1.8
"""The share of the old rule's first words that stand among the first of the new one."""

_PARENT = 1.0
"""The rule that the old one is part of went on as the one that the new one is part of."""

_CHAPTER = 1.1
"""The share of the old chapter's rules that went into the chapter of the new one."""

_BESIDE = 0.85
"""A neighbour of the old one went on as a neighbour of the new one; of each of the two."""

_NUMBER = 0.6
"""The same number, if no other rule heads the new one: else it is that one's."""

_OWN = 1.6
"""The share of the old words that the new rule has where it has none of the one that heads it."""

_RIVAL = -2.8
"""The likeness of the new rule to the one that heads it, which explains what it says."""

_STANDS = -2.2
"""The rule that heads it stands there word for word: nothing was put into it."""


def odds(pairing: Pairing, scales: Scales, old: Item, new: Item) -> float:
    """Return the logarithm of the odds that an old rule goes on as a new one, or went into it.

    More than 0 is more likely than not. Where the opening could not change that any more, it is not
    looked at: laying texts beside each other is what takes time.
    """
    if not old.distinct or not new.distinct:
        return _BEFORE
    common = scales.weight(old.distinct & new.distinct)
    place = pairing.place(old, new)
    found = (
        _BEFORE
        + _KEPT * common / scales.breadth(old)
        + _TAKEN * common / scales.breadth(new)
        + _BEGUN * scales.begun(old, new)
        + _PARENT * place.parent
        + _CHAPTER * place.chapter
        + _BESIDE * (place.before + place.after)
    )
    if found + _OPENING < SLIM:
        return found
    aligned = scales.align(old, new)
    found += _OPENING * aligned.opening
    host = pairing.predecessor.get(new.iri)
    if host is None or host == old.iri:
        return found + _NUMBER * place.number
    of_host = scales.align(pairing.item(host), new)
    own = scales.weight(new.stems[at] for at in aligned.places(1) - of_host.places(1)) / scales.total(old)
    return found + _OWN * own + _RIVAL * of_host.alike + _STANDS * pairing.stands(new.iri)


def chance(odds: float) -> float:
    """Return the probability that odds stand for, to the hundredth.

    >>> chance(0.0), chance(2.0)
    (0.5, 0.88)
    """
    return round(1 / (1 + exp(-odds)), 2)
