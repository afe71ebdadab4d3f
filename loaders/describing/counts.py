"""The lines of each graph become counts: of triples, of nodes by class, of links into other editions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...ontology.iris import GRAPHS, VOCABULARY, Iris
from ...ontology.query_files import QueryFiles
from ...ontology.terms import PREFIXES
from ..editions import EditionInfo
from ..graph.quads import RDF_TYPE, node
from ..graph.stored import stored_triples
from ..store.lines import value_of
from ..store.protocol import Queryable
from ..store.rows import text_rows

LINKS = (
    "sameRule matches unchangedFrom renumberedFrom referencesChangedFrom rewordedFrom movedAndRewordedFrom "
    "splitFrom mergedFrom"
).split()
"""The properties that lead from one edition into another, each of which makes a `void:Linkset`."""

SD = "http://www.w3.org/ns/sparql-service-description#"
_VOID = PREFIXES["void"]
_DCTERMS_SUBJECT = PREFIXES["dcterms"] + "subject"
_TITLE = PREFIXES["dcterms"] + "title"
SHARED = ("terms", "ontology", "current")
"""The graphs that are of no single edition, but for the catalog."""

_PLACED = ("edition/", "document/", "term/")
"""Under the base, where the nodes are that count as entities."""
_QUERIES = QueryFiles.beside(__name__)


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


@dataclass(frozen=True)
class Inventory:
    """What is described: editions with their titles, the counts of each graph, what plain queries see.

    `ends` are the numbers of different subjects and objects of each edition, `repeated` is property or class
    → how many statements stand in several editions beyond the first.
    `current` are the editions in `graph/current`. Without `words`, nothing in the graphs is anybody's
    but ours; `apart` says whether the graphs have names of their own where the description will stand.
    """

    editions: Sequence[EditionInfo]
    titles: Mapping[str, str]
    counts: Mapping[str, Counts]
    ends: Mapping[str, tuple[int, int]]
    repeated: Mapping[str, int]
    current: Sequence[str] = ()
    words: bool = True
    apart: bool = True


class Ends:
    """The different subjects and objects of some graphs, and how often each property is stated."""

    def __init__(self) -> None:
        self.subjects: set[bytes] = set()
        self.objects: set[bytes] = set()

    def take(self, lines: bytes, graph: str) -> Counter[str]:
        """Take in a graph, given as N-Triples or N-Quads; return property → number of statements."""
        several = lines.splitlines()
        first = several[0].split(b" ", 2)[2] if several else b""
        end = len(_without_end(first, f" <{graph}>".encode())) - len(first)  # every line has the same
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


def _without_end(rest: bytes, end: bytes) -> bytes:
    return rest.removesuffix(b" .").removesuffix(b".").removesuffix(end)


def count_lines(lines: bytes, graph: str, iris: Iris, ends: Ends | None = None) -> Counts:
    """Count what stands in a graph that is given as N-Triples or N-Quads, a statement a line.

    Of the merged graph and of the ontology, which hold no nodes of their own, no nodes are counted by class.
    Into `ends`, if they are given, the subjects and objects of the graph are taken as well.
    """
    own = Ends()
    counts = Counts(triples=lines.count(b"\n"))
    counts.properties = own.take(lines, graph)
    counts.subjects, counts.objects = own.numbers
    if ends is not None:
        ends.subjects |= own.subjects
        ends.objects |= own.objects
    if graph in {iris.graph("current"), iris.graph("ontology")}:
        return counts
    placed = tuple(iris.base + kind for kind in _PLACED)
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

    Only statements about what editions share can be: terms, provisions, authorities.
    """
    bound = tuple(f"<{iris.base}{kind}".encode() for kind in ("edition/", "document/"))
    end, found = f" <{graph}>".encode(), Counter[str]()
    for line in lines.splitlines():
        if not line.startswith(bound):
            said = _without_end(line, end)
            if said in seen:
                _, name, value = (part.decode() for part in said.split(b" ", 2))
                for it in {name, value if name == RDF_TYPE else name}:
                    found[it[1:-1]] += 1
            seen.add(said)
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


def contents_of(
    store: Queryable,
    iris: Iris,
    editions: Sequence[EditionInfo],
    current: Sequence[str],
    written: Mapping[str, Path],
    lines: Callable[[str], Iterable[str]],
) -> Inventory:
    """Return what a store holds; `written` are the files of the graphs that this build has renewed.

    Counts of all other graphs are those of the catalog in the store. A store without one is of an
    earlier version: then their `lines` are counted.
    """
    known: dict[str, Counts] = {}
    known_ends: dict[str, tuple[int, int]] = {}
    if not all(any(graph in written for graph in edition_graphs(iris, info)) for info in editions):
        known, known_ends = stored_counts(store, iris)

    def read(graph: str, here: bool) -> bytes:
        return written[graph].read_bytes() if here else "".join(f"{line}\n" for line in lines(graph)).encode()

    counts: dict[str, Counts] = {}
    ends: dict[str, tuple[int, int]] = {}
    titles: dict[str, str] = {}
    taken_of: dict[str, Ends] = {}
    for info in editions:
        graphs = edition_graphs(iris, info)
        renewed = [graph for graph in graphs if graph in written]
        if renewed or info.edition not in known_ends:
            taken = Ends()
            for graph in graphs:
                quads = read(graph, renewed == graphs)
                counts[graph] = count_lines(quads, graph, iris, taken)
                if graph == iris.derived(info.edition):
                    titles |= _titles(quads, graph, iris.edition(info.edition), info.edition)
            ends[info.edition] = taken.numbers
            if info.edition in current:
                taken_of |= dict.fromkeys(graphs, taken)
        else:
            counts |= {graph: known.get(graph, Counts()) for graph in graphs}
            ends[info.edition] = known_ends[info.edition]
    for graph in (iris.graph(name) for name in ("terms", "ontology")):
        taken_of[graph] = Ends()
        counts[graph] = count_lines(read(graph, graph in written), graph, iris, taken_of[graph])
    merged = iris.graph("current")
    counts[merged] = _merged_counts(read(merged, merged in written), merged, counts, taken_of, iris)
    if untold := [info for info in editions if info.edition not in titles]:
        titles |= stored_titles(store, iris, untold)
    repeated = _repeated(store, iris) if len(editions) > 1 else Counter[str]()
    return Inventory(editions, titles, counts, ends, repeated, current)


