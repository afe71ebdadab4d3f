"""Count the triples of a graph, its nodes by class, and its links to other editions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...ontology.iris import GRAPHS, VOCABULARY, Iris
from ..graph.quads import RDF_TYPE, node

LINKS = (
    "sameRule matches unchangedFrom renumberedFrom referencesChangedFrom rewordedFrom movedAndRewordedFrom "
    "splitFrom mergedFrom"
).split()
"""The properties that lead from one edition into another, each of which makes a `void:Linkset`."""

_PLACED = ("edition/", "document/", "term/")
"""Under the base, where the nodes are that count as entities."""


@dataclass
class Counts:
    """What stands in one graph or several.

    `classes` is class → number of nodes and the first of them, `links` is property and edition → number,
    `properties` is property → number of statements.
    """

    triples: int = 0
    entities: int = 0
    classes: dict[str, tuple[int, str]] = field(default_factory=dict)
    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    properties: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Counts) -> Counts:
        total = Counts(self.triples + other.triples, self.entities + other.entities, dict(self.classes))
        total.properties = self.properties + other.properties
        for name, (number, first) in other.classes.items():
            before, example = total.classes.get(name, (0, first))
            total.classes[name] = before + number, min(first, example)
        total.links = self.links + other.links
        return total


def count_lines(lines: bytes, graph: str, iris: Iris) -> Counts:
    """Count what stands in a graph that is given as N-Triples or N-Quads, a statement a line.

    Of the merged graph and of the ontology, which hold no nodes of their own, no nodes are counted by class.
    """
    names = Counter(line.split(b" ", 2)[1] for line in lines.splitlines())
    counts = Counts(triples=names.total())
    counts.properties = Counter({name[1:-1].decode(): number for name, number in names.items()})
    if graph in {iris.graph("current"), iris.graph("ontology")}:
        return counts
    # The graphs of several editions type the same provisions, and the timeline types tenures, each once.
    also = ("provision/",) if graph == iris.graph("timeline") else ()
    placed = tuple(iris.base + kind for kind in (*_PLACED, *also))
    nodes: dict[str, set[str]] = {}
    for subject, name in _statements(lines, RDF_TYPE):
        nodes.setdefault(name, set()).add(subject)
    if iris.parse(graph).kind != "inferred":  # whose nodes stand in the other graphs of the edition
        counts.entities = len({s for found in nodes.values() for s in found if s.startswith(placed)})
    counts.classes = {name: (len(found), min(found)) for name, found in nodes.items()}
    for link in LINKS if iris.parse(graph).kind in GRAPHS else ():  # a document knows only itself
        targets = (iris.parse(value).edition for _, value in _statements(lines, node(VOCABULARY + link)))
        counts.links.update((link, edition) for edition in targets if edition)
    return counts


def _statements(lines: bytes, predicate: str) -> Iterator[tuple[str, str]]:
    """Yield subject and object of each statement between IRIs with one predicate.

    Searching for the predicate passes over the long lines with words faster than a pattern does.
    """
    mark = f"> {predicate} <".encode()
    place = lines.find(mark)
    while place >= 0:
        start, end = lines.rfind(b"\n", 0, place) + 2, lines.find(b">", place + len(mark))
        subject = lines[start:place]
        if b" " not in subject:  # else the mark stood in words
            yield subject.decode(), lines[place + len(mark) : end].decode()
        place = lines.find(mark, end)
