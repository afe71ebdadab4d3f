"""The graph that a question sees, held against the SHACL shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ontology.errors import UsageError
from ..ontology.resources import SHAPES_FILE, read_text
from ..queries.scope import ALL
from .export import lines_of

if TYPE_CHECKING:
    from ..queries.runner import Row, Session


def violations(session: Session, edition: str | None = None) -> list[Row]:
    """Return a row for each violation, with the columns of `queries.defects`; the shape is its check.

    Raises `UsageError` where pySHACL is not installed, and for all editions at once: shapes say what one
    edition must be.
    """
    try:
        import pyshacl
    except ImportError as error:
        raise UsageError(
            "pySHACL is not installed, and --shapes needs it", way_out="pip install pyshacl"
        ) from error
    if edition == ALL:
        raise UsageError("shapes hold for one edition at a time", way_out="Name one with --edition.")
    from rdflib import RDF, SH, Graph

    scope = session.scope(edition)
    data = Graph().parse(data="".join(lines_of(session.store, scope.default_graphs)), format="nt")
    shapes = Graph().parse(data=read_text(SHAPES_FILE), format="turtle")
    _, results, _ = pyshacl.validate(data, shacl_graph=shapes)
    assert isinstance(results, Graph)
    rows: list[Row] = []
    for result in results.subjects(RDF.type, SH.ValidationResult):
        shape = str(results.value(result, SH.sourceShape)).rpartition("#")[2]
        focus = session.iris.local(str(results.value(result, SH.focusNode)))
        value = results.value(result, SH.value)
        message = str(results.value(result, SH.resultMessage))
        rows.append(("error", shape, focus, "", None, message, "" if value is None else str(value), ""))
    return sorted(rows, key=str)
