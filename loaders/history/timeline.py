"""Write the history of provisions and terms as triples: a node for each tenure, dated with ELI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

from ...ontology.iris import Iris, child, code
from ...ontology.terms import PREFIXES, RG
from ..describing.describe import CC0
from ..editions import EditionInfo
from ..graph.quads import RDF_TYPE, C, P, TripleSet, day, decimal, english, node, text
from ..store.protocol import Queryable, statements
from .items import ChangeKind
from .lives import Lives, Tenure, bundled_lives
from .runs import Calendar, WordsOf, runs_in, tenures_over

_VERSION = PREFIXES["owl"] + "versionInfo"


def write_life(
    triples: TripleSet, owner: str, tenures: Iterable[Tenure], iris: Iris, issued: Mapping[str, date]
) -> None:
    """Add the tenures of a provision or term, by its IRI; `issued` has the days that ids do not contain."""
    add = triples.add
    me = node(owner)
    for it in tenures:
        tenure = node(child(owner, "tenure", it.first))
        add(me, P["hasTenure"], tenure)
        add(tenure, RDF_TYPE, C["Tenure"])
        add(tenure, RDF_TYPE, P["LegalExpression"])
        if it.number:
            add(tenure, P["realizes"], me)
            add(tenure, P["hadNumber"], text(it.number))
        add(tenure, P["firstEdition"], node(iris.edition(it.first)))
        add(tenure, P["lastEdition"], node(iris.edition(it.last)))
        if it.is_dated:
            add(tenure, P["first_date_entry_in_force"], day(_issued(it.first, issued)))
        if it.until:
            add(tenure, P["date_no_longer_in_force"], day(_issued(it.until, issued)))
        add(tenure, P["changeKind"], node(code(it.change or ChangeKind.FIRST_KNOWN)))
        if it.words:
            add(tenure, P["foldedAs"], text(it.words))
        if it.sure is not None:
            add(tenure, P["confidence"], decimal(it.sure))
        for source in it.sources:
            add(tenure, P["wasDerivedFrom"], node(source))


def _issued(edition: str, issued: Mapping[str, date]) -> date:
    return issued.get(edition) or date.fromisoformat(edition.removeprefix("cr-"))


def tenures_of(lives: Lives, provision: str, iris: Iris) -> list[Tenure]:
    """Return the tenures of a provision by an authority file, their sources as IRIs."""
    found = lives.tenures(provision)
    return [it._replace(sources=tuple(map(iris.provision, it.sources))) for it in found]


def write_provision(triples: TripleSet, lives: Lives, provision: str, iris: Iris) -> None:
    """Add the authority file's data on a provision: its tenures, and, if it ended, what replaced it."""
    me = iris.provision(provision)
    triples.add(node(me), RDF_TYPE, C["Provision"])
    triples.add(node(me), RDF_TYPE, P["LegalResourceSubdivision"])
    write_life(triples, me, tenures_of(lives, provision, iris), iris, {})
    for heir in lives.heirs(provision) if lives.span(provision)[1] else ():
        triples.add(node(me), P["isReplacedBy"], node(iris.provision(heir)))


def told_of(lives: Lives, iri: str, iris: Iris) -> TripleSet:
    """Return the authority file's data on a provision, an edition or itself, marked as such.

    For anything else, and anything it does not know, it returns nothing.
    """
    triples, me, place = TripleSet(), node(iri), iris.parse(iri)
    itself = iris.dataset("provisions")
    if iri == iris.provision(place.key) and lives.tenures(place.key):
        write_provision(triples, lives, place.key, iris)
        for source in (it for it in lives.sources(place.key) if lives.span(it)[1]):
            triples.add(node(iris.provision(source)), P["isReplacedBy"], me)
    elif iri == iris.edition(place.edition) and place.edition in lives.editions:
        triples.add(me, RDF_TYPE, C["Edition"])
        triples.add(me, P["identifier"], text(place.edition))
        triples.add(me, P["issued"], day(_issued(place.edition, {})))
        triples.add(me, node(PREFIXES["rdfs"] + "comment"), english(NOT_LOADED))
    elif iri != itself:
        return triples
    if iri != itself:
        triples.add(me, P["source"], node(itself))
    _describe(triples, iris)
    return triples


NOT_LOADED = (
    "This edition is not loaded. Only its rule numbers are known, from the bundled list of permanent ids."
)
"""The description of an edition that only the authority file knows."""


_ABOUT = (
    "Permanent ids for the comprehensive rules of Magic: The Gathering, through all numbers and wordings, "
    "with the editions in which each has them, and what came from what."
)


def _describe(triples: TripleSet, iris: Iris) -> None:
    """Add the description of the authority file's data."""
    me = node(iris.dataset("provisions"))
    for kind in (PREFIXES["void"], PREFIXES["dcat"]):
        triples.add(me, RDF_TYPE, node(kind + "Dataset"))
    triples.add(me, P["title"], text("The history of every rule, without its text"))
    triples.add(me, node(PREFIXES["dcterms"] + "description"), text(_ABOUT))
    triples.add(me, node(PREFIXES["dcterms"] + "creator"), node("https://w3id.org/rulesgraph/"))
    triples.add(me, node(PREFIXES["dcterms"] + "license"), node(CC0))


def all_lives(lives: Lives, iris: Iris) -> TripleSet:
    """Return the authority file's data on all provisions, and its licence."""
    triples = TripleSet()
    _describe(triples, iris)
    for provision in lives.provisions:
        write_provision(triples, lives, provision, iris)
    return triples


def timeline(
    store: Queryable,
    iris: Iris,
    editions: Sequence[EditionInfo],
    written: Mapping[str, Path],
    words_of: WordsOf,
) -> TripleSet | None:
    """Return `graph/timeline`: the life of every rule; None where the store has it already.

    `editions` are those of the comprehensive rules, oldest first, `written` files of graphs as they are now.
    The graph is empty for fewer than two: in one edition alone each rule has one number and wording. The
    authority file supplies it for all editions that it covers, so most changes of a store leave it as it is.
    """
    triples = TripleSet()
    issued = {it.edition: it.issued for it in editions if it.issued}
    if len(issued) < 2:
        return triples
    lives = bundled_lives()
    runs: Mapping[str, Sequence[Tenure]] = {}
    calendar = Calendar(lives.editions, {name: str(day) for name, day in issued.items()})
    is_known = _is_known(store, iris, [*issued], written)
    if is_known and calendar.loaded <= calendar.covered:
        graph = iris.graph("timeline")
        made_from = {it for *_, it in statements(store, [graph], [_VERSION])}
        if lives.checksum in made_from:
            return None
        triples.add(node(graph), node(_VERSION), text(lives.checksum))
    else:
        runs = runs_in(store, iris, [*issued], written)
    ids = lives.provisions if is_known else ()
    known = {iris.provision(it): tenures_of(lives, it, iris) for it in ids}
    for provision in sorted(known.keys() | runs.keys()):
        told = known.get(provision, [])
        own = tenures_over(runs[provision], told, calendar, words_of) if provision in runs else told
        write_life(triples, provision, own, iris, issued)
    return triples


def _is_known(store: Queryable, iris: Iris, editions: Sequence[str], written: Mapping[str, Path]) -> bool:
    """Return whether the authority file knows rules of some editions: it has no other games."""
    told = (statements(store, [iris.history(edition)], (RG.provision,), written) for edition in editions)
    return any(not iris.parse(provision).edition for rows in told for *_, provision in rows)
