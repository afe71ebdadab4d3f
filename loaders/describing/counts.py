"""Count the triples of a graph, its nodes by class, and its links to other editions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
    `properties` is property → number of statements. `subjects` and `objects` are the numbers of different
    ones; a sum has none, for what stands in both is not known.
    """

    triples: int = 0
    entities: int = 0
    classes: dict[str, tuple[int, str]] = field(default_factory=dict)
    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    properties: Counter[str] = field(default_factory=Counter)
    subjects: int = 0
    objects: int = 0

    def __add__(self, other: Counts) -> Counts:
        total = Counts(self.triples + other.triples, self.entities + other.entities, dict(self.classes))
        total.properties = self.properties + other.properties
        for name, (number, first) in other.classes.items():
            before, example = total.classes.get(name, (0, first))
            total.classes[name] = before + number, min(first, example)
        total.links = self.links + other.links
        return total


class DistinctNodes:
    """The different subjects and objects of some graphs, and how often each property is stated."""

    def __init__(self) -> None:
        self.subjects: set[bytes] = set()
        self.objects: set[bytes] = set()

    def take(self, lines: bytes, graph: str) -> Counter[str]:
        """Take in a graph, given as N-Triples or N-Quads; return property → number of statements."""
        several = lines.splitlines()
        first = several[0].split(b" ", 2)[2] if several else b""
        end = len(without_end(first, f" <{graph}>".encode())) - len(first)  # every line has the same
        names: list[bytes] = []
        subjects, objects, named = self.subjects.add, self.objects.add, names.append
        for line in several:
            subject, name, rest = line.split(b" ", 2)
            subjects(subject)
            objects(rest[:end])
            named(name)
        return Counter({name[1:-1].decode(): number for name, number in Counter(names).items()})

    @property
    def numbers(self) -> tuple[int, int]:
        """How many subjects and objects there are."""
        return len(self.subjects), len(self.objects)


def without_end(rest: bytes, end: bytes) -> bytes:
    """Return a line, or what is left of one, without the graph `end` and the dot behind it."""
    return rest.removesuffix(b" .").removesuffix(b".").removesuffix(end)


def count_lines(lines: bytes, graph: str, iris: Iris, ends: DistinctNodes | None = None) -> Counts:
    """Count what stands in a graph that is given as N-Triples or N-Quads, a statement a line.

    Of the merged graph and of the ontology, which hold no nodes of their own, no nodes are counted by class.
    Into `ends`, if they are given, the subjects and objects of the graph are taken as well.
    """
    own = DistinctNodes()
    counts = Counts(triples=lines.count(b"\n"))
    counts.properties = own.take(lines, graph)
    counts.subjects, counts.objects = own.numbers
    if ends is not None:
        ends.subjects |= own.subjects
        ends.objects |= own.objects
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


def repeats(lines: bytes, graph: str, iris: Iris, seen: set[bytes]) -> Counter[str]:
    """Return property or class → number of statements of a graph that are among those `seen`; see the rest.

    Only statements about what editions share can be: terms and their scheme, provisions, authorities.
    """
    bound = tuple(f"<{iris.base}{kind}".encode() for kind in ("edition/", "document/"))
    end = f" <{graph}>".encode()
    own = {without_end(line, end) for line in lines.splitlines() if not line.startswith(bound)}
    found = tally(own & seen)
    seen |= own
    return found


def tally(statements: Iterable[bytes]) -> Counter[str]:
    """Return property or class → number of statements, each given as ``s p o``."""
    found = Counter[str]()
    for said in statements:
        _, name, value = (part.decode() for part in said.split(b" ", 2))
        for it in {name, value if name == RDF_TYPE else name}:
            found[it[1:-1]] += 1
    return found


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
