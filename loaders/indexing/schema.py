"""Passages become the tables of an index: their words in SQLite's full-text search, and the links among them.

The words themselves stay in the store: the index holds where they occur (a contentless FTS5 table), so it
takes a fiftieth of what the edition takes there.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from ...ontology.iris import Iris
from .evening import in_singular, without_contractions
from .passages import TextUnit

FORMAT = 5
"""The version of these tables; an index of another version is made anew."""

FIELDS = ("number", "headings", "text", "examples", "entries")
"""Where a word may stand: in a passage's number, its title and those above it, its text, the examples under
it, and the texts of glossary entries that cite it."""

TOKENIZER = "porter unicode61 remove_diacritics 2"
"""What words are told apart by: case, accents and endings do not count."""

WORD = re.compile(r"[^\W_]+")

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
    """Make the tables of an index in an empty database; `state` says what the index was made of."""
    inside = len(iris.edition(edition)) + 1
    places = {passage.iri: place for place, passage in enumerate(passages, start=1)}
    examples = _joined((passage.parent, passage.text) for passage in passages if passage.kind == "example")
    entries = _joined(
        (to, passage.text) for passage in passages if passage.kind == "entry" for to in passage.cites
    )
    slugs = sorted({slug for passage in passages for slug in (*passage.mentions, *passage.defines)})
    terms = {slug: place for place, slug in enumerate(slugs, start=1)}
    words: Counter[str] = Counter()
    database.executescript(_TABLES)
    database.execute(
        f"CREATE VIRTUAL TABLE words USING fts5({','.join(FIELDS)}, content='', tokenize='{TOKENIZER}')"
    )
    database.executemany("INSERT INTO about VALUES (?, ?)", [("state", state)])
    for place, it in enumerate(passages, start=1):
        row = (it.iri[inside:], it.kind, it.number, it.heading, it.document, it.line)
        above, bare = places.get(it.parent), it.text == it.heading
        database.execute("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (place, *row, above, bare))
        own = (
            " ".join(filter(None, (*it.headings, it.heading))),
            it.text,
            examples.get(it.iri, ""),
            entries.get(it.number, "") if it.number and it.kind != "example" else "",
        )
        written = [*map(without_contractions, own)]
        fields = (it.number, *map(in_singular, written))
        slots = ", ".join("?" * (len(FIELDS) + 1))
        database.execute(f"INSERT INTO words(rowid, {', '.join(FIELDS)}) VALUES ({slots})", (place, *fields))
        database.executemany("INSERT INTO citation VALUES (?, ?)", [(place, to) for to in it.cites])
        for table, those in (("mention", it.mentions), ("definition", it.defines)):
            rows = [(terms[slug], place) for slug in those]
            database.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)
        sizes = (len(WORD.findall(field)) for field in fields[1:])
        database.execute("INSERT INTO size VALUES (?, ?, ?, ?, ?)", (place, *sizes))
        words.update(WORD.findall(f"{written[0]} {written[1]}".lower()))
    database.executemany("INSERT INTO term(slug, id) VALUES (?, ?)", terms.items())
    database.executemany("INSERT INTO vocabulary VALUES (?, ?)", sorted(words.items()))
    database.execute("INSERT INTO words(words) VALUES ('optimize')")


def _joined(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return key → all of its texts as one."""
    found: dict[str, list[str]] = {}
    for key, text in texts:
        found.setdefault(key, []).append(text)
    return {key: "\n".join(several) for key, several in found.items()}
