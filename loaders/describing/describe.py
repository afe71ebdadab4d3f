"""Write `graph/catalog`, which describes what a store holds in VoID and DCAT.

The data set has a part for each edition, and each edition has a part for each of its named graphs, with the
counts. A graph that a build writes is counted from its file. All other graphs keep the counts of the previous
catalog, so a build costs nothing for editions that it does not touch.

Entities are nodes with a type; those of an edition also have a place in it, stated by `void:uriRegexPattern`.
A data set of several graphs has the statements of each: one that is in two of them counts twice, since every
build would have to read all editions to find out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

from ...ontology import PREFIXES, RG
from ...ontology.iris import CODE, GAME, VOCABULARY, Iris
from ..editions import EditionInfo
from ..graph.quads import RDF_TYPE, TripleSet, day, integer, node, text
from .inventory import SD, Counts, Inventory, edition_graphs

EXAMPLES = (RG.Rule, RG.Entry, RG.Paragraph, RG.Term)
"""The classes for which a data set shows an example resource; every class partition has its own."""

STARTER = "starter"
"""The edition in our own words."""

CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
NOTATIONS = {
    "turtle": "text/turtle",
    "ntriples": "application/n-triples",
    "nquads": "application/n-quads",
    "trig": "application/trig",
    "jsonld": "application/ld+json",
    "rdfxml": "application/rdf+xml",
}
"""The RDF formats in which data is offered, with their media types."""

MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"

RIGHTS = (
    "The texts of the documents belong to their owners; the rules of Magic: The Gathering are © Wizards "
    "of the Coast LLC. Everything else (identifiers, names, links, line numbers, checksums) is in the public "
    "domain (CC0 1.0). `rulesgraph export --without-text` leaves the texts out."
)

_VOID, _DCAT, _DCTERMS = PREFIXES["void"], PREFIXES["dcat"], PREFIXES["dcterms"]
_ABOUT = "The rules documents, the terms they define, and which terms rely on which, each with its source."
_FOAF = "http://xmlns.com/foaf/0.1/"
_PROJECT = "https://w3id.org/rulesgraph/"
_IRREGULAR = "http://publications.europa.eu/resource/authority/frequency/IRREG"
_ENGLISH = "http://publications.europa.eu/resource/authority/language/ENG"
_OURS = VOCABULARY.removesuffix("#")
_OF_THE_GAME = GAME.removesuffix("#")
_OF_CODES = CODE.removesuffix("#")
_SKOS = "http://www.w3.org/2004/02/skos/core"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_ELI = PREFIXES["eli"]
_OWL = "http://www.w3.org/2002/07/owl"
_OWL_NS = PREFIXES["owl"]
_OF_LINKS = (PREFIXES["prov"], PREFIXES["iso-thes"])
"""The links that are derived on demand: not every edition has some."""

_OF_ALL = (_OURS, _OF_THE_GAME, _OF_CODES, _SKOS, _DCTERMS, _RDFS)
_OF_EDITIONS = (*_OF_ALL, *_OF_LINKS)
_OF_THE_ONTOLOGY = (
    *(*_OF_ALL, _OWL),
    *(PREFIXES["prov"], PREFIXES["eli"], "https://schema.org/", "http://purl.org/vocab/vann/"),
)


def catalog_triples(iris: Iris, contents: Inventory) -> TripleSet:
    """Return the description of `contents`; it depends on no clock and no chance."""
    return _Description(iris, contents).triples


def facet(dataset: str, *words: str) -> str:
    """Return the IRI that describes one aspect of a data set, in the same document.

    >>> facet("https://w3id.org/rulesgraph/dataset", "as", "turtle")
    'https://w3id.org/rulesgraph/dataset#as-turtle'
    """
    return dataset + ("/" if "#" in dataset else "#") + "-".join(words)


class _Description:
    """Writes the description of one store or export."""

    def __init__(self, iris: Iris, contents: Inventory) -> None:
        self.iris = iris
        self.contents = contents
        self.triples = TripleSet()
        self.whole = iris.dataset()
        self.rights = facet(self.whole, "rights")
        catalog = iris.graph("catalog")
        self._type(catalog, _DCAT + "Catalog", _VOID + "DatasetDescription")
        self._say(catalog, _DCTERMS + "title", text("What the graphs of this store contain"))
        self._link(catalog, _FOAF + "primaryTopic", self.whole)
        self._say(catalog, _DCTERMS + "description", text(_ABOUT))
        self._link(catalog, _DCTERMS + "publisher", _PROJECT)
        self._type(_PROJECT, _FOAF + "Agent")
        self._say(_PROJECT, _FOAF + "name", text("rulesgraph"))
        self._link(catalog, _DCTERMS + "license", CC0)
        total = Counts()
        for info in contents.editions:
            total += self._edition(info)
            for part in (self.whole, iris.dataset(f"edition/{info.edition}")):
                self._link(catalog, _DCAT + "dataset", part)
        total += self._shared("terms", "Terms of all editions", (_OURS, _SKOS, _DCTERMS))
        total += self._shared("wordings", "The wordings of all editions, each once", (_OURS,), owned=False)
        total += self._shared("timeline", "The history of rules and entries", (_OURS, _OF_CODES, _ELI))
        total += self._shared("ontology", "The vocabulary of rulesgraph", _OF_THE_ONTOLOGY)
        if contents.apart:
            self._current()
        self._whole(total)

    # -- data sets ------------------------------------------------------------------------------

    def _whole(self, total: Counts) -> None:
        me = self.whole
        self._data_set(me, "The rules of Magic: The Gathering as a graph", owned=not self.contents.words)
        self._say(me, _DCTERMS + "description", text(_ABOUT))
        for role in ("creator", "publisher"):
            self._link(me, _DCTERMS + role, _PROJECT)
        self._link(me, _DCTERMS + "accrualPeriodicity", _IRREGULAR)
        self._temporal(me)
        self._link(me, _DCTERMS + "conformsTo", _OURS)
        self._say(me, _VOID + "uriSpace", text(self.iris.base))
        for keyword in ("Magic: The Gathering", "rules", "knowledge graph"):
            self._say(me, _DCAT + "keyword", text(keyword))
        for vocabulary in _OF_THE_ONTOLOGY:
            self._link(me, _VOID + "vocabulary", vocabulary)
        placed = _pattern(self.iris.base) + "(edition|document|term|provision)/"
        self._say(me, _VOID + "uriRegexPattern", text("^" + placed))
        total.classes = {name: it for name, it in total.classes.items() if re.match(placed, it[1])}
        self._counts(me, total)
        self._offer(me)

    def _temporal(self, me: str) -> None:
        """State the first and the last day of the editions, which is the version: no clock says when."""
        days = [it.issued for it in self.contents.editions if it.issued]
        if days:
            self._say(me, _DCTERMS + "modified", day(max(days)))
            self._say(me, _OWL_NS + "versionInfo", text(str(max(days))))
            period = facet(me, "period")
            self._link(me, _DCTERMS + "temporal", period)
            self._type(period, _DCTERMS + "PeriodOfTime")
            self._say(period, _DCAT + "startDate", day(min(days)))
            self._say(period, _DCAT + "endDate", day(max(days)))

    def _offer(self, me: str) -> None:
        """Describe the formats in which the data set is distributed, and what made it."""
        for name, media in NOTATIONS.items():
            part = facet(me, "as", name)
            self._link(me, _DCAT + "distribution", part)
            self._type(part, _DCAT + "Distribution")
            self._say(part, _DCTERMS + "title", text(f"rulesgraph export --as {name}"))
            self._link(part, _DCAT + "mediaType", MEDIA_TYPES + media)
            self._link(part, _DCAT + "accessURL", me)
            owned = all(self._owned(it.edition) for it in self.contents.editions)
            self._link(part, _DCTERMS + ("license" if owned else "rights"), CC0 if owned else self.rights)
        made = facet(me, "software")
        self._link(me, PREFIXES["prov"] + "wasAttributedTo", made)
        self._type(made, PREFIXES["prov"] + "SoftwareAgent")
        self._say(made, PREFIXES["rdfs"] + "label", text("rulesgraph"))
        self._say(made, _OWL_NS + "versionInfo", text(version("rulesgraph")))

    def _edition(self, info: EditionInfo) -> Counts:
        iris, title = self.iris, self.contents.titles.get(info.edition, info.edition)
        me = iris.dataset(f"edition/{info.edition}")
        owned = self._owned(info.edition)
        total = Counts()
        for graph in edition_graphs(iris, info):
            counts = self.contents.counts.get(graph, Counts())
            if counts.triples:
                total += counts
                ours = owned or graph == iris.history(info.edition)
                self._graph(me, graph, counts, f"{title}: {_part_name(iris, graph)}", owned=ours)
                if self.contents.apart:
                    self._links(iris.dataset(iris.local(graph)), me, counts)
        if not total.triples:
            return total
        self._link(self.whole, _VOID + "subset", me)
        self._data_set(me, title, owned=owned)
        self._link(me, _DCTERMS + "subject", iris.edition(info.edition))
        if info.issued:
            self._say(me, _DCTERMS + "issued", day(info.issued))
        for document in info.documents:
            self._link(me, _DCTERMS + "source", iris.document(document))
        for vocabulary in _OF_EDITIONS:
            if vocabulary not in _OF_LINKS or any(it.startswith(vocabulary) for it in total.properties):
                self._link(me, _VOID + "vocabulary", vocabulary)
        self._say(me, _VOID + "uriSpace", text(f"{iris.edition(info.edition)}/"))
        members = "|".join(_pattern(document) for document in sorted(info.documents))
        pattern = f"^{_pattern(iris.base)}(edition/{_pattern(info.edition)}|document/({members}))(/|$)"
        self._say(me, _VOID + "uriRegexPattern", text(pattern))
        self._counts(me, total)
        if not self.contents.apart:
            self._links(me, me, total)
        return total

    def _shared(self, name: str, title: str, vocabularies: Sequence[str], *, owned: bool = True) -> Counts:
        graph = self.iris.graph(name)
        counts = self.contents.counts.get(graph, Counts())
        if counts.triples:
            owned = owned or not self.contents.words
            self._graph(self.whole, graph, counts, title, owned=owned)
            for vocabulary in vocabularies:
                self._link(self.iris.dataset(f"graph/{name}"), _VOID + "vocabulary", vocabulary)
        return counts

    def _current(self) -> None:
        owned = all(map(self._owned, self.contents.current))
        title = "What queries without GRAPH see: the newest edition, merged"
        if self._shared("current", title, (), owned=owned).triples:
            for edition in self.contents.current:
                source = self.iris.dataset(f"edition/{edition}")
                self._link(self.iris.dataset("graph/current"), _DCTERMS + "source", source)

    def _owned(self, edition: str) -> bool:
        """Return whether an edition contains only our own text."""
        return not self.contents.words or edition == STARTER

    def _graph(self, whole: str, graph: str, counts: Counts, title: str, *, owned: bool) -> None:
        """Describe a graph; graphs of an edition are only parts where they stay separate."""
        local = self.iris.local(graph)
        me = self.iris.dataset(local)
        if self.contents.apart:
            self._type(me, SD + "NamedGraph")
            self._link(me, SD + "name", graph)
            if self.iris.parse(graph).kind != "document":  # the document describes itself
                self._type(graph, SD + "Graph")
                self._say(graph, _DCTERMS + "title", text(title))
        elif self.iris.parse(graph).kind != "graph":
            return
        self._link(whole, _VOID + "subset", me)
        self._data_set(me, title, owned=owned)
        self._counts(me, counts)

    def _data_set(self, me: str, title: str, *, owned: bool) -> None:
        self._type(me, _VOID + "Dataset", _DCAT + "Dataset")
        self._say(me, _DCTERMS + "title", text(title))
        self._link(me, _DCTERMS + "language", _ENGLISH)
        if owned:
            self._link(me, _DCTERMS + "license", CC0)
        else:
            self._link(me, _DCTERMS + "rights", self.rights)
            self._type(self.rights, _DCTERMS + "RightsStatement")
            self._say(self.rights, PREFIXES["rdfs"] + "label", text(RIGHTS))

    # -- what is counted ------------------------------------------------------------------------

    def _counts(self, me: str, counts: Counts) -> None:
        self._say(me, _VOID + "triples", integer(counts.triples))
        self._say(me, _VOID + "properties", integer(len(counts.properties)))
        for name, number in counts.properties.items():
            part = facet(me, "property", _short(name))
            self._link(me, _VOID + "propertyPartition", part)
            self._link(part, _VOID + "property", name)
            self._say(part, _VOID + "triples", integer(number))
        if counts.entities:
            self._say(me, _VOID + "entities", integer(counts.entities))
        for name, (number, first) in counts.classes.items():
            part = facet(me, "class", _short(name))
            self._link(me, _VOID + "classPartition", part)
            self._link(part, _VOID + "class", name)
            self._say(part, _VOID + "entities", integer(number))
            self._link(part, _VOID + "exampleResource", first)
            if name in EXAMPLES:
                self._link(me, _VOID + "exampleResource", first)

    def _links(self, me: str, source: str, counts: Counts) -> None:
        for (link, edition), number in counts.links.items():
            part = facet(me, "links", link, edition)
            self._link(me, _VOID + "subset", part)
            self._type(part, _VOID + "Linkset")
            self._link(part, _VOID + "linkPredicate", VOCABULARY + link)
            self._link(part, _VOID + "subjectsTarget", source)
            self._link(part, _VOID + "objectsTarget", self.iris.dataset(f"edition/{edition}"))
            self._say(part, _VOID + "triples", integer(number))
            self._link(part, _DCTERMS + "license", CC0)

    # -- statements -----------------------------------------------------------------------------

    def _type(self, me: str, *classes: str) -> None:
        for name in classes:
            self.triples.add(node(me), RDF_TYPE, node(name))

    def _link(self, me: str, name: str, other: str) -> None:
        self.triples.add(node(me), node(name), node(other))

    def _say(self, me: str, name: str, value: str) -> None:
        self.triples.add(node(me), node(name), value)


def _part_name(iris: Iris, graph: str) -> str:
    """Return what a graph of an edition contains, in words."""
    place = iris.parse(graph)
    if place.kind == "document":
        return f"document {place.key}"
    return {"derived": "derived links", "history": "history", "inferred": "what was inferred"}[place.kind]


def _short(name: str) -> str:
    """Return a class as a segment of an IRI: ours by name, others with their prefix."""
    for prefix, start in PREFIXES.items():
        if name.startswith(start):
            return name.removeprefix(start) if prefix == "rg" else f"{prefix}-{name.removeprefix(start)}"
    return re.sub(r"\W+", "-", name.partition("://")[2] or name)


def _pattern(words: str) -> str:
    """Return a regular expression for `words` that XPath also understands, which has no ``\\-``."""
    return re.escape(words).replace("\\-", "-")
