"""Glossary entries of two editions become changes: followed by name, through renamings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ...ontology.iris import Iris, slug
from ..language.names import split_heading
from .alignment import Scales
from .finding import Finder
from .items import Change, ChangeKind, Item, kind_of
from .pairing import Pairing
from .renames import Renaming

_ALIKE = 0.5
"""The likeness from which an entry under a new name is the one that went."""

_NAMED_ALIKE = 0.2
"""The same where one of the two names stands in the other."""


def changes_of_entries(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Change]:
    """Yield what became of every entry: the same name is the same entry, whatever it says.

    Of several under one name each goes on as the one in its place. A heading of several names goes on as
    the one that has any of them, and an entry of one of its names alone was split off. What is left of
    both editions is the same under another name where it says the same.
    """
    pairing = Pairing(old, new)
    groups: dict[str, tuple[list[Item], list[Item]]] = defaultdict(lambda: ([], []))
    for side, items in enumerate((old, new)):
        for item in items:
            groups[item.key][side].append(item)
    for before, after in groups.values():
        for a, b in zip(before, after, strict=False):
            pairing.pair(a, b, 1.0)
            yield Change(kind_of(a, b), a.iri, b.iri)
    named_before, named_after = _by_name(old), _by_name(new)
    for a in pairing.old_left():
        heir = next((named_after[name] for name in _names(a) if name in named_after), None)
        if heir is not None and pairing.are_free(a, heir):
            pairing.pair(a, heir, 1.0)
            yield Change(kind_of(a, heir), a.iri, heir.iri)
    parts = {b.iri: named_before[b.key] for b in pairing.new_left() if b.key in named_before}
    yield from (Change(ChangeKind.SPLIT, a.iri, b) for b, a in parts.items())
    yield from _renamed(pairing)
    came = [item for item in pairing.new_left() if item.iri not in parts]
    yield from (Change(ChangeKind.ADDED, "", item.iri) for item in came)
    yield from (Change(ChangeKind.REMOVED, item.iri, "") for item in pairing.old_left())


def _renamed(pairing: Pairing) -> Iterator[Change]:
    scales = Scales([*pairing.old, *pairing.new])
    left = pairing.new_left()
    find = Finder(left, scales)
    by_word: dict[str, list[Item]] = defaultdict(list)
    for item in left:
        for word in item.key.split("-"):
            by_word[word].append(item)
    scored = []
    for a in pairing.old_left():
        near = [*find.like(a), *(b for word in a.key.split("-") for b in by_word[word])]
        for b in {b.iri: b for b in near}.values():
            alike = scales.align(a, b).alike
            if alike >= (_NAMED_ALIKE if _akin(a.key, b.key) else _ALIKE):
                scored.append((-alike, a.iri, b.iri, a, b))
    for negative, _, _, a, b in sorted(scored, key=lambda row: row[:3]):
        if pairing.are_free(a, b):
            pairing.pair(a, b, -negative)
            yield Change(kind_of(a, b), a.iri, b.iri, round(min(-negative, 1.0), 2))


def _names(item: Item) -> list[str]:
    return [slug(name) for name in split_heading(item.title).names]


def _by_name(items: Sequence[Item]) -> dict[str, Item]:
    """Return slug of a name → the first entry whose heading has it."""
    found: dict[str, Item] = {}
    for item in items:
        for name in _names(item):
            found.setdefault(name, item)
    return found


def _akin(one: str, other: str) -> bool:
    """Tell whether one of two slugs has all words of the other."""
    few, many = sorted((set(one.split("-")), set(other.split("-"))), key=len)
    return few <= many


def renamed_entries(
    changes: Sequence[Change],
    renamings: Sequence[Renaming],
    items: Mapping[str, Item],
    before: str,
    after: str,
    iris: Iris,
) -> list[Change]:
    """Let the entry of a renamed term go on under its new name, where its words did not show it.

    `before` and `after` are ids of editions, `items` their items by IRI.
    """
    gone = {change.old for change in changes if change.kind is ChangeKind.REMOVED}
    come = {change.new for change in changes if change.kind is ChangeKind.ADDED}
    joined = []
    for renaming in renamings:
        old, new = iris.entry(before, renaming.old), iris.entry(after, renaming.new)
        if old in gone and new in come:
            come.discard(new)
            gone.discard(old)
            joined.append(Change(kind_of(items[old], items[new]), old, new, renaming.share))
    ended = {change.old for change in joined} | {change.new for change in joined}
    kept = [c for c in changes if (c.old or c.new) not in ended or (c.old and c.new)]
    return [*kept, *joined]
