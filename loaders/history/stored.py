"""Store each wording once, and derive the graphs of an edition of the rules from what a store keeps.

`graph/wordings` has what depends on the text alone: the words, the references in them as written, and the
mentions that hold wherever they occur. An edition has the places of its wordings, mentions that hold only
there, its problems, and the rules that define its terms. Everything else follows from these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pyoxigraph import RdfFormat

from ...ontology import RG, Iris, QueryFiles, grouped
from ..editions import EditionInfo
from ..facts.find import fact_triples
from ..graph.emit import document_triples, write_reference
from ..graph.quads import RDF_TYPE, C, P, TripleSet, node, text, write_quads
from ..graph.readback import read_document
from ..linking.derive import Deriver
from ..linking.edition import EditionView
from ..linking.labels import hierarchy
from ..records import Document, Problem, Reference, TargetKind
from ..store.protocol import Queryable, statements, stored_triples, text_rows, value_of
from ..store.results import Triples
from .items import masked
from .likeness import checksum

_QUERIES = QueryFiles.beside(__name__)

_SECTION_DIGITS = 2
"""The maximum number of digits in a section's number; a chapter's has three."""


class WordingsOf(NamedTuple):
    """The wordings of an edition: where they are, and wording → its text with the references in it.

    `placements` are (text unit, wording, all terms that the unit mentions), by their IRIs.
    """

    placements: tuple[tuple[str, str, frozenset[str]], ...]
    texts: Mapping[str, tuple[str, tuple[Reference, ...]]]


def reading_of(view: EditionView, mentions: Mapping[str, Collection[str]]) -> WordingsOf:
    """Return the texts of an edition; `mentions` are slugs by the IRI of a text unit."""
    iris = view.iris
    texts: dict[str, tuple[str, tuple[Reference, ...]]] = {}
    placements = []
    for unit in view.units:
        wording = iris.wording(unit.text)
        texts[wording] = unit.text, unit.references
        terms = frozenset(iris.term(term) for term in mentions.get(unit.iri, ()))
        placements.append((unit.iri, wording, terms))
    return WordingsOf(tuple(placements), texts)


# -- writing --------------------------------------------------------------------------------


class Wordings:
    """What changes in `graph/wordings` of a store when editions are added or removed.

    `editions` are those after the change, `fresh` the readings of the added ones. `gone` are the wordings of
    removed or replaced editions, each with all statements about it. `written` are the files of the renewed
    history graphs.
    """

    def __init__(
        self,
        store: Queryable,
        iris: Iris,
        editions: Mapping[str, EditionInfo],
        fresh: Mapping[str, WordingsOf],
        gone: Mapping[str, Collection[str]],
        written: Mapping[str, Path],
    ) -> None:
        self._store = store
        self._iris = iris
        self._fresh = fresh
        staying = [it for it in editions.values() if it.is_rules and it.edition not in fresh]
        self._derived = {iris.document(d): iris.derived(it.edition) for it in staying for d in it.documents}
        self._places: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        for reading in fresh.values():
            for place, wording, mentioned in reading.placements:
                self._places[wording][place] = mentioned
        self._lines = defaultdict(set, {it: set(lines) for it, lines in gone.items()})
        self._common: dict[str, frozenset[str]] = {}
        self._expressed: dict[str, set[str]] = defaultdict(set)
        self._former: dict[str, set[str]] = defaultdict(set)
        self._provisions: dict[str, str] = {}
        self._read({*self._places, *gone})
        texts = (told for reading in fresh.values() for told in reading.texts.items())
        self._texts = {it: told for it, told in texts if it in gone or it not in self._common}
        common = self._common.items()
        lost = {it for it, terms in common if any(terms - here for here in self._places[it].values())}
        self._asked = lost | gone.keys()
        self._read_places(self._asked)
        self._settle()
        self._express([it for it in editions if iris.history(it) in written], written)

    def _read(self, wordings: Collection[str]) -> None:
        """Read which of some wordings the store has, with their mentions and provisions."""
        mentions: dict[str, set[str]] = defaultdict(set)
        query = _QUERIES.bound("said", {"wording": sorted(wordings)})
        for wording, name, value in text_rows(self._store, query) if self._derived else ():
            told = mentions[wording]
            if name != RG.foldedAs:
                (told if name == RG.mentions else self._expressed[wording]).add(value)
                self._lines[wording].add(f"{node(wording)} {node(name)} {node(value)}")
        self._common.update((it, frozenset(terms)) for it, terms in mentions.items())

    def _read_places(self, wordings: Collection[str]) -> None:
        """Read where wordings occur in editions that stay, and what is mentioned only there."""
        query = _QUERIES.bound("places", {"wording": sorted(wordings)})
        rows = text_rows(self._store, query) if wordings and self._derived else ()
        for document, place, wording, derived, term, provision in rows:
            if document in self._derived:
                if derived == self._derived[document]:
                    self._former[place].add(term)
                if provision:
                    self._provisions[place] = provision
                self._places[wording][place] = self._common[wording] | self._former[place]

    def _settle(self) -> None:
        """Find the mentions that hold wherever a wording occurs, and those that hold only in places."""
        self.further: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        """Edition → place → terms that it mentions beyond what its wording mentions; possibly none now."""
        for wording, places in self._places.items():
            if places and (wording in self._asked or wording not in self._common):
                self._common[wording] = frozenset.intersection(*places.values())
            for place, mentions in places.items():
                more = mentions - self._common[wording]
                if more != self._former[place]:
                    self.further[self._iris.parse(place).edition][place] = more

    def moved(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Yield (edition, lines removed, lines added) of the mentions that hold only in places."""
        for edition, places in self.further.items():
            gone = ((place, term) for place, terms in places.items() for term in self._former[place] - terms)
            new = ((place, term) for place, terms in places.items() for term in terms - self._former[place])
            yield edition, _mentions(gone), _mentions(new)

    def change(self) -> tuple[list[str], list[str]]:
        """Return the lines removed from `graph/wordings`, and those added."""
        gone, new = set[str](), set[str]()
        for wording in {*self._places, *self._lines}:
            before, after = self._lines[wording], self._said(wording)
            gone |= before - after
            new |= after - before
        return sorted(gone), sorted(new)

    def _said(self, wording: str) -> set[str]:
        """Return the current statements about a wording; only its links, if only these were read."""
        if not self._places[wording]:
            return set()
        me = node(wording)
        links = TripleSet(_mentions((wording, term) for term in self._common[wording]))
        links.say(me, expressionOf=map(node, self._expressed[wording]))
        if wording in self._texts:
            _write(links, wording, *self._texts[wording])
            return {*links.lines}
        linking = (f"{me} {P['mentions']} ", f"{me} {P['expressionOf']} ")
        return {*links.lines, *(it for it in self._lines[wording] if not it.startswith(linking))}

    def _express(self, renewed: Sequence[str], written: Mapping[str, Path]) -> None:
        """Find the provisions that have each wording; `renewed` are the editions with a new history."""
        history = self._iris.history
        now = provisions_in(self._store, map(history, renewed), written)
        before = provisions_in(self._store, (history(it) for it in renewed if it not in self._fresh))
        moved = {rule for rule, provision in before.items() if now.get(rule) != provision}
        if moved:
            places = statements(self._store, self._derived, (RG.wording,), {})
            others = {wording for _, place, _, wording in places if place in moved} - self._asked
            self._read(others)
            self._read_places(others)
            self._asked |= others
        held = self._provisions | now
        for wording, standing in self._places.items():
            found = {held[place] for place in standing if place in held}
            self._expressed[wording] = found if wording in self._asked else self._expressed[wording] | found


