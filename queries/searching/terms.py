"""Turn the words of a question into weighted stems to look up in an index."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp
from typing import NamedTuple

from ...loaders.indexing.stemmer import in_plain_forms, stems, without_contractions
from ...loaders.language.everyday import FUNCTION_WORDS, corrected
from ...loaders.language.words import telling_words, words_in
from . import weights
from .grammar import cleaned
from .plain_words import ELSEWHERE, read_otherwise, words_of_the_rules, words_of_tournaments

MOST_CHARACTERS = 4000
"""The number of characters of a question that are read."""

MOST_STEMS = 40
"""The maximum number of words to search for; in a longer text, the first ones."""

_COMMON = 0.2
"""A function word in more than this share of passages says nothing."""

_COMMON_SHARE, _RARER_BY = 0.01, 20
"""The share of passages that makes a word common in other rules, and how many times rarer it is in these."""

_COPULAS = frozenset("is are was were be been of at".split())
"""Words between a thing and its figure."""

_SAFE = 6
"""The number of letters from which an unknown word may be misspelled."""

_FIGURE = re.compile(r"(?<![\w/+-])\d+(?![\w/])")
"""A separate figure, not in a power and toughness or a counter's name."""

_BELOW = re.compile(
    r"(?<![\w/])[-−–] ?\d+(?= (?:life|power|toughness)\b)|(?<=\bis )[-−–]\d+\b(?!/)", re.IGNORECASE
)
"""A number below 0, for which the rules say what happens at 0."""

_LESSENED = re.compile(r"(?<![\w/])[-−–](?:\d+|x)/[-−–](?:\d+|x)(?![\w/])", re.IGNORECASE)
"""A loss of power and toughness if the text names no counter: *gets -2/-2*."""

_SIZED = re.compile(r"(?<![\w/+−–-])\d+/\d+(?![\w/])(?! (?:token|creature))")
"""A creature called by its power and toughness: *my 2/2*."""

_NUMBERS = "zero one two three four five six seven eight nine ten".split()
ALSO = {word: str(value) for value, word in enumerate(_NUMBERS) if word != "one"}
ALSO |= {figure: word for word, figure in ALSO.items()}
"""Number words and figures. A text may have either, and *one* is also a pronoun."""


class Sought(NamedTuple):
    """A stem to search for: the word it comes from, its weight, and whether it is substantial.

    `said` is False if it stands for other words in the question, whose stems are `instead_of`, or if it is
    only in the name of the question's subject. `beside` matches a figure with the word before (*layer 7*) or
    after it. Misspelled words keep how they were `written`.
    """

    stem: str
    word: str
    weight: float
    substantial: bool
    said: bool = True
    instead_of: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    written: str = ""


