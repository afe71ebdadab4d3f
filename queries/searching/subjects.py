"""The passages of an edition become what each is about alone: what its rule or chapter is called after."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import exp

from ...loaders.indexing.stemming import stems
from ...loaders.language.function_words import FUNCTION_WORDS
from . import weights

_WORD = re.compile(r"[^\W_]+")

_TITLES = "SELECT id, heading FROM passage WHERE kind = ? AND heading <> ''"
_HAVING = "SELECT DISTINCT doc FROM occurrence WHERE term = ? AND col = 'text' LIMIT ?"


def subjects(index: sqlite3.Connection) -> dict[int, frozenset[str]]:
    """Return the stems that tell what passages are about, by id; many passages are about nothing alone.

    They are those in the title of the rule that a passage is, or stands under. Where that has none they are
    those in its chapter's title that stand there and hardly elsewhere: of *The Monarch*, never of *Costs*.
    """
    rules, chapters = (dict(index.execute(_TITLES, (kind,))) for kind in ("rule", "chapter"))
    stem_of = stems(word for title in (*rules.values(), *chapters.values()) for word in _words(title))
    found = {it: _stems_in(title, stem_of) for it, title in rules.items()}
    chapter_of = {it: it for it in chapters}
    inside: dict[int, set[int]] = defaultdict(set)
    for it, parent in index.execute("SELECT id, parent FROM passage WHERE parent IS NOT NULL ORDER BY id"):
        if parent in found:
            found.setdefault(it, found[parent])
        if parent in chapter_of:
            chapter_of[it] = chapter_of[parent]
            inside[chapter_of[it]].add(it)
    [count] = index.execute("SELECT count(*) FROM passage").fetchone()
    rare = count / exp(weights.RARE)
    for chapter, passages in inside.items():
        title = _stems_in(chapters[chapter], stem_of)
        most = int(min(len(passages) / weights.ALONE, rare))  # of what stands in more no more is read
        alone = frozenset(stem for stem in title if _stands_hardly_elsewhere(index, stem, passages, most))
        for it in passages if alone else ():
            found.setdefault(it, alone)
    return found


def _stands_hardly_elsewhere(index: sqlite3.Connection, stem: str, passages: set[int], most: int) -> bool:
    """Tell whether a stem is in `most` passages at most, and enough of those are among some."""
    having = {it for (it,) in index.execute(_HAVING, (stem, most + 1))}
    return len(having) <= most and len(having & passages) > weights.ALONE * len(having)


def _stems_in(title: str, stem_of: Mapping[str, str]) -> frozenset[str]:
    """Return the stems in a title: what is a word to Python need not be one to the index."""
    return frozenset(stem_of[word] for word in _words(title) if word in stem_of)


def _words(title: str) -> Iterable[str]:
    return [word for word in _WORD.findall(title.lower()) if word not in FUNCTION_WORDS]