def provisions_in(
    store: Queryable, histories: Iterable[str], written: Mapping[str, Path] = MappingProxyType({})
) -> dict[str, str]:
    """Return rule → its provision in some history graphs; `written` are files of graphs."""
    return {rule: it for _, rule, _, it in statements(store, histories, (RG.provision,), written)}


def _mentions(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return lines that say that places or wordings mention terms, by their IRIs."""
    return [f"{node(place)} {P['mentions']} {node(term)}" for place, term in sorted(pairs)]


def _write(triples: TripleSet, wording: str, words: str, references: Sequence[Reference]) -> None:
    folded = text(checksum(masked(words)))
    triples.say(node(wording), type=C["Wording"], text=text(words), foldedAs=folded)
    for place, reference in enumerate(references, start=1):
        it = write_reference(triples, wording, place, reference)
        # A term is named by the words of the reference.
        numbers = (target.key for target in reference.targets if target.kind is not TargetKind.TERM)
        triples.say(it, citesNumber=map(text, numbers))


# -- reading --------------------------------------------------------------------------------


def lines_of(store: Queryable, iris: Iris, documents: Iterable[str]) -> dict[str, list[str]]:
    """Return all statements about each wording of some documents, by the IRIs of both."""
    lines = chain.from_iterable(Worded(store, iris, it).triples.lines for it in documents)
    return grouped((line[1 : line.index(">")].partition("/ref/")[0], line) for line in lines)


class Worded:
    """The wordings of one document from a store: their words, references and mentions."""

    def __init__(self, store: Queryable, iris: Iris, document: str) -> None:
        self._iris = iris
        self._told: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.triples = TripleSet()
        text, graphs = _QUERIES.read("queries", "wordings_of"), [iris.graph("wordings")]
        found = store.query(text, default_graphs=graphs, named_graphs=[document])
        assert isinstance(found, Triples)
        # Reading them as text takes half as long as parsing each term.
        for line in found.serialize(RdfFormat.N_TRIPLES).decode().splitlines():
            subject, name, value = line[:-2].split(" ", 2)
            self._told[subject[1:-1]][name[1:-1]].append(value_of(value))
            self.triples.lines[line[:-2]] = None

    def mentions(self, wording: str) -> Iterable[str]:
        """Return the terms, by their IRIs, that a wording mentions wherever it occurs."""
        return self._told[wording][RG.mentions]

    def statements(self, place: str, wording: str, edition: str) -> Iterator[tuple[str, str, str]]:
        """Yield what a wording says, as statements about its place: the text, and references to numbers."""
        yield place, RG.text, self._told[wording][RG.text][0]
        for reference in self._told[wording][RG.hasReference]:
            mine, told = place + reference.removeprefix(wording), self._told[reference]
            numbers = told[RG.citesNumber]
            if numbers:
                yield place, RG.hasReference, mine
            for name in (RG.surface, RG.start, RG.end, RG.quotedTitle) if numbers else ():
                yield from ((mine, name, value) for value in told[name])
            for number in numbers:
                is_section = number.isdigit() and len(number) <= _SECTION_DIGITS
                target = self._iris.section if is_section else self._iris.rule
                yield mine, RG.to, target(edition, number)


def whole(document: Document, mentions: Mapping[str, Collection[str]], iris: Iris) -> dict[str, TripleSet]:
    """Return, by graph, what the document of a one-document edition says, and all links derived from it.

    `mentions` are the terms (slugs) that its texts mention, by the IRI of the text. Problems are left out.
    """
    view = EditionView([replace(document, problems=())], iris)
    said = {iris.document(document.document): document_triples(document, iris)}
    return said | {iris.derived(document.edition): links_and_facts(view, (), mentions)}


def links_and_facts(
    view: EditionView, defects: Sequence[Problem], mentions: Mapping[str, Collection[str]] | None = None
) -> TripleSet:
    """Return everything computed over the documents of one edition, each statement with its evidence."""
    facts = fact_triples(view)
    return Deriver(view, defects, mentions).derive() | facts | hierarchy(facts, view.names, view.iris)


def stored_document(
    store: Queryable, iris: Iris, edition: str, document: str
) -> tuple[Document, dict[str, set[str]], Worded]:
    """Return a stored document of the comprehensive rules, the terms its texts mention, and its wordings.

    The terms are slugs, by the IRI of the text. The document has no problems: these stay in the store.
    """
    graph = iris.document(document)
    worded = Worded(store, iris, graph)
    places = list(stored_triples(store, graph))
    standing = {place: wording for place, name, wording in places if name == RG.wording}
    said = (worded.statements(place, wording, edition) for place, wording in standing.items())
    mentions = {place: {*map(iris.slug_of, worded.mentions(it))} for place, it in standing.items()}
    for place, name, term in stored_triples(store, iris.derived(edition)):
        if name == RG.mentions:
            mentions[place].add(iris.slug_of(term))
    record = read_document(document, chain(places, chain.from_iterable(said)), (), iris)
    return record, mentions, worded


def stored_whole(store: Queryable, iris: Iris, edition: str, document: str) -> dict[str, TripleSet]:
    """Return the graphs of an edition of the rules that a store keeps, and the wordings in it."""
    record, mentions, worded = stored_document(store, iris, edition, document)
    found = whole(record, mentions, iris)
    found[iris.derived(edition)] |= TripleSet(line[:-2] for line in store.graph_lines(iris.derived(edition)))
    return found | {iris.graph("wordings"): worded.triples}


_PROVISION = f" {P['provision']} ".encode()


def with_types(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines of triples or quads, and for each rule the type of its provision.

    The type is not stored, since each history would repeat it.
    """
    for line in lines:
        yield line
        if _PROVISION in line:
            provision, _, end = line.split(b" ", 2)[2].partition(b" ")
            yield f"{provision.decode()} {RDF_TYPE} {C['Provision']} ".encode() + end


def write_said(store: Queryable, iris: Iris, edition: str, document: str, folder: Path) -> dict[str, Path]:
    """Write the words of a stored edition, and what they mention and define, as files of its graphs."""
    record, mentions, _ = stored_document(store, iris, edition, document)
    links = TripleSet(line[:-2] for line in store.graph_lines(iris.derived(edition)))
    named = _mentions((place, iris.term(it)) for place, terms in mentions.items() for it in terms)
    graphs = {iris.document(document): document_triples(record, iris)}
    graphs[iris.derived(edition)] = links | TripleSet(named)
    written = {graph: folder / f"{place}.nq" for place, graph in enumerate(graphs)}
    for graph, path in written.items():
        write_quads(path, graphs[graph], graph)
    return written
