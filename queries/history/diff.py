"""Compare two editions: what changed, how much in each chapter, and which terms rely on it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from ...loaders.history.items import PARTING, Change, ChangeKind, Item
from ...loaders.history.matching import changes_between
from ...loaders.language.numbers import number_in, parent, wholes
from ...ontology import RG, SKOS, UnknownNameError, UsageError, grouped
from ..finding.names import names_like
from ..finding.provisions import nearest_numbers
from ..finding.things import locate
from ..reliance.levels import EXPLICIT
from ..reliance.network import Network
from ..session import Answer, Cells, Edition, Session
from .links import label, links_along, outcomes, outline, path_between, rules_meant, slips, timeline
from .marking import marked
from .releases import release_called, releases_beside, units_of_both

_SHOWN = ("change", "kind", "before", "after", "words")
COLUMNS = (*_SHOWN, "chapter", "old", "new")


class Difference(NamedTuple):
    """What changed between two editions, as tables.

    Attributes:
        changes: a row for each rule or entry that changed: change, kind, before, after, words; and, for
            programs, its chapter (as in `chapters`) and its old and new text.
        chapters: how much changed in each chapter of the later edition, and in its glossary.
        terms: the terms of the later edition that rely on what changed, most links first.
    """

    changes: Answer
    chapters: Answer
    terms: Answer


def for_people(changes: Answer) -> Answer:
    """Return changes without the columns for programs; the marked words show both texts."""
    count = len(_SHOWN)
    return changes._replace(columns=_SHOWN, rows=tuple(row[:count] for row in changes.rows))


def diff(
    session: Session,
    before: str,
    after: str,
    *,
    only: str | Sequence[str] | None = None,
    within: str | None = None,
) -> Difference:
    """Compare two editions of the comprehensive rules, consecutive or not, in the words of `trace`.

    Two releases of rulings pages, or of tournament rules, are compared paragraph by paragraph.

    Changes are those of `ChangeKind`; ``split`` and ``merged`` name a rule and one that it became part of.
    The kind is ``rule`` or ``entry``. Removed words are in ``[-…-]``, added ones in ``{+…+}``. For terms, the
    result has the number of explicit links from the term to added or reworded rules and entries, and which
    these are. `only` keeps some kinds of change. `within` keeps changes to some rules or chapters with their
    parts in both editions, or to terms with their rules, and what follows from them.

    Raises `UnknownNameError` for an edition that is not loaded or a name that neither edition has, and
    `UsageError` for an unknown kind of change.
    """
    keep = kinds_of_change(only)
    notes: tuple[str, ...] = ()
    one, other = (release_called(session, it) for it in (before, after))
    if one and other and other in releases_beside(session, one):
        path = [one, other]
        old, new, notes = units_of_both(session, one, other)
        # Editions outside of the history in the store have no links: their words are compared here.
        ways = [it for it in changes_between([*old.values()], [*new.values()]) if it.old and it.new]
    else:
        path = path_between(timeline(session), before, after, session)
        old, new = outline(session, path[0]), outline(session, path[-1])
        ways = outcomes(links_along(session, path), old, new)
    changes = [it for it in _changes(ways, old, new) if wanted(it, keep, old, new)]
    if within is not None:
        changes, more = _lying_within(session, changes, ways, within, (path[0], old), (path[-1], new))
        notes += more
    if path[0].age_key > path[-1].age_key:
        notes += (f"{path[0].id} is newer than {path[-1].id}: these changes go back in time.",)
    scope = f"{path[0].id} to {path[-1].id}"
    notes += tuple(
        slips(session, (path[0], path[-1]), (iri for it in changes for iri in (it.old, it.new) if iri))
    )
    placed = [*_placed(changes, ways, old, new)]
    return Difference(
        Answer("diff", COLUMNS, tuple(_row(*it, old, new) for it in placed), scope, notes),
        Answer("chapters", CHAPTER_COLUMNS, chapters(placed, old, new), scope),
        Answer("terms affected", TERM_COLUMNS, affected(session, path[-1], changes, new), path[-1].id, notes),
    )


def _changes(ways: Sequence[Change], old: Mapping[str, Item], new: Mapping[str, Item]) -> Iterator[Change]:
    """Yield all changes, in the order of the later text, removals last."""
    came = grouped((way.new, way) for way in ways)
    for iri in new:
        if iri not in came:
            yield Change(ChangeKind.ADDED, "", iri)
        yield from (way for way in came.get(iri, ()) if way.kind is not ChangeKind.UNCHANGED)
    gone_on = {way.old for way in ways}
    yield from (Change(ChangeKind.REMOVED, iri, "") for iri in old if iri not in gone_on)


def _row(change: Change, chapter: str, old: Mapping[str, Item], new: Mapping[str, Item]) -> Cells:
    sides = old.get(change.old), new.get(change.new)
    kind = "entry" if any(it is not None and it.is_entry for it in sides) else "rule"
    texts = [it.text if it else "" for it in sides]
    named = [label(it) if it else "" for it in sides]
    return change.kind.value, kind, *named, marked(*texts), chapter, *texts


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
"""Everything that continues under another number or name, with the same words or not."""

CHOICES = (*_MEANT, MOVED)
"""The choices of a comparison."""


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


def kinds_meant(choice: str) -> frozenset[str]:
    """Return the kinds of change that one choice means."""
    return frozenset(_MEANT.get(choice, (ChangeKind.RENUMBERED, ChangeKind.MOVED_AND_REWORDED)))


def wanted(change: Change, choices: frozenset[str], old: Mapping[str, Item], new: Mapping[str, Item]) -> bool:
    """Return whether a change is among the chosen ones; no choice means all."""
    if not choices or any(change.kind in _MEANT.get(name, ()) for name in choices):
        return True
    return (
        MOVED in choices
        and change.old in old
        and change.new in new
        and change.kind not in PARTING
        and label(old[change.old]) != label(new[change.new])
    )


def _lying_within(
    session: Session,
    changes: Iterable[Change],
    ways: Sequence[Change],
    within: str,
    *sides: tuple[Edition, Mapping[str, Item]],
) -> tuple[list[Change], tuple[str, ...]]:
    """Return the changes to some rules, chapters, sections and terms in both editions, and notes on them.

    A name is looked up in the newer edition, then in the older; notes say what its rules are in the other
    one. ``Glossary`` means all entries. Raises `UnknownNameError` for a name that neither has.
    """
    ordered = sorted(sides, key=lambda it: it[0].age_key, reverse=True)
    is_one = any(_called(session, *side, within) for side in ordered)
    inside: set[str] = set()
    notes: list[str] = []
    parts = [within] if is_one else re.split(r"\s*[,/]\s*", within.strip(" ,/"))
    for name in [it for it in parts if it] or [within]:
        meant = [_called(session, *side, name) for side in ordered]
        if not any(meant):
            known = [it.key for _, items in ordered for it in items.values() if not it.is_entry]
            number = number_in(name)
            near = nearest_numbers(number, known) if number else names_like(session, name)
            what = "rule" if number else "rule or entry"
            raise UnknownNameError(what, name, near, "Both editions were searched.")
        place = 0 if meant[0] else 1
        (here, own), (there, others) = ordered[place], ordered[1 - place]
        below = _below(own, meant[place])
        ends = [(it.kind, *((it.old, it.new) if it.old in own else (it.new, it.old))) for it in ways]
        went = {_places(others[it])[0] for kind, one, it in ends if one in below and kind not in PARTING}
        inside |= below | _below(others, went | ({_GLOSSARY} & meant[place]))
        for number in sorted({it.key for it in own.values()} & meant[place]):
            then = [others[it].key for _, one, it in ends if own[one].key == number]
            if then != [number]:
                notes.append(f"{number} of {here.id} is {', '.join(then) or 'not'} in {there.id}.")
    return [it for it in changes if it.old in inside or it.new in inside], tuple(notes)


def _called(session: Session, edition: Edition, items: Mapping[str, Item], name: str) -> set[str]:
    """Return the places that a name means in an edition: a number, or an entry and the rules of its term."""
    place = _GLOSSARY if name.strip().capitalize() == _GLOSSARY else number_in(name)
    if place:
        return {place} if _below(items, {place}) else set()
    with suppress(UnknownNameError):
        iri, number = locate(session, edition, name)
        if iri in items:
            return {iri if items[iri].is_entry else number, *rules_meant(session, edition, iri)}
    return set()


def _below(items: Mapping[str, Item], places: set[str]) -> set[str]:
    return {iri for iri, it in items.items() if not places.isdisjoint(_places(it))}


def _places(item: Item) -> tuple[str, ...]:
    """Return a rule's number, those above it, and its section; an entry, and the glossary."""
    return (item.iri, _GLOSSARY) if item.is_entry else (*wholes(item.key), item.key[:1])


