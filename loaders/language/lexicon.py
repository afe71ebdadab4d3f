"""Find names in a text, and read a text: its words, and the names, numbers, editions and days in it.

Questions, searches and quotations go through `read`. `linking.mentions` finds the mentions of documents, with
the same phrases and the same `Sense`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from .dates import Period, periods
from .everyday import FUNCTION_WORDS, UNMARKED
from .names import other_forms, singular
from .numbers import ALPHABET, Number, numbers
from .senses import QUESTION, NameSpan, Sense, set_phrases
from .words import Word, tokens

_MOST_SPLIT = 3
"""The maximum number of words written for one: *death touch*."""

_CLOSED = 6
"""The minimum number of letters in a name that is found with its words joined in another way."""

_MOST_IDLE = 50_000
"""The number of words that begin no name above which they are forgotten: people may ask any number."""

_OPENING = 3
"""How many first letters that search compares first."""

_BETWEEN = re.compile(r"[^a-z0-9\n]+")


class How(StrEnum):
    """How a text names a thing, surest first; the values are shown to people."""

    EXACT = "by name"
    FORM = "by a form of its name"
    NUMBER = "by number"
    DATE = "by date"
    OLD = "by a name of other times"
    PLAYERS = "in players' words"
    MISSPELT = "misspelled"


class Meaning(NamedTuple):
    """One thing that a name means.

    `thing` is the key that the maker of the `Lexicon` uses: an IRI, the slug of a term. `note` says how
    players use the word, `inflected` counts the words that have a different form in the name.
    """

    thing: str
    how: How = How.EXACT
    note: str = ""
    inflected: int = 0


Matched = tuple[int, tuple[Meaning, ...]]
"""The place after some words, and their meanings; none if they are an everyday phrase."""


Forms = Callable[[str], Sequence[str]]
"""Returns the words, in lower case, that a word may be a form of, the likeliest first."""


_Node = tuple[dict[str, "_Node"], list[tuple[Meaning, ...]]]
"""A node in the tree of names: the words that may follow, and the meaning of a name that ends here."""


class Lexicon:
    """Finds names in texts; a name is indexed when a text first has its first word."""

    def __init__(
        self,
        names: Mapping[str, Sequence[Meaning]],
        forms: Forms = other_forms,
        phrases: Iterable[str] | None = None,
    ) -> None:
        """Take each name with its meanings; `forms` are those in which it is found.

        A name within one of the `phrases` (`set_phrases` by default) is not found.
        """
        self._forms = forms
        # without their templates
        self.names = {whole: meanings for name, meanings in names.items() if (whole := _whole(name))}
        self._tree: _Node = ({}, [])
        self._waiting: dict[str, list[tuple[str, Sequence[Meaning]]]] = defaultdict(list)
        self._idle: set[str] = set()
        """Words already found to begin no name: most words of a text are among them."""
        for name in set_phrases() if phrases is None else phrases:
            self._waiting[name.partition(" ")[0]].append((name, ()))
        for name, meanings in self.names.items():
            # There are a thousand names, and most begin with a plain word: few need to be split.
            first = name.partition(" ")[0]
            token = None if first.isascii() and first.isalnum() else next(tokens(name), None)
            self._waiting[token.fold if token else first.lower()].append((name, meanings))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that names consist of."""
        return frozenset(_BETWEEN.sub(" ", "\n".join(self.names).lower()).split())

    @cached_property
    def _closed(self) -> dict[str, Sequence[Meaning]]:
        """The names without the characters between their words."""
        joined = _BETWEEN.sub("", "".join(f"{name.lower()}\n" for name in self.names)).splitlines()
        pairs = zip(joined, self.names.values(), strict=True)
        return {name: own for name, own in pairs if len(name) >= _CLOSED}

    @cached_property
    def _openings(self) -> frozenset[str]:
        """The first letters of those names, at every length up to `_OPENING`."""
        return frozenset(name[:length] for name in self._closed for length in range(1, _OPENING + 1))

    def knows(self, fold: str) -> bool:
        """Return whether a word, in any form, occurs in a name."""
        return fold in self.words or not self.words.isdisjoint(other_forms(fold))

    def matches(self, words: Sequence[Word]) -> Iterator[tuple[int, int, tuple[Meaning, ...]]]:
        """Yield where names and phrases begin and end, with their meanings; none is within another."""
        place = 0
        while place < len(words):
            match = None if words[place].fold in self._idle else self._at(words, place)
            if match:
                yield place, *match
            place = match[0] if match else place + 1

    def _at(self, words: Sequence[Word], place: int) -> Matched | None:
        """Return the longest name or phrase that begins at `place`."""
        fold = words[place].fold
        begins = False
        for form in (fold, *self._forms(fold)):
            for name, meanings in self._waiting.pop(form, ()):
                self._put(name, meanings)
            begins = begins or form in self._tree[0]
        joins = fold[:_OPENING] in self._openings
        if not begins and not joins:
            if len(self._idle) > _MOST_IDLE:
                self._idle.clear()
            self._idle.add(fold)
            return None
        found = list(self._walk(self._tree, words, place, 0)) if begins else []
        if joins:
            found += self._joined(words, place)
        end = max((last for last, _ in found), default=0)
        longest = [meaning for last, meanings in found if last == end for meaning in meanings]
        return (end, tuple(dict.fromkeys(longest))) if found else None

    def _put(self, name: str, meanings: Iterable[Meaning]) -> None:
        node = self._tree
        for token in tokens(name):
            node = node[0].setdefault(token.fold, ({}, []))
        node[1].append(tuple(meanings))

    def _walk(self, node: _Node, words: Sequence[Word], place: int, inflected: int) -> Iterator[Matched]:
        following, ended = node
        if ended:
            yield place, tuple(it._replace(inflected=inflected) for meanings in ended for it in meanings)
        if place == len(words) or not following:
            return
        fold = words[place].fold
        if fold in following:
            yield from self._walk(following[fold], words, place + 1, inflected)
        forms = [form for form in self._forms(fold) if form in following]
        # The name of a thing is not that of an agent: *player* and *players* are not forms of *play*.
        one = singular(fold) if len(forms) > 1 else fold if fold.endswith(("er", "or")) else ""
        if one in following and any(it.how is How.EXACT for own in following[one][1] for it in own):
            forms = [one] if one in forms else []
        for form in forms:
            longer, named = following[form]
            kept = [own for own in named if not any(_is_as_it_stands(it, form, fold) for it in own)]
            yield from self._walk((longer, kept), words, place + 1, inflected + 1)

    def _joined(self, words: Sequence[Word], place: int) -> Iterator[Matched]:
        """Yield names whose words are joined or split differently: *death touch*, *firststrike*."""
        joined = ""
        for end in range(place + 1, min(place + _MOST_SPLIT, len(words)) + 1):
            if not words[end - 1].fold or words[end - 1].fold in FUNCTION_WORDS:
                return  # no name contains a number, and *for ages* is not *Forage*
            joined += words[end - 1].fold
            for key in (joined, joined.removesuffix("s"), f"{joined}s"):
                if key in self._closed:
                    yield end, tuple(it._replace(inflected=1) for it in self._closed[key])
                    break


