"""Validate the graph that a question sees against the SHACL shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError
from ...ontology.extras import remedy
from ...ontology.resources import CONSTRAINTS_FILE, SHAPES_FILE, read_text
from ...ontology.terms import PREFIXES
from ..export.export import rdflib_graph
from ..session import ALL, Cells, Scope, Session

if TYPE_CHECKING:
    from rdflib import Graph

LABEL = "Comparing with the shapes"


def violations(
    session: Session,
    edition: str | None = None,
    own: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Cells]:
    """Return a row for each violation, with the columns of `defects`; the shape is its check.

    `own` names a Turtle file with shapes to use instead of ours.

    Raises `UsageError` if pySHACL is not installed, for shapes that cannot be read, and for all editions at
    once: shapes describe one edition.
    """
    try:
        import pyshacl
    except ModuleNotFoundError as error:
        raise UsageError(
            "--shapes needs pySHACL, which is not installed", way_out=remedy("shapes")
        ) from error
    if edition == ALL:
        raise UsageError("shapes are checked in one edition at a time", way_out="Choose one with --edition.")
    from pyshacl.errors import ReportableRuntimeError
    from rdflib import RDF, SH, Graph

    from .statements import read_turtle

    scope, data = session.scope(edition), rdflib_graph(session, edition)
    if own:
        shapes = Graph().parse(data=read_turtle(own), format="nt")
        if not any((None, RDF.type, shape) in shapes for shape in (SH.NodeShape, SH.PropertyShape)):
            raise UsageError("the file contains no SHACL shapes", where=own)
        parts, rows = [shapes], []
    else:
        parts = list(apart(Graph().parse(data=read_text(SHAPES_FILE), format="turtle")))
        rows = list(breaches(session, scope))
    for place, shapes in enumerate(parts):
        if progress:
            progress(LABEL, place, len(parts))
        try:
            _, results, _ = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
        except ReportableRuntimeError as error:
            raise UsageError(f"the shapes cannot be used: {error}", where=own) from error
        if not isinstance(results, Graph):
            raise UsageError(f"the shapes cannot be used: {results}", where=own)
        for result in results.subjects(RDF.type, SH.ValidationResult):
            shape, focus = results.value(result, SH.sourceShape), results.value(result, SH.focusNode)
            message, value = results.value(result, SH.resultMessage), results.value(result, SH.value)
            rows.append(_row(session, str(shape), str(focus), str(message), value))
    return sorted(rows, key=str)


def breaches(session: Session, scope: Scope) -> Iterator[Cells]:
    """Yield the violations of the constraints in SPARQL.

    The engine of the store runs each query once for all nodes: in a hundredth of the time of a query for each
    of them.
    """
    from rdflib import SH, Graph

    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    shapes = Graph().parse(data=read_text(CONSTRAINTS_FILE), format="turtle")
    for shape, constraint in sorted(shapes.subject_objects(SH.sparql), key=str):
        targets = [f"?this a/rdfs:subClassOf* {it.n3()}" for it in shapes.objects(shape, SH.targetClass)]
        targets += [
            f"SELECT DISTINCT ?this {{ ?this {it.n3()} ?any }}"
            for it in shapes.objects(shape, SH.targetSubjectsOf)
        ]
        begin = f"WHERE {{ {' UNION '.join(f'{{ {it} }}' for it in targets)}"
        query = prefixes + str(shapes.value(constraint, SH.select)).replace("WHERE {", begin, 1)
        for focus, value in session.select(query, scope.default_graphs, scope.named_graphs):
            yield _row(session, str(shape), str(focus), str(shapes.value(shape, SH.message)), value)


def apart(shapes: Graph) -> Iterator[Graph]:
    """Yield each shape as a graph.

    A property shape takes over the targets of the shapes that gather it: pySHACL then checks all nodes at
    once instead of each for itself, in half of the time.
    """
    from rdflib import SH

    for target in (SH.targetClass, SH.targetSubjectsOf):
        for shape, chosen in list(shapes.subject_objects(target)):
            for gathered in shapes.objects(shape, SH.property):
                shapes.add((gathered, target, chosen))
    for shape in sorted(set(shapes.subjects(SH.targetClass | SH.targetSubjectsOf)), key=str):
        part = shapes.cbd(shape)
        part.remove((shape, SH.property, None))
        yield part


def _row(session: Session, shape: str, focus: str, message: str, value: object) -> Cells:
    where, named = session.iris.local(focus), "" if value is None else str(value)
    return ("error", shape.rpartition("#")[2], where, "", None, message, named, "")
