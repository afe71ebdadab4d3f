"""Read the `.rq` files of a package, and bind values into them as terms.

A parameter is a block `VALUES ?name { UNDEF }` of the query: valid SPARQL that means "whatever it may
be", and the one place where serialised terms go. Text is never formatted into a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from .errors import UsageError
from .resources import names_in, packaged


class QueryFiles(NamedTuple):
    """The queries of one package, in folders of it: ``QueryFiles.beside(__name__).read("find", "term")``.

    The files are package data, `{folder}/{name}.rq`; `package` is the dotted name of an imported package.
    """

    package: str

    @classmethod
    def beside(cls, module: str) -> QueryFiles:
        """Return the queries of the package that a module is in; `module` is its ``__name__``."""
        return cls(module.rpartition(".")[0])

    def read(self, folder: str, name: str) -> str:
        """Return the text of `{folder}/{name}.rq`; raises `OSError` when there is none."""
        return _text(self.package, folder, name)

    def bound(self, name: str, values: Mapping[str, Iterable[str | Sequence[str]]]) -> str:
        """Return the text of `queries/{name}.rq` with values for its parameters, see `bind`."""
        return bind(self.read("queries", name), values)

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the queries in a folder, sorted."""
        files = names_in(self.package, folder)
        return tuple(sorted(name.removesuffix(".rq") for name in files if name.endswith(".rq")))

    def has(self, folder: str, name: str) -> bool:
        """Return whether `{folder}/{name}.rq` is there."""
        if not name.isidentifier():
            return False
        try:
            self.read(folder, name)
        except OSError:
            return False
        return True


@cache
def _text(package: str, folder: str, name: str) -> str:
    return packaged(package, folder, f"{name}.rq").decode("utf-8")


ANY = "UNDEF"
"""Whatever it may be, among the values of a block of several variables."""


def bind(text: str, values: Mapping[str, Iterable[str | Sequence[str]]]) -> str:
    """Return `text` with its blocks `VALUES ?name { UNDEF }` filled with terms.

    A value is an IRI, or a term serialised already (``"text"``, ``<iri>``); for a block of several
    variables, `VALUES (?a ?b) { (UNDEF UNDEF) }`, the key is ``"a b"`` and each value a sequence.
    Raises `UsageError` for a name that has no block, `ValueError` for what is no IRI.

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


def literal(value: str, language: str | None = None) -> str:
    """Serialise a string as a SPARQL term, plain or in a language.

    >>> literal('say "bell"'), literal("bell", "en")
    ('"say \\\\"bell\\\\""', '"bell"@en')
    """
    import pyoxigraph

    return str(pyoxigraph.Literal(value, language=language))


def _serialise(value: str) -> str:
    if value[:1] in '<"' or value == ANY:
        return value
    import pyoxigraph

    return str(pyoxigraph.NamedNode(value))
