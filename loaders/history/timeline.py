"""Follow rules through loaded editions by their links, and write their tenures as triples, dated with ELI."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...ontology import PREFIXES, RG, Iris, QueryFiles, child, code
from ..describing.describe import CC0
from ..editions import EditionInfo
from ..graph.quads import C, P, TripleSet, day, decimal, english, node, text
from ..store.protocol import Queryable, statements, text_rows, written_statements
from .items import CHANGES, PARTING, ChangeKind, change_of
from .lives import Lives, bundled_lives
from .tenures import Calendar, Tenure

_QUERIES = QueryFiles.beside(__name__)

_TELLING = tuple(link for link, kind in CHANGES.items() if kind is not ChangeKind.UNCHANGED)
"""The links for changes. They are few, so the whole history of a store is never read."""


class _Step(NamedTuple):
    """The history of one edition: where its rules come from, which are gone, and which are new."""

    came: dict[str, list[tuple[ChangeKind, str]]]
    provisions: dict[str, str]
    gone: list[str]
    added: list[str]


def linked_tenures(
    store: Queryable, iris: Iris, editions: Sequence[str], written: Mapping[str, Path]
) -> dict[str, list[Tenure]]:
    """Return provision → its tenures, oldest first, through editions of the rules in their order.

    `written` are files of graphs as they are now.
    """
    steps = _steps(store, iris, editions, written)
    oldest = statements(store, [iris.history(editions[0])], (RG.provision,), written)
    in_force = {iris.parse(rule).name: provision for _, rule, _, provision in oldest}
    begun = {number: Tenure(number, editions[0], "") for number in in_force}
    found: dict[str, list[Tenure]] = defaultdict(list)
    for before, edition in pairwise(editions):
        step = steps[edition]
        came = {
            iris.parse(new).name: (new, *_beginning_of(iris, links, in_force))
            for new, links in step.came.items()
        }
        came |= {iris.parse(new).name: (new, ChangeKind.ADDED, "", ()) for new in step.added}
        changed = {it: told for it, told in sorted(came.items()) if told[1] is not ChangeKind.UNCHANGED}
        leaving = {iris.parse(it).name for it in step.gone} | {told[2] for told in changed.values()}
        # A rule that gets a number ends the rule that had it before, if no link says that this moved.
        for number in sorted((leaving | changed.keys()) & in_force.keys()):
            found[in_force.pop(number)].append(begun.pop(number)._replace(last=before))
        for number, (new, kind, _, sources) in changed.items():
            in_force[number] = step.provisions[new]
            begun[number] = Tenure(number, edition, "", "", kind, sources)
    for number, provision in in_force.items():
        found[provision].append(begun[number]._replace(last=editions[-1]))
    return {provision: sorted(its, key=lambda it: it.first) for provision, its in found.items()}


def _beginning_of(
    iris: Iris, links: Sequence[tuple[ChangeKind, str]], in_force: Mapping[str, str]
) -> tuple[ChangeKind, str, tuple[str, ...]]:
    """Return the change that a rule began with, its former number, and its sources if it is new."""
    kind, old = min(links, key=lambda it: (it[0] in PARTING, it))
    if kind not in PARTING:
        return kind, iris.parse(old).name, ()
    olds = (iris.parse(it).name for _, it in links)
    return kind, "", tuple(sorted({in_force[it] for it in olds if it in in_force}))


def _steps(
    store: Queryable, iris: Iris, editions: Sequence[str], written: Mapping[str, Path]
) -> dict[str, _Step]:
    """Return the history of each edition; for what stayed the same, only what is needed."""
    found = {it: _Step(defaultdict(list), {}, [], []) for it in editions}
    histories = {iris.history(it): found[it] for it in editions}
    stored = [it for it in histories if it not in written]
    for graph in histories.keys() - stored:
        for told in written_statements(written[graph], graph, (*CHANGES, *_ENDS, RG.provision)):
            _take(iris, histories[graph], *told)
    if stored:
        for graph, it, name, value in statements(store, stored, (*_TELLING, *_ENDS), written):
            _take(iris, histories[graph], it, name, value)
        given = {"graph": stored, "link": [*_TELLING, RG.addedIn]}
        for graph, rule, provision in text_rows(store, _QUERIES.bound("begun", given)):
            histories[graph].provisions[rule] = provision
        parted = [pair for step in found.values() for pair in _parted(step)]
        for end, place in (("new", 0), ("old", 1)) if parted else ():
            asked = {"graph": stored, end: sorted({pair[place] for pair in parted})}
            for graph, new, old in text_rows(store, _QUERIES.bound("same", asked)):
                _take(iris, histories[graph], new, RG.unchangedFrom, old)
    for step in found.values():
        goes_on = {old for links in step.came.values() for kind, old in links if kind not in PARTING}
        step.gone.extend(old for _, old in _parted(step) if old not in goes_on)
    return found


_ENDS = (RG.addedIn, RG.removedIn)


def _take(iris: Iris, step: _Step, it: str, name: str, value: str) -> None:
    if iris.parse(it).kind != "rule":
        return
    if name == RG.provision:
        step.provisions[it] = value
    elif name in _ENDS:
        (step.added if name == RG.addedIn else step.gone).append(it)
    elif (CHANGES[name], value) not in step.came[it]:
        step.came[it].append((CHANGES[name], value))


def _parted(step: _Step) -> Iterator[tuple[str, str]]:
    """Yield (rule, rule before) for rules that were split off or merged."""
    for new, links in step.came.items():
        yield from ((new, old) for kind, old in links if kind in PARTING)


WordsOf = Callable[[str, str], str]
"""Returns the checksum of the words of a rule, by its edition and number."""


def tenures_over(
    linked: Sequence[Tenure], told: Sequence[Tenure], calendar: Calendar, words_of: WordsOf
) -> list[Tenure]:
    """Return the tenures of a provision, oldest first.

    `told` comes from the authority file, which decides on the editions that it covers; it is empty for a
    provision that the file does not know. On others `linked` decide, which follow from links.
    """
    turns = {edition for it in linked for edition in (it.first, it.last)}
    turns |= {edition for it in told for edition in (it.first, it.last)}
    if told:  # links across a gap do not say what happened within it
        apart = calendar.loaded - calendar.covered - calendar.compared
        turns |= {edition for edition in apart for it in linked if it.first <= edition <= it.last}
    found: list[Tenure] = []
    for edition in sorted(turns, key=calendar.order.__getitem__):
        by_links = _containing(linked, edition) if edition in calendar.loaded else None
        known = _containing(told, edition) if edition in calendar.covered else None
        former = found[-1] if found else None
        is_linked = by_links is not None and edition in calendar.compared
        begun: Tenure | None
        if known and not (
            is_linked and calendar.beside(edition, -1) not in calendar.covered
        ):  # the file decides
            begun = known._replace(last=edition) if known.first == edition else None
        elif by_links and former and told and not is_linked:  # across a gap, the words decide
            change = change_of(
                former.number == by_links.number, former.words == words_of(edition, by_links.number)
            )
            begun = _begun(by_links._replace(change=change, sources=()), edition, former)
        elif by_links:  # links decide
            begun = _begun(by_links, edition, former) if by_links.first == edition else None
            begun = begun and begun._replace(is_dated=is_linked)
        else:
            continue
        if begun:
            found.append(begun)
        elif found:
            found[-1] = found[-1]._replace(last=edition)
    ends = [calendar.beside(it.last, 1) for it in found]
    known_ends = (end if told or end in calendar.loaded else "" for end in ends)
    return [it._replace(until=end) for it, end in zip(found, known_ends, strict=True)]


def _containing(tenures: Sequence[Tenure], edition: str) -> Tenure | None:
    """Return the one of several tenures that contains an edition."""
    return next((it for it in tenures if it.first <= edition <= it.last), None)


def _begun(tenure: Tenure, edition: str, former: Tenure | None) -> Tenure | None:
    """Return a tenure as it begins in an edition; None if only the numbers of cited rules changed."""
    same = tenure.change is ChangeKind.UNCHANGED or tenure.change is ChangeKind.REFERENCES
    if former and same and former.number == tenure.number:
        return None
    return tenure._replace(first=edition, last=edition, is_dated=False)


_VERSION = PREFIXES["owl"] + "versionInfo"


def write_life(
    triples: TripleSet, owner: str, tenures: Iterable[Tenure], iris: Iris, issued: Mapping[str, date]
) -> None:
    """Add the tenures of a provision or term, by its IRI; `issued` has the days that ids do not contain."""
    me = node(owner)
    for it in tenures:
        tenure = node(child(owner, "tenure", it.first))
        triples.say(me, hasTenure=tenure)
        triples.say(
            tenure,
            type=(C["Tenure"], P["LegalExpression"]),
            realizes=it.number and me,
            hadNumber=it.number and text(it.number),
            firstEdition=node(iris.edition(it.first)),
            lastEdition=node(iris.edition(it.last)),
            first_date_entry_in_force=it.is_dated and day(_issued(it.first, issued)),
            date_no_longer_in_force=it.until and day(_issued(it.until, issued)),
            changeKind=node(code(it.change or ChangeKind.FIRST_KNOWN)),
            foldedAs=it.words and text(it.words),
            confidence=it.sure is not None and decimal(it.sure),
            wasDerivedFrom=map(node, it.sources),
        )


def _issued(edition: str, issued: Mapping[str, date]) -> date:
    return issued.get(edition) or date.fromisoformat(edition.removeprefix("cr-"))


def tenures_of(lives: Lives, provision: str, iris: Iris) -> list[Tenure]:
    """Return the tenures of a provision by an authority file, their sources as IRIs."""
    found = lives.tenures(provision)
    return [it._replace(sources=tuple(map(iris.provision, it.sources))) for it in found]


def write_provision(triples: TripleSet, lives: Lives, provision: str, iris: Iris) -> None:
    """Add the authority file's data on a provision: its tenures and, if it ended, what replaced it."""
    me = iris.provision(provision)
    triples.say(node(me), type=(C["Provision"], P["LegalResourceSubdivision"]))
    write_life(triples, me, tenures_of(lives, provision, iris), iris, {})
    heirs = lives.heirs(provision) if lives.span(provision)[1] else ()
    triples.say(node(me), isReplacedBy=[node(iris.provision(heir)) for heir in heirs])


