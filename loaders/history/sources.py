"""For each new sentence in a rule, find the sentence of the earlier edition that it was made from.

Continuing rules are paired first. What both rules of a pair have is accounted for; any other sentence of the
later one may come from a rule that lost it. It has at most one source, but a source may have several heirs.
Rules that are unchanged word for word neither lose nor gain anything.

These sentences show splits and merges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log
from operator import mul
from typing import NamedTuple

from ...ontology import grouped
from ..language.words import sentences
from .items import Change, ChangeKind, Item, Scales, common_blocks
from .pairing import SLIM, Finder, Pairing, chance, odds

_FEWEST = 4
"""A stretch of fewer words is too short to show its origin."""

_LACKED = 0.5
"""A sentence counts as lost, or new, if its rule's partner lacks this share of it."""

_RARE = 8
"""The number of rare words by which a sentence is looked up."""

_MOST = 60
"""A word that more sentences have is not looked up."""

_LIKEST = 6
"""The number of sentences worth aligning with another."""


class Loss(NamedTuple):
    """Evidence that an earlier rule lost something to a later one.

    - `taken`, `lost`: the share of the later rule that came this way, and of the earlier that left;
    - `whole`: the largest share of a new sentence that came from one lost sentence;
    - `weight`: the logarithm of the words' weight: a few common words may match by chance;
    - `is_new`: no rule continues as the later one: it is more likely to be entirely new;
    - `chapter`: the share of the old chapter's rules that went into the new rule's chapter;
    - `beside`: a neighbour of the old rule continued as a neighbour of the new one; 1 for each of the two.
    """

    taken: float
    lost: float
    whole: float
    weight: float
    is_new: float
    chapter: float
    beside: float


BEFORE = -6.92
"""The odds for two rules that share only a rare word in one pair of sentences."""

WEIGHTS = Loss(taken=4.44, lost=2.84, whole=3.33, weight=0.38, is_new=-1.27, chapter=1.64, beside=1.08)
"""What each piece of evidence adds to the odds if it is 1; `tests/fit_history.py` fits them."""


class Flow(NamedTuple):
    """What the earlier rule `old` lost to the later rule `new`."""

    old: Item
    new: Item
    loss: Loss

    @property
    def odds(self) -> float:
        """The logarithm of the odds that it did."""
        return fsum((BEFORE, *map(mul, WEIGHTS, self.loss)))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a rule: its words, and those that the rule's partner lacks, by `own`, their places."""

    rule: Item
    words: Sequence[str]
    own: frozenset[int]
    own_words: frozenset[str]


