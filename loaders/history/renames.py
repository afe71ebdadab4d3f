"""Find renamed terms, by what happened to the rules and entries that name them.

A term counts as renamed between two editions when three things are true. Its old name falls out of use: it
has no entry any more, or an obsolete one, and most texts that named it no longer do. An unknown name comes
into use. And the reworded rules show the new name where they had the old one. Titles count too, for a chapter
that continues under another title.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ...ontology import slug
from ..language.names import singular
from ..linking.labels import NamedTerm
from ..linking.mentions import MentionFinder
from .items import Change, Item

LEAST_SUPPORT = 4
"""The number of places that must show the new name for the old one; a changed title counts as that many, an
entry that names its replacement as twice as many."""

LEAST_SHARE = 0.4
"""The minimum share of the old name's reworded places that must show the new one."""

LEAST_SURE = 0.5
"""The minimum confidence that two places are the same."""

MOST_LEFT = 0.5
"""The share of the texts with a name that may still use it after it is retired."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """`old` and `new` are term slugs; `support` counts the places where one replaces the other.

    `share` is the share of the old name's reworded places that show the new one.
    """

    old: str
    new: str
    support: int
    share: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names in use in an edition: slug → names, without those marked obsolete.

    `titles` are those of rules that define a term of another name: slug of the title → term. `succession` are
    (term, its replacement), where the entry of the first says so.
    """

    names: Mapping[str, Sequence[str]]
    obsolete: frozenset[str]
    titles: Mapping[str, str]
    succession: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(
        cls,
        terms: Sequence[NamedTerm],
        obsolete: frozenset[str],
        succession: frozenset[tuple[str, str]] = frozenset(),
    ) -> Vocabulary:
        """Return the names in use in an edition; `obsolete` are the slugs of terms whose entries say so."""
        names = {term.slug: term.names or term.titles or term.cited for term in terms}
        titles = {slug(title): term.slug for term in terms for title in term.titles}
        others = {title: term for title, term in titles.items() if title not in names}
        return cls(names, obsolete, others, succession)

    @property
    def live(self) -> frozenset[str]:
        """The terms that are defined and not obsolete."""
        return frozenset(self.names) - self.obsolete


def find_renamings(
    changes: Sequence[Change], items: Mapping[str, Item], before: Vocabulary, after: Vocabulary
) -> list[Renaming]:
    """Return the terms renamed between two consecutive editions, most support first.

    `items` holds the items of both editions by IRI.
    """
    gone = before.live - after.live - after.titles.keys()
    come = after.live - before.live
    if not gone or not come:
        return []
    finder_old = MentionFinder({term: before.names[term] for term in gone})
    finder_new = MentionFinder({term: after.names[term] for term in come})
    together: Counter[tuple[str, str]] = Counter()
    vanished: Counter[str] = Counter()
    appeared: Counter[str] = Counter()
    went: dict[str, list[str]] = defaultdict(list)

    def count(old: str, new: str, support: int) -> None:
        together[old, new] += support
        vanished[old] += support
        appeared[new] += support

    for change in changes:
        if not change.old or not change.new:
            continue
        old, new = items[change.old], items[change.new]
        if change.confidence < LEAST_SURE and not _is_one(old, new):
            continue
        if old.folded == new.folded and old.title == new.title:
            continue
        a, b = _term_of(old.title, gone, before), _term_of(new.title, come, after)
        if a and b:
            count(a, b, LEAST_SUPPORT)
        if change.confidence >= LEAST_SURE:
            went[change.old].append(_words(new))
    for iri, parts in went.items():
        words = _words(items[iri])
        lost = _named(finder_old, words) - _named(finder_old, *parts)
        had = _named(finder_new, words)
        won = [_named(finder_new, part) - had for part in parts]
        vanished.update(lost)
        appeared.update(chain.from_iterable(won))
        together.update((a, b) for a in lost for b in set().union(*won))
    for a, b in after.succession:
        if a in gone and b in come:
            count(a, b, 2 * LEAST_SUPPORT)
    named = {
        pair: support
        for pair, support in together.items()
        if not is_of_a_new_thing(*pair, before.live, after.live)
    }
    selected = _select(named, vanished, appeared)
    return [
        r for r in selected if r.support >= 2 * LEAST_SUPPORT or _gave_way(r, changes, items, before, after)
    ]


