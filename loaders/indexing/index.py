"""Open the search index of an edition, or make it: in the store, in a cache or in memory.

An index is a file in the folder `index` of a store. For an endpoint, and for a store that cannot be written
to, it is in the user's cache. It states what it was made from, and its file name contains a checksum of that.
So an index is used only for its own state of an edition, and readers of a former generation keep theirs. A
missing or damaged index is made again, which takes a second; if no file can be written, it is made in memory.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from zlib import crc32

from ...ontology import Iris, StoreError, grouped
from ..language.words import words_in
from ..store.layout import INDEX, folders_for
from ..store.protocol import MEMORY, Store
from ..temporary import temporary_folder
from .passages import TextUnit, read_passages, state
from .stemmer import TOKENIZER, in_plain_forms, without_contractions

FORMAT = 9
"""The version of these tables; an index of another version is made again."""

FIELDS = ("number", "headings", "text", "examples", "entries")
"""The fields of a passage that have words: its number, its title and those above it, its text, the examples
under it, and the texts of glossary entries that cite it."""

_TABLES = """
CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE passage(
  id INTEGER PRIMARY KEY, place TEXT, kind TEXT, number TEXT, heading TEXT, document TEXT, line INTEGER,
  parent INTEGER, bare BOOLEAN
);
CREATE TABLE size(
  passage INTEGER PRIMARY KEY, headings INTEGER, text INTEGER, examples INTEGER, entries INTEGER
);
CREATE INDEX passage_number ON passage(number);
CREATE INDEX passage_parent ON passage(parent);
CREATE TABLE citation(source INTEGER, target TEXT, PRIMARY KEY(source, target)) WITHOUT ROWID;
CREATE INDEX citation_target ON citation(target);
CREATE TABLE term(id INTEGER PRIMARY KEY, slug TEXT UNIQUE);
CREATE TABLE mention(term INTEGER, passage INTEGER, PRIMARY KEY(term, passage)) WITHOUT ROWID;
CREATE INDEX mention_passage ON mention(passage);
CREATE TABLE definition(term INTEGER, passage INTEGER, PRIMARY KEY(term, passage)) WITHOUT ROWID;
CREATE TABLE vocabulary(word TEXT PRIMARY KEY, uses INTEGER) WITHOUT ROWID;
"""


def fill(
    database: sqlite3.Connection, iris: Iris, edition: str, state: str, passages: Sequence[TextUnit]
) -> None:
    """Make the tables of an index in an empty database; `state` says what the index is made from."""
    inside = len(iris.edition(edition)) + 1
    places = {passage.iri: place for place, passage in enumerate(passages, start=1)}
    examples = _gathered((passage.parent, passage.text) for passage in passages if passage.kind == "example")
    entries = _gathered(
        (to, passage.text) for passage in passages if passage.kind == "entry" for to in passage.cites
    )
    slugs = sorted({slug for passage in passages for slug in (*passage.mentions, *passage.defines)})
    terms = {slug: place for place, slug in enumerate(slugs, start=1)}
    database.executescript(_TABLES)
    database.execute(
        f"CREATE VIRTUAL TABLE words USING fts5({','.join(FIELDS)}, content='', tokenize='{TOKENIZER}')"
    )
    database.executemany("INSERT INTO about VALUES (?, ?)", [("state", state)])
    rows = (
        (place, it.iri[inside:], it.kind, it.number, it.heading, it.document, it.line, above, bare)
        for place, it in enumerate(passages, start=1)
        for above, bare in [(places.get(it.parent), it.text == it.heading)]
    )
    database.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    read = [(place, it, _written(it, examples, entries)) for place, it in enumerate(passages, start=1)]
    slots = ", ".join("?" * (len(FIELDS) + 1))
    database.executemany(
        f"INSERT INTO words(rowid, {', '.join(FIELDS)}) VALUES ({slots})",
        ((place, it.number, *map(_in_plain_forms, fields)) for place, it, fields in read),
    )
    database.executemany(
        "INSERT INTO size VALUES (?, ?, ?, ?, ?)", ((place, *map(_size, fields)) for place, _, fields in read)
    )
    cited = ((place, to) for place, it, _ in read for to in it.cites)
    database.executemany("INSERT INTO citation VALUES (?, ?)", cited)
    mentioned = ((terms[slug], place) for place, it, _ in read for slug in it.mentions)
    database.executemany("INSERT INTO mention VALUES (?, ?)", mentioned)
    defined = ((terms[slug], place) for place, it, _ in read for slug in it.defines)
    database.executemany("INSERT INTO definition VALUES (?, ?)", defined)
    said = "\n".join(text for _, _, (headings, own, *_) in read for text in (*headings, *own))
    words = Counter(words_in(said))
    database.executemany("INSERT INTO term(slug, id) VALUES (?, ?)", terms.items())
    database.executemany("INSERT INTO vocabulary VALUES (?, ?)", sorted(words.items()))
    database.execute("INSERT INTO words(words) VALUES ('optimize')")


_Field = tuple[str, ...]
"""The texts in a field of a passage, one after the other."""


def _written(
    it: TextUnit, examples: Mapping[str, _Field], entries: Mapping[str, _Field]
) -> tuple[_Field, ...]:
    """Return the contents of a passage's fields, except its number."""
    return (
        (without_contractions(" ".join(filter(None, (*it.headings, it.heading)))),),
        (without_contractions(it.text),),
        examples.get(it.iri, ()),
        entries.get(it.number, ()) if it.number and it.kind != "example" else (),
    )


def _in_plain_forms(field: _Field) -> str:
    return "\n".join(map(in_plain_forms, field))


