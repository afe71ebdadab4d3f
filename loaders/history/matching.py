"""Two consecutive editions become a list of changes: what each rule and entry was before.

A rule number is no identity, so rules are matched by their words and by what stands around them:

1. the same words (white space, quotes, dashes and trade marks folded), the same number first;
2. the same words but for the rule numbers in them: the references moved with the rules;
3. similar words, weighed with the context (the parent's match, the neighbours' matches, the number) and
   with the lead that the two have over everything else they might be;
4. chapters by what became of their rules.

Each match says how sure it is. A pair below `LEAST` is left unmatched: an addition and a removal that
are stated are better than a history that is guessed. What is left over is compared once more with the
matched rules, to find rules that were split or merged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..language.words import wording
from .items import Change, ChangeKind, Item, contained, similarity

LEAST = 0.66
"""The confidence below which a pair is not a match; measured, see DECISIONS.md."""

_FULL_LEAD = 0.25
"""The lead over rivals in likeness that counts fully."""

_LEAD_WEIGHT = 0.18
"""What a full lead adds to the confidence."""


@dataclass
class _Matching:
    """Pairs found so far between two lists of items."""

    old: Sequence[Item]
    new: Sequence[Item]
    successor: dict[str, str] = field(default_factory=dict)
    predecessor: dict[str, str] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.old_place = {item.iri: place for place, item in enumerate(self.old)}
        self.new_place = {item.iri: place for place, item in enumerate(self.new)}

    def pair(self, old: Item, new: Item, confidence: float) -> None:
        self.successor[old.iri] = new.iri
        self.predecessor[new.iri] = old.iri
        self.confidence[new.iri] = confidence

    def old_left(self) -> list[Item]:
        return [item for item in self.old if item.iri not in self.successor]

    def new_left(self) -> list[Item]:
        return [item for item in self.new if item.iri not in self.predecessor]

    def context(self, old: Item, new: Item) -> float:
        """Return how well the surroundings of two items agree, from 0 to 1."""
        score = 0.0
        if old.parent and self.successor.get(old.parent, old.parent if old.is_entry else "") == new.parent:
            score += 0.4
        if old.key == new.key:
            score += 0.2
        here, there = self.old_place[old.iri], self.new_place[new.iri]
        for step in (-1, 1):
            both_have = 0 <= here + step < len(self.old) and 0 <= there + step < len(self.new)
            if both_have and self.successor.get(self.old[here + step].iri) == self.new[there + step].iri:
                score += 0.2
        return score


def changes_between(old: Sequence[Item], new: Sequence[Item]) -> list[Change]:
    """Return what became of every item: one change for each new item, and one for each that is gone.

    Rules and entries are matched apart. Splits and merges come besides the change of the item that
    went on: the item that was split goes on as the part that kept most of it.
    """
    found: list[Change] = []
    for is_entry in (False, True):
        matching = _Matching(
            [item for item in old if item.is_entry is is_entry],
            [item for item in new if item.is_entry is is_entry],
        )
        _match_equal(matching, lambda item: item.folded, 1.0)
        _match_equal(matching, lambda item: item.masked, 0.99)
        for _ in range(3):
            if not _match_similar(matching) + _match_by_parts(matching):
                break
        found += _classify(matching)
    return found


def _match_equal(matching: _Matching, key: Callable[[Item], str], confidence: float) -> None:
    """Pair items with equal `key`: of several, the same number first, then the best surroundings."""
    groups: dict[str, tuple[list[Item], list[Item]]] = defaultdict(lambda: ([], []))
    for item in matching.old_left():
        groups[key(item)][0].append(item)
    for item in matching.new_left():
        groups[key(item)][1].append(item)
    several = []
    for before, after in groups.values():
        if not before or not after:
            continue
        by_number = {item.key: item for item in before}
        for item in after:
            if item.key in by_number:
                matching.pair(by_number.pop(item.key), item, confidence)
        rest_old = [item for item in before if item.iri not in matching.successor]
        rest_new = [item for item in after if item.iri not in matching.predecessor]
        if len(rest_old) == len(rest_new) == 1:
            matching.pair(rest_old[0], rest_new[0], confidence)
        elif rest_old and rest_new:
            several.append((rest_old, rest_new))
    for rest_old, rest_new in several:
        scored = sorted(
            ((matching.context(a, b), a, b) for a in rest_old for b in rest_new),
            key=lambda row: (-row[0], matching.old_place[row[1].iri], matching.new_place[row[2].iri]),
        )
        for score, a, b in scored:
            if score >= 0.4 and a.iri not in matching.successor and b.iri not in matching.predecessor:
                matching.pair(a, b, confidence * (0.8 + 0.2 * score))


def _match_similar(matching: _Matching) -> int:
    """Pair what is left by similar words and surroundings; return how many pairs were made.

    Of pairs that are exactly alike the one that stands first is taken: rules keep their order.
    """
    pairs = [(similarity(a.tokens, b.tokens), a, b) for a, b in _candidates(matching)]
    likest: dict[str, list[float]] = defaultdict(list)
    for likeness, a, b in pairs:
        likest[a.iri].append(likeness)
        likest[b.iri].append(likeness)
    scored: list[tuple[float, Item, Item]] = []
    best_of: dict[str, list[float]] = defaultdict(list)
    for likeness, a, b in pairs:
        titled = bool(a.title) and wording(a.title).casefold() == wording(b.title).casefold()
        lead = min(_lead(likeness, likest[a.iri]), _lead(likeness, likest[b.iri]))
        score = confidence_of(likeness, matching.context(a, b), titled, lead)
        if score >= LEAST:
            scored.append((score, a, b))
            best_of[a.iri].append(score)
            best_of[b.iri].append(score)
    made = 0
    for score, a, b in sorted(scored, key=lambda row: (-row[0], matching.old_place[row[1].iri], row[2].iri)):
        if a.iri in matching.successor or b.iri in matching.predecessor:
            continue
        rivals = [other for iri in (a.iri, b.iri) for other in best_of[iri] if other < score]
        if score < 0.85 and rivals and score - max(rivals) < 0.03:
            continue
        matching.pair(a, b, min(score, 0.98))
        made += 1
    return made


def _match_by_parts(matching: _Matching) -> int:
    """Pair titled rules whose own rules went, for the most part, from the one to the other.

    The words of a title are few: a chapter that was given another one goes on in its rules.
    """
    parent_of = {item.iri: item.parent for item in (*matching.old, *matching.new)}
    came: dict[str, Counter[str]] = defaultdict(Counter)
    went: dict[str, Counter[str]] = defaultdict(Counter)
    for new, old in matching.predecessor.items():
        came[parent_of[new]][parent_of[old]] += 1
        went[parent_of[old]][parent_of[new]] += 1
    left = {item.iri: item for item in matching.new_left() if item.title}
    made = 0
    for item in matching.old_left():
        if not item.title or not went[item.iri]:
            continue
        there, count = max(went[item.iri].items(), key=lambda pair: (pair[1], pair[0]))
        share = min(count / went[item.iri].total(), count / came[there].total())
        if count >= 2 and share >= LEAST and there in left:
            matching.pair(item, left.pop(there), round(0.9 * share, 2))
            made += 1
    return made


def confidence_of(likeness: float, context: float, titled: bool, lead: float = 0.0) -> float:
    """Weigh likeness of words with agreement of surroundings, an equal title, and the lead over rivals.

    `likeness`, `context` and `lead` lie between 0 and 1; `lead` is how much more alike the two are than
    either is with anything else that is left, and counts up to `_FULL_LEAD`.
    """
    if titled and likeness >= 0.3:
        return max(0.9, 0.7 * likeness + 0.3)
    if likeness < 0.4:
        return 0.0
    distinct = min(max(lead, 0.0), _FULL_LEAD) / _FULL_LEAD
    return min(1.0, 0.72 * likeness + 0.28 * context + 0.1 * (likeness - 0.4) + _LEAD_WEIGHT * distinct)


def _lead(likeness: float, all_of_one: Sequence[float]) -> float:
    """Return by how much `likeness`, one of `all_of_one`, stands above the best of the others."""
    others = list(all_of_one)
    others.remove(likeness)
    return likeness - max(others, default=0.0)


def _candidates(matching: _Matching) -> Iterator[tuple[Item, Item]]:
    """Yield the pairs worth comparing: those that share rare words, a number, a parent or a title."""
    old, new = matching.old_left(), matching.new_left()
    frequency = Counter(token for item in new for token in set(item.tokens))
    index: dict[str, list[Item]] = defaultdict(list)
    by_key: dict[str, list[Item]] = defaultdict(list)
    by_parent: dict[str, list[Item]] = defaultdict(list)
    for item in new:
        for token in sorted(set(item.tokens), key=lambda t: (frequency[t], t))[:12]:
            index[token].append(item)
        by_key[item.key].append(item)
        if not item.is_entry:
            by_parent[item.parent].append(item)
    for item in old:
        votes: Counter[str] = Counter()
        found: dict[str, Item] = {}
        rare = sorted(set(item.tokens), key=lambda t: (frequency.get(t, 0), t))
        for token in [t for t in rare if frequency.get(t)][:16]:
            for other in index.get(token, ()):
                votes[other.iri] += 1
                found[other.iri] = other
        chosen = [iri for iri, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:10]]
        near = [*by_key.get(item.key, ()), *by_parent.get(matching.successor.get(item.parent, ""), ())]
        for other in near:
            found[other.iri] = other
        for iri in dict.fromkeys([*chosen, *(other.iri for other in near)]):
            yield item, found[iri]


def _classify(matching: _Matching) -> list[Change]:
    items = {item.iri: item for item in (*matching.old, *matching.new)}
    changes = []
    for item in matching.new:
        if item.iri not in matching.predecessor:
            continue
        before = items[matching.predecessor[item.iri]]
        same_words, same_number = before.folded == item.folded, before.key == item.key
        if same_words:
            kind = ChangeKind.UNCHANGED if same_number else ChangeKind.RENUMBERED
        else:
            kind = ChangeKind.REWORDED if same_number else ChangeKind.MOVED_AND_REWORDED
        changes.append(Change(kind, before.iri, item.iri, matching.confidence[item.iri]))
    parts = list(_parts(matching, items))
    changes += parts
    origins = {change.new for change in parts if change.kind is ChangeKind.SPLIT}
    gone_on = {change.old for change in parts}
    changes += [Change(ChangeKind.ADDED, "", i.iri) for i in matching.new_left() if i.iri not in origins]
    changes += [Change(ChangeKind.REMOVED, i.iri, "") for i in matching.old_left() if i.iri not in gone_on]
    return changes


def _parts(matching: _Matching, items: Mapping[str, Item]) -> Iterator[Change]:
    """Yield splits (a new rule that was part of an old one) and merges (the other way round)."""
    for left, whole, partner, kind in (
        (matching.new_left(), matching.old, matching.successor, ChangeKind.SPLIT),
        (matching.old_left(), matching.new, matching.predecessor, ChangeKind.MERGED),
    ):
        index: dict[str, list[Item]] = defaultdict(list)
        frequency = Counter(token for item in whole for token in set(item.tokens))
        for item in whole:
            for token in set(item.tokens):
                if frequency[token] <= 40:
                    index[token].append(item)
        for item in left:
            if len(item.tokens) < 10:
                continue
            best = _whole_of(item, index, partner, items)
            if best is not None:
                share, other = best
                pair = (other.iri, item.iri) if kind is ChangeKind.SPLIT else (item.iri, other.iri)
                yield Change(kind, *pair, round(share, 2))


def _whole_of(
    item: Item, index: Mapping[str, list[Item]], partner: Mapping[str, str], items: Mapping[str, Item]
) -> tuple[float, Item] | None:
    """Return the item of the other edition that held `item`'s words, when its partner lost them."""
    votes: Counter[str] = Counter(
        other.iri for token in sorted(set(item.tokens)) for other in index.get(token, ())
    )
    for iri, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:3]:
        other = items[iri]
        share = contained(item.tokens, other.tokens)
        if share < 0.8 or len(other.tokens) < 1.3 * len(item.tokens):
            continue
        kept = items[partner[iri]].tokens if iri in partner else []
        if contained(item.tokens, kept) < 0.6:
            return share, other
    return None
