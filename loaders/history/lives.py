"""Changes between editions become `edition/{id}/history`, and every rule learns its provision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...ontology.iris import Iris, child, code
from ...ontology.terms import PREFIXES
from ..graph.nodes import C, P
from ..graph.quads import RDF_TYPE, TripleSet, decimal, integer, node
from .items import Change, ChangeKind, Item
from .renames import Renaming

_LINK = {
    ChangeKind.UNCHANGED: "unchangedFrom",
    ChangeKind.RENUMBERED: "renumberedFrom",
    ChangeKind.REFERENCES: "referencesChangedFrom",
    ChangeKind.REWORDED: "rewordedFrom",
    ChangeKind.MOVED_AND_REWORDED: "movedAndRewordedFrom",
    ChangeKind.SPLIT: "splitFrom",
    ChangeKind.MERGED: "mergedFrom",
}
_REPLACED_BY = node(PREFIXES["dcterms"] + "isReplacedBy")
_SAME_WORDS = (ChangeKind.UNCHANGED, ChangeKind.RENUMBERED, ChangeKind.REFERENCES)
ONE_LIFE = (*_SAME_WORDS, ChangeKind.REWORDED, ChangeKind.MOVED_AND_REWORDED)
"""The changes of a rule or entry that goes on as itself."""


def provisions_of(
    edition: str, items: Iterable[Item], changes: Iterable[Change], before: Mapping[str, str], iris: Iris
) -> dict[str, str]:
    """Return rule → provision of an edition's items, carried on from the rules of the edition before.

    Where no authority file knows the text, a rule keeps the provision of the rule that it was; a new one
    is named by where it was first seen.
    """
    origin = {change.new: change.old for change in changes if change.kind in ONE_LIFE}
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
    """Yield (provision, the one that it is): provisional ones of rules whose other editions say more."""
    for change in changes:
        if change.kind in ONE_LIFE and change.old in before:
            pair = before[change.old], now[change.new]
            if pair[0] != pair[1]:
                old, new = sorted(pair, key=lambda iri: iri.count("/"), reverse=True)
                yield old, new


def history_triples(
    edition: str,
    changes: Sequence[Change],
    provisions: Mapping[str, str],
    renamings: Mapping[str, Sequence[Renaming]],
    replaced: Iterable[tuple[str, str]],
    iris: Iris,
) -> TripleSet:
    """Return the history graph of an edition.

    `provisions` maps its rules to theirs, `renamings` the edition before to the renamings between it and
    this one, `replaced` are provisions that went into others. A change that is not word for word carries
    its confidence on a node of its own.
    """
    triples = TripleSet()
    add = triples.add
    me = node(iris.edition(edition))
    for change in changes:
        if change.kind is ChangeKind.ADDED:
            add(node(change.new), P["addedIn"], me)
        elif change.kind is ChangeKind.REMOVED:
            add(node(change.old), P["removedIn"], me)
        else:
            new, old = node(change.new), node(change.old)
            add(new, P[_LINK[change.kind]], old)
            if change.kind not in _SAME_WORDS or change.confidence < 1.0:
                _confidence(triples, change, iris)
    for rule, provision in provisions.items():
        add(node(rule), P["expressionOf"], node(provision))
        add(node(provision), RDF_TYPE, C["Provision"])
    for old_provision, new_provision in replaced:
        add(node(old_provision), _REPLACED_BY, node(new_provision))
    for earlier, found in renamings.items():
        for renaming in found:
            _renaming(triples, edition, earlier, renaming, iris)
    return triples


def _confidence(triples: TripleSet, change: Change, iris: Iris) -> None:
    old = iris.parse(change.old)
    it = node(child(change.new, "change", f"{old.edition}-{old.kind}-{old.name}"))
    triples.add(node(change.new), P["hasChange"], it)
    triples.add(it, RDF_TYPE, C["Change"])
    triples.add(it, P["changedFrom"], node(change.old))
    triples.add(it, P["changeKind"], node(code(change.kind.value)))
    triples.add(it, P["confidence"], decimal(change.confidence))


def _renaming(triples: TripleSet, edition: str, earlier: str, renaming: Renaming, iris: Iris) -> None:
    add = triples.add
    old, new = node(iris.term(renaming.old)), node(iris.term(renaming.new))
    it = node(iris.renaming(edition, renaming.old))
    add(it, RDF_TYPE, C["Renaming"])
    add(it, P["oldName"], old)
    add(it, P["newName"], new)
    add(it, P["betweenEditions"], node(iris.edition(earlier)))
    add(it, P["betweenEditions"], node(iris.edition(edition)))
    add(it, P["support"], integer(renaming.support))
    add(it, P["confidence"], decimal(renaming.share))
