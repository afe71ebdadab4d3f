"""Read a text once: its words, and the names, numbers, editions and days in it.

Questions, searches and quotations go through `read`. `linking.mentions` finds the mentions of documents, with
the same phrases and the same `Sense`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from .dates import Period, periods
from .lexicon import Lexicon, Meaning
from .numbers import ALPHABET, Number, numbers
from .senses import QUESTION, NameSpan, Sense
from .words import Word, tokens

_EDITION = re.compile(r"\b(?:[a-z]+-\d{4}-\d\d-\d\d|fragment-[0-9a-f]{8})\b", re.IGNORECASE)

_LETTERS = frozenset(ALPHABET)
"""Names of one letter, which count only as capitals."""

_MOST_CORRECTED = 100
"""The maximum number of words in a text whose spelling is checked."""

Speller = Callable[[set[str]], Mapping[str, str]]
"""Takes words, in small letters, that no name has in any form, and returns the misspelled ones: word → the
intended word."""


class _Placed(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Name(NamedTuple):
    """A name in a text: ``text[start:end]``, its tokens from `first` to before `last`.

    `meanings` are the things that the name may mean, at least one; `misspelled` says that a word of it was
    corrected.
    """

    start: int
    end: int
    first: int
    last: int
    meanings: tuple[Meaning, ...]
    misspelled: bool = False


class EditionId(NamedTuple):
    """The id of an edition, in small letters, at ``text[start:end]``."""

    id: str
    start: int
    end: int


class Read(NamedTuple):
    """The content of a text.

    All offsets are code points into `text` from 0, ends exclusive; all sequences are in its order.

    Attributes:
        text: the input, unchanged.
        tokens: all its words and symbols, those within names, numbers and days as well.
        names: the names that are meant. Of names within names only the longest counts; a name in its everyday
            sense (*in order to*) is none. None overlaps another, a number or a day.
        numbers: numbers of rules, sections and entries, in canonical form (``704.5k``), whether or not any
            edition has them.
        editions: ids of editions (``cr-2009-07-11``), loaded or not.
        days: days, months and years, each as the span of days that it covers.
        rest: the tokens that are in none of these.
    """

    text: str
    tokens: tuple[Word, ...]
    names: tuple[Name, ...]
    numbers: tuple[Number, ...]
    editions: tuple[EditionId, ...]
    days: tuple[Period, ...]
    rest: tuple[Word, ...]


def read(text: str, names: Lexicon, correct: Speller | None = None) -> Read:
    """Read a text, and find `names` in it in any case and form.

    `correct`, if given, is called once with the words that no name has, in texts of at most 100 words.

    >>> found = read("Two moths, as of rule 300.2 in 2009?", Lexicon({"Moth": [Meaning("m")]}))
    >>> [it.meanings[0].thing for it in found.names], [it.number for it in found.numbers]
    (['m'], ['300.2'])
    >>> [it.name for it in found.days], [it.text for it in found.rest]
    (['2009'], ['Two', 'as', 'of', 'in'])
    """
    editions = tuple(EditionId(m[0].lower(), m.start(), m.end()) for m in _EDITION.finditer(text))
    days = tuple(it for it in periods(text) if not _overlaps(it, editions))
    cited = tuple(it for it in numbers(text) if not _overlaps(it, [*editions, *days]))
    words = tuple(tokens(text))
    taken: tuple[_Placed, ...] = (*editions, *days, *cited)
    # Without a fold a word is in no name, and keeps its place among the others.
    free = [it._replace(fold="") if taken and _overlaps(it, taken) else it for it in words]
    found = _names(text, free, names, correct)
    named = {place for it in found for place in range(it.first, it.last)}
    rest = tuple(it for place, it in enumerate(words) if free[place].fold and place not in named)
    return Read(text, words, found, cited, editions, days, rest)


def _overlaps(it: _Placed, spans: Iterable[_Placed]) -> bool:
    return any(other.start < it.end and it.start < other.end for other in spans)


def _names(text: str, words: Sequence[Word], names: Lexicon, correct: Speller | None) -> tuple[Name, ...]:
    meant: Mapping[str, str] = {}
    if correct and len(words) <= _MOST_CORRECTED:
        unknown = {word.fold for word in words if word.fold and not names.knows(word.fold)}
        meant = correct(unknown) if unknown else {}
    spelled = [it._replace(fold=meant[it.fold]) if it.fold in meant else it for it in words]
    matches = list(names.matches(spelled))
    spans = [NameSpan(words[first].start, words[it.end - 1].end) for first, it in matches]
    named = [span for span, (_, it) in zip(spans, matches, strict=True) if it.meanings]
    sense = Sense(text, named, QUESTION, _LETTERS)
    return tuple(
        Name(
            span.start,
            span.end,
            first,
            it.end,
            it.meanings,
            any(word.fold in meant for word in words[first : it.end]),
        )
        for span, (first, it) in zip(spans, matches, strict=True)
        if it.meanings and sense.means(span)
    )
