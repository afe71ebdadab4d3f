"""Editions of the rules in their order become histories, each renewed only when it has to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..ontology.iris import Iris, slug
from ..ontology.terms import RG
from .catalogue import EditionInfo
from .emit import entry_iri, rule_parent
from .history import Change, ChangeKind, Item, changes_between
from .history_graph import Life, begin_lives, continue_lives, history_triples
from .quads import Triples
from .records import Document
from .renames import Renaming, Vocabulary, find_renamings
from .terms_graph import NamedTerm

_LIVES = f"""
SELECT ?item ?traced ?first ?last WHERE {{{{ GRAPH <{{graph}}> {{{{
  ?traced <{RG.firstSeen}> ?first ; <{RG.lastChanged}> ?last
  OPTIONAL {{{{ ?item <{RG.expressionOf}> ?traced }}}}
}}}} }}}}"""
_PREDECESSOR = f"""
SELECT ?old WHERE {{{{ GRAPH <{{graph}}> {{{{
  VALUES ?link {{{{ <{RG.unchangedFrom}> <{RG.rewordedFrom}> <{RG.renumberedFrom}> }}}} ?new ?link ?old
}}}} }}}} LIMIT 1"""


def items_of(documents: Iterable[Document], iris: Iris) -> list[Item]:
    """Return the rules and entries of an edition in the order of the text."""
    items = []
    for document in documents:
        for rule in document.rules:
            iri = iris.rule(document.edition, rule.number, rule.occurrence)
            parent = rule_parent(iris, document.edition, rule.number)
            items.append(Item(iri, rule.number, rule.text, parent, rule.title or ""))
        for entry in document.entries:
            words = "\n".join(paragraph.text for paragraph in entry.paragraphs)
            iri = entry_iri(iris, document.edition, entry)
            items.append(Item(iri, entry.key, words, title=entry.heading, is_entry=True))
    return items


class Chronicle:
    """The history graphs of the comprehensive rules in one store.

    `members` gives the documents of an edition, `names` what it calls its terms. An edition's history
    is computed when it or the edition before it is new; when only the lives of earlier rules changed
    (an older edition came in), the changes stay and the lives are carried on anew.
    """

    def __init__(
        self,
        store: Any,
        iris: Iris,
        *,
        members: Callable[[EditionInfo], Sequence[Document]],
        names: Callable[[EditionInfo], Sequence[NamedTerm]],
    ) -> None:
        self.store = store
        self.iris = iris
        self._members = members
        self._names = names
        self._items: dict[str, list[Item]] = {}

    def renew(
        self, editions: Sequence[EditionInfo], touched: set[str], tell: Callable[[str, int, int], None]
    ) -> Iterable[tuple[str, Triples]]:
        """Yield (edition id, history graph) for every edition whose history changes."""
        rules = sorted((e for e in editions if e.is_rules), key=lambda e: e.age_key)
        before: EditionInfo | None = None
        carried: dict[str, Life] | None = None
        for place, info in enumerate(rules):
            tell("comparing editions", place, len(rules))
            new_neighbour = info.edition in touched or self._predecessor(info) != (before and before.edition)
            if before is not None and before.edition in touched:
                new_neighbour = True
            if new_neighbour or carried is not None:
                lives = self._stored_lives(before) if before and carried is None else carried or {}
                triples, now = self._history(info, before, lives)
                carried = now if now != self._stored_lives(info) else None
                yield info.edition, triples
            before = info
        tell("comparing editions", len(rules), len(rules))

    def _history(
        self, info: EditionInfo, before: EditionInfo | None, lives: Mapping[str, Life]
    ) -> tuple[Triples, dict[str, Life]]:
        items = self._items_of(info)
        if before is None:
            first = begin_lives(info.edition, items, self.iris)
            return history_triples(info.edition, (), first, {}, self.iris), first
        old_items = self._items_of(before)
        changes = changes_between(old_items, items)
        renamings = self._renamings(before, info, changes)
        changes = self._rename_entries(changes, renamings, before, info)
        now = continue_lives(info.edition, items, changes, lives, self.iris)
        self._items.pop(before.edition)
        return history_triples(info.edition, changes, now, {before.edition: renamings}, self.iris), now

    def _renamings(self, before: EditionInfo, info: EditionInfo, changes: Sequence[Change]) -> list[Renaming]:
        if all(change.kind is ChangeKind.UNCHANGED for change in changes):
            return []
        items = {item.iri: item for edition in (before, info) for item in self._items_of(edition)}
        return find_renamings(changes, items, self._vocabulary(before), self._vocabulary(info))

    def _rename_entries(
        self, changes: Sequence[Change], renamings: Sequence[Renaming], before: EditionInfo, info: EditionInfo
    ) -> list[Change]:
        """Let the entry of a renamed term go on under its new name, where words alone did not show it."""
        gone = {change.old for change in changes if change.kind is ChangeKind.REMOVED}
        come = {change.new for change in changes if change.kind is ChangeKind.ADDED}
        joined = []
        for renaming in renamings:
            old = self.iris.entry(before.edition, renaming.old)
            new = self.iris.entry(info.edition, renaming.new)
            if old in gone and new in come:
                come.discard(new)
                joined.append(Change(ChangeKind.MOVED_AND_REWORDED, old, new, renaming.share))
        ended = {change.old for change in joined} | {change.new for change in joined}
        kept = [c for c in changes if (c.old or c.new) not in ended or (c.old and c.new)]
        return [*kept, *joined]

    def _vocabulary(self, info: EditionInfo) -> Vocabulary:
        names = {term.slug: term.names or term.titles for term in self._names(info)}
        obsolete = {
            slug(entry.names[0])
            for document in self._members(info)
            for entry in document.entries
            if entry.status == "obsolete" and entry.names
        }
        return Vocabulary(names, frozenset(obsolete))

    def _items_of(self, info: EditionInfo) -> list[Item]:
        if info.edition not in self._items:
            self._items[info.edition] = items_of(self._members(info), self.iris)
        return self._items[info.edition]

    def _predecessor(self, info: EditionInfo) -> str | None:
        """Return the edition that the stored history of `info` was compared with."""
        rows = list(self.store.query(_PREDECESSOR.format(graph=self.iris.history(info.edition))))
        return self.iris.edition_of(rows[0][0].value) if rows else None

    def _stored_lives(self, info: EditionInfo) -> dict[str, Life]:
        """Return IRI of rule or entry → life, as the store has it."""
        local = self.iris.local
        lives = {}
        for item, traced, first, last in self.store.query(
            _LIVES.format(graph=self.iris.history(info.edition))
        ):
            seen, changed = (local(it.value).removeprefix("edition/") for it in (first, last))
            term = local(traced.value).removeprefix("term/")
            iri = item.value if item is not None else self.iris.entry(info.edition, term)
            lives[iri] = Life(traced.value, seen, changed)
        return lives
