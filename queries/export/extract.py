"""Read the statements to export from a store, with or without words of sources; describe and sort them.

Numbers in names sort by value: ``rule/100.2`` comes before ``rule/100.10``. Statements are sorted in a
temporary SQLite database, so that ten editions need no more memory than one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from errno import ENOSPC
from functools import cache, lru_cache
from tempfile import gettempdir

from pyoxigraph import Triple

from ...loaders.describing.describe import catalog_triples
from ...loaders.describing.inventory import Inventory, count_lines, described_graphs, stored_titles
from ...loaders.editions import editions_in
from ...loaders.graph.emit import vocabulary_triples
from ...loaders.store import Store
from ...loaders.temporary import temporary_folder
from ...ontology import CODE, DCTERMS, NAMESPACES, PREFIXES, RDFS_LABEL, RG, SKOS, Iris

_DIGITS = re.compile(r"(\d+)")
_TYPE = f"<{PREFIXES['rdf']}type>"

_SETTINGS = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = OFF",
    "synchronous = OFF",
    "page_size = 8192",
    "cache_size = -16000",
)
"""Settings for a database that nobody needs after a crash, with 16 MB of memory."""


@lru_cache(maxsize=1 << 13)
def natural(text: str) -> bytes:
    """Return a sort key that puts ``rule/100.2`` before ``rule/100.10``; no key is the beginning of another.

    >>> sorted(["b", "a10", "a", "a2", "a02"], key=natural)
    ['a', 'a02', 'a2', 'a10', 'b']
    """
    parts = _DIGITS.split(text)
    return "".join(_number(part) if place % 2 else part for place, part in enumerate(parts)).encode() + b"\0"


def _number(digits: str) -> str:
    """Write a number so that it sorts by value, before letters, and ``02`` before ``2``."""
    figures = digits.lstrip("0")
    return f"\1{len(figures):08}{figures}\0{digits}\0"


def in_order(triples: Iterable[Triple], base: str) -> list[Triple]:
    """Sort triples: data, vocabulary, blank nodes; then by name, with the type of each subject first."""
    return sorted(triples, key=lambda triple: key_of_line(str(triple), base))


def key_of_line(line: str, base: str) -> bytes:
    """Return the sort key of a line of N-Triples, with or without its dot."""
    subject, predicate, rest = line.rstrip().removesuffix(".").rstrip().split(" ", 2)
    return key_of_subject(subject, base) + key_of_statement(predicate, rest)


def key_of_quad_line(line: str, base: str) -> bytes:
    """Return the sort key of a line of N-Quads: first by graph."""
    triple, graph = line.rstrip().removesuffix(".").rstrip().rsplit(" ", 1)
    return natural(graph) + key_of_line(triple, base)


def key_of_subject(subject: str, base: str) -> bytes:
    """Return the sort key of a subject in N-Triples."""
    blank = subject.startswith("_:")
    foreign = subject[1:].startswith((*NAMESPACES, CODE)) or not subject.startswith(f"<{base}")
    return b"%d%d" % (blank, foreign) + natural(subject.strip("<>"))


def key_of_statement(predicate: str, value: str) -> bytes:
    """Return the sort key of a subject's statement in N-Triples."""
    said = "0" if predicate == _TYPE else f"1{predicate.strip('<>')}"
    return said.encode() + b"\0" + natural(value)


