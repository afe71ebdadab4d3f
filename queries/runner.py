"""A session over one store: queries are run over the graphs that a question sees, and answers come back
as plain Python values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..loaders.store.results import Solutions
from ..ontology.errors import UsageError
from ..ontology.iris import Iris
from ..ontology.terms import PREFIXES
from . import texts

if TYPE_CHECKING:
    import pandas

    from ..loaders.store import Store
    from ..loaders.store.results import Triples
    from .editions import Edition
    from .scope import Scope

Value = str | int | float | bool | date | None
"""What stands in a cell of an answer."""

Row = tuple[Value, ...]

_XSD = PREFIXES["xsd"]
_PLAIN: dict[str, Callable[[str], Value]] = {
    **dict.fromkeys((_XSD + name for name in ("integer", "int", "long", "nonNegativeInteger")), int),
    **dict.fromkeys((_XSD + name for name in ("decimal", "double", "float")), float),
    _XSD + "date": date.fromisoformat,
    _XSD + "boolean": lambda text: text in {"true", "1"},
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A table of plain values: what a question, a comparison or a check gives back.

    It iterates as records (objects whose keys are the columns), its length is the number of its rows, and a
    notebook shows it as a table. A cell is text, a number, a bool, a date or None; an IRI is its whole text.

    Attributes:
        name: the name of the question.
        columns: the names of the columns, in order.
        rows: the rows, each with a cell for each column; none when nothing was found.
        edition: what was looked at: ids of editions, parted by commas.
        notes: remarks for people, such as that a term had another name.

    >>> answer = Answer("lit", ("lantern", "oil"), (("red", 2), ("blue", None)), "cr-2031-02-01")
    >>> len(answer), [record["lantern"] for record in answer]
    (2, ['red', 'blue'])
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    edition: str = ""
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Yield the rows as objects whose keys are the columns."""
        return iter(self.records())

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        """An answer is there even when it has no rows."""
        return True

    def records(self) -> list[dict[str, Value]]:
        """Return the rows as objects whose keys are the columns.

        >>> Answer("lit", ("lantern", "oil"), (("red", 2),)).records()
        [{'lantern': 'red', 'oil': 2}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a data frame of pandas; raises `UsageError` where pandas is not installed.

        >>> Answer("lit", ("lantern", "oil"), (("red", 2), ("blue", 5))).to_pandas().oil.sum()
        np.int64(7)
        """
        try:
            import pandas
        except ImportError as error:
            raise UsageError("pandas is not installed", way_out="pip install pandas") from error
        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    def _repr_html_(self) -> str:
        """Return the rows as a table for a notebook, the notes and the edition below it."""
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(str(v))}</td>' if v is not None else '<td></td>' for v in row)}</tr>"
            for row in self.rows
        )
        below = [*self.notes, f"{len(self)} row{'' if len(self) == 1 else 's'}"]
        below[-1] += f", from {self.edition}" if self.edition else ""
        told = "".join(f"<p>{escape(line)}</p>" for line in below)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{told}"


class Session:
    """Questions to one store; `iris` carries the base that the store was built with."""

    def __init__(self, store: Store, iris: Iris | None = None, timeout: float | None = None) -> None:
        self.store = store
        self.iris = iris or Iris(store.meta().base)
        self.timeout = timeout
        self._scopes: dict[str, Scope] = {}

    # -- what is loaded -------------------------------------------------------------------------

    @cached_property
    def current(self) -> Scope:
        """What a plain question sees."""
        from .scope import current_scope

        return current_scope(self)

    def scope(self, edition: str | None = None) -> Scope:
        """Return what a question about `edition` sees: an id, several (``"A,B"``), ``"all"``, or None.

        Raises `UnknownNameError` for an edition that is not loaded.
        """
        if edition is None:
            return self.current
        if edition not in self._scopes:
            from .scope import scope_of

            self._scopes[edition] = scope_of(self, edition)
        return self._scopes[edition]

    def editions(self, counts: bool = False) -> tuple[Edition, ...]:
        """Return every loaded edition, newest first; with `counts`, how many nodes of each class."""
        from .editions import editions

        return editions(self, counts)

    # -- queries --------------------------------------------------------------------------------

    def select(
        self,
        text: str,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
    ) -> list[Row]:
        """Run a SELECT; IRIs come back as their whole text, literals as what they mean."""
        found = self.store.query(
            text, default_graphs=default_graphs, named_graphs=named_graphs, timeout=self.timeout
        )
        assert isinstance(found, Solutions)
        return [tuple(plain(term) for term in row) for row in found]

    def run(
        self, folder: str, name: str, scope: Scope | Sequence[str], values: Mapping[str, Iterable[Any]]
    ) -> list[Row]:
        """Run `{folder}/{name}.rq` over the graphs of a scope, or over some default graphs alone.

        `values` are its parameters (see `texts.bind`).
        """
        text = texts.bind(texts.read_query(folder, name), values)
        if isinstance(scope, Sequence):
            return self.select(text, scope, ())
        return self.select(text, scope.default_graphs, scope.named_graphs)

    def sparql(
        self, text: str, edition: str | None = None, timeout: float | None = None
    ) -> Answer | bool | Triples:
        """Run any SPARQL query: SELECT gives an answer, ASK a bool, CONSTRUCT and DESCRIBE triples.

        Without `edition` the default graph is `graph/current` and `GRAPH` ranges over everything; with
        one, both see that edition's graphs alone. A query's own FROM wins over either. The usual
        prefixes (`usual_prefixes`) need no declaration.
        """
        from ..loaders.store.query import prepare

        scope = self.scope(edition)
        prefixes = usual_prefixes(self.iris)
        own = bool(prepare(text, prefixes=prefixes).graphs)
        found = self.store.query(
            text,
            default_graphs=scope.default_graphs,
            named_graphs=None if edition is None else scope.named_graphs,
            prefixes=prefixes,
            timeout=self.timeout if timeout is None else timeout,
        )
        if not isinstance(found, Solutions):
            return found
        rows = tuple(tuple(plain(term) for term in row) for row in found)
        return Answer("sparql", tuple(found.columns), rows, "" if own else scope.label)


def plain(term: Any) -> Value:
    """Turn an RDF term into a plain value: IRIs, and literals of unknown types, into their text."""
    if term is None:
        return None
    datatype = getattr(term, "datatype", None)
    if datatype is None:
        return str(getattr(term, "value", term))
    text: str = term.value
    convert = _PLAIN.get(datatype.value)
    try:
        return convert(text) if convert else text
    except ValueError:
        return text


def usual_prefixes(iris: Iris) -> dict[str, str]:
    """Return the prefixes that a query may use undeclared; `term:`, `ed:`, `doc:` are this store's data."""
    return {
        **PREFIXES,
        "term": f"{iris.base}term/",
        "ed": f"{iris.base}edition/",
        "doc": f"{iris.base}document/",
    }
