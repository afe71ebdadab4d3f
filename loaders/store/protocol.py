"""Define the protocol of every triple store: queries, changes, its base and format, and its statements.

Statements are read as text, by property: from files that a build wrote, else from the store.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from pyoxigraph import NamedNode

from ...ontology import BASE, QueryFiles, StoreError, UsageError
from .query import PreparedQuery, prepare
from .results import AnswerBounds, RdfTerm, Result, Solutions

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = ":memory:"
"""The location of a store that lasts as long as the process."""

FORMAT = 5
"""The version of a store's content; stores of other versions are not touched. 5 keeps each wording once."""


_BASE = (
    r"(?i:https?://[^/?#\s@]+(?=[/?#])[^<>\"{}|^`\\\s]*[/#]|urn:[a-z0-9][a-z0-9-]*:([^<>\"{}|^`\\\s]*[/#:])?)"
)
"""How IRIs of data may begin: as a web address, or as a permanent name (urn)."""


class Queryable(Protocol):
    """Something that answers queries: a store, or a rewrite with everything written so far.

    Queries are checked here for all implementations, and each answers them in its own way.
    """

    def query(
        self,
        text: str,
        *,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
        prefixes: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Result:
        """Run a SPARQL query: SELECT gives `Solutions`, ASK a bool, CONSTRUCT and DESCRIBE `Triples`.

        `default_graphs` are merged into what plain patterns see (None: the store's own default graph),
        `named_graphs` are those that GRAPH sees (None: all); a FROM in the query wins over both. `prefixes`
        (name → IRI) need no declaration; declarations in the query win. `timeout` is in seconds.

        Raises `UsageError` for a query that does not parse, would write, or would send requests (SERVICE, a
        FROM that is not in the store); `StoreTimeoutError`, `StoreMissingError`, `StoreError`.
        """
        query = prepare(text, prefixes, timeout=timeout)
        return self.run(query.over(default_graphs, named_graphs), query.timeout)

    def run(
        self, query: PreparedQuery, timeout: float | None = None, bounds: AnswerBounds | None = None
    ) -> Result:
        """Run a prepared query within a time limit; raises the errors of `query`.

        `bounds` end an answer that grows beyond them with `UsageError`.
        """
        if timeout is not None and not 0 < timeout < float("inf"):
            raise UsageError(f"a time limit must be a positive number of seconds, not {timeout}")
        return self.answer(query._replace(timeout=timeout, bounds=bounds))

    def answer(self, query: PreparedQuery) -> Result:
        """Run a checked query; raises the errors of `query`."""
        ...

    def graphs(self) -> list[str]:
        """Return the names of the named graphs, sorted."""
        ...

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples, ``s p o .`` without line end; none if it is missing."""
        ...

    def size(self) -> int:
        """Return the number of quads."""
        ...


class Rewrite(Queryable, Protocol):
    """One change of a store, invisible to others until it is complete.

    `base` is the base of the data; `is_changed` says whether anything was written so far.
    """

    base: str
    is_changed: bool

    def drop(self, graphs: Iterable[str]) -> None:
        """Remove named graphs; those that are not there are ignored."""
        ...

    def replace(self, graph: str, nquads: Path) -> bool:
        """Replace a graph with a file of its N-Quads; return False if nothing changes."""
        ...

    def change(self, graph: str, gone: Iterable[bytes], new: Iterable[bytes]) -> None:
        """Take some lines of N-Quads out of a graph, and add others, which it lacks."""
        ...

    def load(self, nquads: Iterable[bytes] | Path) -> int:
        """Add N-Quads, one statement a line, from a file or in blocks of whole lines; return the lines."""
        ...


class Store(Queryable, Protocol):
    """A triple store. `location` is what `open_store` was given, `folder` the place for its other files.

    An open store shows the same state until `refresh` is called or it is rewritten through this object.
    """

    location: str
    folder: str | None

    @property
    def base(self) -> str:
        """The base of its IRIs.

        Raises `StoreMissingError` when nothing was ever built, `StoreError` for a store of another format.
        """
        ...

    def refresh(self) -> bool:
        """Show the newest state from now on; return False if it is known to be the same as before."""
        ...

    def close(self) -> None:
        """Release files and processes; the next query opens them again."""
        return

    def rewrite(self, *, base: str | None = None) -> AbstractContextManager[Rewrite]:
        """Change the store: leaving the `with` block switches to the new state at once.

        An error inside leaves the store as it was. `base` is the base of the data when nothing was built yet;
        later it must be the same. Raises `StoreLockedError` at once when another process is writing,
        `UsageError` for another base.
        """
        ...


def check_format(version: int, where: str) -> None:
    """Raise `StoreError` for a store of another format."""
    if version != FORMAT:
        newer = "Use the newer rulesgraph that made it, or build into another store."
        older = "Build its documents again, into another store or after emptying this one."
        raise StoreError(
            f"the store has format {version}; this version of rulesgraph reads {FORMAT}",
            where=where,
            way_out=newer if version > FORMAT else older,
        )


def settle_base(stored: str | None, wanted: str | None, where: str) -> str:
    """Return the base to write with: a store keeps the base that it was first built with."""
    if stored and wanted is not None and stored != wanted:
        raise UsageError(
            f"the base of the store is {stored}, and cannot be changed to {wanted}",
            where=where,
            way_out="To use another base, build into another store.",
        )
    base = stored or (BASE if wanted is None else wanted)
    if not (re.fullmatch(_BASE, base) and is_iri(base)):
        raise UsageError(
            f"{base!r} is not a valid base IRI", way_out="Use one like https://example.org/rules/ ."
        )
    return base


def is_iri(text: str) -> bool:
    """Return whether a text can name something in the graph."""
    try:
        return bool(NamedNode(text))
    except ValueError:
        return False


_QUERIES = QueryFiles.beside(__name__)

_ESCAPED = re.compile(r"\\(?:[uU]([0-9A-F]{8}|[0-9A-F]{4})|(.))")
_MEANING = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def statements(
    store: Queryable, graphs: Iterable[str], properties: Collection[str], written: Mapping[str, Path] = {}
) -> Iterator[tuple[str, ...]]:
    """Yield (graph, subject, property, value) of the statements of some graphs with some properties.

    `written` are files of graphs as they are now; only other graphs, if any, are read from the store.
    """
    stored = []
    for graph in graphs:
        if graph not in written:
            stored.append(graph)
            continue
        for statement in written_statements(written[graph], graph, properties):
            yield graph, *statement
    if stored:
        # As pairs: otherwise, the engine reads whole graphs.
        pairs = [(graph, name) for graph in stored for name in sorted(properties)]
        yield from text_rows(store, _QUERIES.bound("statements", {"graph property": pairs}))


def written_statements(path: Path, graph: str, properties: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (subject, property, value) of the statements with some properties in a file of one graph.

    IRIs and literals are yielded as their text alone. The file has one statement a line, with one space
    between its parts and only the necessary characters escaped.
    """
    wanted = {f"<{name}>": name for name in properties}
    end = -len(f" <{graph}> .")
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        subject, name, value = line.split(" ", 2)
        if name in wanted:
            iri = value[0] == "<"
            yield subject[1:-1], wanted[name], value[1 : end - 1] if iri else value_of(value[:end])


def stored_triples(store: Queryable, graph: str) -> Iterator[tuple[str, str, str]]:
    """Yield (subject, predicate, object) of a graph, each as its text; none for a missing graph.

    Reading a graph as lines takes a fifth of the time of a query.
    """
    for line in store.graph_lines(graph):
        subject, name, value = line[:-2].split(" ", 2)
        yield subject[1:-1], name[1:-1], value_of(value)


def graph_sizes(store: Queryable) -> dict[str, int]:
    """Return the number of triples in every named graph of a store."""
    return {graph: int(count) for graph, count in text_rows(store, _QUERIES.read("queries", "sizes"))}


def value_of(term: str) -> str:
    """Return the text of an IRI or a literal as written in a file."""
    if term[0] == "<":
        return term[1:-1]
    words = term[1 : term.rindex('"')]
    return _ESCAPED.sub(_meant, words) if "\\" in words else words


def _meant(escape: re.Match[str]) -> str:
    code, character = escape.groups()
    return chr(int(code, 16)) if code else _MEANING.get(character, character)


def text_rows(store: Queryable, query: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a SELECT: IRIs and literals as their text alone, unbound cells as none.

    Raises the errors of `Queryable.query`.
    """
    found = store.query(query)
    assert isinstance(found, Solutions)
    for row in found:
        yield tuple(map(_text, row))


def _text(term: RdfTerm | None) -> str:
    return "" if term is None else str(getattr(term, "value", term))