def _is_as_it_stands(meaning: Meaning, name: str, fold: str) -> bool:
    """Return whether a one-word name has its meaning only in its own form, and `fold` is another form.

    *Flipped* is a state and *Removed* a zone: whoever flips or removes something names neither.
    """
    is_state = name.endswith("ed") and not fold.endswith("ed") and meaning.how is How.EXACT
    return name in UNMARKED or (is_state and meaning.thing.endswith(name))


def _whole(name: str) -> str:
    """Return a name without its template: *Partner with [name]* is *Partner with*, *Partner—[text]* none."""
    opening, bracket, _ = name.partition("[")
    if not bracket:
        return name
    opening = opening.strip(" —–-")
    return opening if " " in opening else ""


# -- reading ----------------------------------------------------------------------------------------

_EDITION = re.compile(r"\b(?:[a-z]+-\d{4}-\d\d-\d\d|fragment-[0-9a-f]{8})\b", re.IGNORECASE)

_LETTERS = frozenset(ALPHABET)
"""Names of one letter, which count only in capitals."""

_MOST_CORRECTED = 100
"""The maximum number of words in a text whose spelling is checked."""

Speller = Callable[[set[str]], Mapping[str, str]]
"""Takes words, in lower case, that no name has in any form; returns misspelled word → intended word."""


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


_Placed = Word | Period | Number


class Read(NamedTuple):
    """The content of a text.

    All offsets are code points into `text` from 0, ends exclusive; all sequences are in its order.

    Attributes:
        text: the input, unchanged.
        tokens: all its words and symbols, those within names, numbers and days as well.
        names: the names that are meant. Of names within names only the longest counts; a name in its everyday
            sense (*in order to*) does not. Names overlap neither each other nor numbers and days.
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
    editions: tuple[Word, ...]
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
    editions = tuple(Word(m[0], m[0].lower(), m.start(), m.end()) for m in _EDITION.finditer(text))
    days = tuple(it for it in periods(text) if not _overlaps(it, editions))
    cited = tuple(it for it in numbers(text) if not _overlaps(it, [*editions, *days]))
    words = tuple(tokens(text))
    taken: tuple[_Placed, ...] = (*editions, *days, *cited)
    # A word with an empty fold is in no name, but keeps its place among the others.
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
    spans = [NameSpan(words[first].start, words[end - 1].end) for first, end, _ in matches]
    named = [span for span, (*_, meanings) in zip(spans, matches, strict=True) if meanings]
    sense = Sense(text, named, QUESTION, _LETTERS)
    return tuple(
        Name(
            span.start,
            span.end,
            first,
            end,
            meanings,
            any(word.fold in meant for word in words[first:end]),
        )
        for span, (first, end, meanings) in zip(spans, matches, strict=True)
        if meanings and sense.means(span)
    )