def _merged_counts(
    lines: bytes, graph: str, counts: Mapping[str, Counts], ends: Mapping[str, Ends], iris: Iris
) -> Counts:
    """Count what stands in the merged graph: the sum of its parts, unless something stands in two of them.

    `ends` are those of the graphs that are its parts, as far as they were counted.
    """
    parts = [counts[part] for part in ends]
    merged = Counts(lines.count(b"\n"))
    if merged.triples != sum(part.triples for part in parts):
        return count_lines(lines, graph, iris)
    merged.properties = sum((part.properties for part in parts), Counter[str]())
    merged.subjects = len(set[bytes]().union(*(it.subjects for it in ends.values())))
    merged.objects = len(set[bytes]().union(*(it.objects for it in ends.values())))
    return merged


def _titles(lines: bytes, graph: str, it: str, edition: str) -> dict[str, str]:
    """Return the title that a graph states of an edition `it`, by its id; lines as for `count_lines`."""
    start = lines.find(f"<{it}> <{_TITLE}> ".encode())
    if start < 0:
        return {}
    said = _without_end(lines[start : lines.find(b"\n", start)], f" <{graph}>".encode())
    return {edition: value_of(said.split(b" ", 2)[2].decode())}


def _repeated(store: Queryable, iris: Iris) -> Counter[str]:
    """Return property or class → how many of its statements some other edition makes as well."""
    apart = {"merged catalog": [(iris.graph("current"), iris.graph("catalog"))]}
    said = Counter[str]()
    for name, what, number in text_rows(store, _QUERIES.bound("repeated", apart)):
        for it in {name, what}:
            said[it] += int(number)
    return +said


def described_graphs(iris: Iris, editions: Iterable[EditionInfo]) -> list[str]:
    """Return the names of all graphs that a store with these editions can have, but for the catalog."""
    graphs = [graph for info in editions for graph in edition_graphs(iris, info)]
    return [*graphs, *(iris.graph(name) for name in SHARED)]


def edition_graphs(iris: Iris, info: EditionInfo) -> list[str]:
    """Return the names of the graphs that an edition can have."""
    own = [iris.document(document) for document in sorted(info.documents)]
    return [*own, iris.derived(info.edition), iris.history(info.edition), iris.inferred(info.edition)]


def stored_titles(store: Queryable, iris: Iris, editions: Iterable[EditionInfo]) -> dict[str, str]:
    """Return edition → title as the store has it."""
    graphs = [iris.derived(info.edition) for info in editions]
    rows = text_rows(store, _QUERIES.bound("titles", {"graph": graphs}))
    return {iris.parse(edition).edition: title for edition, title in rows}


def stored_counts(store: Queryable, iris: Iris) -> tuple[dict[str, Counts], dict[str, tuple[int, int]]]:
    """Return graph → counts, and edition → ends, as the catalog in the store has them; empty without one."""
    described = Iris(iris.dataset() + "/")
    told: dict[str, dict[str, list[str]]] = {}
    for s, p, o in stored_triples(store, iris.graph("catalog")):
        told.setdefault(s, {}).setdefault(p, []).append(o)

    def number(subject: str, name: str) -> int:
        return int(told[subject].get(_VOID + name, ["0"])[0])

    found, ends = {}, {}
    for subject, facts in told.items():
        if _DCTERMS_SUBJECT in facts and _VOID + "distinctObjects" in facts:
            edition = iris.parse(facts[_DCTERMS_SUBJECT][0]).edition
            ends[edition] = number(subject, "distinctSubjects"), number(subject, "distinctObjects")
        for graph in facts.get(SD + "name", ()):
            counts = found[graph] = Counts(number(subject, "triples"), number(subject, "entities"))
            counts.subjects = number(subject, "distinctSubjects")
            counts.objects = number(subject, "distinctObjects")
            for part in facts.get(_VOID + "classPartition", ()):
                [name], [first] = told[part][_VOID + "class"], told[part][_VOID + "exampleResource"]
                counts.classes[name] = number(part, "entities"), first
            for part in facts.get(_VOID + "propertyPartition", ()):
                counts.properties[told[part][_VOID + "property"][0]] = number(part, "triples")
            for part in facts.get(_VOID + "subset", ()):
                [link], [target] = told[part][_VOID + "linkPredicate"], told[part][_VOID + "objectsTarget"]
                edition = described.parse(target).edition
                counts.links[link.removeprefix(VOCABULARY), edition] = number(part, "triples")
    return found, ends
