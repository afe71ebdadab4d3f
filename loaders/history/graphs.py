"""Write the history graph of each edition, `edition/{id}/history`, if it has to change.

The graph says what every rule and entry was in the edition before, and which provision each rule expresses.
Editions are compared by their digests, which are files.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ...ontology import Iris, child, code, slug
from ..editions import EditionInfo
from ..facts.find import successions
from ..graph.emit import entry_iri, rule_parent
from ..graph.quads import C, TripleSet, decimal, integer, node
from ..linking.edition import EditionView
from ..linking.labels import NamedTerm
from ..store.protocol import Queryable
from ..workers import Progress, Workers
from .authority import Authority, wording_of
from .entries import renamed_entries
from .items import CHANGES, PARTING, Change, ChangeKind, Item
from .lives import bundled_lives
from .matching import Partings, changes_between
from .renames import Renaming, Vocabulary, find_renamings
from .stored import provisions_in


@dataclass(frozen=True, slots=True)
class Digest:
    """The data for comparing one edition: its rules and entries, its names, the obsolete ones."""

    items: tuple[Item, ...]
    names: tuple[NamedTerm, ...]
    obsolete: frozenset[str]
    replaced: tuple[tuple[str, str], ...] = ()
    """Provisions that were merged into one of this edition, and that one, as IRIs."""
    succession: frozenset[tuple[str, str]] = frozenset()
    """Slugs of retired terms, and of their replacements according to their own entries."""


def write_digest(path: Path, digest: Digest) -> None:
    """Write a digest to a file."""
    path.write_bytes(pickle.dumps(digest, pickle.HIGHEST_PROTOCOL))


@lru_cache(maxsize=3)
def read_digest(path: Path) -> Digest:
    """Return the digest in a file that this build wrote; each is read three times in a row."""
    found: Digest = pickle.loads(path.read_bytes())
    return found


def digest_of(view: EditionView, names: list[NamedTerm], authority: Authority) -> Digest:
    """Return the rules and entries of an edition in the order of the text, with its names.

    The rules have their provisions from the authority file.
    """
    iris = view.iris
    items = []
    obsolete = set()
    for document in view.documents:
        for rule in document.rules:
            iri = iris.rule(document.edition, rule.number, rule.occurrence)
            parent = rule_parent(iris, document.edition, rule.number)
            items.append(Item(iri, rule.number, rule.text, parent, rule.title or ""))
        for entry in document.entries:
            words = "\n".join(paragraph.text for paragraph in entry.paragraphs)
            iri = entry_iri(iris, document.edition, entry)
            items.append(Item(iri, entry.key, words, title=entry.heading, is_entry=True))
            if entry.status == "obsolete" and entry.names:
                obsolete.add(slug(entry.names[0]))
    rules = [item for item in items if not item.is_entry]
    given = authority.provisions(
        view.edition, [wording_of(iris.parse(item.iri).name, item) for item in rules]
    )

    def identified(item: Item) -> Item:
        if item.is_entry or not given:
            return item
        name = iris.parse(item.iri).name
        provision = iris.provision(given.get(name, f"{view.edition}/{name}"))
        return item._replace(provision=provision, is_settled=name in given)

    here = set(given.values())
    ended = [*((it.old, it.new) for it in authority.replaced), *authority.given_up.items()]
    # A rule that only lost a part is still in force: the other rule's tenure says where that came from.
    living = {it.provision for it in authority.rows if it.last == authority.editions[-1]}
    replaced = tuple(
        (iris.provision(old), iris.provision(new)) for old, new in ended if new in here and old not in living
    )
    return Digest(
        tuple(map(identified, items)),
        tuple(names),
        frozenset(obsolete),
        replaced,
        successions(view, obsolete),
    )


Changes = tuple[list[Change], list[Renaming]]


class Comparison(NamedTuple):
    """Two editions to compare: the files of their digests, their ids, and the base of the IRIs."""

    file_before: Path
    file_after: Path
    before: str
    after: str
    base: str


def compare(wanted: Comparison) -> Changes:
    """Compare two editions by the files of their digests."""
    before, after = read_digest(wanted.file_before), read_digest(wanted.file_after)
    between, iris = (wanted.before, wanted.after), Iris(wanted.base)
    changes = changes_between(before.items, after.items, _partings(before, after, *between, iris))
    if all(change.kind is ChangeKind.UNCHANGED for change in changes):
        return changes, []
    items = {item.iri: item for item in (*before.items, *after.items)}
    known = (Vocabulary.of(it.names, it.obsolete, it.succession) for it in (before, after))
    renamings = find_renamings(changes, items, *known)
    told = bundled_lives().renamings
    return renamed_entries(changes, renamings, told, items, *between, iris), renamings


def _partings(before: Digest, after: Digest, since: str, edition: str, iris: Iris) -> Partings | None:
    """Return which rules were split or merged between two editions; None if one of these is unknown."""
    lives = bundled_lives()
    if not {since, edition} <= {*lives.editions}:
        return None
    here, there = (
        {iris.parse(it.provision).key: it.iri for it in of.items if it.is_settled} for of in (before, after)
    )
    return {
        (here[it], there[heir]): kind
        for it in here
        for heir, kind in lives.went_into(it, since, edition).items()
        if heir in there.keys() - {it}
    }


class HistoryGraphs:
    """The history graphs of the comprehensive rules in one store.

    `digest_file` gives the file with an edition's digest. An edition's history is computed when it or the
    edition before it is new; when only provisions of earlier rules changed (an older edition was added), the
    changes are kept and the provisions carried forward again.
    """

    def __init__(
        self, store: Queryable, iris: Iris, digest_file: Callable[[EditionInfo], Path], workers: Workers
    ) -> None:
        self.store = store
        self.iris = iris
        self._digest_file = digest_file
        self._workers = workers

    def renew(
        self,
        editions: Sequence[EditionInfo],
        touched: set[str],
        former: Sequence[EditionInfo],
        tell: Progress,
    ) -> Iterator[tuple[str, TripleSet]]:
        """Yield (edition id, history graph) for every edition whose history changes.

        `former` are the editions that had one before. Exhaust the iterator before changing the store.
        """
        pairs = _neighbours(editions)
        told = {(before and before.edition, after.edition) for before, after in _neighbours(former)}
        due = {
            after.edition
            for before, after in pairs
            if (before and before.edition, after.edition) not in told
            or after.edition in touched
            or (before is not None and before.edition in touched)
        }
        jobs = [self._job(a, b) for a, b in pairs if a is not None and b.edition in due]
        found = self._workers.map(compare, jobs, lambda done: tell("comparing editions", done, len(jobs)))
        provisions: dict[str, str] = {}
        moved_on = False
        kept = max((place for place, (_, after) in enumerate(pairs) if after.edition not in due), default=-1)
        for place, (before, after) in enumerate(pairs if due else ()):
            is_due = after.edition in due or moved_on
            goes_on = place + 1 < len(pairs) and pairs[place + 1][1].edition in due
            # Stored histories are read up to the last edition that may keep its own.
            asked = [self.iris.history(after.edition)] if place <= kept and (is_due or goes_on) else ()
            stored = provisions_in(self.store, asked)
            if is_due:
                comparison: Changes = ([], [])
                if before is not None:
                    comparison = next(found) if after.edition in due else compare(self._job(before, after))
                triples, provisions = self._history(before, after, comparison, provisions)
                moved_on = provisions != stored
                yield after.edition, triples
            else:
                provisions = stored
        tell("comparing editions", len(jobs), len(jobs))

    def _job(self, before: EditionInfo, after: EditionInfo) -> Comparison:
        files = self._digest_file(before), self._digest_file(after)
        return Comparison(*files, before.edition, after.edition, self.iris.base)

    def _history(
        self, before: EditionInfo | None, after: EditionInfo, comparison: Changes, earlier: Mapping[str, str]
    ) -> tuple[TripleSet, dict[str, str]]:
        digest = read_digest(self._digest_file(after))
        changes, renamings = comparison
        now = provisions_of(after.edition, digest.items, changes, earlier, self.iris)
        replaced = (*digest.replaced, *settled(changes, earlier, now))
        between = before.edition if before else "", after.edition
        triples = history_triples(between, changes, earlier, now, replaced, self.iris)
        for renaming in renamings:
            _renaming(triples, between, renaming, self.iris)
        return triples, now


def _neighbours(editions: Iterable[EditionInfo]) -> list[tuple[EditionInfo | None, EditionInfo]]:
    """Return each edition of the rules with the one before it, oldest first."""
    rules = sorted((e for e in editions if e.is_rules), key=lambda e: e.age_key)
    return list(zip([None, *rules], rules, strict=False))


_LINKS = {kind: node(iri) for iri, kind in CHANGES.items()}
_SAME_WORDS = (ChangeKind.UNCHANGED, ChangeKind.RENUMBERED, ChangeKind.REFERENCES)
GOES_ON = tuple(kind for kind in CHANGES.values() if kind not in PARTING)
"""The changes of a rule or entry that continues as itself."""


def provisions_of(
    edition: str, items: Iterable[Item], changes: Iterable[Change], before: Mapping[str, str], iris: Iris
) -> dict[str, str]:
    """Return rule → provision of an edition's items, carried forward from the edition before.

    If no authority file knows the text, a rule keeps the provision of the rule that it was; a new one is
    named after the place where it was first seen.
    """
    origin = {change.new: change.old for change in changes if change.kind in GOES_ON}
    return {
        item.iri: item.provision
        or before.get(origin.get(item.iri, ""))
        or iris.provision(f"{edition}/{iris.parse(item.iri).name}")
        for item in items
        if not item.is_entry
    }


def settled(
    changes: Iterable[Change], before: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield (provision, the permanent one) for provisional ones of rules that other editions identify."""
    for change in changes:
        if change.kind in GOES_ON and change.old in before:
            pair = before[change.old], now[change.new]
            if pair[0] != pair[1]:
                old, new = sorted(pair, key=lambda iri: iri.count("/"), reverse=True)
                yield old, new


