"""Compare two editions: find what each rule and entry of the later one was in the earlier one.

Rules that are one in the authority file are paired first. A number does not identify a rule, so the others
are matched by their words and by their surroundings:

1. the same words (white space, quotes, dashes and trade marks folded), the same number first;
2. the same words except for the rule numbers in them: the references moved with the rules;
3. similar words, by the odds that they are one rule (`odds`): rare words count most, the opening shows as
which part a split rule continues, then come the surroundings; the surest pairs first;
4. chapters and headings by their title and by what happened to their rules;
5. the same number, neighbours and subject, whatever else the rule says now.

The rest was part of another rule, or became part of one: a split names all its parts, a merge all its
sources. Entries are followed only by their names, whatever they say.

Each match has a confidence; what is less likely than not is not a match.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...ontology import grouped
from ..language.words import wording
from .entries import changes_of_entries
from .items import Change, ChangeKind, Item, Scales, kind_of
from .pairing import LIKE, SLIM, Finder, Pairing, chance, odds
from .sources import Flow, flows, give_heads, parted

LEAST = 0.4
"""The score below which titles do not match, and the confidence of a match by place alone."""

_LEAD = 0.5
"""If a rule's own head leads by more than this, the rule does not count as merged into another."""

_IN_PLACE = 0.9
"""The agreement of the surroundings that shows that a rule is in its old place."""

_KEPT = 0.3
"""The share of its words that shows that a rule in its old place is the same one."""

_SUBJECT = 0.5
"""A first word is the rule's subject if it weighs this much relative to the rule's rarest word."""

# The next figures were measured on the 22 pairs of neighbours among 23 editions, from 1999 to 2026,
# without the authority file: 43,383 links in all.

_BESIDE = 0.4
"""The agreement of the surroundings that decides at once between several rules with the same words.

At 0 and at 0.6 the same rules are paired; 11 and 2 of them get another confidence.
"""

_SAME_WORDS, _SAME_PLACE = 0.8, 0.2
"""The confidence that the words, and the surroundings, give to one of several rules with the same words.

They decide no pair: with 1 and 0 the same rules are paired, 35 of them with a different confidence.
"""

_COMMON = 2
"""The number of rules that must continue in another chapter for it to be the same under another title.

One rule is too few: at 1 the chapter 312 of May 2009 would be the new 512.
"""

_TITLE = 0.1
"""The minimum likeness of two titles under one number, if the rules moved from one to the other.

At 0, 502.14 of October 2003 would continue as another step of that number.
"""

_BY_RULES, _BY_TITLE, _BY_WORDS, _BY_PLACE = 0.5, 0.6, 0.2, 0.2
"""The weights of the evidence for two chapters: where rules went, equal titles or words, surroundings.

An equal title is enough by itself, and so are rules that all moved from one to the other; the rest decides
between several. Without the surroundings two continuing chapters of 2003 and 2009 are lost (205, 409).
"""

_ROUNDS = (2.0, 1.0, 0.0, 0.0)
"""The minimum odds of each round: sure pairs become the surroundings of the rest."""


Partings = Mapping[tuple[str, str], ChangeKind]
"""(Rule before, rule after) → how one became part of the other, from the authority file."""


def changes_between(old: Sequence[Item], new: Sequence[Item], known: Partings | None = None) -> list[Change]:
    """Return what happened to every item: one change for each new item, and one for each that is gone.

    Splits and merges are listed in addition to the change of the item that continues: a split rule continues
    as its head, and a rule that others were merged into continues as before. `known` are all that happened to
    rules with permanent ids, if the authority file covers both editions.
    """
    rules = _rules([i for i in old if not i.is_entry], [i for i in new if not i.is_entry], known)
    entries = changes_of_entries([i for i in old if i.is_entry], [i for i in new if i.is_entry])
    return [*rules, *entries]


