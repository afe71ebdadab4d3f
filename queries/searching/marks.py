"""Texts become the places in them where words stand that were looked for, whatever their endings."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing

from ...loaders.indexing.schema import TOKENIZER
from .grammar import Wanted

Spans = tuple[tuple[int, int], ...]
"""Places in a text, in code points from 0, the end exclusive."""

_BEGIN, _END = "\x02", "\x03"


def marks(texts: Sequence[str], wanted: Iterable[Wanted]) -> tuple[Spans, ...]:
    """Return where each text has any of the words.

    >>> marks(["A moth sits.", "Moths, and no lamp."], [Wanted(("moth",)), Wanted(("lamp",))])
    (((2, 6),), ((0, 5), (14, 18)))
    """
    match = " OR ".join(it.marked for it in wanted)
    found: dict[int, Spans] = {}
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE VIRTUAL TABLE it USING fts5(text, tokenize='{TOKENIZER}')")
        database.executemany(
            "INSERT INTO it(rowid, text) VALUES (?, ?)",
            ((place, re.sub(f"[{_BEGIN}{_END}]", " ", text)) for place, text in enumerate(texts)),
        )
        shown = "SELECT rowid, highlight(it, 0, ?, ?) FROM it WHERE it MATCH ?"
        for place, marked in database.execute(shown, (_BEGIN, _END, match)) if match else ():
            found[place] = tuple(_spans(marked))
    return tuple(found.get(place, ()) for place in range(len(texts)))


def _spans(marked: str) -> Iterable[tuple[int, int]]:
    gone = 0
    for match in re.finditer(f"{_BEGIN}([^{_END}]*){_END}", marked):
        start = match.start() - gone
        gone += 2
        yield start, start + len(match[1])