_Between = tuple[str, str]
"""A loaded edition and the next one; others that are known may lie between."""


def _dated(between: _Between, known: str) -> str:
    """Return the edition in which something happened, if it is known and in between, else the later one."""
    return known if between[0] < known < between[1] else between[1]


def history_triples(
    between: _Between,
    changes: Sequence[Change],
    earlier: Mapping[str, str],
    provisions: Mapping[str, str],
    replaced: Iterable[tuple[str, str]],
    iris: Iris,
) -> TripleSet:
    """Return the history graph of an edition, without its renamings.

    `provisions` maps its rules to their provisions, `earlier` those of the edition before; `replaced` are
    provisions that were merged into others. A change that is not word for word has its confidence on a
    separate node.
    """
    triples = TripleSet()
    lives = bundled_lives()
    for change in changes:
        if change.kind is ChangeKind.ADDED:
            came, _ = lives.span(iris.parse(provisions.get(change.new, "")).key)
            triples.say(node(change.new), addedIn=node(iris.edition(_dated(between, came))))
        elif change.kind is ChangeKind.REMOVED:
            _, gone = lives.span(iris.parse(earlier.get(change.old, "")).key)
            triples.say(node(change.old), removedIn=node(iris.edition(_dated(between, gone))))
        else:
            triples.add(node(change.new), _LINKS[change.kind], node(change.old))
            if change.kind not in _SAME_WORDS or change.confidence < 1.0:
                _confidence(triples, change, iris)
    for rule, provision in provisions.items():
        triples.say(node(rule), provision=node(provision))
    for old_provision, new_provision in replaced:
        triples.say(node(old_provision), isReplacedBy=node(new_provision))
    return triples


def _confidence(triples: TripleSet, change: Change, iris: Iris) -> None:
    old = iris.parse(change.old)
    it = node(child(change.new, "change", f"{old.edition}-{old.kind}-{old.name}"))
    triples.say(node(change.new), hasChange=it)
    triples.say(it, type=C["Change"], changedFrom=node(change.old), changeKind=node(code(change.kind.value)))
    triples.say(it, confidence=decimal(change.confidence))


def _renaming(triples: TripleSet, between: _Between, renaming: Renaming, iris: Iris) -> None:
    old, new = node(iris.term(renaming.old)), node(iris.term(renaming.new))
    it = node(iris.renaming(between[1], renaming.old))
    names = renaming.old, renaming.new
    known = (told.since for told in bundled_lives().renamings if (slug(told.old), slug(told.new)) == names)
    later = _dated(between, next(known, ""))
    earlier = between[0] if later == between[1] else bundled_lives().edition_before(later)
    editions = [node(iris.edition(name)) for name in (earlier, later)]
    triples.say(it, type=C["Renaming"], oldName=old, newName=new, betweenEditions=editions)
    triples.say(it, earlierEdition=editions[0], laterEdition=editions[1])
    triples.say(it, support=integer(renaming.support), confidence=decimal(renaming.share))
