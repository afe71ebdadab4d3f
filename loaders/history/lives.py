"""Changes between editions become `edition/{id}/history`, and every rule learns its provision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Life:
    """How long a rule or entry has been there: its provision or term, and two edition ids."""

    traced: str
    first_seen: str
    last_changed: str


def begin_lives(edition: str, items: Iterable[Item], iris: Iris) -> dict[str, Life]:
    """Return IRI → life for the first edition of all: everything begins here."""
    return {item.iri: _born(edition, item, iris) for item in items}


def continue_lives(
    edition: str,
    items: Iterable[Item],
    changes: Iterable[Change],
    before: Mapping[str, Life],
    known: Mapping[str, Life],
    iris: Iris,
) -> dict[str, Life]:
    """Return IRI → life of an edition's items, carried on from the edition before.

    `known` maps every provision and term of any earlier edition to its life: a name that comes back is
    the same, and a term that was given another name begins anew under that one.
    """
    origin = {c.new: c for c in changes if c.kind in ONE_LIFE}
    lives = {}
    for item in items:
        change = origin.get(item.iri)
        here = _born(edition, item, iris)
        if item.is_entry:
            earlier = known.get(here.traced)
            goes_on = change is not None and iris.parse(change.old).key == item.key
        else:
            earlier = before.get(change.old) if change else known.get(here.traced)
            goes_on = change is not None
        if earlier is None:
            lives[item.iri] = here
        elif change is not None and goes_on and change.kind in _SAME_WORDS:
            traced = item.provision or earlier.traced
            lives[item.iri] = Life(traced, earlier.first_seen, earlier.last_changed)
        else:
            lives[item.iri] = Life(item.provision or earlier.traced, earlier.first_seen, edition)
    return lives


def settled(
    changes: Iterable[Change], before: Mapping[str, Life], now: Mapping[str, Life]
) -> Iterator[tuple[str, str]]:
    """Yield (provision, the one that it is): provisional ones of rules whose other editions say more."""
    for change in changes:
        if change.kind in ONE_LIFE and change.old in before:
            pair = before[change.old].traced, now[change.new].traced
            if "/provision/" in pair[0] and pair[0] != pair[1]:
                old, new = sorted(pair, key=lambda iri: iri.count("/"), reverse=True)
                yield old, new


def _born(edition: str, item: Item, iris: Iris) -> Life:
    """Where no authority file knows the text, a rule's provision is named by where it was first seen."""
    if item.is_entry:
        traced = iris.term(item.key)
    else:
        traced = item.provision or iris.provision(f"{edition}/{iris.parse(item.iri).name}")
    return Life(traced, edition, edition)


def history_triples(
    edition: str,
    changes: Sequence[Change],
    lives: Mapping[str, Life],
    renamings: Mapping[str, Sequence[Renaming]],
    replaced: Iterable[tuple[str, str]],
    iris: Iris,
) -> TripleSet:
    """Return the history graph of an edition.

    `renamings` maps the edition before to the renamings between it and this one, `replaced` are provisions
    that went into others. A change that is not
    word for word carries its confidence on a node of its own.
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
    for iri, life in lives.items():
        here = iris.parse(iri)
        if here.kind == "entry" and here.occurrence > 1:
            continue  # a heading that stands twice is one term
        it = node(life.traced)
        add(it, P["firstSeen"], node(iris.edition(life.first_seen)))
        add(it, P["lastChanged"], node(iris.edition(life.last_changed)))
        if iris.parse(life.traced).kind == "provision":
            add(node(iri), P["expressionOf"], it)
            add(it, RDF_TYPE, C["Provision"])
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
