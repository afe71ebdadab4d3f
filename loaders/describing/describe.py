"""Write `graph/catalog`, which describes what a store holds in VoID and DCAT.

The data set has a part for each edition, and each edition has a part for each of its named graphs, with the
counts. A graph that a build writes is counted from its file. All others keep their counts from the previous
catalog, so a build takes no time for editions that it does not touch.

Entities are nodes with a type; those of an edition also have a place in it, stated by `void:uriRegexPattern`.
In a data set of several graphs, a statement that is in two of them counts twice: to avoid this, every build
would have to read all editions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

from ...ontology import PREFIXES, RG
from ...ontology.iris import CODE, GAME, VOCABULARY, Iris
from ..editions import EditionInfo
from ..graph.quads import Objects, TripleSet, day, integer, node, text
from .inventory import SD, Counts, Inventory, edition_graphs

EXAMPLES = (RG.Rule, RG.Entry, RG.Paragraph, RG.Term)
"""The classes for which a data set shows an example resource; every class partition has its own."""

STARTER = "starter"
"""The edition that we wrote ourselves."""

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
_OF_LINKS = (PREFIXES["prov"], PREFIXES["iso-thes"])
"""The links that are derived on demand: some editions have none."""

_OF_ALL = (_OURS, _OF_THE_GAME, _OF_CODES, _SKOS, _DCTERMS, _RDFS)
_OF_EDITIONS = (*_OF_ALL, *_OF_LINKS)
_OF_THE_ONTOLOGY = (
    *(*_OF_ALL, _OWL),
    *(PREFIXES["prov"], PREFIXES["eli"], "https://schema.org/", "http://purl.org/vocab/vann/"),
)


def catalog_triples(iris: Iris, contents: Inventory) -> TripleSet:
    """Return the description of `contents`; the same contents always give the same one."""
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
        kinds = (node(_DCAT + "Catalog"), node(_VOID + "DatasetDescription"))
        self._say(catalog, type=kinds, title=text("What the graphs of this store contain"))
        self._say(catalog, description=text(_ABOUT), publisher=node(_PROJECT), license=node(CC0))
        self._say(_PROJECT, type=node(_FOAF + "Agent"))
        self.triples.add(node(catalog), node(_FOAF + "primaryTopic"), node(self.whole))
        self.triples.add(node(_PROJECT), node(_FOAF + "name"), text("rulesgraph"))
        total = Counts()
        for info in contents.editions:
            total += self._edition(info)
            own = iris.dataset(f"edition/{info.edition}")
            self._say(catalog, dataset=(node(self.whole), node(own)))
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
        self._say(me, description=text(_ABOUT), creator=node(_PROJECT), publisher=node(_PROJECT))
        self._say(me, accrualPeriodicity=node(_IRREGULAR), conformsTo=node(_OURS))
        self._temporal(me)
        for keyword in ("Magic: The Gathering", "rules", "knowledge graph"):
            self.triples.add(node(me), node(_DCAT + "keyword"), text(keyword))
        placed = _pattern(self.iris.base) + "(edition|document|term|provision)/"
        self._say(me, uriSpace=text(self.iris.base), uriRegexPattern=text("^" + placed))
        self._say(me, vocabulary=map(node, _OF_THE_ONTOLOGY))
        total.classes = {name: it for name, it in total.classes.items() if re.match(placed, it[1])}
        self._counts(me, total)
        self._offer(me)

    def _temporal(self, me: str) -> None:
        """State the first and the last day of the editions; the last is the version: no clock is needed."""
        days = [it.issued for it in self.contents.editions if it.issued]
        if days:
            period, kind = facet(me, "period"), node(_DCTERMS + "PeriodOfTime")
            self._say(me, modified=day(max(days)), versionInfo=text(str(max(days))), temporal=node(period))
            self._say(period, type=kind, startDate=day(min(days)), endDate=day(max(days)))

    def _offer(self, me: str) -> None:
        """Describe the formats in which the data set is distributed, and what made it."""
        owned = all(self._owned(it.edition) for it in self.contents.editions)
        for name, media in NOTATIONS.items():
            part = facet(me, "as", name)
            self._say(me, distribution=node(part))
            self._say(part, type=node(_DCAT + "Distribution"), title=text(f"rulesgraph export --as {name}"))
            self._say(part, mediaType=node(MEDIA_TYPES + media), accessURL=node(me))
            self._say(part, license=owned and node(CC0), rights=not owned and node(self.rights))
        made, kind = facet(me, "software"), node(PREFIXES["prov"] + "SoftwareAgent")
        self._say(me, wasAttributedTo=node(made))
        self._say(made, type=kind, label=text("rulesgraph"), versionInfo=text(version("rulesgraph")))

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
        self._say(self.whole, subset=node(me))
        self._data_set(me, title, owned=owned)
        self._say(me, subject=node(iris.edition(info.edition)), issued=day(info.issued))
        self._say(me, source=[node(iris.document(document)) for document in info.documents])
        for vocabulary in _OF_EDITIONS:
            if vocabulary not in _OF_LINKS or any(it.startswith(vocabulary) for it in total.properties):
                self._say(me, vocabulary=node(vocabulary))
        members = "|".join(_pattern(document) for document in sorted(info.documents))
        pattern = f"^{_pattern(iris.base)}(edition/{_pattern(info.edition)}|document/({members}))(/|$)"
        self._say(me, uriSpace=text(f"{iris.edition(info.edition)}/"), uriRegexPattern=text(pattern))
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
            self._say(self.iris.dataset(f"graph/{name}"), vocabulary=map(node, vocabularies))
        return counts

    def _current(self) -> None:
        owned = all(map(self._owned, self.contents.current))
        title = "What queries without GRAPH see: the newest edition, merged"
        if self._shared("current", title, (), owned=owned).triples:
            sources = (self.iris.dataset(f"edition/{edition}") for edition in self.contents.current)
            self._say(self.iris.dataset("graph/current"), source=map(node, sources))

    def _owned(self, edition: str) -> bool:
        """Return whether an edition contains only our own text."""
        return not self.contents.words or edition == STARTER

    def _graph(self, whole: str, graph: str, counts: Counts, title: str, *, owned: bool) -> None:
        """Describe a graph; graphs of an edition are only parts where they stay separate."""
        local = self.iris.local(graph)
        me = self.iris.dataset(local)
        if self.contents.apart:
            self._say(me, type=node(SD + "NamedGraph"))
            self.triples.add(node(me), node(SD + "name"), node(graph))
            if self.iris.parse(graph).kind != "document":  # the document that describes itself
                self._say(graph, type=node(SD + "Graph"), title=text(title))
        elif self.iris.parse(graph).kind != "graph":
            return
        self._say(whole, subset=node(me))
        self._data_set(me, title, owned=owned)
        self._counts(me, counts)

    def _data_set(self, me: str, title: str, *, owned: bool) -> None:
        kinds = (node(_VOID + "Dataset"), node(_DCAT + "Dataset"))
        self._say(me, type=kinds, title=text(title), language=node(_ENGLISH), license=owned and node(CC0))
        if not owned:
            self._say(me, rights=node(self.rights))
            self._say(self.rights, type=node(_DCTERMS + "RightsStatement"), label=text(RIGHTS))

    # -- what is counted ------------------------------------------------------------------------

    def _counts(self, me: str, counts: Counts) -> None:
        self._say(me, triples=integer(counts.triples), properties=integer(len(counts.properties)))
        for name, number in counts.properties.items():
            part = facet(me, "property", _short(name))
            self._say(me, propertyPartition=node(part))
            self._say(part, property=node(name), triples=integer(number))
        self._say(me, entities=counts.entities > 0 and integer(counts.entities))
        for name, (number, first) in counts.classes.items():
            part = facet(me, "class", _short(name))
            self._say(me, classPartition=node(part), exampleResource=name in EXAMPLES and node(first))
            self._say(part, entities=integer(number), exampleResource=node(first))
            self.triples.add(node(part), node(_VOID + "class"), node(name))

    def _links(self, me: str, source: str, counts: Counts) -> None:
        for (link, edition), number in counts.links.items():
            part = facet(me, "links", link, edition)
            target = node(self.iris.dataset(f"edition/{edition}"))
            self._say(me, subset=node(part))
            self._say(part, type=node(_VOID + "Linkset"), linkPredicate=node(VOCABULARY + link))
            self._say(part, subjectsTarget=node(source), objectsTarget=target)
            self._say(part, triples=integer(number), license=node(CC0))

    # -- statements -----------------------------------------------------------------------------

    def _say(self, me: str, /, **said: Objects) -> None:
        self.triples.say(node(me), **said)


def _part_name(iris: Iris, graph: str) -> str:
    """Return what a graph of an edition contains, in words."""
    place = iris.parse(graph)
    if place.kind == "document":
        return f"document {place.key}"
    return {"derived": "derived links", "history": "history", "inferred": "what was inferred"}[place.kind]


def _short(name: str) -> str:
    """Return a class as a segment of an IRI: our own by name, others with their prefix."""
    for prefix, start in PREFIXES.items():
        if name.startswith(start):
            return name.removeprefix(start) if prefix == "rg" else f"{prefix}-{name.removeprefix(start)}"
    return re.sub(r"\W+", "-", name.partition("://")[2] or name)


def _pattern(words: str) -> str:
    """Return a regular expression for `words` that XPath also understands, which has no ``\\-``."""
    return re.escape(words).replace("\\-", "-")
