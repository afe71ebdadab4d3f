"""Choose a store with all links of an edition: the store itself, or a derived view.

For the comprehensive rules, a store keeps the wordings and where they are; what follows from them is kept
only for the current edition. A view is a store with all graphs of one or a few editions, in the form that
plain queries see. It takes a second to make, and is kept until the store changes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from ...loaders.editions import stored_sets
from ...loaders.store import FORMAT, MEMORY, Store
from ...ontology import IN_OLDER_EDITIONS, StoreError, UsageError
from ...ontology.iris import GAME, GRAPHS, Iris
from .editions import Edition, Scope

# The modules that make a view are imported where needed: the current edition needs none.

_ROOM = 512 * 2**20
"""The maximum size in bytes of a store's views in a folder, enough for 20 editions; old ones are removed."""

MOST_IN_VIEW = 4
"""The maximum number of editions seen together with all their links."""

_MOST_OPEN = 8
"""The maximum number of open views; those used last stay open."""


def in_one_view(scope: Scope, asked: str) -> Scope:
    """Return a scope; raises `UsageError` if it has too many editions to ask something about all at once."""
    if scope.too_many:
        raise UsageError(
            f"{asked} cannot be asked of {len(scope.editions)} editions at once",
            way_out=f"Name at most {MOST_IN_VIEW} editions, or none for the newest.",
        )
    return scope


@dataclass(eq=False)
class WholeStores:
    """The views of one store, each opened once and kept while in use."""

    _store: Store
    _iris: Iris
    _views: dict[tuple[str, ...], Store] = field(default_factory=dict)

    def holding(self, graphs: Sequence[str], editions: Callable[[], Sequence[Edition]]) -> Store:
        """Return the store with all links of the editions that these graphs belong to.

        If the store keeps less, it is a view, as long as the editions are few.
        """
        iris = self._iris
        places = {graph: iris.parse(graph) for graph in graphs}
        if not any(place.kind in ("document", "derived") for place in places.values()):
            return self._store
        loaded = editions()
        of_document = {document.id: it.id for it in loaded for document in it.documents}
        names = {of_document.get(it.key) if it.kind == "document" else it.edition for it in places.values()}
        chosen = tuple(it for it in loaded if it.id in names)
        made = sum(it.has_history for it in chosen)
        if not 0 < made <= MOST_IN_VIEW:
            return self._store
        held = [iris.graph(name) for name in ("terms", "ontology")]
        apart = tuple(g for g, it in places.items() if it.kind not in ("document", *GRAPHS) and g not in held)
        key = (*(it.id for it in chosen), *apart)
        view = self._views.pop(key, None)
        if view is None:
            view = open_view(self._store, iris, chosen, apart)
        self._views[key] = view
        while len(self._views) > _MOST_OPEN:
            self._views.pop(next(iter(self._views))).close()
        return view

    @contextmanager
    def briefly(self) -> Iterator[None]:
        """Close everything opened within the block at its end."""
        before = {*self._views}
        yield
        for key in self._views.keys() - before:
            self._views.pop(key).close()


def open_view(store: Store, iris: Iris, editions: Sequence[Edition], apart: Sequence[str]) -> Store:
    """Return a view: a store with all graphs of some editions of `store`; it is made if there is none.

    Graphs `apart` belong to no edition and are copied; of `graph/wordings`, only what the editions use. The
    view is kept beside `store`, or else in the user's cache, or else in memory. A forked process makes it in
    memory, because the engine would wait forever for threads that only its parent has.
    """
    from multiprocessing import parent_process

    from ...loaders.store.folder import FolderStore
    from ...loaders.store.layout import VIEWS, folders_for
    from ...loaders.store.local import MemoryStore

    made = [it for it in editions if it.has_history]
    others = [it for it in editions if not it.has_history]
    copied = [
        *(iris.document(document.id) for it in others for document in it.documents),
        *(iris.derived(it.id) for it in others),
        *(graph(it.id) for it in editions for graph in (iris.history, iris.inferred)),
        *(iris.graph("terms"), iris.graph("ontology"), *apart),
    ]
    fill = partial(_filled, store, iris, made, copied)
    if store.location == MEMORY:
        return fill(MemoryStore())
    name = _name(store, iris, made, copied)
    for folder in folders_for(store.folder, VIEWS):
        path = os.path.join(folder, name)
        with suppress(OSError, StoreError):
            if os.path.isdir(path):
                os.utime(path)
            elif parent_process():
                break
            else:
                _write(path, fill)
                _tidy(folder, name)
            found = FolderStore(path)
            found.refresh()
            return found
    return fill(MemoryStore())


def _name(store: Store, iris: Iris, made: Sequence[Edition], copied: Sequence[str]) -> str:
    """Return the name of a view of these editions in the current state of the store."""
    from hashlib import sha256

    from ...loaders.indexing.passages import state
    from ...loaders.store.folder import FolderStore

    kept = [iris.document(document.id) for it in made for document in it.documents]
    signs = [str(FORMAT), iris.base, store.location, *(it.id for it in made), *copied]
    signs += [state(store, iris, "", [*kept, iris.graph("wordings"), *copied])]
    if isinstance(store, FolderStore):
        signs.append(store.state()[1])
    return sha256("\n".join(signs).encode()).hexdigest()[:20]


