"""Count the triples of each graph in a store, from new files or the previous catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...ontology import DCTERMS, GRAPHS, PREFIXES, VOCABULARY, Iris
from ..editions import EditionInfo
from ..graph.quads import RDF_TYPE, node
from ..store.protocol import Queryable, statements, stored_triples

SD = "http://www.w3.org/ns/sparql-service-description#"
_VOID = PREFIXES["void"]
SHARED = ("terms", "wordings", "timeline", "ontology", "current")
"""The graphs that belong to no single edition, except the catalog."""


LINKS = (
    "sameRule matches unchangedFrom renumberedFrom referencesChangedFrom rewordedFrom movedAndRewordedFrom "
    "splitFrom mergedFrom"
).split()
"""The properties that lead from one edition to another, each of which makes a `void:Linkset`."""

_PLACED = ("edition/", "document/", "term/")
"""The paths under the base whose nodes count as entities."""


@dataclass
class Counts:
    """Counts of the content of one or more graphs.

    `classes` is class → number of nodes and the first of them, `links` is property and edition → number,
    `properties` is property → number of statements.
    """

    triples: int = 0
    entities: int = 0
    classes: dict[str, tuple[int, str]] = field(default_factory=dict)
    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    properties: Counter[str] = field(default_factory=Counter)

    def without(self, other: Counts) -> Counts:
        """Return the counts without some statements that give no node a type and lead into no edition."""
        properties = self.properties - other.properties
        return replace(self, triples=self.triples - other.triples, properties=properties)

    def __add__(self, other: Counts) -> Counts:
        classes = dict(self.classes)
        for name, (number, first) in other.classes.items():
            before, example = classes.get(name, (0, first))
            classes[name] = before + number, min(first, example)
        triples, entities = self.triples + other.triples, self.entities + other.entities
        return Counts(
            triples, entities, classes, self.links + other.links, self.properties + other.properties
        )


def count_lines(lines: bytes, graph: str, iris: Iris) -> Counts:
    """Count the content of a graph given as N-Triples or N-Quads, one statement a line.

    For the merged graph and the ontology, which have no nodes of their own, no nodes are counted by class.
    """
    names = Counter(line.split(b" ", 2)[1] for line in lines.splitlines())
    counts = Counts(triples=names.total())
    counts.properties = Counter({name[1:-1].decode(): number for name, number in names.items()})
    if graph in {iris.graph("current"), iris.graph("ontology")}:
        return counts
    # The graphs of several editions give types to the same provisions, and the timeline to tenures, each
    # once.
    also = ("provision/",) if graph == iris.graph("timeline") else ()
    placed = tuple(iris.base + kind for kind in (*_PLACED, *also))
    nodes: dict[str, set[str]] = {}
    for subject, name in _statements(lines, RDF_TYPE):
        nodes.setdefault(name, set()).add(subject)
    if iris.parse(graph).kind != "inferred":  # its nodes are in the other graphs of the edition
        counts.entities = len({s for found in nodes.values() for s in found if s.startswith(placed)})
    counts.classes = {name: (len(found), min(found)) for name, found in nodes.items()}
    for link in LINKS if iris.parse(graph).kind in GRAPHS else ():  # documents link only within themselves
        targets = (iris.parse(value).edition for _, value in _statements(lines, node(VOCABULARY + link)))
        counts.links.update((link, edition) for edition in targets if edition)
    return counts


def _statements(lines: bytes, predicate: str) -> Iterator[tuple[str, str]]:
    """Yield the subject and object of each statement between IRIs with one predicate.

    Searching for the predicate skips the long lines with words faster than a pattern does.
    """
    mark = f"> {predicate} <".encode()
    place = lines.find(mark)
    while place >= 0:
        start, end = lines.rfind(b"\n", 0, place) + 2, lines.find(b">", place + len(mark))
        subject = lines[start:place]
        if b" " not in subject:  # else the match was inside words
            yield subject.decode(), lines[place + len(mark) : end].decode()
        place = lines.find(mark, end)


@dataclass(frozen=True)
class Inventory:
    """The content to describe: editions with their titles, the counts of each graph, what plain queries see.

    `current` are the editions in `graph/current`. Without `words`, everything in the graphs is our own;
    `apart` says whether the graphs keep their names where the description is published.
    """

    editions: Sequence[EditionInfo]
    titles: Mapping[str, str]
    counts: Mapping[str, Counts]
    current: Sequence[str] = ()
    words: bool = True
    apart: bool = True


def contents_of(
    store: Queryable,
    iris: Iris,
    editions: Sequence[EditionInfo],
    current: Sequence[str],
    written: Mapping[str, Path],
    changes: Mapping[str, tuple[Iterable[bytes], Iterable[bytes]]],
) -> Inventory:
    """Return the content of a store; `written` are the files of the graphs that this build has renewed.

    Counts of all other graphs come from the catalog that the store still has. `changes` are the lines of
    N-Quads removed from a graph, and those added.
    """
    graphs = described_graphs(iris, editions)
    former = stored_counts(store, iris)
    counts = {graph: former[graph] for graph in graphs if graph in former}
    counts |= {it: count_lines(written[it].read_bytes(), it, iris) for it in graphs if it in written}
    for graph, (gone, new) in changes.items():
        lost, won = (count_lines(b"".join(lines), graph, iris) for lines in (gone, new))
        if lost.classes:  # the first node may be among those removed
            lines = "\n".join(store.graph_lines(graph))
            counts[graph] = count_lines(lines.encode(), graph, iris)
        else:
            counts[graph] = counts.get(graph, Counts()).without(lost) + won
    return Inventory(editions, stored_titles(store, iris, editions, written), counts, current)


def described_graphs(iris: Iris, editions: Iterable[EditionInfo]) -> list[str]:
    """Return the names of all graphs that a store with these editions can have, except the catalog."""
    graphs = [graph for info in editions for graph in edition_graphs(iris, info)]
    return [*graphs, *(iris.graph(name) for name in SHARED)]


def edition_graphs(iris: Iris, info: EditionInfo) -> list[str]:
    """Return the names of the graphs that an edition can have."""
    own = [iris.document(document) for document in sorted(info.documents)]
    return [*own, iris.derived(info.edition), iris.history(info.edition), iris.inferred(info.edition)]


def stored_titles(
    store: Queryable, iris: Iris, editions: Iterable[EditionInfo], written: Mapping[str, Path] = {}
) -> dict[str, str]:
    """Return edition → title from the store; `written` are files of graphs as they are now."""
    names = {iris.edition(info.edition): info.edition for info in editions}
    titles = statements(store, map(iris.derived, names.values()), [DCTERMS.title], written)
    return {names[it]: title for _, it, _, title in titles if it in names}


def stored_counts(store: Queryable, iris: Iris) -> dict[str, Counts]:
    """Return the counts of graphs from the catalog in the store."""
    described = Iris(iris.dataset() + "/")
    told: dict[str, dict[str, list[str]]] = {}
    for s, p, o in stored_triples(store, iris.graph("catalog")):
        told.setdefault(s, {}).setdefault(p, []).append(o)

    def number(subject: str, name: str) -> int:
        return int(told[subject].get(_VOID + name, ["0"])[0])

    found = {}
    for subject, facts in told.items():
        for graph in facts.get(SD + "name", ()):
            counts = found[graph] = Counts(number(subject, "triples"), number(subject, "entities"))
            for part in facts.get(_VOID + "classPartition", ()):
                [name], [first] = told[part][_VOID + "class"], told[part][_VOID + "exampleResource"]
                counts.classes[name] = number(part, "entities"), first
            for part in facts.get(_VOID + "propertyPartition", ()):
                counts.properties[told[part][_VOID + "property"][0]] = number(part, "triples")
            for part in facts.get(_VOID + "subset", ()):
                [link], [target] = told[part][_VOID + "linkPredicate"], told[part][_VOID + "objectsTarget"]
                edition = described.parse(target).edition
                counts.links[link.removeprefix(VOCABULARY), edition] = number(part, "triples")
    return found
