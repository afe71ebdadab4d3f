"""One edition in memory: data that pages look up hundreds of times is read from the store once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from ....loaders.history.items import Item
from ....ontology import (
    RDFS_LABEL,
    RG,
    SKOS,
    Place,
    QueryFiles,
    UnknownNameError,
    grouped,
    last_name,
    literal,
)
from ....queries.checking.defects import problems
from ....queries.evidence.links import QuotationFinder
from ....queries.finding.things import Resolution, Thing
from ....queries.history.blame import blame
from ....queries.history.links import outline
from ....queries.history.rows import HistoryRow
from ....queries.history.trace import histories_of, history_of
from ....queries.reliance.network import Network
from ....queries.reliance.questions import relied_on, relying
from ....queries.reliance.walk import Walk, natural
from ....queries.session import Answer, Edition, Session, edition_called
from ....queries.session.statements import Statements
from ....viz.graph import read_graph
from ....viz.passages import read_passages
from ....viz.selection import LinkKind, Node, NodeKind, Passage
from .addresses import GROUPED_BY

QUERIES = QueryFiles.beside(__name__)


class EditionSnapshot:
    """An edition with the rules in force at its release: things, their words, and what relies on what.

    Without `words` it has no text of documents: only names, numbers and links.
    """

    def __init__(self, session: Session, edition: Edition, *, words: bool = True) -> None:
        self.edition = edition
        self.words = words
        self.session = session
        self.scope = session.current if edition.current else session.scope(edition.with_rules)
        self._stated = Statements(session, self.scope)
        self.graph = read_graph(self._stated)
        if words:
            for it, said in read_passages(self._stated, self.graph, list(self.graph.things)).items():
                self.graph.things[it].passages = said
        self._by_name = self.graph.by_name()

    @cached_property
    def network(self) -> Network:
        """The links of reliance."""
        return Network(self.session, self.scope, whole=True, stated=self._stated)

    @cached_property
    def _quotations(self) -> QuotationFinder:
        return QuotationFinder(self.session, self.scope)

    def thing(self, iri: str) -> Node:
        """Return a thing by its IRI; raises `UnknownNameError` for one that the edition does not have."""
        iri = self.graph.same.get(iri, iri)
        thing = self.graph.things.get(iri)
        if thing is None:
            raise UnknownNameError(f"thing of {self.edition.id}", iri, ())
        return thing

    def has(self, iri: str) -> bool:
        """Return whether the edition has a thing."""
        return self.graph.same.get(iri, iri) in self.graph.things

    def called(self, name: str) -> Node | None:
        """Return the thing with a label or a number."""
        iri = self._by_name.get(name)
        return self.thing(iri) if iri else None

    def things(self, *kinds: NodeKind) -> list[Node]:
        """Return all things of some kinds, by number or name."""
        found = [it for it in self.graph.things.values() if it.kind in kinds]
        return sorted(found, key=lambda it: natural(it.number or it.label))

    # -- where a rule is --------------------------------------------------------------------------

    def wholes(self, iri: str) -> list[Node]:
        """Return the wholes that a rule is part of, the section first."""
        return [self.thing(it) for it in self.graph.wholes(iri)][::-1]

    def parts(self, iri: str) -> list[Node]:
        """Return the parts of a rule, one level down, in order."""
        found = [self.thing(it) for it in self.graph.parts.get(iri, ())]
        return sorted(found, key=lambda it: natural(it.number))

    def below(self, iri: str) -> list[Node]:
        """Return the parts of a thing and theirs, in order of number."""
        return sorted(map(self.thing, self.graph.parts_below(iri)), key=lambda it: natural(it.number))

    def neighbours(self, iri: str) -> tuple[Node | None, Node | None]:
        """Return the rules before and after a rule on its level."""
        row = self._beside(iri)
        place = [it.iri for it in row].index(iri)
        return row[place - 1] if place else None, row[place + 1] if place + 1 < len(row) else None

    def _beside(self, iri: str) -> list[Node]:
        whole = self.graph.whole.get(iri, "")
        if whole:
            return self.parts(whole)
        kind = self.graph.things[iri].kind
        return [it for it in self.things(kind) if it.iri not in self.graph.whole]

    # -- links ------------------------------------------------------------------------------------

    def defining(self, term: str) -> list[Node]:
        """Return the rules that define a term."""
        return self._linked(term, LinkKind.DEFINITION)

    def defined(self, rule: str) -> list[Node]:
        """Return the terms that a rule defines."""
        into = self.graph.into.get(rule, ())
        found = [it for it in into if LinkKind.DEFINITION in self.graph.links[it][rule]]
        return self._sorted(it for it in found if self.graph.things[it].kind is NodeKind.TERM)

    def cited(self, iri: str) -> list[Node]:
        """Return what a thing cites."""
        return self._linked(iri, LinkKind.CITATION)

    def citing(self, iri: str) -> list[tuple[Node, Passage | None]]:
        """Return what cites a rule, or names it in a note; with the passage, if that may be shown."""
        into = self.graph.into.get(iri, ())
        if not self.words:
            cited_by = (it for it in into if LinkKind.CITATION in self.graph.links[it][iri])
            return [(thing, None) for thing in self._sorted(cited_by)]
        found: list[tuple[Node, Passage | None]] = []
        for thing in map(self.thing, into):
            telling = (it for it in thing.passages if any(iri in piece.targets for piece in it.pieces))
            if passage := next(telling, None):
                found.append((thing, passage))
        return sorted(found, key=lambda it: (it[0].kind is not NodeKind.TERM, natural(it[0].label)))

    def _linked(self, iri: str, kind: LinkKind) -> list[Node]:
        return self._sorted(it for it, kinds in self.graph.links.get(iri, {}).items() if kind in kinds)

    def _sorted(self, iris: Iterable[str]) -> list[Node]:
        return sorted((self.thing(it) for it in iris), key=lambda it: natural(it.label))

    @cached_property
    def _facts(self) -> dict[str, list[TermFact]]:
        return facts_of_terms(self._stated)

    def facts(self, term: str) -> list[TermFact]:
        """Return what definitions state about a term, by its IRI."""
        found = self._facts.get(term, [])
        return found if self.words else [it._replace(quote="") for it in found]

    @cached_property
    def nameless(self) -> list[str]:
        """The senses that facts lead to and that belong to no term, by IRI."""
        targets = {it.target for term in self.graph.things for it in self._facts.get(term, ())}
        return sorted(it for it in targets if self.session.iris.parse(it).kind == "sense")

    @cached_property
    def _problems(self) -> dict[str, list[tuple[str, str, str]]]:
        found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for edition in self.scope.editions:
            for row in problems(self.session, edition):
                place = self.session.iris.parse(str(row[4])) if row[4] else None
                if place:
                    problem = (str(row[2]), str(row[1]), str(row[3]))
                    whole = self.session.iris.iri(place.whole)
                    found[whole] += [problem] if problem not in found[whole] else []
        return found

    def problems(self, iris: Iterable[str]) -> list[tuple[str, str, str]]:
        """Return the defects of some things and their parts: severity, code, message."""
        return [it for iri in iris for it in self._problems.get(iri, ())]

    @cached_property
    def provisions(self) -> dict[str, str]:
        """The provision that each rule expresses."""
        return dict(sorted(self._stated.pairs(RG.provision)))

    @cached_property
    def _entries(self) -> Mapping[str, list[str]]:
        entered = [*self._stated.pairs(RG.defines), *self._stated.pairs(RG.about)]
        return grouped((term, owner) for owner, term in sorted(entered))

    def entries(self, term: str) -> list[str]:
        """Return the entries that define a term, by IRI."""
        return self._entries.get(term, [])

    def terms_of(self, entry: str) -> list[str]:
        """Return the terms that an entry defines, by IRI."""
        return [term for term, entries in self._entries.items() if entry in entries]

    # -- reliance ---------------------------------------------------------------------------------

    def relies_on(self, term: Node) -> Answer:
        """Return what a term relies on, like the question `relied_on_by_term`."""
        return relied_on(self._walk(term))

    def relied_on_by(self, term: Node) -> Answer:
        """Return the terms that rely on one, like the question `terms_relying_on`."""
        walk = self._walk(term)
        return relying(walk, walk.reach, terms=True)

    def _walk(self, term: Node) -> Walk:
        thing = Thing("term" if term.kind is NodeKind.TERM else "rule", term.label, (term.iri,))
        return Walk(self.session, Resolution((thing,), self.scope), None, self.network, self._quotations)


class TermFact(NamedTuple):
    """One statement about a term: `target` is the IRI of its value if that is a thing."""

    relation: str
    value: str
    target: str
    quote: str


def facts_of_terms(stated: Statements) -> dict[str, list[TermFact]]:
    """Return the facts about each term, by IRI, in their order."""
    terms = grouped((sense, term) for term, sense in sorted(stated.pairs(RG.represents)))
    relations, quotes, values, objects = (
        grouped(sorted(stated.pairs(by))) for by in (RG.factProperty, RG.quote, RG.factValue, RG.factObject)
    )
    targets = {it for several in objects.values() for it in several}
    labels = {
        it: label
        for by in (SKOS.notation, SKOS.prefLabel, RDFS_LABEL)
        for it, label in stated.of(targets, by)
    }
    found: dict[str, list[TermFact]] = defaultdict(list)
    for fact, subject in sorted(stated.pairs(RG.factSubject)):
        told = product(relations[fact], quotes[fact], values[fact] or [""], objects[fact] or [""])
        for relation, quote, value, target in told:
            said = value or labels.get(target) or last_name(target)
            # The meaning of a name is shown on the page of the name.
            page = next(iter(terms.get(target, ())), target)
            fact_told = TermFact(_spaced(last_name(relation)), said, page, quote)
            for term in terms.get(subject, [subject]):
                if fact_told not in found[term]:
                    found[term].append(fact_told)
    return found


def _spaced(name: str) -> str:
    """Return the name of a property in words.

    >>> _spaced("hasKind")
    'has kind'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