def told_of(lives: Lives, iri: str, iris: Iris) -> TripleSet:
    """Return the authority file's data on a provision, an edition or itself, marked as such.

    Return nothing for anything else, and for what it does not know.
    """
    triples, me, place = TripleSet(), node(iri), iris.parse(iri)
    itself = iris.dataset("provisions")
    if iri == iris.provision(place.key) and lives.tenures(place.key):
        write_provision(triples, lives, place.key, iris)
        for source in (it for it in lives.sources(place.key) if lives.span(it)[1]):
            triples.say(node(iris.provision(source)), isReplacedBy=me)
    elif iri == iris.edition(place.edition) and place.edition in lives.editions:
        triples.say(me, type=C["Edition"], identifier=text(place.edition), comment=english(NOT_LOADED))
        triples.say(me, issued=day(_issued(place.edition, {})))
    elif iri != itself:
        return triples
    if iri != itself:
        triples.say(me, source=node(itself))
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
    classes = [node(PREFIXES[it] + "Dataset") for it in ("void", "dcat")]
    triples.say(me, type=classes, title=text("The history of every rule, without its text"))
    triples.say(me, description=text(_ABOUT), creator=node("https://w3id.org/rulesgraph/"), license=node(CC0))


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
    """Return `graph/timeline`: the life of every rule; None if the store has it already.

    `editions` are those of the comprehensive rules, oldest first, `written` files of graphs as they are now.
    The graph is empty for fewer than two: in one edition alone each rule has one number and wording. The
    authority file supplies it for all editions that it covers, so most changes of a store do not change it.
    """
    triples = TripleSet()
    issued = {it.edition: it.issued for it in editions if it.issued}
    if len(issued) < 2:
        return triples
    lives = bundled_lives()
    linked: Mapping[str, Sequence[Tenure]] = {}
    calendar = Calendar(lives.editions, {name: str(day) for name, day in issued.items()})
    is_known = _is_known(store, iris, [*issued], written)
    if is_known and calendar.loaded <= calendar.covered:
        graph = iris.graph("timeline")
        made_from = {it for *_, it in statements(store, [graph], [_VERSION])}
        if lives.checksum in made_from:
            return None
        triples.add(node(graph), node(_VERSION), text(lives.checksum))
    else:
        linked = linked_tenures(store, iris, [*issued], written)
    ids = lives.provisions if is_known else ()
    known = {iris.provision(it): tenures_of(lives, it, iris) for it in ids}
    for provision in sorted(known.keys() | linked.keys()):
        told = known.get(provision, [])
        own = tenures_over(linked[provision], told, calendar, words_of) if provision in linked else told
        write_life(triples, provision, own, iris, issued)
    return triples


def _is_known(store: Queryable, iris: Iris, editions: Sequence[str], written: Mapping[str, Path]) -> bool:
    """Return whether the authority file knows rules of some editions: it has only this game."""
    told = (statements(store, [iris.history(edition)], (RG.provision,), written) for edition in editions)
    return any(not iris.parse(provision).edition for rows in told for *_, provision in rows)
