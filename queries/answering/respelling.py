"""The words of a question that are misspelled become those that questions are worded with."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ...loaders.language.english import is_english
from ...loaders.language.names import plural
from ..finding.kinds import kinds
from ..recognising.naming import known_names
from ..recognising.spelling import nearest_known
from ..session import Session


def respelled(session: Session, words: str) -> str:
    """Return `words` with those that are near to one of questions or kinds as they are meant: *waht is*.

    What is part of a name of the store, or English, stays as it is.
    """
    names = known_names(session).lexicon
    words_of_kinds = {word for kind in kinds(session) for word in kind.split()}
    frame = _frame().union(words_of_kinds, map(plural, words_of_kinds))
    return " ".join(
        word if not word.isalpha() or names.knows(word.lower()) else _meant(word, frame)
        for word in words.split()
    )


@lru_cache(maxsize=8192)
def _meant(word: str, frame: frozenset[str]) -> str:
    small = word.lower()
    near = "" if small in frame else nearest_known(small, frame, shortest=3)
    return near if near and not is_english(small) else word


@cache
def _frame() -> frozenset[str]:
    # A question asked by its name needs no phrasings.
    from ..catalogue.pairs import ALL
    from ..catalogue.phrasings import frame_words

    return frame_words() | frozenset(re.findall(r"[a-z]+", " ".join(ALL)))