_COUNTED = tuple(kind for kinds in _MEANT.values() for kind in kinds)
CHAPTER_COLUMNS = ("chapter", "title", "changes", *(kind.value for kind in _COUNTED))

_GLOSSARY = "Glossary"
_AGO = " (before)"


def _placed(
    changes: Iterable[Change], ways: Sequence[Change], old: Mapping[str, Item], new: Mapping[str, Item]
) -> Iterator[tuple[Change, str]]:
    """Yield changes with the number of their chapter in the later edition, or the glossary.

    A removal counts for the chapter that its own chapter became; if that is gone too, for the old number,
    marked as such.
    """
    went_on = {
        old[it.old].key: new[it.new].key for it in ways if _is_chapter(old[it.old]) and it.kind not in PARTING
    }
    for change in changes:
        item = new.get(change.new) or old[change.old]
        chapter = _GLOSSARY if item.is_entry else item.key.partition(".")[0]
        is_gone = not change.new and not item.is_entry
        yield change, went_on.get(chapter, chapter + _AGO) if is_gone else chapter


def chapters(
    placed: Iterable[tuple[Change, str]], old: Mapping[str, Item], new: Mapping[str, Item]
) -> tuple[Cells, ...]:
    """Return a row for each chapter with changes, then the glossary."""
    titles = {it.key: it.text for it in new.values() if _is_chapter(it)}
    titles |= {it.key + _AGO: it.text for it in old.values() if _is_chapter(it)}
    counts: dict[str, Counter[ChangeKind]] = defaultdict(Counter)
    for change, chapter in placed:
        counts[chapter][change.kind] += 1
    return tuple(
        (chapter, titles.get(chapter, ""), own.total(), *(own[kind] for kind in _COUNTED))
        for chapter, own in sorted(counts.items())
    )


