"""Sort any number of statements into the order in which they are written.

Numbers inside names count as numbers: ``rule/100.2`` comes before ``rule/100.10``. Statements to sort are in
a temporary SQLite database with limited memory: ten editions take no more than one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from errno import ENOSPC
from functools import lru_cache
from tempfile import gettempdir

from pyoxigraph import Triple

from ...loaders.temporary import temporary_folder
from ...ontology.iris import CODE, NAMESPACES
from ...ontology.terms import PREFIXES

_DIGITS = re.compile(r"(\d+)")
_TYPE = f"<{PREFIXES['rdf']}type>"

_SETTINGS = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = OFF",
    "synchronous = OFF",
    "page_size = 8192",
    "cache_size = -16000",
)
"""For a database that is lost with its process: no safe end, and 16 MB of memory."""


@lru_cache(maxsize=1 << 13)
def natural(text: str) -> bytes:
    """Return a sort key by which ``rule/100.2`` comes before ``rule/100.10``; no key begins another.

    >>> sorted(["b", "a10", "a", "a2", "a02"], key=natural)
    ['a', 'a02', 'a2', 'a10', 'b']
    """
    parts = _DIGITS.split(text)
    return "".join(_number(part) if place % 2 else part for place, part in enumerate(parts)).encode() + b"\0"


def _number(digits: str) -> str:
    """Write a number so that longer ones come later; numbers come before letters, and ``02`` before ``2``."""
    figures = digits.lstrip("0")
    return f"\1{len(figures):08}{figures}\0{digits}\0"


def key_of(triple: Triple, base: str) -> bytes:
    """Return the sort key of a triple: data, vocabulary, blank nodes; subjects by name, the type first."""
    return _key(str(triple.subject), str(triple.predicate), str(triple.object), base)


def key_of_line(line: str, base: str) -> bytes:
    """Return the sort key of a line of N-Triples."""
    subject, predicate, rest = line.rstrip().removesuffix(".").rstrip().split(" ", 2)
    return _key(subject, predicate, rest, base)


def key_of_quad_line(line: str, base: str) -> bytes:
    """Return the sort key of a line of N-Quads: its graph counts first."""
    triple, graph = line.rstrip().removesuffix(".").rstrip().rsplit(" ", 1)
    return natural(graph) + key_of_line(triple, base)


def _key(subject: str, predicate: str, value: str, base: str) -> bytes:
    return key_of_subject(subject, base) + key_of_statement(predicate, value)


def key_of_subject(subject: str, base: str) -> bytes:
    """Return the sort key of the subject of statements, as N-Triples has it."""
    blank = subject.startswith("_:")
    foreign = subject[1:].startswith((*NAMESPACES, CODE)) or not subject.startswith(f"<{base}")
    return b"%d%d" % (blank, foreign) + natural(subject.strip("<>"))


def key_of_statement(predicate: str, value: str) -> bytes:
    """Return the sort key of a statement about a subject, as N-Triples has it."""
    said = "0" if predicate == _TYPE else f"1{predicate.strip('<>')}"
    return said.encode() + b"\0" + natural(value)


def _waiting_room() -> sqlite3.Connection:
    """Return an empty table of lines and their keys, which sorts itself, in a file that no folder names.

    SQLite also makes its own temporary files, but in the folder for those of all programs, where a kill in
    between would leave them for good.
    """
    with temporary_folder() as folder:
        made = sqlite3.connect(folder / "lines")
        try:
            for setting in _SETTINGS:
                made.execute(f"PRAGMA {setting}")
            made.execute("CREATE TABLE line (key BLOB, line TEXT, PRIMARY KEY (key, line)) WITHOUT ROWID")
        except BaseException:
            made.close()
            raise
    return made


def in_key_order(lines: Iterable[tuple[bytes, str]]) -> Iterator[str]:
    """Yield lines by their keys, each line once.

    Raises `OSError` if the folder for temporary files has no space for them.

    >>> list(in_key_order([(b"2", "two"), (b"1", "one"), (b"2", "two")]))
    ['one', 'two']
    """
    try:
        with closing(_waiting_room()) as waiting:
            waiting.executemany("INSERT OR IGNORE INTO line VALUES (?, ?)", lines)
            for (line,) in waiting.execute("SELECT line FROM line ORDER BY key, line"):
                yield line
    except sqlite3.OperationalError as error:
        raise OSError(ENOSPC, f"there is no space for sorting ({error})", gettempdir()) from error