def _filled(store: Store, iris: Iris, made: Sequence[Edition], copied: Sequence[str], view: Store) -> Store:
    """Return an empty store after filling it with what is made for some editions, and with copied graphs."""
    from ...loaders.history.stored import stored_whole, with_types
    from ...loaders.workers import without_collector

    wordings = iris.graph("wordings")
    with without_collector(), view.rewrite(base=iris.base) as rewrite:
        for edition in made:
            [document] = (it.id for it in edition.documents)
            for graph, triples in stored_whole(store, iris, edition.id, document).items():
                if graph != wordings or graph in copied:
                    rewrite.load(triples.nquads(graph))
        for graph in (it for it in copied if it != wordings):
            lines = (f"{line[:-2]} <{graph}> .\n".encode() for line in store.graph_lines(graph))
            rewrite.load(with_types(lines))
    return view


def _write(path: str, fill: Callable[[Store], Store]) -> None:
    """Make a view in a folder of its own, then rename this in one step."""
    from shutil import rmtree

    from ...loaders.store.folder import FolderStore

    new = f"{path}.{os.getpid()}.new"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        fill(FolderStore(new)).close()
        os.rename(new, path)
    except OSError:
        if not os.path.isdir(path):  # otherwise another process was faster
            raise
    finally:
        rmtree(new, ignore_errors=True)


def _tidy(folder: str, newest: str) -> None:
    """Remove the least recently used views that do not fit, unless they are being read."""
    import fcntl
    from pathlib import Path
    from shutil import rmtree

    from ...loaders.store.layout import Layout
    from ...loaders.temporary import FileLock

    taken = 0
    with os.scandir(folder) as found:
        views = sorted(((it.stat().st_mtime, it.path) for it in found if it.is_dir()), reverse=True)
    for _, path in views:
        with suppress(OSError):  # another process may be removing it
            taken += sum(it.stat().st_size for it in Path(path).rglob("*"))
        if taken > _ROOM and os.path.basename(path) != newest:
            with suppress(OSError), FileLock(Layout(path).database(1), fcntl.LOCK_EX):
                rmtree(path, ignore_errors=True)


# -- the timeline beside an edition ------------------------------------------------------------------

_COMMENT = re.compile(r"""(<[^<>\s]*>|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\#[^\n]*""", re.DOTALL)
_NO_PATTERN = re.compile(r"\bSELECT\b[^{]*|\b(?:GROUP|ORDER)\s+BY\b[^{}]*", re.IGNORECASE)

_REACHES = re.compile(
    r"""
    Tenure | LegalExpression | hadNumber | (?:first|last)Edition | in_force   # names in the timeline
    | changeKind | foldedAs | realizes | wasDerivedFrom | versionInfo
    | \bDESCRIBE\b
    | (?: (?<![?$:\w-])a\b | [:#]type\b>? ) \s* [^\s\w<:]                     # a class without a name
    | [\w>"')\];|] \s* [?$]\w+\b \s*                                          # a variable as a property
      (?! (?: AS|BIND|FILTER|GRAPH|IN|MINUS|NOT|OPTIONAL|SERVICE|UNION|VALUES)\b (?!:) ) [\w<"'(\[?$:+-]
    | ! \s* (?: [^\s=A-Za-z] | \w*: | a\b )                                   # any property but these
    | [\w>)] \s* \* | \?(?!\w)                                                # a path of no steps
    | \"{3} | '{3} | \\[uU] | \bPREFIX\b [^<]* <[^>]*\w>                      # ways to hide a name
    """,
    re.VERBOSE | re.IGNORECASE,
)


def reaches_timeline(query: str) -> bool:
    """Return whether a query may match a statement of the timeline; if in doubt, return True.

    >>> reaches_timeline("SELECT ?text { ?rule skos:notation '704.5j' ; rg:text ?text }")
    False
    >>> reaches_timeline("SELECT ?p ?o { ?rule skos:notation '704.5j' ; ?p ?o }")
    True
    """
    patterns = _NO_PATTERN.sub(" ", _COMMENT.sub(lambda it: it[1] or " ", query))
    return _REACHES.search(patterns) is not None


_DERIVED = re.compile(
    rf"[:#](?!(?:text|inEdition|level)\b)(?:{'|'.join(IN_OLDER_EDITIONS)})\b|\bgame:\w|{re.escape(GAME)}"
)


def names_derived(query: str) -> bool:
    """Return whether a query names something derived for only a few editions at once: facts, kinds, links.

    >>> names_derived("SELECT ?t { ?t rg:hasKind game:Ability }"), names_derived("ASK { ?t a rg:Term }")
    (True, False)
    """
    names = _COMMENT.sub(lambda it: it[1] if it[0][0] == "<" else " ", query)
    return _DERIVED.search(names) is not None


def card_graphs(query: str, store: Store, iris: Iris) -> tuple[str, ...]:
    """Return the graphs of the newest cards if a query names cards."""
    if not re.search(r"\brg:(?:Card|PrintedKeyword)|#(?:Card|PrintedKeyword)|/card/", query):
        return ()
    newest = [*stored_sets(store).values()][-1:]
    return tuple(graph for it in newest for graph in it.graphs(iris))