def _rules(old: Sequence[Item], new: Sequence[Item], known: Partings | None) -> list[Change]:
    pairing, scales, finder = paired(old, new)
    lost = flows(pairing, scales)
    give_heads(pairing, scales, lost)
    changes = list(_whole(pairing))
    found = [it for it in parted(pairing, scales, finder, lost) if not _is_idle(pairing, it)]
    if known is not None:
        found = [it for it in found if not pairing.are_settled(it.old, it.new)]
        found += _known_changes(pairing, scales, known, lost)
    origins = {change.new for change in found}
    gone_on = {change.old for change in found}
    changes += found
    changes += [Change(ChangeKind.ADDED, "", i.iri) for i in pairing.new_left() if i.iri not in origins]
    changes += [Change(ChangeKind.REMOVED, i.iri, "") for i in pairing.old_left() if i.iri not in gone_on]
    return changes


def _is_idle(pairing: Pairing, change: Change) -> bool:
    """Return whether a merged rule goes on, and the other one has the same words as before."""
    former = pairing.predecessor.get(change.new)
    if change.kind is not ChangeKind.MERGED or change.old not in pairing.successor or former is None:
        return False
    return pairing.item(former).folded == pairing.item(change.new).folded


def _known_changes(
    pairing: Pairing, scales: Scales, known: Partings, lost: Sequence[Flow]
) -> Iterator[Change]:
    """Yield the known splits and merges, with the confidence that their words give."""
    carried = {(it.old.iri, it.new.iri): it.odds for it in lost}
    for (old, new), kind in known.items():
        score = max(
            odds(pairing, scales, pairing.item(old), pairing.item(new)), carried.get((old, new), SLIM)
        )
        yield Change(kind, old, new, min(LIKE, max(LEAST, chance(score))))


def paired(old: Sequence[Item], new: Sequence[Item]) -> tuple[Pairing, Scales, Finder]:
    """Return the pairing of the rules of two editions, the scales of their words, a finder of later ones."""
    pairing = Pairing(old, new)
    scales = Scales([*old, *new])
    # A title says too little to find a rule by.
    finder = Finder((item for item in new if not item.title), scales)
    _match_known(pairing, scales)
    _match_equal(pairing, lambda item: item.folded, 1.0)
    _match_equal(pairing, lambda item: item.masked, 0.99)
    for least in _ROUNDS:
        _match_similar(pairing, scales, finder, least)
        _match_titled(pairing, scales)
    _match_standing(pairing, scales, finder)
    return pairing, scales, finder


def _match_known(pairing: Pairing, scales: Scales) -> None:
    """Pair the rules that are one in the authority file, which also covers the editions in between."""
    known = {item.provision: item for item in pairing.old if item.provision}
    pairs = [(known[item.provision], item) for item in pairing.new if item.provision in known]
    for before, after in pairs:
        pairing.pair(before, after, 1.0)
    for before, after in pairs:
        if before.folded != after.folded:
            score = chance(odds(pairing, scales, before, after))
            same = before.masked == after.masked
            pairing.confidence[after.iri] = 0.99 if same else min(LIKE, max(LEAST, score))


def _match_equal(pairing: Pairing, key: Callable[[Item], str], confidence: float) -> None:
    """Pair items with an equal `key`; of several, prefer the same number, then the best surroundings."""
    left = grouped((key(item), item) for item in pairing.old_left())
    free = grouped((key(item), item) for item in pairing.new_left())
    several = []
    for words, before in left.items():
        after = free[words]
        by_number = {item.key: item for item in before}
        for item in after:
            if item.key in by_number and pairing.are_free(by_number[item.key], item):
                pairing.pair(by_number.pop(item.key), item, confidence)
        rest_old = [item for item in before if item.iri not in pairing.successor]
        rest_new = [item for item in after if item.iri not in pairing.predecessor]
        if len(rest_old) == len(rest_new) == 1:
            if pairing.are_free(rest_old[0], rest_new[0]):
                pairing.pair(rest_old[0], rest_new[0], confidence)
        else:
            several.append((rest_old, rest_new))
    for rest_old, rest_new in several:
        scored = sorted(
            ((pairing.context(a, b), a, b) for a in rest_old for b in rest_new),
            key=lambda row: (-row[0], pairing.old_place[row[1].iri], pairing.new_place[row[2].iri]),
        )
        for score, a, b in scored:
            if score >= _BESIDE and pairing.are_free(a, b):
                pairing.pair(a, b, confidence * (_SAME_WORDS + _SAME_PLACE * score))


def _match_similar(pairing: Pairing, scales: Scales, finder: Finder, least: float) -> None:
    """Pair the remaining items by similar words and surroundings, best first.

    Of equally good pairs the first is taken: rules keep their order.
    """
    scored = []
    for a in pairing.old_left():
        if a.title:
            continue
        taken, rows = 0.0, []
        for b in finder.like(a, pairing):
            score = odds(pairing, scales, a, b)
            if pairing.are_free(a, b):
                rows.append((-score, pairing.old_place[a.iri], pairing.new_place[b.iri], a, b))
            elif b.iri in pairing.predecessor:
                taken = max(taken, score)
        scored += [row for row in rows if -row[0] >= max(least, taken - _LEAD)]
    for negative, _, _, a, b in sorted(scored, key=lambda row: row[:3]):
        if pairing.are_free(a, b):
            pairing.pair(a, b, min(chance(-negative), LIKE))


def _match_standing(pairing: Pairing, scales: Scales, finder: Finder) -> None:
    """Pair what is left with the same number and the same neighbours, if its subject is the same.

    A statement may be reversed, or say that something ended: then few of its words are left.
    """
    free = {item.key: item for item in pairing.new_left() if not item.title}
    for a in pairing.old_left():
        b = free.get(a.key)
        if a.title or b is None or not pairing.are_free(a, b):
            continue
        if pairing.context(a, b) >= _IN_PLACE and _same_subject(a, b, scales):
            pairing.pair(a, b, LEAST)


def _same_subject(old: Item, new: Item, scales: Scales) -> bool:
    """Return whether two texts begin with one word that is rare enough, or share much of the earlier one."""
    first = old.stems[:1]
    rarest = scales.rarest(old.distinct)[:1]
    if first == new.stems[:1] and scales.weight(first) >= _SUBJECT * scales.weight(rarest):
        return True
    return scales.align(old, new).kept >= _KEPT


def _match_titled(pairing: Pairing, scales: Scales) -> None:
    """Pair chapters and headings by their titles and by where most of their own rules went.

    The words of a title are few: they prove nothing unless they are the same.
    """
    parent_of = {item.iri: item.parent for item in (*pairing.old, *pairing.new)}
    came: dict[str, Counter[str]] = defaultdict(Counter)
    went: dict[str, Counter[str]] = defaultdict(Counter)
    for new, old in pairing.predecessor.items():
        came[parent_of[new]][parent_of[old]] += 1
        went[parent_of[old]][parent_of[new]] += 1
    left = {item.iri: item for item in pairing.new_left() if item.title}
    scored = []
    for a in pairing.old_left():
        if not a.title:
            continue
        for b in left.values():
            here, there = went[a.iri], came[b.iri]
            common = here[b.iri]
            flow = min(common / here.total(), common / there.total()) if common else 0.0
            same = _title(a) == _title(b)
            alike = scales.align(a, b).alike
            is_moved = same or common >= _COMMON
            if not is_moved and (a.key != b.key or not common or alike < _TITLE):
                continue
            titled = _BY_TITLE if same else _BY_WORDS * alike
            score = _BY_RULES * flow + titled + _BY_PLACE * pairing.context(a, b)
            scored.append((-score, a.iri, b.iri, a, b))
    for negative, _, _, a, b in sorted(scored, key=lambda row: row[:3]):
        if pairing.are_free(a, b) and -negative >= LEAST:
            pairing.pair(a, b, min(-negative, LIKE))


def _title(item: Item) -> str:
    return wording(item.title).casefold().removesuffix("s")


def _whole(pairing: Pairing) -> Iterator[Change]:
    """Yield the change of each item that continues as a whole."""
    items = {item.iri: item for item in pairing.old}
    for item in pairing.new:
        if item.iri in pairing.predecessor:
            before = items[pairing.predecessor[item.iri]]
            yield Change(kind_of(before, item), before.iri, item.iri, pairing.confidence[item.iri])