def _size(field: _Field) -> int:
    """Return how many words the index sees in a field."""
    return sum(map(_count, field))


@lru_cache(maxsize=1 << 14)
def _count(text: str) -> int:
    return len(words_in(in_plain_forms(text)))


def _gathered(texts: Iterable[tuple[str, str]]) -> dict[str, _Field]:
    """Return key → all of its texts."""
    found = grouped((key, without_contractions(text)) for key, text in texts)
    return {key: tuple(several) for key, several in found.items()}


_OCCURRENCES = "CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab(main, words, instance)"
"""Where each word is, as in FTS5: term, doc (the passage), col (the field), offset."""


class _Index(sqlite3.Connection):
    """An index that closes when it is no longer used."""

    def __del__(self) -> None:
        self.close()


def open_index(
    store: Store,
    iris: Iris,
    edition: str,
    documents: Sequence[str],
    written: Mapping[str, Path] | None = None,
    said: Callable[[Path], Mapping[str, Path]] | None = None,
) -> sqlite3.Connection:
    """Return the index of an edition, read-only; `documents` are the IRIs of its documents.

    `written` are files with the N-Quads of some of its graphs: see `read_passages`. If the store has less,
    `said` writes such files into a folder.

    Raises `StoreError` if the store cannot be read, or Python's SQLite has no full-text search.
    """
    signs = _signs(store, iris, edition, documents)
    paths = _paths(store, iris, edition, signs)
    if found := next(filter(None, (_opened(path, signs) for path in paths)), None):
        return found
    made = sqlite3.connect(":memory:", check_same_thread=False, factory=_Index)
    try:
        with temporary_folder() as folder:
            known = written or (said(folder) if said else {})
            fill(made, iris, edition, signs, read_passages(store, iris, edition, documents, known))
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"no search index can be made: {error}", way_out="Search needs SQLite with FTS5."
        ) from error
    made.commit()
    made.execute(_OCCURRENCES)
    for path in paths:
        with suppress(OSError, sqlite3.Error):
            _write(made, path)
            if found := _opened(path, signs):
                made.close()
                return found
    return made


def remove_outdated(store: Store, iris: Iris, editions: Mapping[str, Sequence[str]]) -> list[str]:
    """Remove the outdated indexes beside a store; return the editions without one, as `without_index`."""
    names = _names(store, iris, editions)
    made = _beside(store)
    for name in made - names.keys():
        with suppress(OSError):
            os.unlink(os.path.join(store.folder or "", INDEX, name))
    return [edition for name, edition in names.items() if name not in made]


def without_index(store: Store, iris: Iris, editions: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the editions without an index beside a store in a folder, and nothing for another store.

    `editions` are ids, each with the IRIs of its documents.
    """
    made = _beside(store)
    return [edition for name, edition in _names(store, iris, editions).items() if name not in made]


def _names(store: Store, iris: Iris, editions: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the editions by the names of the files that their indexes have beside a store."""
    if store.folder is None:
        return {}
    return {_file_name(it, _signs(store, iris, it, documents)): it for it, documents in editions.items()}


def _beside(store: Store) -> set[str]:
    """Return the names of the files with indexes beside a store."""
    with suppress(OSError):
        return set(os.listdir(os.path.join(store.folder, INDEX))) if store.folder else set()
    return set()


def _signs(store: Store, iris: Iris, edition: str, documents: Sequence[str]) -> str:
    return f"{FORMAT}\n{iris.base}\n{state(store, iris, edition, documents)}"


def _paths(store: Store, iris: Iris, edition: str, signs: str) -> list[str]:
    """Return where the index of a state may be, the best place first."""
    if store.location == MEMORY:
        return []
    return [os.path.join(folder, _file_name(edition, signs)) for folder in folders_for(store.folder, INDEX)]


def _file_name(edition: str, signs: str) -> str:
    return f"{edition}-{hashlib.sha256(signs.encode()).hexdigest()[:16]}.sqlite"


def _opened(path: str, signs: str) -> sqlite3.Connection | None:
    """Return the index in a file, or None if there is none, or it is of another state."""
    if not os.path.isfile(path):
        return None
    from urllib.parse import quote

    with suppress(sqlite3.Error, OSError):
        if not _is_whole(path):
            return None
        place = f"file:{quote(os.path.abspath(path))}?mode=ro&immutable=1"
        found = sqlite3.connect(place, uri=True, check_same_thread=False, factory=_Index)
        with suppress(sqlite3.Error):
            row = found.execute("SELECT value FROM about WHERE name = 'state'").fetchone()
            if row == (signs,):
                found.execute(_OCCURRENCES)
                return found
        found.close()
    return None


_SEAL = slice(60, 64)
"""The place in an SQLite header for a number that users may choose; here, the checksum of the rest."""


def _checksum(data: bytes) -> bytes:
    return crc32(data[_SEAL.stop :], crc32(data[: _SEAL.start])).to_bytes(4)


def _is_whole(path: str) -> bool:
    """Return whether the file of an index is intact.

    SQLite itself accepts a file that lost its last bytes, or some of its rows.
    """
    data = Path(path).read_bytes()
    return data[_SEAL] == _checksum(data)


def _write(made: sqlite3.Connection, path: str) -> None:
    """Write an index to a file atomically; readers of the old one keep reading it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    new = f"{path}.{os.getpid()}.new"
    try:
        with closing(sqlite3.connect(new)) as file:
            made.backup(file)
        with open(new, "r+b") as sealed:
            checksum = _checksum(sealed.read())
            sealed.seek(_SEAL.start)
            sealed.write(checksum)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise
