"""Follow glossary entries from one edition to the next by their names, including renamed ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ...ontology import Iris, grouped, slug
from ..language.names import gerunds, singular
from ..language.words import split_heading
from .items import Change, ChangeKind, Item, Scales, kind_of
from .pairing import Finder, Pairing
from .renames import Renaming, is_of_a_new_thing
from .tenures import Successor

_ALIKE = 0.5
"""The minimum likeness of an entry under a new name to the one that disappeared."""

_NAMED_ALIKE = 0.2
"""The same, if one of the two names contains the other."""

_ONE_WORD = 0.15
"""The same, if one has exactly one more word."""

_REFERENCE = re.compile(r"\bsee (?:also )?(?:rules?|section) .*", re.IGNORECASE)


def changes_of_entries(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Change]:
    """Yield what happened to every entry: the same name is the same entry, whatever it says.

    Several entries under one name continue in order. A heading with several names continues as the entry that
    has any of them; an entry for just one of its names was split off. A name in another form (*Moth Marker*,
    *Moth Markers*; *Light a Lamp*, *Lighting a Lamp*) is the same name. Entries left over in both editions
    were renamed if they say the same.
    """
    pairing = Pairing(old, new)
    before, after = (grouped((item.key, item) for item in items) for items in (old, new))
    for key, several in before.items():
        yield from (_paired(pairing, a, b) for a, b in zip(several, after[key], strict=False))
    named_before, named_after = _by_name(old), _by_name(new)
    yield from _continued(pairing, named_after, _names)
    parts = {b.iri: named_before[b.key] for b in pairing.new_left() if b.key in named_before}
    yield from (Change(ChangeKind.SPLIT, a.iri, b) for b, a in parts.items())
    formed = {form: b for b in reversed(pairing.new_left()) if b.iri not in parts for form in _forms(b)}
    yield from _continued(pairing, formed, _forms)
    yield from _renamed(pairing)
    came = [item for item in pairing.new_left() if item.iri not in parts]
    yield from (Change(ChangeKind.ADDED, "", item.iri) for item in came)
    yield from (Change(ChangeKind.REMOVED, item.iri, "") for item in pairing.old_left())


def _paired(pairing: Pairing, old: Item, new: Item, confidence: float = 1.0) -> Change:
    pairing.pair(old, new, confidence)
    return Change(kind_of(old, new), old.iri, new.iri, round(min(confidence, 1.0), 2))


def _continued(
    pairing: Pairing, heirs: Mapping[str, Item], called: Callable[[Item], Iterable[str]]
) -> Iterator[Change]:
    """Pair each entry left over with the first free one that has what it is `called`."""
    for a in pairing.old_left():
        heir = next((heirs[name] for name in called(a) if name in heirs), None)
        if heir is not None and pairing.are_free(a, heir):
            yield _paired(pairing, a, heir)


def _renamed(pairing: Pairing) -> Iterator[Change]:
    scales = Scales([*pairing.old, *pairing.new])
    left = pairing.new_left()
    before, after = ({item.key for item in items} for items in (pairing.old, pairing.new))
    find = Finder(left, scales)
    by_word = grouped((word, item) for item in left for word in item.key.split("-"))
    scored = []
    for a in pairing.old_left():
        near = [*find.like(a), *(b for word in a.key.split("-") for b in by_word[word])]
        for b in {b.iri: b for b in near}.values():
            alike = scales.align(a, b).alike
            least = 0 if _says_its_kind(a, b) else _least_alike(a.key, b.key)
            if alike >= least and not is_of_a_new_thing(a.key, b.key, before, after):
                scored.append((-alike, a.iri, b.iri, a, b))
    for negative, _, _, a, b in sorted(scored, key=lambda row: row[:3]):
        if pairing.are_free(a, b):
            yield _paired(pairing, a, b, -negative)


def _names(item: Item) -> list[str]:
    return [slug(name) for name in split_heading(item.title).names]


def _forms(item: Item) -> tuple[str, ...]:
    """Return the slugs of a heading's first name in the singular, as printed and with a gerund."""
    name = singular(next(iter(split_heading(item.title).names), item.title))
    return (slug(name), *sorted(map(slug, gerunds(name))))


def _by_name(items: Sequence[Item]) -> dict[str, Item]:
    """Return slug of a name → the first entry whose heading has it."""
    return {name: item for item in reversed(items) for name in _names(item)}


def _least_alike(one: str, other: str) -> float:
    """Return how similar the entries of two slugs must be; the more the slugs share, the less is required."""
    few, many = sorted((set(one.split("-")), set(other.split("-"))), key=len)
    if not few <= many:
        return _ALIKE
    return _ONE_WORD if len(many) - len(few) == 1 else _NAMED_ALIKE


def _says_its_kind(old: Item, new: Item) -> bool:
    """Return whether a new name is the old one with a word added that the old entry used for the thing.

    An entry *Dusk*, which said that dusk is a step, continues as *Dusk Step*.
    """
    name, _, kind = new.key.rpartition("-")
    words = re.findall("[a-z]+", _REFERENCE.sub("", old.text.lower()))
    return name == old.key and kind in map(singular, words)


def renamed_entries(
    changes: Sequence[Change],
    renamings: Sequence[Renaming],
    known: Sequence[Successor],
    items: Mapping[str, Item],
    before: str,
    after: str,
    iris: Iris,
) -> list[Change]:
    """Pair the entry of a renamed term with the one under the new name, if their words did not show it.

    `renamings` are those found between the two editions, `known` those of the authority file, which covers
    the editions in between; `before` and `after` are ids of editions, `items` their items by IRI.
    """
    gone = {change.old for change in changes if change.kind is ChangeKind.REMOVED}
    come = [items[change.new] for change in changes if change.kind is ChangeKind.ADDED]
    free = {form: item.iri for item in come if item.is_entry for form in (*_forms(item), item.key)}
    told = {slug(it.old): slug(it.new) for it in known if before < it.since <= after}
    ways = [(it.old, it.new, it.share) for it in renamings]
    ways += [(name, heir, 1.0) for name in told for heir in _replacements(name, told)]
    joined: list[Change] = []
    for name, heir, sure in ways:
        old, new = iris.entry(before, name), free.get(heir, "")
        if old in gone and new and new not in (change.new for change in joined):
            gone.discard(old)
            joined.append(Change(kind_of(items[old], items[new]), old, new, sure))
    ended = {change.old for change in joined} | {change.new for change in joined}
    kept = [c for c in changes if (c.old or c.new) not in ended or (c.old and c.new)]
    return [*kept, *joined]


def _replacements(name: str, told: Mapping[str, str]) -> Iterator[str]:
    """Yield the successive replacements of a name, each once."""
    seen = {name}
    while (name := told.get(name, "")) and name not in seen:
        seen.add(name)
        yield name
