"""The words of a question become what is looked for in an index: stems, each with what it counts."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from ...loaders.indexing.evening import in_plain_forms, without_contractions
from ...loaders.indexing.stemming import stems
from ...loaders.language.function_words import FUNCTION_WORDS
from . import weights
from .grammar import cleaned
from .plain_words import words_of_the_rules
from .spelling import nearest_word

LONGEST = 4000
"""How many characters of a question are read."""

MOST = 40
"""How many words are looked for: of a longer text those that come first."""

_COMMON = 0.2
"""A function word that stands more often than in such a part of the passages says nothing."""

_SAFE = 6
"""From how many letters on an unknown word is taken for a misspelt one."""

_NUMBERS = "zero one two three four five six seven eight nine ten".split()
_ALSO = {word: str(value) for value, word in enumerate(_NUMBERS) if word != "one"}
_ALSO |= {figure: word for word, figure in _ALSO.items()}
"""Number words and figures: a text may have either, and *one* is a pronoun as well."""

_WORD = re.compile(r"[^\W_]+")


class Sought(NamedTuple):
    """One stem to look for: the word it comes from, what it counts, and whether it is one of substance.

    `said` is False where the question has other words for it, whose stems are `instead_of`, or where only the
    name of what it speaks of has it. `behind` is the word that a figure follows in the question (*layer* 7).
    """

    stem: str
    word: str
    weight: float
    substantial: bool
    said: bool = True
    instead_of: tuple[str, ...] = ()
    behind: str = ""


def sought_in(
    index: sqlite3.Connection, question: str, names: Mapping[str, bool], understood: Iterable[str] = ()
) -> list[Sought]:
    """Return what to look for: the words of a question, those in the names of what it speaks of, and what
    the rules say instead.

    Of each name it is told whether the question says it otherwise: then its words count in full. A long
    word that no passage has counts as the nearest that some have, unless it is part of what is `understood`.
    """
    plain = without_contractions(cleaned(question[:LONGEST]))
    written = _WORD.findall(plain.lower())
    also = [_ALSO[word] for word in written if word in _ALSO]
    words = list(dict.fromkeys((*written, *also)))
    implied = {
        word: 1.0 if otherwise else weights.IMPLIED
        for name, otherwise in sorted(names.items(), key=lambda named: named[1])
        for word in _WORD.findall(name.lower())
        if word not in FUNCTION_WORDS
    }
    stem_of = stems([*words, *implied])
    right = {word for said in understood for word in _WORD.findall(said.lower())}
    followed = {
        figure: in_plain_forms(word)
        for word, figure in pairwise(written)
        if figure.isdigit() and word.isalpha() and word not in FUNCTION_WORDS
    }
    found: dict[str, Sought] = {}
    for word in words:
        small = word in FUNCTION_WORDS
        stem = stem_of.get(word, "")
        if not stem or len(found) >= MOST or (small and _is_common(index, word)):
            continue
        near = ""
        if word not in right and _may_be_misspelt(index, word, stem):
            near = nearest_word(index, word, 1)
        if near:
            stem = stems([near])[near]
        if stem not in found or not (found[stem].substantial or small):
            weight = weights.SMALL if small or word.isdigit() or word not in written else 1.0
            found[stem] = Sought(stem, near or word, weight, not small, behind=followed.get(word, ""))
    for word, weight in implied.items():
        stem = stem_of.get(word, "")
        if stem and (stem not in found or found[stem].weight < weight):
            found[stem] = Sought(stem, word, weight, True, said=weight > weights.IMPLIED)
    instead = words_of_the_rules([stem_of[word] for word in written if word in stem_of])
    for stem, (word, others) in instead.items():
        found.setdefault(stem, Sought(stem, word, weights.PLAIN, True, said=False, instead_of=others))
    return list(found.values())


def _may_be_misspelt(index: sqlite3.Connection, word: str, stem: str) -> bool:
    return len(word) >= _SAFE and word not in FUNCTION_WORDS and not _stands(index, stem)


def _stands(index: sqlite3.Connection, stem: str) -> bool:
    return index.execute("SELECT 1 FROM occurrence WHERE term = ? LIMIT 1", (stem,)).fetchone() is not None


def _is_common(index: sqlite3.Connection, word: str) -> bool:
    row = index.execute(
        "SELECT uses > ? * (SELECT count(*) FROM passage) FROM vocabulary WHERE word = ?", (_COMMON, word)
    ).fetchone()
    return bool(row and row[0])
