"""Turtle files of the user's own, read and refused with the place that is wrong."""

from __future__ import annotations

from ...loaders.given import read_whole
from ...ontology.errors import UsageError


def read_turtle(name: str) -> bytes:
    """Return the statements of a Turtle file as N-Triples.

    Raises `UsageError` for a file that cannot be read or is not Turtle, with the line and the column.
    """
    from pyoxigraph import RdfFormat, parse, serialize

    try:
        data = read_whole(name)
    except OSError as error:
        raise UsageError(f"the file cannot be read: {error.strerror}", where=name) from error
    try:
        triples = [quad.triple for quad in parse(input=data, format=RdfFormat.TURTLE)]
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"{name}, line {line}" if line else name
        raise UsageError(
            f"the file is not Turtle: {error.args[0]}", where=where, way_out="Mend the file there."
        ) from error
    written: bytes = serialize(triples, format=RdfFormat.N_TRIPLES) or b""
    return written
