"""The passages of an edition become what each is about alone: the keyword that its rule is called after."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

from ...loaders.indexing.stemming import stems
from ...loaders.language.function_words import FUNCTION_WORDS

_WORD = re.compile(r"[^\W_]+")


def subjects(index: sqlite3.Connection) -> dict[int, frozenset[str]]:
    """Return the stems in the title of the rule that a passage is, or stands under, by id.

    Only rules count that have a title of their own: a chapter is about more than what it is called.
    """
    titled = dict(index.execute("SELECT id, heading FROM passage WHERE kind = 'rule' AND heading <> ''"))
    stem_of = stems(word for title in titled.values() for word in _words(title))
    found = {it: frozenset(stem_of[word] for word in _words(title)) for it, title in titled.items()}
    below = index.execute("SELECT id, parent FROM passage WHERE parent IS NOT NULL ORDER BY id")
    for it, parent in below:
        if parent in found:
            found.setdefault(it, found[parent])
    return found


def _words(title: str) -> Iterable[str]:
    return [word for word in _WORD.findall(title.lower()) if word not in FUNCTION_WORDS]