def flows(pairing: Pairing, scales: Scales) -> list[Flow]:
    """Return what rules lost to rules that are not their successors, the surest first."""
    lost = [it for rule in pairing.old for it in _lacked(rule, pairing, scales, 0)]
    holders = grouped((word, place) for place, it in enumerate(lost) for word in it.own_words)
    # (earlier rule, later rule) → weight that moved, and the largest share of a sentence
    found: dict[tuple[str, str], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for rule in pairing.new:
        for sentence in _lacked(rule, pairing, scales, 1):
            best = max(_sources(sentence, lost, holders, scales), default=None)
            if best is not None:
                _, common, place = best
                pair = lost[place].rule.iri, rule.iri
                weight, share = found[pair]
                of_sentence = common / scales.at(sentence.words, sentence.own)
                found[pair] = weight + common, max(share, of_sentence)
    return sorted(
        (_flow(pairing, scales, *pair, *told) for pair, told in found.items()),
        key=lambda it: (-it.odds, pairing.old_place[it.old.iri], pairing.new_place[it.new.iri]),
    )


def _flow(pairing: Pairing, scales: Scales, old: str, new: str, weight: float, share: float) -> Flow:
    before, after = pairing.item(old), pairing.item(new)
    _, _, chapter, beside_before, beside_after = pairing.places(before, after)
    loss = Loss(
        taken=weight / scales.total[after.iri],
        lost=weight / scales.total[before.iri],
        whole=share,
        weight=log(1 + weight),
        is_new=new not in pairing.predecessor,
        chapter=chapter,
        beside=beside_before + beside_after,
    )
    return Flow(before, after, loss)


def _sources(
    sentence: _Sentence, lost: Sequence[_Sentence], holders: Mapping[str, Sequence[int]], scales: Scales
) -> Iterator[tuple[float, float, int]]:
    """Yield (likeness, weight in common, place) of the lost sentences that are most like a new one."""
    votes = scales.votes(scales.rarest(sentence.own_words), holders, _MOST, _RARE)
    mine = scales.at(sentence.words, sentence.own)
    for place in sorted(votes, key=lambda place: (-votes[place], place))[:_LIKEST]:
        source = lost[place]
        if not scales.are_of_one(sentence.own_words, source.own_words):
            continue
        shared = [
            (i, j)
            for run in _runs(source.words, sentence.words)
            for i, j in run
            if i in source.own and j in sentence.own
        ]
        if shared:
            common = scales.at(source.words, [i for i, _ in shared])
            yield 2 * common / (scales.at(source.words, source.own) + mine), common, place


def _lacked(rule: Item, pairing: Pairing, scales: Scales, side: int) -> Iterator[_Sentence]:
    """Yield the sentences of a rule that its partner lacks; `side` 0 is the earlier edition, 1 the later."""
    partner = (pairing.successor, pairing.predecessor)[side].get(rule.iri)
    if rule.title:
        return
    said = sentences_of(rule)
    there: list[set[int]] = [set() for _ in said]
    if partner is not None:
        other = pairing.item(partner)
        if other.masked == rule.masked:
            return
        there = _kept(said, sentences_of(other), scales)
    for words, kept in zip(said, there, strict=True):
        own = frozenset(range(len(words))) - kept
        if len(own) >= _FEWEST and scales.at(words, own) >= _LACKED * scales.at(words, range(len(words))):
            yield _Sentence(rule, words, own, frozenset(words[at] for at in own))


def sentences_of(rule: Item) -> list[Sequence[str]]:
    """Return the sentences of a rule, each as its words without their endings."""
    return [Item("", "", rule.text[start:end]).stems for start, end in sentences(rule.text)]


def _kept(some: Sequence[Sequence[str]], others: Sequence[Sequence[str]], scales: Scales) -> list[set[int]]:
    """Return the places of the words that some sentences share with others, in any order, each word once."""
    found = []
    for i, one in enumerate(some):
        for j, other in enumerate(others):
            shared = [pair for run in _runs(one, other) if len(run) > 1 for pair in run]
            if shared:
                found.append((-scales.at(one, [at for at, _ in shared]), i, j, shared))
    kept: list[set[int]] = [set() for _ in some]
    taken: list[set[int]] = [set() for _ in others]
    for _, i, j, shared in sorted(found):
        for at, to in shared:
            if at not in kept[i] and to not in taken[j]:
                kept[i].add(at)
                taken[j].add(to)
    return kept


def _runs(one: Sequence[str], other: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Return the runs of words that two sentences share in order, as (place in one, place in the other)."""
    return [[(i + at, j + at) for at in range(length)] for i, j, length in common_blocks(one, other)]


# -- splits and merges ----------------------------------------------------------------------------------


def give_heads(pairing: Pairing, scales: Scales, found: Sequence[Flow]) -> None:
    """Pair each split rule that has no successor with the free part that begins like it."""
    free = (it for it in found if it.odds > 0 and pairing.are_free(it.old, it.new))
    parts = grouped((it.old.iri, it) for it in free)
    for heirs in parts.values():
        likest = sorted(heirs, key=lambda it: -odds(pairing, scales, it.old, it.new))
        head = next((it for it in likest if pairing.are_free(it.old, it.new)), None)
        if head is not None:
            sure = max(head.odds, odds(pairing, scales, head.old, head.new))
            pairing.pair(head.old, head.new, chance(sure))


def parted(pairing: Pairing, scales: Scales, finder: Finder, found: Sequence[Flow]) -> Iterator[Change]:
    """Yield what rules were split into besides their heads, and what removed rules were merged into.

    Two provisions of the authority file are never one rule: one comes from the other.
    """
    parts = {(it.old.iri, it.new.iri): it.odds for it in found if it.odds > 0}
    for item in pairing.old_left():
        if item.title:
            continue
        claims = [
            (odds(pairing, scales, item, other), other)
            for other in finder.like(item, pairing)
            if scales.are_of_one(item.distinct, other.distinct)
        ]
        claim, heir = max(claims, key=lambda it: it[0], default=(SLIM, item))
        if claim > 0:
            pair = item.iri, heir.iri
            parts[pair] = max(claim, parts.get(pair, claim))
    gone_into: dict[str, str] = {}
    for (old, new), sure in sorted(parts.items(), key=lambda it: -it[1]):
        if pairing.successor.get(old) == new:
            continue
        # A removed rule was merged into the rule that has most of it now, which continues another one.
        is_head = old not in pairing.successor and gone_into.setdefault(old, new) == new
        kind = ChangeKind.MERGED if is_head and new in pairing.predecessor else ChangeKind.SPLIT
        yield Change(kind, old, new, chance(sure))
