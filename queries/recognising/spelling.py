"""Words that no text uses become the words that were meant, where only one is close."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ...loaders.language.english import is_english
from ...loaders.language.everyday import COMMON_OPENINGS, SMALL
from ...ontology.query_files import literal
from ..session import Scope, Session

_SHORTEST = 5
"""How many letters a word has at least that is taken for a slip of the pen."""

_LONG = 8
"""From how many letters on two slips are forgiven, not one."""

_UNTOUCHED = COMMON_OPENINGS | SMALL


def corrections(
    session: Session, scope: Scope, words: Iterable[str], known: frozenset[str]
) -> Mapping[str, str]:
    """Return word → the one of the words `known` that was meant.

    A word is corrected only if its first letter is right, one known word alone is one slip away (two, in a
    long word), it is no English word, and no text of the scope uses it as it stands. A slip is a letter that
    is missing, too many, wrong, or has changed places with the next.
    """
    near: dict[str, str] = {}
    for word in sorted({*words} - _UNTOUCHED):
        found = nearest_known(word, known)
        if found and not is_english(word):
            near[word] = found
    if not near:
        return near
    rows = session.run("recognising", "words_used", scope, {"letters": map(literal, near)})
    used = {str(word) for word, text in rows if _is_used(str(word), str(text))}
    return {word: meant for word, meant in near.items() if word not in used}


def _is_used(word: str, text: str) -> bool:
    return re.search(rf"\b{word}(?:s|es|ed|ing)?\b", text, re.IGNORECASE) is not None


@lru_cache(maxsize=8192)
def nearest_known(word: str, known: frozenset[str], shortest: int = _SHORTEST) -> str:
    """Return the one known word that is close enough, or ``""``.

    Words of less than five letters, where they are not too short at all, must have the right letters.
    """
    if len(word) < shortest or not word.isalpha():
        return ""
    slips = 2 if len(word) >= _LONG else 1
    likely = [it for it in known if _may_be(word, it, slips, shortest)]
    if not likely:
        return ""
    # Most words are near to none, and the library takes as long to load as a question to be answered.
    from rapidfuzz.distance import OSA

    far = {it: OSA.distance(word, it, score_cutoff=slips) for it in likely}
    least = min(far.values())
    closest = [it for it, slip in far.items() if slip == least]
    return closest[0] if least <= slips and len(closest) == 1 else ""


def _may_be(word: str, other: str, slips: int, shortest: int) -> bool:
    """Tell whether two words can be within some slips of each other, by their letters alone."""
    if word[0] != other[0] or len(other) < shortest or abs(len(word) - len(other)) > slips:
        return False
    one, two = Counter(word), Counter(other)
    allowed = slips if len(word) >= _SHORTEST else 0
    return max((one - two).total(), (two - one).total()) <= allowed
