"""One edition, read at once: what pages look up hundreds of times is asked of the store once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ....ontology.errors import UnknownNameError
from ....queries.checking.defects import problems
from ....queries.evidence.links import QuotationFinder
from ....queries.finding.things import Resolution, Thing
from ....queries.reliance.network import WholeNetwork
from ....queries.reliance.questions import natural, relied_on, relying
from ....queries.reliance.reach import Reach
from ....queries.reliance.walking import Walk
from ....queries.session import Answer, Edition, Session
from ....viz.choosing import rows_of
from ....viz.graph import Vertex, read_graph
from ....viz.passages import read_passages
from ....viz.selection import LinkKind, NodeKind, Passage
from .facts import QUERIES, TermFact, facts_of_terms


class Subject(NamedTuple):
    """A thing as a page names it; `passages` are its words, and `status` "obsolete", "informal" or empty."""

    iri: str
    label: str
    kind: NodeKind
    number: str
    title: str
    status: str
    loaded: bool
    passages: tuple[Passage, ...]


class Volume:
    """An edition with the rules in force at its release: things, their words, and who relies on whom.

    Without `words` nothing is told that a document says: names, numbers and links alone.
    """

    def __init__(self, session: Session, edition: Edition, *, words: bool = True) -> None:
        self.edition = edition
        self.words = words
        self.session = session
        self.scope = session.current if edition.current else session.scope(edition.with_rules)
        rows = rows_of(session, self.scope)
        self.graph = read_graph(rows)
        self._passages = read_passages(rows, self.graph, list(self.graph.things)) if words else {}
        self._by_name = self.graph.by_name()

    @cached_property
    def network(self) -> WholeNetwork:
        """The links of reliance."""
        return WholeNetwork(self.session, self.scope)

    @cached_property
    def _quotations(self) -> QuotationFinder:
        return QuotationFinder(self.session, self.scope)

    def thing(self, iri: str) -> Subject:
        """Return a thing by its IRI; raises `UnknownNameError` for one that the edition does not have."""
        iri = self.graph.same.get(iri, iri)
        vertex = self.graph.things.get(iri)
        if vertex is None:
            raise UnknownNameError(f"thing of {self.edition.id}", iri, ())
        return self._named(vertex)

    def has(self, iri: str) -> bool:
        """Tell whether the edition has a thing."""
        return self.graph.same.get(iri, iri) in self.graph.things

    def called(self, name: str) -> Subject | None:
        """Return the thing that a label or a number stands for."""
        iri = self._by_name.get(name)
        return self.thing(iri) if iri else None

    def things(self, *kinds: NodeKind) -> list[Subject]:
        """Return all things of some kinds, by number or name."""
        found = [it for it in self.graph.things.values() if it.kind in kinds]
        return [self._named(it) for it in sorted(found, key=lambda it: natural(it.number or it.label))]

    def _named(self, it: Vertex) -> Subject:
        title = it.label[len(it.number) :].strip() if it.number and it.label.startswith(it.number) else ""
        return Subject(
            it.iri, it.label, it.kind, it.number, title, it.status, it.loaded, self._passages.get(it.iri, ())
        )

    # -- where a rule stands ----------------------------------------------------------------------

    def wholes(self, iri: str) -> list[Subject]:
        """Return what a rule is part of, the section first."""
        return [self.thing(it) for it in self.graph.wholes(iri)][::-1]

    def parts(self, iri: str) -> list[Subject]:
        """Return the parts of a rule, one level down, in their order."""
        found = [self.thing(it) for it in self.graph.parts.get(iri, ())]
        return sorted(found, key=lambda it: natural(it.number))

    def neighbours(self, iri: str) -> tuple[Subject | None, Subject | None]:
        """Return what stands before and behind a rule on its level."""
        row = [it.iri for it in self._beside(iri)]
        place = row.index(iri) if iri in row else -1
        before = self.thing(row[place - 1]) if place > 0 else None
        behind = self.thing(row[place + 1]) if 0 <= place < len(row) - 1 else None
        return before, behind

    def _beside(self, iri: str) -> list[Subject]:
        whole = self.graph.whole.get(iri, "")
        if whole:
            return self.parts(whole)
        kind = self.graph.things[iri].kind
        return [it for it in self.things(kind) if it.iri not in self.graph.whole]

    # -- links ------------------------------------------------------------------------------------

    def defining(self, term: str) -> list[Subject]:
        """Return the rules that define a term."""
        return self._linked(term, LinkKind.DEFINITION)

    def defined(self, rule: str) -> list[Subject]:
        """Return the terms that a rule defines."""
        into = self.graph.into.get(rule, ())
        found = [it for it in into if LinkKind.DEFINITION in self.graph.links[it][rule]]
        return self._sorted(it for it in found if self.graph.things[it].kind is NodeKind.TERM)

    def cited(self, iri: str) -> list[Subject]:
        """Return what a thing cites."""
        return self._linked(iri, LinkKind.CITATION)

    def citing(self, iri: str) -> list[tuple[Subject, Passage | None]]:
        """Return what cites a rule itself, or names it as a note, with the passage that does, if told."""
        found: list[tuple[Subject, Passage | None]] = []
        if not self.words:
            into = (it for it, kinds in self._into(iri) if LinkKind.CITATION in kinds)
            return [(thing, None) for thing in self._sorted(into)]
        for source, _ in self._into(iri):
            thing = self.thing(source)
            for passage in thing.passages:
                if any(iri in piece.targets for piece in passage.pieces):
                    found.append((thing, passage))
                    break
        return sorted(found, key=lambda it: (it[0].kind is not NodeKind.TERM, natural(it[0].label)))

    def _into(self, iri: str) -> Iterator[tuple[str, set[LinkKind]]]:
        for source in self.graph.into.get(iri, ()):
            yield source, self.graph.links[source][iri]

    def _linked(self, iri: str, kind: LinkKind) -> list[Subject]:
        found = [other for other, kinds in self.graph.links.get(iri, {}).items() if kind in kinds]
        return self._sorted(found)

    def _sorted(self, iris: Iterable[str]) -> list[Subject]:
        return sorted((self.thing(it) for it in iris), key=lambda it: natural(it.label))

    @cached_property
    def _facts(self) -> dict[str, list[TermFact]]:
        return facts_of_terms(self.session, self.scope)

    def facts(self, term: str) -> list[TermFact]:
        """Return what definitions state of a term, by its IRI."""
        found = self._facts.get(term, [])
        return found if self.words else [it._replace(quote="") for it in found]

    @cached_property
    def nameless(self) -> list[str]:
        """The senses to which facts of terms lead, and for which no term stands, by IRI."""
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
        graphs = self.scope.default_graphs
        rows = self.session.select(QUERIES.bound("provisions", {}), graphs, ())
        return {str(rule): str(provision) for rule, provision in rows}

    @cached_property
    def _entries(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for term, kind, owner in self.session.run("reliance", "bodies", self.scope.linked):
            if kind == "entry":
                found[str(term)].append(str(owner))
        return found

    def entries(self, term: str) -> list[str]:
        """Return the entries that define a term, by IRI."""
        return self._entries.get(term, [])

    def terms_of(self, entry: str) -> list[str]:
        """Return the terms that an entry defines, by IRI."""
        return [term for term, entries in self._entries.items() if entry in entries]

    # -- reliance ---------------------------------------------------------------------------------

    def relies_on(self, term: Subject) -> Answer:
        """Return what a term relies on, as the question `relied_on_by_term` does."""
        return relied_on(self._walk(term))

    def relied_on_by(self, term: Subject) -> Answer:
        """Return the terms that rely on one, as the question `terms_relying_on` does."""
        return relying(self._walk(term), Reach(), terms=True)

    def _walk(self, term: Subject) -> Walk:
        thing = Thing("term" if term.kind is NodeKind.TERM else "rule", term.label, (term.iri,))
        return Walk(self.session, Resolution((thing,), self.scope), Reach(), self.network, self._quotations)
