"""Validate the graph that a question sees against the SHACL shapes."""

from __future__ import annotations

from ...ontology.errors import UsageError
from ...ontology.extras import remedy
from ...ontology.resources import SHAPES_FILE, read_text
from ..export.notations import lines_of
from ..session import ALL, Cells, Session


def violations(session: Session, edition: str | None = None, own: str = "") -> list[Cells]:
    """Return a row for each violation, with the columns of `defects`; the shape is its check.

    `own` names a Turtle file with shapes to use in place of ours.

    Raises `UsageError` where pySHACL is not installed, for shapes that cannot be read, and for all
    editions at once: shapes say what one edition must be.
    """
    try:
        import pyshacl
    except ModuleNotFoundError as error:
        raise UsageError(
            "pySHACL is not installed, and --shapes needs it", way_out=remedy("shapes")
        ) from error
    if edition == ALL:
        raise UsageError("shapes hold for one edition at a time", way_out="Name one with --edition.")
    from pyshacl.errors import ReportableRuntimeError
    from rdflib import RDF, SH, Graph

    from .statements import read_turtle

    scope = session.scope(edition)
    data = Graph().parse(data="".join(lines_of(session.store, scope.default_graphs)), format="nt")
    if own:
        shapes = Graph().parse(data=read_turtle(own), format="nt")
        if not any((None, RDF.type, shape) in shapes for shape in (SH.NodeShape, SH.PropertyShape)):
            raise UsageError("the file holds no SHACL shape", where=own)
    else:
        shapes = Graph().parse(data=read_text(SHAPES_FILE), format="turtle")
    try:
        _, results, _ = pyshacl.validate(data, shacl_graph=shapes)
    except ReportableRuntimeError as error:
        raise UsageError(f"the shapes cannot be used: {error}", where=own) from error
    if not isinstance(results, Graph):
        raise UsageError(f"the shapes cannot be used: {results}", where=own)
    rows: list[Cells] = []
    for result in results.subjects(RDF.type, SH.ValidationResult):
        shape = str(results.value(result, SH.sourceShape)).rpartition("#")[2]
        focus = session.iris.local(str(results.value(result, SH.focusNode)))
        value = results.value(result, SH.value)
        message = str(results.value(result, SH.resultMessage))
        rows.append(("error", shape, focus, "", None, message, "" if value is None else str(value), ""))
    return sorted(rows, key=str)
