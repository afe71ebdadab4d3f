"""Compare the figure that a text gives beside a citation with that of the cited rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...loaders.language.everyday import FUNCTION_WORDS
from .citations import Citation
from .denials import tokens_of
from .findings import Finding
from .rulebook import Rulebook
from .topics import Stems

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
FIGURES = {word: str(value) for value, word in enumerate(_WORDS)}
FIGURES |= {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "sixty": "60", "hundred": "100"}
"""Number words, with their figures."""

_FIGURE = re.compile(r"\d{1,3}")
_CITING = frozenset(("rule", "rules", "section", "cr"))
_PARTING = frozenset(".;:()[]")
_UNSAID = frozenset(("0", "1"))
"""Figures that are said in other words as well: *no*, *a*, *any*."""

_BEFORE, _BEHIND = 4, 2
"""How many telling words before a figure and behind it say of what it is."""

_ENOUGH = 0.6
"""The share of the weight of a sentence's words that a rule must have for its figure to be compared."""

_FEWEST = 2
"""The minimum number of words that both have beside the figure."""


class _Figure(NamedTuple):
    """A figure, and the stems of the words that say of what it is."""

    value: str
    of: frozenset[int]


def other_figure(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report the only figure of a sentence if the cited rule has one other figure for the same.

    Rules below and above it may have the figure of the text: nothing is reported then.
    """
    topics, [number, *more] = book.topics, citation.numbers
    if more or number not in book.items:
        return None
    own = [it for it in _figures(said, topics.stemmer) if it.value not in _UNSAID]
    if len({it.value for it in own}) != 1:
        return None
    plain = " ".join(it for it in tokens_of(said) if it.isalpha() and it not in FIGURES)
    words = dict.fromkeys(topics.stemmer.of([plain])[0], 1.0)
    whole = sum(map(topics.weight, words))
    if sum(map(topics.weight, topics.shared(number, words))) < _ENOUGH * whole:
        return None
    known = {it.value for near in book.family(number) for it in _of_rule(book, near)}
    if own[0].value in known:
        return None
    of = frozenset[int]().union(*(it.of for it in own))
    theirs = [*_of_rule(book, number)]
    most = max((len(it.of & of) for it in theirs), default=0)
    near = [it for it in theirs if len(it.of & of) == most]
    values = {it.value for it in near}
    if not of or most < min(_FEWEST, len(of)) or len(values) != 1 or values & _UNSAID:
        return None
    message = f"{number} has {values.pop()} where these words have {own[0].value}"
    wording = next(it for it in book.sentences(number) if _has(it, near[0], topics.stemmer))
    return Finding("words", message, quote=said, wording=wording)


def _has(sentence: str, figure: _Figure, stemmer: Stems) -> bool:
    return figure in _figures(sentence, stemmer)


def _of_rule(book: Rulebook, number: str) -> Iterator[_Figure]:
    for sentence in book.sentences(number):
        yield from _figures(sentence, book.topics.stemmer)


def _figures(text: str, stemmer: Stems) -> list[_Figure]:
    """Return the figures of a text, each with the words near it that no mark or other figure parts off."""
    tokens = tokens_of(text)
    values = [FIGURES.get(it, it if _FIGURE.fullmatch(it) else "") for it in tokens]
    values = [
        "" if it and tokens[at - 1 : at] and tokens[at - 1] in _CITING else it for at, it in enumerate(values)
    ]
    found = []
    for at, value in enumerate(values):
        if value:
            before = _near(tokens[:at][::-1], values[:at][::-1], _BEFORE)
            behind = _near(tokens[at + 1 :], values[at + 1 :], _BEHIND)
            of = frozenset(stem for stems in stemmer.of([*before, *behind]) for stem in stems)
            found.append(_Figure(value, of))
    return found


def _near(tokens: list[str], values: list[str], most: int) -> list[str]:
    near: list[str] = []
    for token, value in zip(tokens, values, strict=True):
        if (value and value not in _UNSAID) or token in _PARTING or len(near) == most:
            break
        near += [token] if token[0].isalpha() and token not in FUNCTION_WORDS and not value else []
    return near
