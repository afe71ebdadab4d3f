"""Words that no passage has become the nearest ones that some have."""

from __future__ import annotations

import sqlite3

from ...loaders.language.english import is_english


def nearest_word(index: sqlite3.Connection, word: str, most: int = 2) -> str:
    """Return the word of an edition that is likest to one that it lacks, or ``""``; English words stay.

    Up to `most` letters may be wrong, left out, added or swapped; of short words one, of the shortest
    none. Of words equally like, the one that is used most is taken.
    """
    allowed = min(most, 0 if len(word) < 4 else 1 if len(word) < 6 else 2)
    if not allowed or not word.isalpha():
        return ""
    # Only for what is unknown: it takes longer to load than most searches.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    length = len(word)
    known = dict(
        index.execute(
            "SELECT word, uses FROM vocabulary WHERE length(word) BETWEEN ? AND ?",
            (length - allowed, length + allowed),
        )
    )
    near = process.extract(word, list(known), scorer=OSA.distance, score_cutoff=allowed, limit=None)
    best = min(near, key=lambda hit: (hit[1], -known[hit[0]], hit[0]), default=("", 0, 0))[0]
    return "" if best and is_english(word) else best
