"""The words of a question that are misspelled become those that questions are worded with."""

from __future__ import annotations

from collections.abc import Collection

from ...loaders.language.english import is_english
from ..recognising.naming import known_names
from ..recognising.spelling import nearest_known
from ..session import Session


def respelled(session: Session, words: str, frame: Collection[str]) -> str:
    """Return `words` with those that are near to one of `frame` as they are meant: *waht is*.

    What is part of a name of the store, or English, stays as it is.
    """
    names = known_names(session).lexicon
    said = []
    for word in words.split():
        small = word.lower()
        right = small in frame or not small.isalpha() or names.knows(small)
        near = "" if right else nearest_known(small, frame, shortest=3)
        said.append(near if near and not is_english(small) else word)
    return " ".join(said)