_KEPT = 2
"""The number of editions with the histories of all rules in memory: a site is made edition by edition."""


class History:
    """The history of one state of a store; `at_once` if a whole site will be made."""

    def __init__(self, session: Session, *, at_once: bool) -> None:
        self._session = session
        self._at_once = at_once
        self._all_items = cache(self._read_items)
        self._all_lives = lru_cache(maxsize=_KEPT)(self._read_lives)

    def rows(self, number: str, edition: str) -> list[HistoryRow]:
        """Return the rows of `Rules.history`, for an entry without those of its rule; raises its errors."""
        if self._at_once:
            rows = self._all_lives(edition).get(self._session.iris.rule(edition, number))
            if rows is not None:
                return rows
        return list(history_of(self._session, number, edition, alone=True).stages)

    def sentences(self, name: str, edition: str) -> Answer | None:
        """Return the answer of `Rules.blame`, as `rows` does; none for a whole site, since it takes long."""
        return None if self._at_once else blame(self._session, name, edition, alone=True)

    def text(self, edition: Edition, iri: str) -> str:
        """Return the words of a rule or an entry of an edition, ``""`` if it does not have it."""
        items = self._all_items(edition.id) if self._at_once else outline(self._session, edition, [iri])
        return items[iri].text if iri in items else ""

    def expressions(self, provision: str) -> Sequence[tuple[str, str]]:
        """Return the rules of all editions that express a provision, each with its number."""
        if self._at_once:
            return self._all_expressions.get(provision, ())
        rows = self._session.run("finding", "rules_of_provision", None, {"provision": [provision]})
        return [(str(rule), str(number)) for rule, number, _ in rows]

    @cached_property
    def _all_expressions(self) -> Mapping[str, list[tuple[str, str]]]:
        rows = self._session.run("finding", "rules_of_provision")
        return grouped((str(provision), (str(rule), str(number))) for rule, number, provision in rows)

    def _read_items(self, edition: str) -> dict[str, Item]:
        return outline(self._session, edition_called(edition, self._session.editions()))

    def _read_lives(self, edition: str) -> dict[str, list[HistoryRow]]:
        """Return the histories of all rules of an edition, by IRI."""
        items = self._all_items(edition)
        rules = {iri: self._session.iris.parse(iri).key for iri, it in items.items() if not it.is_entry}
        return histories_of(self._session, edition, rules)


def wordings_of(session: Session, place: Place) -> list[str]:
    """Return the wordings of a group, by IRI; none for anything else. See `document_of`."""
    if place.kind != "wording" or len(place.key) != GROUPED_BY:
        return []
    rows = session.select(QUERIES.bound("wordings", {"start": [literal(session.iris.iri(place))]}))
    return [str(wording) for (wording,) in rows]
