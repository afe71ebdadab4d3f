"""Select changes by kind, count them by chapter, and find the terms that rely on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...loaders.history.items import PARTING, Change, ChangeKind, Item
from ...loaders.language.numbers import number_in
from ...ontology.errors import UnknownNameError, UsageError
from ...ontology.terms import RG, SKOS
from ..finding.numbering import line, nearest_numbers
from ..session import Cells, Edition, Session
from .links import label

_MEANT = {
    "added": (ChangeKind.ADDED,),
    "removed": (ChangeKind.REMOVED,),
    "reworded": (ChangeKind.REWORDED, ChangeKind.MOVED_AND_REWORDED),
    "renumbered": (ChangeKind.RENUMBERED,),
    "references": (ChangeKind.REFERENCES,),
    "split": (ChangeKind.SPLIT,),
    "merged": (ChangeKind.MERGED,),
}
MOVED = "moved"
"""Whatever goes on under another number or name, with the same words or not."""

CHOICES = (*_MEANT, MOVED)
"""What a comparison can be asked for."""


def kinds_of_change(only: str | Sequence[str] | None) -> frozenset[str]:
    """Return the named choices, from a list or separated by commas; without names, none.

    Raises `UsageError` for a name that is not one of `CHOICES`.

    >>> sorted(kinds_of_change("added, Moved"))
    ['added', 'moved']
    """
    given = only.split(",") if isinstance(only, str) else only or ()
    named = [name.strip().lower() for name in given]
    for name in named:
        if name not in CHOICES:
            raise UsageError(
                f"{name!r} is not a kind of change", way_out=f"Choose from {', '.join(CHOICES)}."
            )
    return frozenset(named)


def wanted(change: Change, choices: frozenset[str], old: Mapping[str, Item], new: Mapping[str, Item]) -> bool:
    """Return whether a change is one of those that are chosen; no choice is all of them."""
    if not choices or any(change.kind in _MEANT.get(name, ()) for name in choices):
        return True
    return (
        MOVED in choices
        and change.old in old
        and change.new in new
        and change.kind not in PARTING
        and label(old[change.old]) != label(new[change.new])
    )


def lying_within(
    changes: Iterable[Change], within: str, old: Mapping[str, Item], new: Mapping[str, Item]
) -> Iterator[Change]:
    """Yield the changes of a rule, chapter or section and of all its parts, by its number in either edition.

    Raises `UnknownNameError` for a number that neither has.
    """
    number = number_in(within)
    inside = {iri for items in (old, new) for iri, it in items.items() if number in _above(it.key)}
    if not inside:
        known = [it.key for items in (new, old) for it in items.values() if not it.is_entry]
        raise UnknownNameError("rule", within, nearest_numbers(number, known), "Both editions were searched.")
    yield from (it for it in changes if it.old in inside or it.new in inside)


def _above(key: str) -> list[str]:
    """Return a rule's number, those above it, and its section; nothing for an entry.

    >>> _above("702.3b"), _above("deathtouch")
    (['702.3b', '702.3', '702', '7'], [])
    """
    found = line(key)
    return [*found, found[-1][0]] if found and found[-1].isdigit() else found


_COUNTED = tuple(kind for kinds in _MEANT.values() for kind in kinds)
CHAPTER_COLUMNS = ("chapter", "title", "changes", *(kind.value for kind in _COUNTED))

_GLOSSARY = ("Glossary", "")
_AGO = " (before)"


def chapters(
    changes: Iterable[Change], ways: Sequence[Change], old: Mapping[str, Item], new: Mapping[str, Item]
) -> tuple[Cells, ...]:
    """Return a row for each chapter of the later edition with changes, then the glossary.

    What is gone counts for the chapter that its own went on as; for one that is gone as well, a row stands
    under its old number, marked so.
    """
    titles = {it.key: it.text for it in new.values() if _is_chapter(it)}
    titles |= {it.key + _AGO: it.text for it in old.values() if _is_chapter(it)}
    went_on = {
        old[it.old].key: new[it.new].key for it in ways if _is_chapter(old[it.old]) and it.kind not in PARTING
    }
    counts: dict[str, Counter[ChangeKind]] = defaultdict(Counter)
    glossary: Counter[ChangeKind] = Counter()
    for change in changes:
        item = new.get(change.new) or old[change.old]
        chapter = item.key.partition(".")[0]
        if item.is_entry:
            glossary[change.kind] += 1
        elif change.new:
            counts[chapter][change.kind] += 1
        else:
            counts[went_on.get(chapter, chapter + _AGO)][change.kind] += 1
    rows = [_row(chapter, titles.get(chapter, ""), counts[chapter]) for chapter in sorted(counts)]
    return tuple([*rows, _row(*_GLOSSARY, glossary)] if glossary else rows)


def _is_chapter(item: Item) -> bool:
    return not item.is_entry and "." not in item.key


def _row(chapter: str, title: str, counted: Counter[ChangeKind]) -> Cells:
    return chapter, title, counted.total(), *(counted[kind] for kind in _COUNTED)


TERM_COLUMNS = ("term", "links", "rests on")

_SAME_WORDS = (ChangeKind.RENUMBERED, ChangeKind.REFERENCES)


def affected(
    session: Session, edition: Edition, changes: Iterable[Change], new: Mapping[str, Item]
) -> tuple[tuple[str, int, str], ...]:
    """Return the terms of `edition` that link to what came or has other words, most links first.

    Only explicit links count. A term counts as linked to a rule when it is linked to the rule itself, to one
    of its subrules, or to a term that the rule defines.
    """
    derived = session.iris.derived(edition.id)
    iris = session.iris
    touched = {it.new: new[it.new] for it in changes if it.new and it.kind not in _SAME_WORDS}
    rules = {iri: label(it) for iri, it in touched.items() if not it.is_entry}
    changed_terms = {iris.term(it.key): label(it) for it in touched.values() if it.is_entry}
    for defined, rule in session.pairs((derived,), RG.definedBy, kept=True):
        if rule in rules:
            changed_terms.setdefault(defined, rules[rule])
    above: dict[str, set[str]] = defaultdict(set)
    for iri, number in rules.items():
        above[iri].add(number)
        place = iris.parse(iri)
        whole = place._replace(key=place.key.rstrip("abcdefghijklmnopqrstuvwxyz"))
        above[iris.iri(whole)].add(number)
    found: dict[str, set[str]] = defaultdict(set)
    scope = session.scope(edition.id)
    names = dict(session.pairs(scope, SKOS.prefLabel))
    for term, thing in session.pairs(scope, RG.dependsOn):
        if term not in names:
            continue
        labels = above.get(thing, set())
        if thing in changed_terms and thing != term:
            labels = labels | {changed_terms[thing]}
        found[names[term]] |= labels
    rows = [(name, len(labels), ", ".join(sorted(labels))) for name, labels in found.items() if labels]
    return tuple(sorted(rows, key=lambda row: (-row[1], row[0])))
