"""Hold a session over one store: its editions, the graphs that a question sees, and its queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from pyoxigraph import QueryResultsFormat

from ...loaders.editions import stored_documents, stored_sets
from ...loaders.store import AnswerBounds, Cells, PreparedQuery, Solutions, Store, Triples, prepare
from ...ontology import GRAPHS, RG, Iris, UsageError, usual_prefixes
from ...ontology.resources import ANY, bind
from .. import QUERIES
from .answer import SparqlAnswer
from .editions import ALL, NOW, Edition, Scope, editions_of, id_called, local_id, scope_of
from .views import MOST_IN_VIEW, WholeStores, card_graphs, in_one_view, names_derived, reaches_timeline

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from ...loaders.workers import Progress


DEADLINE = 60.0
"""The default time limit of a SPARQL query, in seconds."""

MOST_KEPT, MOST_ROWS_KEPT = 100, 400
"""How many answers to queries of this package a session keeps, and how many rows such an answer may have.

Readings of one question, and questions about one thing, run the same queries.
"""

_OF_WORDINGS = re.compile(r"[:#/](?:[Ww]ording\b|foldedAs\b|expressionOf\b)")
"""Names in a query that refer to wordings."""

_COUNTED = "Rule Section Entry Paragraph Note Ruling Example Reference".split()
_ID = re.compile(r"[\w.~-]+")
"""The form of an edition's id; IRIs are made only from names like this."""

OnceGiven = ParamSpec("OnceGiven")
FoundOnce = TypeVar("FoundOnce")

_BETWEEN = re.compile(r",(?!\s*\d{4}\s*(?:,|$))")
"""The separator between names of editions; a comma before a year belongs to a date: *July 11, 2009*."""


