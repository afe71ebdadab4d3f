"""Store each wording once: `graph/wordings` has what depends on the text alone, editions say where it is.

A wording has its text, the references in it as they are written, and the mentions that hold at every place
where it stands. What a text mentions beyond that, at some of its places, stands in the edition of the place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pyoxigraph import RdfFormat

from ...ontology.iris import Iris
from ...ontology.query_files import QueryFiles
from ...ontology.terms import RG
from ..editions import EditionInfo
from ..graph.emit import write_reference
from ..graph.quads import RDF_TYPE, C, P, TripleSet, node, text
from ..linking.edition import EditionView
from ..records import Reference, TargetKind
from ..store.protocol import Queryable
from ..store.results import Triples
from ..store.statements import statements, text_rows, value_of
from .items import masked
from .likeness import checksum

_QUERIES = QueryFiles.beside(__name__)

_SECTION_DIGITS = 2
"""A number of a section has no more digits; that of a chapter has three."""


class PlacedWording(NamedTuple):
    """A text unit of an edition, its wording, and all terms that it mentions there, by their IRIs."""

    place: str
    wording: str
    mentions: frozenset[str]


class WordingsOf(NamedTuple):
    """The placements of an edition, and wording → its text with the references in it."""

    placements: tuple[PlacedWording, ...]
    texts: Mapping[str, tuple[str, tuple[Reference, ...]]]


def reading_of(view: EditionView, mentions: Mapping[str, Collection[str]]) -> WordingsOf:
    """Return what the texts of an edition are; `mentions` are slugs by the IRI of a text unit."""
    iris = view.iris
    texts: dict[str, tuple[str, tuple[Reference, ...]]] = {}
    placements = []
    for unit in view.units:
        wording = iris.wording(unit.text)
        texts[wording] = unit.text, unit.references
        terms = frozenset(iris.term(term) for term in mentions.get(unit.iri, ()))
        placements.append(PlacedWording(unit.iri, wording, terms))
    return WordingsOf(tuple(placements), texts)


# -- writing --------------------------------------------------------------------------------


class Wordings:
    """`graph/wordings` of a store, while editions come in or go.

    `fresh` are the readings of editions that come in, `gone` the wordings of those that go or are replaced,
    which are not asked any more: the ids of all these are `changed`.
    """

    def __init__(
        self,
        store: Queryable,
        iris: Iris,
        editions: Mapping[str, EditionInfo],
        fresh: Mapping[str, WordingsOf],
        gone: Collection[str],
        changed: Collection[str],
    ) -> None:
        self._store = store
        self._iris = iris
        self._fresh = fresh
        self._editions = [it for it in editions.values() if it.is_rules and it.edition not in changed]
        self._lines: dict[str, list[str]] = {}
        self._common: dict[str, frozenset[str]] = defaultdict(frozenset)
        self._expressed: dict[str, set[str]] = defaultdict(set)
        self._read()
        self._places: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        for reading in fresh.values():
            for it in reading.placements:
                self._places[it.wording][it.place] = it.mentions
        lost = [
            it
            for it in self._places.keys() & self._lines.keys()
            if any(not self._common[it] <= mentions for mentions in self._places[it].values())
        ]
        self._only_adds = not gone
        asked = {*lost, *gone}
        self._former: dict[str, set[str]] = defaultdict(set)
        if asked and self._editions:
            self._read_places(asked)
        self._settle(asked)

    def _read(self) -> None:
        """Read what the store has of wordings."""
        mentions: dict[str, list[str]] = defaultdict(list)
        for line in self._store.graph_lines(self._iris.graph("wordings")):
            subject, name, value = line[:-2].split(" ", 2)
            wording = subject[1:-1].partition("/ref/")[0]
            if name == P["mentions"]:
                mentions[wording].append(value[1:-1])
            elif name == P["expressionOf"]:
                self._expressed[wording].add(value[1:-1])
            else:
                self._lines.setdefault(wording, []).append(line[:-2])
        self._common.update((it, frozenset(terms)) for it, terms in mentions.items())

    def _read_places(self, wordings: Iterable[str]) -> None:
        """Read where wordings stand in editions that stay, and what they mention there beyond the rest."""
        iris = self._iris
        graphs = [
            (iris.document(document), iris.derived(info.edition))
            for info in self._editions
            for document in info.documents
        ]
        query = _QUERIES.bound("places", {"document derived": graphs, "wording": sorted(wordings)})
        for place, wording, term in text_rows(self._store, query):
            known = self._places[wording].get(place, self._common[wording])
            self._places[wording][place] = known | {term} if term else known
            if term:
                self._former[place].add(term)

    def _settle(self, asked: Collection[str]) -> None:
        """Find the mentions that hold wherever a wording stands, and what is mentioned beyond them."""
        self.further: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        """Edition → place → terms that it mentions beyond what its wording mentions; may be none any more."""
        for wording in asked:
            if wording not in self._places:
                self._lines.pop(wording, None)
        for wording, places in self._places.items():
            all_known = wording in asked or wording not in self._lines
            common = frozenset.intersection(*places.values()) if all_known else self._common[wording]
            self._common[wording] = common
            for place, mentions in places.items():
                edition = self._iris.parse(place).edition
                more = mentions - common
                if edition in self._fresh:
                    if more:
                        self.further[edition][place] = more
                elif more != self._former[place]:
                    self.further[edition][place] = more

    def triples(self, histories: Mapping[str, str], written: Mapping[str, Path]) -> TripleSet:
        """Return `graph/wordings`; `histories` are the history graphs by edition, `written` files of graphs.

        Histories say of which provisions the wordings are expressions.
        """
        triples = TripleSet()
        texts = {it: told for reading in self._fresh.values() for it, told in reading.texts.items()}
        known = {**dict.fromkeys(self._lines), **dict.fromkeys(sorted(texts))}
        expressed = self._expressions(histories, written)
        for wording in known:
            me = node(wording)
            if wording in self._lines:
                triples.lines.update(dict.fromkeys(self._lines[wording]))
            else:
                _write(triples, wording, *texts[wording])
            for term in sorted(self._common[wording]):
                triples.add(me, P["mentions"], node(term))
            for provision in sorted(expressed.get(wording, ())):
                triples.add(me, P["expressionOf"], node(provision))
        return triples

    def _expressions(self, histories: Mapping[str, str], written: Mapping[str, Path]) -> dict[str, set[str]]:
        """Return wording → the provisions whose words it is."""
        renewed = sorted(edition for edition, graph in histories.items() if graph in written)
        neighbours = [histories[it] for it in renewed if it not in self._fresh]
        only_adds = self._only_adds and (
            self._provisions(neighbours, {}) == self._provisions(neighbours, written)
        )
        asked = renewed if only_adds else sorted(histories)
        provision = self._provisions([histories[it] for it in asked], written)
        found: dict[str, set[str]] = defaultdict(set)
        if only_adds:
            found.update(self._expressed)
        else:
            documents = [self._iris.document(d) for info in self._editions for d in info.documents]
            for _, rule, _, wording in statements(self._store, documents, (RG.wording,), {}):
                if rule in provision:
                    found[wording].add(provision[rule])
        for reading in self._fresh.values():
            for it in reading.placements:
                if it.place in provision:
                    found[it.wording].add(provision[it.place])
        return found

    def _provisions(self, histories: Iterable[str], written: Mapping[str, Path]) -> dict[str, str]:
        """Return rule → the provision that it has in some history graphs."""
        found = statements(self._store, histories, (RG.provision,), written)
        return {rule: provision for _, rule, _, provision in found}


def kept_links(
    store: Queryable,
    iris: Iris,
    fresh: Mapping[str, TripleSet],
    further: Mapping[str, Mapping[str, Collection[str]]],
) -> Iterator[tuple[str, TripleSet]]:
    """Yield the derived graphs that are kept of editions which are `fresh`, or whose mentions change.

    `fresh` is what is kept of new ones but for mentions, `further` is edition → place → the terms that it
    mentions beyond what its wording mentions.
    """
    for edition in sorted({*fresh, *further}):
        graph, beyond = iris.derived(edition), further.get(edition, {})
        if edition in fresh:
            kept = fresh[edition]
        else:
            starts = tuple(f"{node(place)} {P['mentions']} " for place in beyond)
            lines = (line[:-2] for line in store.graph_lines(graph))
            kept = TripleSet(line for line in lines if not line.startswith(starts))
        for place, terms in sorted(beyond.items()):
            for term in sorted(terms):
                kept.add(node(place), P["mentions"], node(term))
        yield graph, kept


def _write(triples: TripleSet, wording: str, words: str, references: Sequence[Reference]) -> None:
    me = node(wording)
    triples.add(me, RDF_TYPE, C["Wording"])
    triples.add(me, P["text"], text(words))
    triples.add(me, P["foldedAs"], text(checksum(masked(words))))
    for place, reference in enumerate(references, start=1):
        it = write_reference(triples, wording, place, reference)
        for target in reference.targets:
            if target.kind is not TargetKind.TERM:  # which goes by the words of the reference
                triples.add(it, P["citesNumber"], text(target.key))


# -- reading --------------------------------------------------------------------------------


def placed_wordings(store: Queryable, iris: Iris, documents: Sequence[str]) -> Iterator[str]:
    """Yield the wordings of some documents, by the IRIs of both, each once."""
    found = statements(store, documents, (RG.wording,), {})
    yield from dict.fromkeys(wording for *_, wording in found)


class Worded:
    """The wordings of one document as a store has them: their words, references and mentions."""

    def __init__(self, store: Queryable, iris: Iris, document: str) -> None:
        self._iris = iris
        self._told: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.triples = TripleSet()
        given = {"document": [document], "wordings": [iris.graph("wordings")]}
        found = store.query(_QUERIES.bound("wordings_of", given))
        assert isinstance(found, Triples)
        # As text they are read in half the time that taking each term apart needs.
        for line in found.serialize(RdfFormat.N_TRIPLES).decode().splitlines():
            subject, name, value = line[:-2].split(" ", 2)
            self._told[subject[1:-1]][name[1:-1]].append(value_of(value))
            self.triples.lines[line[:-2]] = None

    def mentions(self, wording: str) -> Iterable[str]:
        """Return the terms, by their IRIs, that a wording mentions wherever it stands."""
        return self._told[wording][RG.mentions]

    def statements(self, place: str, wording: str, edition: str) -> Iterator[tuple[str, str, str]]:
        """Yield what a wording says as if a place said it: its text, and its references to numbers."""
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
