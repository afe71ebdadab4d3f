"""The index of an edition is found, or made, where it may lie: in the store's folder, in a cache, in memory.

An index is a file in the folder `index` of a store, or in the user's cache for a store that cannot be
written to and for an endpoint. It says what it was made of, and its name has a checksum of that: an index
goes with its state of the edition, readers of a former generation keep theirs, and one of another state,
format or store is never taken. One that is missing or damaged is made anew, which takes a second; where
no file can be written, in memory.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

from ...ontology.errors import StoreError
from ...ontology.iris import Iris
from ..store.layout import INDEX
from ..store.protocol import MEMORY, Store
from .passages import read_passages, state
from .schema import FORMAT, fill

_OCCURRENCES = "CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab(main, words, instance)"
"""Where each word stands, as FTS5 has it: term, doc (the passage), col (the field), offset."""


class _Index(sqlite3.Connection):
    """An index, which is let go of with the last who asks it."""

    def __del__(self) -> None:
        self.close()


def open_index(
    store: Store,
    iris: Iris,
    edition: str,
    documents: Sequence[str],
    written: Mapping[str, Path] | None = None,
) -> sqlite3.Connection:
    """Return the index of an edition, for reading alone; `documents` are the IRIs of its documents.

    `written` are files of N-Quads of its graphs as far as they are at hand: see `read_passages`.

    Raises `StoreError` where the store cannot be read, or Python's SQLite has no full-text search.
    """
    signs = _signs(store, iris, edition, documents)
    for path in _paths(store, iris, edition, signs):
        found = _opened(path, signs)
        if found is not None:
            return found
    return make_index(store, iris, edition, documents, signs=signs, written=written)


def make_index(
    store: Store,
    iris: Iris,
    edition: str,
    documents: Sequence[str],
    *,
    signs: str = "",
    written: Mapping[str, Path] | None = None,
) -> sqlite3.Connection:
    """Make the index of an edition anew, in the first place that takes it, and return it."""
    signs = signs or _signs(store, iris, edition, documents)
    passages = read_passages(store, iris, edition, documents, written)
    made = sqlite3.connect(":memory:", check_same_thread=False, factory=_Index)
    try:
        fill(made, iris, edition, signs, passages)
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"no index can be made: {error}", way_out="Searching needs a Python whose SQLite has FTS5."
        ) from error
    made.commit()
    made.execute(_OCCURRENCES)
    for path in _paths(store, iris, edition, signs):
        with suppress(OSError, sqlite3.Error):
            _write(made, path)
            found = _opened(path, signs)
            if found is not None:
                made.close()
                return found
    return made


def sweep(store: Store, iris: Iris, editions: Mapping[str, Sequence[str]]) -> list[str]:
    """Remove the indexes beside a store that are of no edition as it is now; return the editions without one.

    `editions` are ids, each with the IRIs of its documents. Of a store that is no folder nothing is returned.
    """
    if store.folder is None:
        return []
    lacking = {
        _file_name(edition, _signs(store, iris, edition, documents)): edition
        for edition, documents in editions.items()
    }
    folder = os.path.join(store.folder, INDEX)
    with suppress(OSError):
        for name in os.listdir(folder):
            if lacking.pop(name, None) is None:
                os.unlink(os.path.join(folder, name))
    return list(lacking.values())


def _signs(store: Store, iris: Iris, edition: str, documents: Sequence[str]) -> str:
    return f"{FORMAT}\n{iris.base}\n{state(store, iris, edition, documents)}"


def _paths(store: Store, iris: Iris, edition: str, signs: str) -> list[str]:
    """Return where the index of a state may lie, the best place first."""
    if store.location == MEMORY:
        return []
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folders = [] if store.folder is None else [os.path.join(store.folder, INDEX)]
    folders.append(os.path.join(cache, "rulesgraph", INDEX))
    return [os.path.join(folder, _file_name(edition, signs)) for folder in folders]


def _file_name(edition: str, signs: str) -> str:
    return f"{edition}-{hashlib.sha256(signs.encode()).hexdigest()[:16]}.sqlite"


def _opened(path: str, signs: str) -> sqlite3.Connection | None:
    """Return the index in a file, or None when there is none, or not of this state."""
    if not os.path.isfile(path):
        return None
    from urllib.parse import quote

    with suppress(sqlite3.Error, OSError):
        place = f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1"
        found = sqlite3.connect(place, uri=True, check_same_thread=False, factory=_Index)
        with suppress(sqlite3.Error):
            row = found.execute("SELECT value FROM about WHERE name = 'state'").fetchone()
            if row == (signs,) and found.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
                found.execute(_OCCURRENCES)
                return found
        found.close()
    return None


def _write(made: sqlite3.Connection, path: str) -> None:
    """Write an index to a file in one move: whoever reads the former one goes on doing so."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    new = f"{path}.{os.getpid()}.new"
    try:
        with closing(sqlite3.connect(new)) as file:
            made.backup(file)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise
