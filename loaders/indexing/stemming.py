"""Words become their stems, as an index has them: by the same tokenizer of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing

from .evening import in_plain_forms
from .schema import TOKENIZER


def stems(words: Iterable[str]) -> dict[str, str]:
    """Return the stem of each word; what is no word to the index is left out.

    >>> stems(["lanterns", "Elves", "?"])
    {'lanterns': 'lantern', 'Elves': 'elf'}
    """
    several = list(dict.fromkeys(words))
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE VIRTUAL TABLE it USING fts5(word, content='', tokenize='{TOKENIZER}')")
        database.execute("CREATE VIRTUAL TABLE token USING fts5vocab(it, instance)")
        alike = (in_plain_forms(word) for word in several)
        database.executemany("INSERT INTO it(rowid, word) VALUES (?, ?)", enumerate(alike))
        rows = database.execute("SELECT doc, term FROM token ORDER BY doc, offset")
        return {several[place]: term for place, term in rows}
