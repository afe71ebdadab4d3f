"""Seed a real edition with errors, far from each other, and see whether shapes and constraints find them.

`errors.tsv` says for each kind of error which statements to remove and to add, and where: SPARQL patterns,
run in order, each with the results of those before it. Half of the kinds, drawn before the constraints were
written, were held out until these were done.

Run this file on a store to try all errors: `.venv/bin/python tests/sown.py STORE [SEED]`.
"""

from __future__ import annotations

import csv
import random
import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph
import pyshacl
from rdflib import RDF, SH, Graph
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import Result
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.resources import CONSTRAINTS_FILE, SHAPES_FILE, read_text
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.queries.export.notations import lines_of
from rulesgraph.queries.session import Session

SEED = 2411
MOST = 4
"""The number of things leading to a place in one way that are examined: an edition has thousands."""

_NAMES = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())


class ErrorKind(NamedTuple):
    """A kind of error: whether shapes were written with it in sight, what to remove and add, and where."""

    half: str
    name: str
    taken: str
    given: str
    where: str


def kinds() -> list[ErrorKind]:
    """Return all kinds, in the order of the file."""
    with Path(__file__).with_name("errors.tsv").open(encoding="utf-8") as file:
        return [ErrorKind(*row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


class SownError(NamedTuple):
    """One error: the statements before and after."""

    kind: ErrorKind
    taken: list[pyoxigraph.Triple]
    given: list[pyoxigraph.Triple]


def whole(session: Session, edition: str | None = None) -> pyoxigraph.Store:
    """Return in memory what a plain query sees of an edition."""
    store = pyoxigraph.Store()
    graphs = session.scope(edition).default_graphs
    lines = "".join(lines_of(session.holding(graphs), graphs))
    store.bulk_load(lines.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store


def sown(store: pyoxigraph.Store, kind: ErrorKind, seed: int) -> SownError | None:
    """Return an error of a kind at a place drawn by seed; None if there is no such place."""
    draw = random.Random(f"{seed} {kind.name}")
    found: dict[str, str] = {}

    def filled(text: str) -> str:
        return re.sub(r"\?(\w+)", lambda it: found.get(it[1], it[0]), text)

    for pattern in kind.where.split(" | "):
        rows = store.query(f"{_NAMES}SELECT DISTINCT * {{ {filled(pattern)} }}")
        assert isinstance(rows, pyoxigraph.QuerySolutions)
        names = [it.value for it in rows.variables]
        known = sorted([str(row[name]) for name in names] for row in rows)
        if not known:
            return None
        found |= zip(names, draw.choice(known), strict=True)
    return SownError(kind, *(_triples(filled(it)) for it in (kind.taken, kind.given)))


def _triples(turtle: str) -> list[pyoxigraph.Triple]:
    text = _NAMES.replace("PREFIX", "@prefix").replace(">\n", "> .\n") + f"{turtle} ." * bool(turtle)
    quads = pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.TURTLE)
    return [it.triple for it in quads]


Group = list[tuple[SownError, list[str]]]
"""Errors with their places, no place of two of them: one validation tells what each of them breaks."""


def places(store: pyoxigraph.Store, error: SownError) -> list[str]:
    """Return the things that an error is about, and the things with links to them."""
    ends = {end for it in (*error.taken, *error.given) for end in (it.subject, it.object)}
    near = {end for end in ends if isinstance(end, pyoxigraph.NamedNode)}
    for node in list(near):
        for way in {it.predicate for it in store.quads_for_pattern(None, None, node)}:
            leading = islice(store.quads_for_pattern(None, way, node), MOST)
            near |= {it.subject for it in leading if isinstance(it.subject, pyoxigraph.NamedNode)}
    return sorted(it.value for it in near)


def apart(store: pyoxigraph.Store, wanted: Iterable[ErrorKind], seed: int) -> list[Group]:
    """Return an error of each kind that has a place, in as few groups as possible without overlaps."""
    groups: list[Group] = []
    for error in filter(None, (sown(store, kind, seed) for kind in wanted)):
        own = places(store, error)
        free = (it for it in groups if not any(set(own) & set(taken) for _, taken in it))
        group = next(free, None)
        if group is None:
            groups.append(group := [])
        group.append((error, own))
    return groups


def changed(store: pyoxigraph.Store, group: Group) -> pyoxigraph.Store:
    """Return a copy of a graph with the errors of a group in it."""
    copy = pyoxigraph.Store()
    copy.bulk_load(lines(it.triple for it in store), format=pyoxigraph.RdfFormat.N_TRIPLES)
    for error, _ in group:
        for triple in error.taken:
            copy.remove(pyoxigraph.Quad(*triple))
        copy.extend(pyoxigraph.Quad(*triple) for triple in error.given)
    return copy


def lines(graph: Iterable[pyoxigraph.Triple]) -> bytes:
    """Return triples as N-Triples."""
    return pyoxigraph.serialize(graph, format=pyoxigraph.RdfFormat.N_TRIPLES) or b""


@cache
def shapes() -> Graph:
    """Return the shapes and the constraints."""
    return Graph().parse(data=read_text(SHAPES_FILE)) + Graph().parse(data=read_text(CONSTRAINTS_FILE))


_prepared = cache(prepareQuery)


class _Remembering(Graph):
    """A graph that parses each query once: pySHACL runs every constraint for each node in the same words."""

    def query(self, query_object: str | Query, *given: Any, **named: Any) -> Result:
        if isinstance(query_object, str):
            query_object = _prepared(query_object)
        return super().query(query_object, *given, **named)


def in_rdflib(store: pyoxigraph.Store, group: Group) -> dict[str, set[str]]:
    """Return what pySHACL reports at the places of each error of a group."""
    data = _Remembering().parse(data=lines(it.triple for it in changed(store, group)), format="nt")
    nodes = sorted({it for _, own in group for it in own})
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes(), inplace=True, focus_nodes=nodes)
    assert isinstance(report, Graph)
    return fired_by(report, group)


def fired_by(report: Graph, group: Group) -> dict[str, set[str]]:
    """Return kind of error → names of the shapes that a report names at its places."""
    return {error.kind.name: fired_in(report, own) for error, own in group}


def fired_in(report: Graph, nodes: Iterable[str] | None = None) -> set[str]:
    """Return the names of the shapes of a report, about some nodes or about all."""
    results = report.subjects(RDF.type, SH.ValidationResult)
    wanted = None if nodes is None else set(nodes)
    return {
        str(report.value(it, SH.sourceShape)).rpartition("#")[2]
        for it in results
        if wanted is None or str(report.value(it, SH.focusNode)) in wanted
    }


def _tell(location: str, seed: int) -> None:
    store = whole(Session(open_store(location)))
    for group in apart(store, kinds(), seed):
        told = in_rdflib(store, group)
        for error, _ in group:
            found = ", ".join(sorted(told[error.kind.name])) or "MISSED"
            sys.stdout.write(f"{error.kind.half}\t{error.kind.name}\t{found}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _tell(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else SEED)