def sought_in(
    index: sqlite3.Connection, question: str, names: Mapping[str, bool], understood: Iterable[str] = ()
) -> list[Sought]:
    """Return the stems to search for: those in the question, in its subjects' names, and the rules' words
    for its words.

    Each name comes with whether the question also says it in other words; if so, its words count in full. For
    a long word that no passage has, the most similar known word is taken, unless it is part of `understood`.
    """
    below = _BELOW.sub("0", question[:MOST_CHARACTERS])
    if "counter" not in below.lower():
        below = _LESSENED.sub("toughness 0 or less", below)
    sized = _SIZED.sub(r"\g<0> creature", below)
    plain = read_otherwise(without_contractions(cleaned(sized)))
    written = words_in(plain)
    also = [ALSO[word] for word in written if word in ALSO]
    words = list(dict.fromkeys((*written, *also)))
    implied = {
        word: 1.0 if otherwise else weights.IMPLIED
        for name, otherwise in sorted(names.items(), key=lambda named: named[1])
        for word in telling_words(name)
    }
    stem_of = stems([*words, *implied])
    parts = [telling_words(name) for name in names]
    name_length = {stem_of.get(word): len(own) for own in parts for word in own}
    right = {word for said in understood for word in words_in(said)}
    # *a toughness of 0*, *its toughness is zero*: the text has *toughness 0*; *at 0 life*: *0 or less life*.
    # The rules spell out other small numbers.
    telling = ["0" if word == "zero" else word for word in written if word not in _COPULAS]
    figures = {*_FIGURE.findall(plain), *(["0"] if "zero" in written else [])}
    beside: dict[str, list[str]] = defaultdict(list)
    for one, other in pairwise(telling):
        if _is_beside(figures, one, other):
            beside[one].append(f'NEAR("{one}" "{other}", {weights.NEAR})')
        if _is_beside(figures, other, one):
            beside[other].append(f'"{in_plain_forms(one)} {other}"')
    found: dict[str, Sought] = {}
    for word in words:
        small = word in FUNCTION_WORDS
        stem = stem_of.get(word, "")
        if not stem or len(found) >= MOST_STEMS or (small and _is_common(index, word)):
            continue
        near = ""
        if word not in right and _may_be_misspelt(index, word, stem):
            near = nearest_word(index, word)
        if near:
            stem = stems([near])[near]
        if stem not in found or not (found[stem].substantial or small):
            is_slight = small or word.isdigit() or word not in written
            weight = weights.SMALL if is_slight else name_length.get(stem, 1) ** -weights.OF_NAME
            so = word if near else ""
            found[stem] = Sought(
                stem, near or word, weight, not small, beside=tuple(beside[word]), written=so
            )
    for word, weight in implied.items():
        stem = stem_of.get(word, "")
        if stem and (stem not in found or found[stem].weight < weight):
            found[stem] = Sought(stem, word, weight, True, said=weight > weights.IMPLIED)
    spelled = [ALSO.get(word, word) if word.isdigit() else word for word in written]
    instead = words_of_the_rules([stem_of[word] for word in spelled if word in stem_of])
    for stem, (word, others) in instead.items():
        found.setdefault(stem, Sought(stem, word, weights.PLAIN, True, said=False, instead_of=others))
    opposites = opposites_in(index, written)
    for stem, word in zip(stems(opposites.values()).values(), opposites, strict=True):
        if not (stem in found and found[stem].said):
            own = (stem_of[word],)
            found[stem] = Sought(stem, opposites[word], weights.OPPOSITE, False, said=False, instead_of=own)
    return list(found.values())


def words_without_rules(
    index: sqlite3.Connection, sought: Sequence[Sought], question: str, names: Iterable[str]
) -> list[str]:
    """Return the words of a question that no passage has, not even in the rules' words for them.

    Words in those of the `names` that it uses, and words that only its phrases stand for, are left out.
    """
    written = {*words_in(without_contractions(cleaned(question)))}
    lacking = (it.word for it in _asked_besides(sought, names) if not _stands(index, it.stem))
    return [it for it in lacking if it in written]


def words_of_other_rules(
    index: sqlite3.Connection, other: sqlite3.Connection, question: str, names: Iterable[str]
) -> list[str]:
    """Return the words of a question that are common in the passages of other rules but rare in these.

    Words in those of the `names` that it uses are left out. Phrases that only the other rules have count too.
    """
    phrases = [it for it in words_of_tournaments(words_in(question)) if len(it.words) > 1]
    alone = [" ".join(it.words) for it in phrases if it.is_in(other) and not it.is_in(index)]
    return alone + [
        it.word
        for it in _asked_besides(sought_in(index, question, {}), names)
        if _share(other, it.stem) >= max(_COMMON_SHARE, _RARER_BY * _share(index, it.stem))
    ]


def _asked_besides(sought: Sequence[Sought], names: Iterable[str]) -> list[Sought]:
    """Return the telling words of a question that the rules have no other word for, except those in names."""
    known = {word for name in names for word in words_in(name)}
    replaced = {stem for it in sought if it.word != ELSEWHERE for stem in it.instead_of}
    return [
        it
        for it in sought
        if it.substantial and it.said and not it.word[-1].isdigit()
        if it.word not in known and it.stem not in replaced
    ]


def nearest_word(index: sqlite3.Connection, word: str) -> str:
    """Return the word of an edition that an unknown word was meant to be, or ``""``."""
    uses = dict(
        index.execute(
            "SELECT word, uses FROM vocabulary WHERE length(word) BETWEEN ? AND ?",
            (len(word) - 2, len(word) + 2),
        )
    )
    return corrected(word, frozenset(uses), uses, shortest=4)


def _is_beside(figures: Iterable[str], figure: str, word: str) -> bool:
    return figure in figures and word.isalpha() and word not in FUNCTION_WORDS


