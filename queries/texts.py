"""The `.rq` files of this package are read, and values are bound into them as terms.

A parameter is a block `VALUES ?name { UNDEF }` of the query: valid SPARQL that means "whatever it may
be", and the one place where serialised terms go. Text is never formatted into a query.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..ontology.errors import UsageError

FOLDER = os.path.dirname(__file__)


def read_query(folder: str, name: str) -> str:
    """Return the text of `{folder}/{name}.rq`.

    The module's own loader reads it: `importlib.resources` costs more time than a whole answer.
    """
    return read_text(folder, f"{name}.rq")


def read_text(folder: str, file: str) -> str:
    """Return the text of a file of this package; raises `OSError` when there is none."""
    loader: Any = globals()["__spec__"].loader
    data: bytes = loader.get_data(os.path.join(FOLDER, folder, file))
    return data.decode("utf-8")


def names_in(folder: str) -> tuple[str, ...]:
    """Return the names of the queries in a folder, sorted."""
    from importlib import resources

    files = (resources.files(__package__) / folder).iterdir()
    return tuple(sorted(f.name.removesuffix(".rq") for f in files if f.name.endswith(".rq")))


def has_query(folder: str, name: str) -> bool:
    """Tell whether `{folder}/{name}.rq` is there."""
    if not name.isidentifier():
        return False
    try:
        read_query(folder, name)
    except OSError:
        return False
    return True


def bind(text: str, values: Mapping[str, Iterable[str | Sequence[str]]]) -> str:
    """Return `text` with its blocks `VALUES ?name { UNDEF }` filled with terms.

    A value is an IRI, or a term serialised already (``"text"``, ``<iri>``); for a block of several
    variables, `VALUES (?a ?b) { (UNDEF UNDEF) }`, the key is ``"a b"`` and each value a sequence.

    >>> bind("SELECT ?x { VALUES ?x { UNDEF } }", {"x": ["https://example.org/a"]})
    'SELECT ?x { VALUES ?x { <https://example.org/a> } }'
    """
    for names, given in values.items():
        variables = names.split()
        if len(variables) == 1:
            block = f"VALUES ?{names} {{ UNDEF }}"
            filled = " ".join(_serialise(value) for value in given if isinstance(value, str))
            after = f"VALUES ?{names} {{ {filled} }}"
        else:
            head = "VALUES (" + " ".join(f"?{name}" for name in variables) + ")"
            block = f"{head} {{ ({' '.join('UNDEF' for _ in variables)}) }}"
            rows = " ".join(f"({' '.join(_serialise(value) for value in row)})" for row in given)
            after = f"{head} {{ {rows} }}"
        if block not in text:
            raise UsageError(f"the query has no parameter {names!r}", way_out=f"It needs a block {block}")
        text = text.replace(block, after)
    return text


def literal(value: str) -> str:
    """Serialise a plain string as a SPARQL term.

    >>> literal('say "bell"')
    '"say \\\\"bell\\\\""'
    """
    import pyoxigraph

    return str(pyoxigraph.Literal(value))


def _serialise(value: str) -> str:
    if value[:1] in '<"':
        return value
    import pyoxigraph

    return str(pyoxigraph.NamedNode(value))
