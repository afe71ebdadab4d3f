"""Collect the counts of every graph in a store, from files just written or from the catalog before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...ontology.iris import VOCABULARY, Iris
from ...ontology.query_files import QueryFiles, literal
from ...ontology.terms import PREFIXES
from ..editions import EditionInfo
from ..store.protocol import Queryable
from ..store.statements import stored_triples, text_rows, value_of
from .counts import Counts, DistinctNodes, count_lines, repeats, tally, without_end

SD = "http://www.w3.org/ns/sparql-service-description#"
_VOID = PREFIXES["void"]
_DCTERMS_SUBJECT = PREFIXES["dcterms"] + "subject"
_TITLE = PREFIXES["dcterms"] + "title"
SHARED = ("terms", "wordings", "timeline", "ontology", "current")
"""The graphs that are of no single edition, but for the catalog."""

_QUERIES = QueryFiles.beside(__name__)


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


def contents_of(
    store: Queryable,
    iris: Iris,
    editions: Sequence[EditionInfo],
    current: Sequence[str],
    written: Mapping[str, Path],
    put: Callable[[], Queryable],
) -> Inventory:
    """Return what a store holds; `written` are the files of the graphs that this build has renewed.

    The store may be as it was before, until `put` gives it with what was written. Counts of all other graphs
    are those of the catalog in the store. A store without one is of an earlier version: then their lines
    are counted.
    """
    former = StoredCounts()
    if not all(any(graph in written for graph in edition_graphs(iris, info)) for info in editions):
        former = stored_counts(store, iris)

    def read(graph: str, here: bool) -> bytes:
        if here:
            return written[graph].read_bytes()
        now = put() if graph in written else store
        return "".join(f"{line}\n" for line in now.graph_lines(graph)).encode()

    counts: dict[str, Counts] = {}
    ends: dict[str, tuple[int, int]] = {}
    titles: dict[str, str] = {}
    for info in editions:
        graphs = edition_graphs(iris, info)
        renewed = [graph for graph in graphs if graph in written]
        if renewed or info.edition not in former.ends:
            taken = DistinctNodes()
            for graph in graphs:
                quads = read(graph, renewed == graphs)
                counts[graph] = count_lines(quads, graph, iris, taken)
                if graph == iris.derived(info.edition):
                    titles |= _titles(quads, graph, iris.edition(info.edition), info.edition)
            ends[info.edition] = taken.numbers
        else:
            counts |= {graph: former.counts.get(graph, Counts()) for graph in graphs}
            ends[info.edition] = former.ends[info.edition]
    for graph in map(iris.graph, SHARED):
        if graph in written or graph not in former.counts:
            counts[graph] = count_lines(read(graph, graph in written), graph, iris)
        else:
            counts[graph] = former.counts[graph]
    if untold := [info for info in editions if info.edition not in titles]:
        titles |= stored_titles(store, iris, untold)
    repeated = _repeated(store, iris, counts, former, written, put) if len(editions) > 1 else Counter[str]()
    return Inventory(editions, titles, counts, ends, repeated, current)


def _titles(lines: bytes, graph: str, it: str, edition: str) -> dict[str, str]:
    """Return the title that a graph states of an edition `it`, by its id; lines as for `count_lines`."""
    start = lines.find(f"<{it}> <{_TITLE}> ".encode())
    if start < 0:
        return {}
    said = without_end(lines[start : lines.find(b"\n", start)], f" <{graph}>".encode())
    return {edition: value_of(said.split(b" ", 2)[2].decode())}


def _repeated(
    store: Queryable,
    iris: Iris,
    counts: Mapping[str, Counts],
    former: StoredCounts,
    written: Mapping[str, Path],
    put: Callable[[], Queryable],
) -> Counter[str]:
    """Return property or class → how many of its statements some other edition makes as well.

    Where graphs only came in, it is what it was, and what they say again; else the whole store is asked.
    """
    shared = {iris.graph(name) for name in SHARED}
    present = {graph for graph, its in counts.items() if its.triples} - shared
    fresh = sorted(present.intersection(written))
    apart = iris.graph("current"), iris.graph("catalog")
    said = Counter[str]()
    if present.difference(fresh) == former.counts.keys() - shared:
        said += former.repeated(apart)
        seen = set[bytes]()
        for graph in fresh:
            said += repeats(written[graph].read_bytes(), graph, iris, seen)
        # No other edition knows the rules of one that is new.
        own = tuple(f"<{iris.edition(edition)}/".encode() for edition in _all_new(iris, fresh, present))
        seen = {it for it in seen if not it.split(b" ", 2)[2].startswith(own)}
        for graph in _nearest(iris, fresh, present.difference(fresh)):
            stands = seen.intersection(line[:-2].encode() for line in store.graph_lines(graph))
            said += tally(stands)
            seen -= stands
        statements = [statement.decode().split(" ", 2) for statement in sorted(seen)]
        uncounted = literal(f" {' '.join((*fresh, *apart))} ")
        query = _QUERIES.bound("standing", {"s p o": statements, "apart": [uncounted]})
        rows = text_rows(store, query) if former.counts else iter(())
    else:
        rows = text_rows(put(), _QUERIES.bound("repeated", {"merged catalog": [apart]}))
    for name, what, number in rows:
        for it in {name, what}:
            said[it] += int(number)
    return +said


def _all_new(iris: Iris, fresh: Collection[str], present: Collection[str]) -> set[str]:
    """Return the editions of which every graph that is present is fresh."""
    old = {iris.parse(graph).edition for graph in set(present).difference(fresh)}
    return {iris.parse(graph).edition for graph in fresh} - old - {""}


def _nearest(iris: Iris, fresh: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    """Yield the graphs that most likely say what new ones say of terms and provisions: those before them."""
    stored: dict[str, list[str]] = {"derived": [], "history": []}
    for graph in others:
        stored.get(iris.parse(graph).kind, []).append(graph)
    for graph in fresh:
        yield from sorted(it for it in stored.get(iris.parse(graph).kind, ()) if it < graph)[-1:]


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


@dataclass(frozen=True)
class StoredCounts:
    """What the catalog in a store says: counts of its graphs and of the whole, ends of its editions."""

    counts: Mapping[str, Counts] = field(default_factory=dict)
    whole: Counts = field(default_factory=Counts)
    ends: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def repeated(self, apart: Container[str]) -> Counter[str]:
        """Return what several graphs say: the sum of all but those `apart`, without the whole."""
        total = sum((its for graph, its in self.counts.items() if graph not in apart), Counts())
        said = total.properties - self.whole.properties
        for name, (number, _) in self.whole.classes.items():
            said[name] += total.classes[name][0] - number
        return said


def stored_counts(store: Queryable, iris: Iris) -> StoredCounts:
    """Return what the catalog in the store says; of a store without one, nothing."""
    described = Iris(iris.dataset() + "/")
    told: dict[str, dict[str, list[str]]] = {}
    for s, p, o in stored_triples(store, iris.graph("catalog")):
        told.setdefault(s, {}).setdefault(p, []).append(o)

    def number(subject: str, name: str) -> int:
        return int(told[subject].get(_VOID + name, ["0"])[0])

    def counted(subject: str) -> Counts:
        counts = Counts(number(subject, "triples"), number(subject, "entities"))
        counts.subjects = number(subject, "distinctSubjects")
        counts.objects = number(subject, "distinctObjects")
        for part in told[subject].get(_VOID + "classPartition", ()):
            [name], [first] = told[part][_VOID + "class"], told[part][_VOID + "exampleResource"]
            counts.classes[name] = number(part, "entities"), first
        for part in told[subject].get(_VOID + "propertyPartition", ()):
            counts.properties[told[part][_VOID + "property"][0]] = number(part, "triples")
        return counts

    found, ends = {}, {}
    for subject, facts in told.items():
        if _DCTERMS_SUBJECT in facts and _VOID + "distinctObjects" in facts:
            edition = iris.parse(facts[_DCTERMS_SUBJECT][0]).edition
            ends[edition] = number(subject, "distinctSubjects"), number(subject, "distinctObjects")
        for graph in facts.get(SD + "name", ()):
            counts = found[graph] = counted(subject)
            for part in facts.get(_VOID + "subset", ()):
                [link], [target] = told[part][_VOID + "linkPredicate"], told[part][_VOID + "objectsTarget"]
                edition = described.parse(target).edition
                counts.links[link.removeprefix(VOCABULARY), edition] = number(part, "triples")
    return StoredCounts(found, counted(iris.dataset()) if told else Counts(), ends)