def opposites_in(index: sqlite3.Connection, words: Iterable[str]) -> dict[str, str]:
    """Return the opposites of participles that an edition has with and without *un-*.

    Other words may only look that way: *dies* is not the opposite of *undying*, nor *earth* of *unearth*.
    """
    known = "SELECT count(*) = 2 FROM vocabulary WHERE word IN (?, ?)"
    found = {
        word: word.removeprefix("un") if word.startswith("un") else f"un{word}"
        for word in words
        if word.endswith("ed")
    }
    return {word: other for word, other in found.items() if index.execute(known, (word, other)).fetchone()[0]}


def _may_be_misspelt(index: sqlite3.Connection, word: str, stem: str) -> bool:
    return len(word) >= _SAFE and word.isalpha() and word not in FUNCTION_WORDS and not _stands(index, stem)


def _stands(index: sqlite3.Connection, stem: str) -> bool:
    return index.execute("SELECT 1 FROM occurrence WHERE term = ? LIMIT 1", (stem,)).fetchone() is not None


def _share(index: sqlite3.Connection, stem: str) -> float:
    """Return the share of passages that have a stem."""
    having = index.execute("SELECT count(DISTINCT doc) FROM occurrence WHERE term = ?", (stem,)).fetchone()[0]
    every = index.execute("SELECT count(*) FROM passage").fetchone()[0]
    return float(having) / float(every or 1)


def _is_common(index: sqlite3.Connection, word: str) -> bool:
    row = index.execute(
        "SELECT uses > ? * (SELECT count(*) FROM passage) FROM vocabulary WHERE word = ?", (_COMMON, word)
    ).fetchone()
    return bool(row and row[0])


_TITLES = "SELECT id, heading FROM passage WHERE kind = ? AND heading <> ''"
_HAVING = "SELECT DISTINCT doc FROM occurrence WHERE term = ? AND col = 'text' LIMIT ?"


def subjects(index: sqlite3.Connection) -> dict[int, frozenset[str]]:
    """Return the stems that say what passages are about, by id; many passages have no single subject.

    They are the stems in the title of the rule, or of a rule above it. Without such a title, they are those
    in the chapter's title that are hardly anywhere else: of *The Monarch*, but not of *Costs*.
    """
    rules, chapters = (dict(index.execute(_TITLES, (kind,))) for kind in ("rule", "chapter"))
    stem_of = stems(word for title in (*rules.values(), *chapters.values()) for word in telling_words(title))
    found = {it: _stems_in(title, stem_of) for it, title in rules.items()}
    chapter_of = {it: it for it in chapters}
    inside: dict[int, set[int]] = defaultdict(set)
    for it, parent in index.execute("SELECT id, parent FROM passage WHERE parent IS NOT NULL ORDER BY id"):
        if it in rules and parent in chapters:  # *Commander Draft*, in *Commander*, is about drafts
            found[it] = (found[it] - _stems_in(chapters[parent], stem_of)) or found[it]
        if parent in found:
            found.setdefault(it, found[parent])
        if parent in chapter_of:
            chapter_of[it] = chapter_of[parent]
            inside[chapter_of[it]].add(it)
    [count] = index.execute("SELECT count(*) FROM passage").fetchone()
    rare = count / exp(weights.RARE)
    for chapter, passages in inside.items():
        title = _stems_in(chapters[chapter], stem_of)
        most = int(min(len(passages) / weights.ALONE, rare))  # stop reading when a stem is in more
        alone = frozenset(stem for stem in title if _stands_hardly_elsewhere(index, stem, passages, most))
        for it in passages if alone else ():
            found.setdefault(it, alone)
    return found


def _stands_hardly_elsewhere(index: sqlite3.Connection, stem: str, passages: set[int], most: int) -> bool:
    """Return whether a stem is in at most `most` passages, and mainly in these."""
    having = {it for (it,) in index.execute(_HAVING, (stem, most + 1))}
    return len(having) <= most and len(having & passages) > weights.ALONE * len(having)


def _stems_in(title: str, stem_of: Mapping[str, str]) -> frozenset[str]:
    """Return the stems in a title; Python and the index may not agree on what a word is."""
    return frozenset(stem_of[word] for word in telling_words(title) if word in stem_of)