def is_of_a_new_thing(old: str, new: str, before: Container[str], after: Container[str]) -> bool:
    """Return whether the new name contains that of a new thing, and the old name that of an existing one.

    If candles are new and lamps still exist, the slug *lamp-case* did not become *candle-case*.
    """
    one, other = old.split("-"), new.split("-")
    while one and other and one[-1] == other[-1]:
        del one[-1], other[-1]
    kept, come = "-".join(one), "-".join(other)
    return kept in before and kept in after and come in after and come not in before


def _gave_way(
    renaming: Renaming,
    changes: Sequence[Change],
    items: Mapping[str, Item],
    before: Vocabulary,
    after: Vocabulary,
) -> bool:
    """Return whether the old name disappeared from the texts, not just from the glossary.

    If the glossary marks the old name as obsolete, texts with both names show the renaming.
    """
    is_obsolete = renaming.old in after.obsolete
    finder = MentionFinder(
        {renaming.old: before.names[renaming.old], renaming.new: after.names[renaming.new]}
    )

    def speaking(iris: Iterable[str]) -> int:
        others = (items[iri] for iri in iris if not _is_entry_of(renaming.old, items[iri]))
        named = ({mention.slug for mention in finder.find(_words(item))} for item in others)
        return sum(renaming.old in names and not (is_obsolete and renaming.new in names) for names in named)

    was = speaking({change.old for change in changes if change.old})
    left = speaking({change.new for change in changes if change.new})
    return left <= MOST_LEFT * was


def _named(finder: MentionFinder, *texts: str) -> set[str]:
    """Return the terms that any of the texts names; a split rule counts with all its parts."""
    return {mention.slug for text in texts for mention in finder.find(text)}


def _is_one(old: Item, new: Item) -> bool:
    """Return whether two rules are one provision in the authority file, however different they are."""
    return old.is_settled and new.is_settled and old.provision == new.provision


def _is_entry_of(term: str, item: Item) -> bool:
    """Return whether an item is a term's own entry, which may stay to say that the name was retired."""
    return item.is_entry and item.key.split("~")[0] == term


def _words(item: Item) -> str:
    return item.text if item.title in item.text else f"{item.title}. {item.text}"


def _term_of(title: str, among: frozenset[str], known: Vocabulary) -> str:
    for form in (slug(title), slug(singular(title))) if title else ():
        term = known.titles.get(form, form)
        if term in among:
            return term
    return ""


def _select(
    together: Mapping[tuple[str, str], int], vanished: Counter[str], appeared: Counter[str]
) -> list[Renaming]:
    """Keep, for each old name, the new name that replaces it most often, each new name once."""
    by_old: dict[str, list[Renaming]] = defaultdict(list)
    for (a, b), support in together.items():
        share = support / vanished[a]
        # A new name that occurs everywhere appears beside many old ones by chance.
        by_chance = support / appeared[b] < LEAST_SHARE / 3
        if support >= LEAST_SUPPORT and share >= LEAST_SHARE and not by_chance:
            by_old[a].append(Renaming(a, b, support, round(share, 2)))
    best = [max(found, key=lambda r: (r.support, r.share, r.new)) for found in by_old.values()]
    # A new name replaced one old name; elsewhere, it is part of what replaced others.
    by_new: dict[str, Renaming] = {}
    for renaming in sorted(best, key=lambda r: (-r.support, r.old)):
        by_new.setdefault(renaming.new, renaming)
    return list(by_new.values())