def _sorting_table() -> sqlite3.Connection:
    """Return an empty table that keeps lines sorted by their keys, in a file without a name.

    SQLite's own temporary files would be in the common folder and stay there if the process is killed.
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
    """Yield lines in the order of their keys, each once.

    Raises `OSError` if the folder for temporary files is full.

    >>> list(in_key_order([(b"2", "two"), (b"1", "one"), (b"2", "two")]))
    ['one', 'two']
    """
    try:
        with closing(_sorting_table()) as waiting:
            waiting.executemany("INSERT OR IGNORE INTO line VALUES (?, ?)", lines)
            for (line,) in waiting.execute("SELECT line FROM line ORDER BY key, line"):
                yield line
    except sqlite3.OperationalError as error:
        raise OSError(ENOSPC, f"there is no space for sorting ({error})", gettempdir()) from error


MOST_WORDS = 7
"""A literal with up to this number of words is a name; a longer one is a sentence."""

NAMES = frozenset(
    f"<{name}>"
    for name in (
        *(DCTERMS.title, RDFS_LABEL, SKOS.prefLabel, SKOS.altLabel),
        RG.quotedTitle,
    )
)
"""Titles and names are facts, however long they are."""

_IS_EDITION = f"> <{PREFIXES['rdf']}type> <{RG.Edition}>"
_LEFT_OUT = f'> <{RG.textLeftOut}> "true"^^<{PREFIXES["xsd"]}boolean>'
"""A statement in editions exported without their texts, which the shapes look for."""

_WORD = re.compile(r"\w+")
_LITERAL = re.compile(r'^\S+ (\S+) "((?:[^"\\]|\\.)*)"')


class Extract:
    """What an export sees of a store: its graphs, perhaps without words, perhaps with another catalog."""

    def __init__(self, store: Store, *, words: bool = True, wordings: bool = True) -> None:
        """Without `wordings`, `graph/wordings` is not exported, and no links into it."""
        self.iris = Iris(store.base)
        self.base = store.base
        self._unseen = None if wordings else f"> <{RG.wording}> <"
        self.words = words
        self._store = store
        self._catalog: list[str] | None = None

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples, without line ends."""
        lines = self._lines(graph)
        return lines if self._unseen is None else (it for it in lines if self._unseen not in it)

    def _lines(self, graph: str) -> Iterator[str]:
        if graph == self.iris.graph("catalog") and self._catalog is not None:
            yield from self._catalog
        elif self.words:
            yield from self._store.graph_lines(graph)
        else:
            spared = {self.iris.graph(name) for name in ("ontology", "catalog")}
            keep = (lambda _: True) if graph in spared else without_words(graph == self.iris.graph("current"))
            for line in filter(keep, self._store.graph_lines(graph)):
                yield line
                if _IS_EDITION in line:
                    yield line.replace(_IS_EDITION, _LEFT_OUT)

    def describe(self, editions: Sequence[str], current: Sequence[str], *, apart: bool) -> None:
        """Limit the catalog to some editions, with counts of the statements that are exported.

        `current` are those in `graph/current`, if it is exported; `apart` says whether graphs keep their
        names.
        """
        found = editions_in(self._store, self.iris)
        chosen = [info for name, info in found.items() if name in editions]
        counts, seen = {}, set[str]()
        # These belong to no single edition, and are only in whole exports.
        whole = {self.iris.graph(name) for name in ("current", "timeline", "wordings")}
        for graph in described_graphs(self.iris, chosen):
            if graph in whole and not current:
                continue
            lines = list(self.graph_lines(graph))
            if not apart:  # a statement in two graphs is written once
                lines = [line for line in lines if line not in seen]
                seen.update(lines)
            counts[graph] = count_lines("".join(f"{line}\n" for line in lines).encode(), graph, self.iris)
        titles = stored_titles(self._store, self.iris, chosen)
        contents = Inventory(chosen, titles, counts, current, self.words, apart)
        self._catalog = [f"{line} ." for line in catalog_triples(self.iris, contents).lines]


def without_words(with_ontology: bool = False) -> Callable[[str], bool]:
    """Return a test of whether a line of N-Triples may be exported without the words of sources.

    Properties with `rg:carriesWords` in the vocabulary are refused, and so are other literals of more than
    `MOST_WORDS` words, except names. A graph `with_ontology` also contains the vocabulary, whose explanations
    are our own.
    """
    closed = word_properties()
    ours = vocabulary_triples().lines if with_ontology else frozenset[str]()

    def passes(line: str) -> bool:
        literal = _LITERAL.match(line)
        if literal is None or literal[1] in NAMES:
            return True
        long = literal[1] in closed or len(_WORD.findall(literal[2])) > MOST_WORDS
        return not long or line.removesuffix(".").rstrip() in ours

    return passes


@cache
def word_properties() -> frozenset[str]:
    """Return the properties that carry words: definitions of terms, and those marked in the vocabulary."""
    mark = f" <{RG.carriesWords}> "
    marked = {line.partition(" ")[0] for line in vocabulary_triples().lines if mark in line}
    return frozenset(marked | {f"<{PREFIXES['skos']}definition>"})