def _is_chapter(item: Item) -> bool:
    return not item.is_entry and "." not in item.key


TERM_COLUMNS = ("term", "links", "rests on")

_SAME_WORDS = (ChangeKind.RENUMBERED, ChangeKind.REFERENCES)


def affected(
    session: Session, edition: Edition, changes: Iterable[Change], new: Mapping[str, Item]
) -> tuple[tuple[str, int, str], ...]:
    """Return the terms of `edition` that rely on additions or reworded texts, most links first.

    Counted is what the term relies on directly by explicit links, as in `relied_on_by_term`, and its own
    rules. Of a cited rule's subrules, those that name the term count, or all if the rule is about no other
    term.
    """
    scope = session.scope(edition.id)
    network = Network(session, scope)
    bodies = network.bodies
    touched = {it.new: new[it.new] for it in changes if it.new and it.kind not in _SAME_WORDS}
    rules = {iri: label(it) for iri, it in touched.items() if not it.is_entry}
    defined = {term: number for iri, number in rules.items() for term in bodies.defined_by(iri)}
    entries = {session.iris.term(it.key): label(it) for it in touched.values() if it.is_entry}
    changed = defined | entries | rules
    above = {session.iris.rule(edition.id, it) for it in map(parent, rules.values()) if "." in it}
    naming = grouped((term, it) for it, term in network.named_in(set().union(*map(bodies.texts, above))))
    treated = session.pairs(scope, RG.definedBy, RG.treatedIn)
    about = grouped((rule, term) for term, rule in treated)
    found: dict[str, set[str]] = {}
    for term, name in session.pairs(scope, SKOS.prefLabel):
        cited = {link.target for link in network.out_of((term,), EXPLICIT, asked=True)}
        relied = {*cited}
        for thing in {*bodies.roots(term), *cited}.intersection(new):
            is_own = about[thing] == [term] or term in bodies.defined_by(thing)
            if "." in new[thing].key:  # a chapter is about too much
                relied |= bodies.texts(thing) if is_own else bodies.texts(thing).intersection(naming[term])
        found[name] = {changed[it] for it in relied - {term} if it in changed}
    rows = [(name, len(labels), ", ".join(sorted(labels))) for name, labels in found.items() if labels]
    return tuple(sorted(rows, key=lambda row: (-row[1], row[0])))