class Session:
    """Runs questions on one store, and caches which graphs its editions have.

    `iris` has the store's base. A query may take `timeout` seconds. A command may set `progress`.
    """

    def __init__(self, store: Store, timeout: float | None = None) -> None:
        self.store = store
        self.progress: Progress | None = None
        self.iris = Iris(store.base)
        self.timeout = timeout
        self._once: dict[tuple[object, ...], Any] = {}
        self._selected: dict[tuple[object, ...], list[Cells]] = {}
        self._whole = WholeStores(store, self.iris)

    def once(
        self,
        find: Callable[Concatenate[Session, OnceGiven], FoundOnce],
        *given: OnceGiven.args,
        **named: OnceGiven.kwargs,
    ) -> FoundOnce:
        """Return the result of a function for this session and its arguments, calling it only once."""
        key = find, given, *named.items()
        if key not in self._once:
            self._once[key] = find(self, *given, **named)
        return self._once[key]  # type: ignore[no-any-return]

    def select(
        self,
        text: str,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
        *,
        kept: bool = False,
        of: str = "",
    ) -> list[Cells]:
        """Run a SELECT of this package; IRIs become text, and literals Python values.

        Default graphs of editions have all links, see `holding`, but with `kept` only what the store keeps.
        `of` is the IRI of a thing whose edition's graphs all have all links.
        """
        seen = [None if it is None else tuple(it) for it in (default_graphs, named_graphs)]
        key = text, *seen, kept, of
        rows = self._selected.get(key)
        if rows is None:
            # Queries of this package are valid and send no requests, so they are not parsed for checks first.
            query = PreparedQuery(text, default_graphs=seen[0], named_graphs=seen[1])
            store = self.about(of) if of else self.store if kept else self.holding(seen[0])
            found = store.run(query, self.timeout)
            assert isinstance(found, Solutions)
            rows = found.plain()
            if len(rows) <= MOST_ROWS_KEPT:
                if len(self._selected) >= MOST_KEPT:
                    self._selected.clear()
                self._selected[key] = rows
        return [*rows]

    def run(
        self,
        folder: str,
        name: str,
        scope: Scope | Sequence[str] | None = None,
        values: Mapping[str, Iterable[str | Sequence[str]]] | None = None,
        *,
        kept: bool = False,
    ) -> list[Cells]:
        """Run `{folder}/{name}.rq` over the graphs of a scope, over these default graphs alone, or over all.

        `values` are its parameters (see `bind`). With `kept`, default graphs have only what the store keeps,
        with the wordings.
        """
        text = bind(QUERIES.read(folder, name), values or {})
        if scope is None:
            return self.select(text)
        if isinstance(scope, Scope):
            return self.select(text, scope.default_graphs, scope.named_graphs)
        return self.select(text, (*scope, self.iris.graph("wordings")) if kept else scope, (), kept=kept)

    def pairs(
        self,
        scope: Scope | Sequence[str] | None,
        *by: str,
        of: Iterable[str] | None = None,
        to: Iterable[str] | None = None,
        kept: bool = False,
    ) -> list[tuple[str, str]]:
        """Return the statements with these properties in some graphs: pairs of thing and value, each once.

        They are `of` these things or `to` these values, or all. About graphs, see `run`.
        """
        given = list(product([ANY] if of is None else of, by, [ANY] if to is None else to))
        if not given:
            return []
        name = "pairs_anywhere" if scope is None else "pairs"
        rows = self.run("session", name, scope, {"it by value": given}, kept=kept)
        return list(dict.fromkeys((str(it), str(value)) for it, value in rows))

    def about(self, thing: str) -> Store:
        """Return the store with all links of the edition of a thing."""
        place = self.iris.parse(thing)
        is_inside = bool(place.edition) and place.kind not in ("edition", "provision", *GRAPHS)
        if not is_inside or place.edition in self.current.editions:
            return self.store
        return self.holding((self.iris.derived(place.edition),))

    def holding(self, graphs: Sequence[str] | None) -> Store:
        """Return the store with all links of the editions that these graphs belong to; see `WholeStores`."""
        return self._whole.holding(graphs, self.editions) if graphs else self.store

    @cached_property
    def current(self) -> Scope:
        """The scope of a question without an edition, whose only default graph is `graph/current`."""
        rows = self.run("session", "current", (self.iris.graph("current"),))
        in_force = {local_id(self.iris, rules) for *_, rules in rows if rules}
        documents = list(dict.fromkeys(str(document) for _, document, *_ in rows))
        # A release comes before the rules under which it was made, even if both have the same date.
        names = dict.fromkeys(local_id(self.iris, edition) for edition, *_ in rows)
        editions = sorted(names, key=lambda name: name in in_force)
        seen = (self.iris.graph("current"),)
        return scope_of(self.iris, editions, documents)._replace(default_graphs=seen, linked=seen)

    def scope(self, edition: str | None = None) -> Scope:
        """Return the scope for `edition`: an id or date, several (``"A,B"``), ``"all"``, or None.

        A release of rulings does not bring along the rules in force when it appeared, as it does without
        `edition`; name both.

        Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for an empty name.
        """
        if edition is None or edition.strip().lower() in NOW:
            return self.current
        return self.once(Session._scope_of, edition)

    def _scope_of(self, wanted: str) -> Scope:
        if wanted.strip() == ALL:
            whole = [self.iris.document(it.id) for edition in self.editions() for it in edition.documents]
            names = [edition.id for edition in self.editions()]
            return self._with_wordings(scope_of(self.iris, names, whole, united=True))
        asked = [name.strip() for name in _BETWEEN.split(wanted) if name.strip()]
        if not asked:
            raise UsageError("no edition was given", way_out='Give "A", "A,B" or "all"; none is the newest.')
        documents: list[str] = []
        joined: set[str] = set()
        for place, name in enumerate(asked):
            own, rules = self._members(name)
            if not own:
                if name in stored_sets(self.store):
                    raise UsageError(
                        f"{name} is a set of cards, not an edition",
                        way_out="Questions use the newest set of cards; no cards are exported as passages.",
                    )
                asked[place] = id_called(name, self.editions())
                own, rules = self._members(asked[place])
            documents += own
            joined.update(rules)
        if set(asked) == set(self.current.editions):
            return self.current
        united = len(set(asked) - joined) > 1
        return self._with_wordings(scope_of(self.iris, asked, documents, united=united))

    def _with_wordings(self, scope: Scope) -> Scope:
        """Return the scope with `graph/wordings` added if it has more editions than a view."""
        if sum(it.has_history for it in self.editions() if it.id in scope.editions) <= MOST_IN_VIEW:
            return scope
        more = (self.iris.graph("wordings"),)
        seen = {name: getattr(scope, name) + more for name in ("default_graphs", "named_graphs", "linked")}
        return scope._replace(**seen, too_many=True)

    @contextmanager
    def looking_at(self, edition: str) -> Iterator[Scope]:
        """Give the scope of one of many editions; close its views afterwards."""
        with self._whole.briefly():
            yield self.scope(edition)

    def _members(self, name: str) -> tuple[list[str], list[str]]:
        """Return the IRIs of an edition's documents, and the ids of the rules in force with it."""
        if not _ID.fullmatch(name):
            return [], []
        given = {"edition": [self.iris.edition(name)], "derived": [self.iris.derived(name)]}
        rows = self.run("session", "members", None, given)
        documents = dict.fromkeys(str(row[0]) for row in rows)
        rules = dict.fromkeys(local_id(self.iris, row[1]) for row in rows if row[1])
        return list(documents), list(rules)

    def index(self, edition: str) -> sqlite3.Connection:
        """Return the word index of an edition; it is made if necessary.

        Raises `UnknownNameError` for an edition that is not loaded, and the errors of `open_index`.
        """
        return self.once(Session._opened_index, edition)

    def _opened_index(self, edition: str) -> sqlite3.Connection:
        # Imported here because questions of the catalogue do not need it.
        from ...loaders.indexing.index import open_index

        kept = any(it.id == edition and it.has_history for it in self.editions())
        said = partial(self._write_words, edition) if kept else None
        return open_index(self.store, self.iris, edition, self.scope(edition).documents, said=said)

    def _write_words(self, edition: str, folder: Path) -> Mapping[str, Path]:
        # Imported here because only a missing index needs it.
        from ...loaders.history.stored import write_said

        return write_said(self.store, self.iris, edition, edition, folder)

    def editions(self) -> tuple[Edition, ...]:
        """Return the loaded editions, newest first, undated ones last."""
        return self.once(Session._read_editions)

    def _read_editions(self) -> tuple[Edition, ...]:
        stored = list(stored_documents(self.store))
        derived = dict.fromkeys(self.iris.derived(local_id(self.iris, it[1])) for it in stored)
        details = self.run("session", "editions", None, {"derived": derived})
        return editions_of(self.iris, stored, details, self.current.editions)

    def counted(self, editions: Sequence[Edition] | None = None) -> tuple[Edition, ...]:
        """Return editions, by default all, with their counts; a node counts in one document."""
        chosen = self.editions() if editions is None else tuple(editions)
        edition_of = {
            self.iris.dataset(f"document/{document.id}"): edition.id
            for edition in chosen
            for document in edition.documents
        }
        known = {getattr(RG, name): name for name in _COUNTED}
        found: dict[str, dict[str, int]] = {edition.id: {} for edition in chosen}
        catalog = (self.iris.graph("catalog"),)
        for dataset, cls, count in self.run("session", "counts", catalog, {"set": edition_of}):
            if str(cls) in known:
                counts, name = found[edition_of[str(dataset)]], known[str(cls)]
                counts[name] = counts.get(name, 0) + int(str(count))
        kept = [self.iris.derived(edition.id) for edition in chosen if edition.has_history]
        for document, count in self.pairs(kept, RG.referenceCount, kept=True) if kept else ():
            dataset = self.iris.dataset(f"document/{self.iris.parse(document).key}")
            found[edition_of[dataset]]["Reference"] = int(count)
        return tuple(edition._replace(counts=found[edition.id]) for edition in chosen)

    def sparql(
        self,
        text: str,
        edition: str | None = None,
        timeout: float | None = None,
        bounds: AnswerBounds | None = None,
    ) -> SparqlAnswer | bool | Triples:
        """Run any SPARQL query: SELECT returns an answer, ASK a bool, CONSTRUCT and DESCRIBE triples.

        A query sees the newest edition or `edition`, the tenures of all provisions and, if it names
        `rg:wording` or a wording, the wordings of all editions. `GRAPH` ranges over everything, or over the
        graphs of `edition`. FROM in the query overrides both. The usual prefixes (`usual_prefixes`) need no
        declaration. The time limit is `timeout` seconds; by default, that of the session, or `DEADLINE`.
        Raises `UsageError` if the answer exceeds `bounds`.
        """
        found, label = self._result(text, edition, timeout, bounds)
        if not isinstance(found, Solutions):
            return found
        rows = tuple(found.plain())
        from .empty import remarks_on

        is_empty = not any(value for row in rows for value in row)  # a COUNT of nothing has a row with 0
        notes = remarks_on(text, is_empty=is_empty, edition=edition)
        return SparqlAnswer("sparql", tuple(found.columns), rows, label, notes)

    def seen_by(self, text: str, scope: Scope | None = None) -> tuple[str, ...]:
        """Return the default graphs for a user's query: the scope's, the timeline, wordings, newest cards.

        Each adds the time of a whole query, so the timeline is left out if nothing in it can match, and
        wordings and cards if the query does not name them (`?rule rg:wording/rg:text` gets any text). Raises
        `UsageError` for something that is not derived for so many editions.
        """
        if scope and names_derived(text):
            in_one_view(scope, "what follows from texts (facts, kinds, links)")
        graphs = {"timeline": reaches_timeline(text), "wordings": _OF_WORDINGS.search(text)}
        more = (self.iris.graph(name) for name, reached in graphs.items() if reached)
        cards = card_graphs(text, self.store, self.iris)
        return tuple(dict.fromkeys((*(scope or self.current).default_graphs, *more, *cards)))

    def results_json(self, text: str, edition: str | None = None) -> bytes | Triples:
        """Run a query like `sparql`, but return SELECT and ASK as the W3C's SPARQL 1.1 Query Results JSON."""
        import json

        found, _ = self._result(text, edition)
        if isinstance(found, bool):
            return json.dumps({"head": {}, "boolean": found}).encode()
        return found.serialize(QueryResultsFormat.JSON) if isinstance(found, Solutions) else found

    def _result(
        self, text: str, edition: str | None, timeout: float | None = None, bounds: AnswerBounds | None = None
    ) -> tuple[Solutions | bool | Triples, str]:
        """Return the result of a query, and the editions that it saw unless it names graphs itself."""
        scope = self.scope(edition)
        seconds = timeout or self.timeout or DEADLINE
        query = prepare(text, usual_prefixes(self.iris.base), self.iris.base, timeout=seconds)
        graphs = self.seen_by(text, scope), None if edition is None else scope.named_graphs
        store = self.store if query.graphs else self.holding(graphs[0])
        found = store.run(query.over(*graphs), query.timeout, bounds)
        return found, "" if query.graphs else scope.label
