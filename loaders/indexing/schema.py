"""Passages become the tables of an index: their words in SQLite's full-text search, and the links among them.

The words themselves stay in the store: the index holds where they occur (a contentless FTS5 table), so it
takes a fiftieth of what the edition takes there.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ...ontology.iris import Iris
from .evening import in_plain_forms, without_contractions
from .passages import TextUnit

FORMAT = 6
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
    words = Counter(WORD.findall(said.lower()))
    database.executemany("INSERT INTO term(slug, id) VALUES (?, ?)", terms.items())
    database.executemany("INSERT INTO vocabulary VALUES (?, ?)", sorted(words.items()))
    database.execute("INSERT INTO words(words) VALUES ('optimize')")


_Field = tuple[str, ...]
"""The texts that stand in a field of a passage, one behind the other."""


def _written(
    it: TextUnit, examples: Mapping[str, _Field], entries: Mapping[str, _Field]
) -> tuple[_Field, ...]:
    """Return what stands in the fields of a passage, but for its number."""
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
    return len(WORD.findall(in_plain_forms(text)))


def _gathered(texts: Iterable[tuple[str, str]]) -> dict[str, _Field]:
    """Return key → all of its texts."""
    found: dict[str, list[str]] = {}
    for key, text in texts:
        found.setdefault(key, []).append(without_contractions(text))
    return {key: tuple(several) for key, several in found.items()}
