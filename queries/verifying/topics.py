"""Weigh how well words fit the topic of each rule of an edition.

Words are stems, and stems are numbers, so this data does not contain the text of the rules and may be passed
on. Titles are names, and are kept.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import chain
from math import log
from typing import NamedTuple
from zlib import crc32

from ...loaders.indexing.stemmer import stems
from ...loaders.language.everyday import FUNCTION_WORDS
from ...loaders.language.numbers import wholes
from ...ontology import grouped

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""Words, and the parts of identifiers."""

_SHORT = re.compile(r"[’']s\b|n[’']t\b")
_KINDS = re.compile(r"(.+) Cards|(.+ \w+) (?:Step|Phase)")
_GENERIC = re.compile(r" (?:cards|step|phase)$")
_PARTS = re.compile(r" and |, |/")

OWN_TITLE, OWN_WORD, WHOLE_TITLE, WHOLE_WORD = 1.5, 1.3, 1.4, 0.6
FAR_TITLE, PART_WORD, FAR_PART_WORD = 0.9, 0.5, 0.3
"""The weight of a word for a rule: in its title, in its text, in the title above it, and so on."""

_NEAR_EVERYWHERE = 0.25
"""A word in more than this share of rules says nothing about which rule is meant."""


_SHORTEST_NAME, _RARE = 4, 4.5
"""The minimum number of letters of a title found within a longer word (*goader*, but not Play in *player*),
and the weight of so short a title."""

TELLING, _NAMING, _OWN = 3.0, 2.5, 5.0
"""The weight of a word that names the subject: of one in every 20th rule; in a title, in every 12th; far from
a number, in every 150th."""

_LIKELY, _RAREST = 25, 8
"""The number of rules with the most telling words that are compared further, and of these words."""


def words_of(text: str) -> list[str]:
    """Return the words of a text that say what it is about, in order, in lower case, also from identifiers.

    >>> words_of("The lantern's oilLevel: resolve_dusk_check()")
    ['lantern', 'oil', 'level', 'resolve', 'dusk', 'check']
    """
    found = (it.lower() for it in _WORD.findall(_SHORT.sub("", text)))
    return [it for it in found if len(it) > 1 and it not in FUNCTION_WORDS]


_MOST_KEPT = 100_000
"""The number of words above which stems are forgotten; an edition has some 9,000."""


class Stems:
    """The stems of words, as numbers; each word is stemmed once."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, texts: Iterable[str]) -> list[list[int]]:
        """Return the stems of the words in some texts, in order."""
        found = [words_of(text) for text in texts]
        if len(self._known) > _MOST_KEPT:  # one text may have any number of words
            self._known.clear()
        new = {word for words in found for word in words if word not in self._known}
        told = stems(sorted(new)) if new else {}
        self._known |= {word: crc32(told.get(word, "").encode()) for word in new}
        return [[self._known[word] for word in words] for words in found]


class RuleWords(NamedTuple):
    """The data of a rule: its title as printed, and its stems with how often each occurs."""

    title: str
    stems: Mapping[int, int]


def rule_words(rules: Mapping[str, tuple[str, Iterable[str]]], stemmer: Stems) -> dict[str, RuleWords]:
    """Return number → the data of each rule, given number → title and texts."""
    found = stemmer.of("\n".join(texts) for _, texts in rules.values())
    return {
        number: RuleWords(title, Counter(own))
        for (number, (title, _)), own in zip(rules.items(), found, strict=True)
    }


_COMPOUND = re.compile(r"\w*(?:_|[a-z][A-Z])\w+")
"""A name of several words in a program."""


def is_mechanic(named: str) -> bool:
    """Return whether a titled rule describes one mechanic, rather than a part of the game's course."""
    return named[:1] == "7" and "." in named


class Topics:
    """The rules of an edition by number, with the data for comparing words with them.

    `terms` are the names of terms, each with the number of a rule that defines it or is cited in its entry.
    """

    def __init__(
        self, rules: Mapping[str, RuleWords], stemmer: Stems, terms: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.rules = rules
        self.terms = terms
        self.stemmer = stemmer
        self._profiles: dict[str, dict[int, float]] = {}
        titled = [(number, it.title) for number, it in rules.items() if it.title]
        self._titled = [title for _, title in titled]
        names = [(number, part) for number, title in titled for part in (title, *_several(title))]
        held = stemmer.of(part for _, part in names)
        told = [(*it, tuple(own)) for it, own in zip(names, held, strict=True) if own]
        self._titles = grouped((number, own) for number, _, own in told)
        self._plain = grouped((number, part.lower()) for number, part, _ in told)

    @cached_property
    def _weights(self) -> dict[int, float]:
        """Stem → its weight; the fewer rules have it, the more it weighs."""
        return {it: log((len(self.rules) + 1) / (len(having) + 0.5)) for it, having in self.having.items()}

    @cached_property
    def naming(self) -> frozenset[int]:
        """The stems in the titles of rules and in the names of terms."""
        return frozenset(chain(*self.stemmer.of([*self._titled, *(name for name, _ in self.terms)])))

    @cached_property
    def below(self) -> dict[str, list[str]]:
        """Number → the numbers of the rules directly below it."""
        return grouped((wholes(number)[1], number) for number in self.rules if "." in number)

    @cached_property
    def having(self) -> dict[int, list[str]]:
        """Stem → the rules that have it in their words or title."""
        return grouped(
            (stem, number)
            for number, it in self.rules.items()
            for stem in {*it.stems, *self._own_title(number)}
        )

    @cached_property
    def _called(self) -> dict[tuple[int, ...], list[str]]:
        titled = [(title, number) for number, titles in self._plain.items() for title in titles]
        # *Upkeep*, but not *Draw* for *Draw Step*.
        short = ((_short(title), number) for title, number in titled)
        titled += [it for it in short if sum(map(self.weight, self.stemmer.of([it[0]])[0])) >= _RARE]
        named = [*titled, *self.terms]
        keys = self._keys(name for name, _ in named)
        return grouped(zip(keys, (number for _, number in named), strict=True))

    def _keys(self, names: Iterable[str]) -> list[tuple[int, ...]]:
        """Return a common form for names that differ only in endings or in small words."""
        names = list(names)
        stem_lists = self.stemmer.of(names)
        return [(len(it.split()), *own) for it, own in zip(names, stem_lists, strict=True)]

    def called(self, name: str) -> Sequence[str]:
        """Return the rules with this title, or that define or explain the thing with this name."""
        count, *own = self._keys([name])[0]
        return self._called.get((count, *own), ()) if own else ()

    def is_of(self, name: str, number: str) -> bool:
        """Return whether a name is that of a rule, of a part of it, or of a rule above it."""
        own = wholes(number)
        return any(it in own or number in wholes(it) for it in self.called(name))

    def chapters(self, name: str) -> list[str]:
        """Return the chapters with a name in whose title, at least in short, it is contained: *Saga*."""
        own = {*self.stemmer.of([name])[0]}
        found = dict.fromkeys(map(self.named, self.called(name)))
        return [it for it in found if it.isdigit() and own.issuperset(self._short_title(it))]

    def is_in_title(self, name: str, chapter: str) -> bool:
        """Return whether all words of a name are in the title of a chapter, or the other way round."""
        title, own = self._short_title(chapter), {*self.stemmer.of([name])[0]}
        return title <= own or own <= title

    def _short_title(self, number: str) -> set[int]:
        return {*self.stemmer.of([_short(self.title(number))])[0]}

    @cached_property
    def titles(self) -> set[str]:
        """The titles of all rules and chapters, in lower case."""
        return {it.lower() for it in self._titled}

    def are_alike(self, chapter: str, number: str) -> bool:
        """Return whether a chapter is of the same kind as a rule's: by their titles, both are steps."""
        one, other = (self.title(it).split()[-1:] for it in (chapter, number))
        return chapter.isdigit() and one == other and chapter[0] == number[0]

    def mentions(self, number: str, name: str) -> bool:
        """Return whether a rule, its parts and the rules above it have all words of a name."""
        near = [*wholes(number)[:-1], *self.below.get(number, ())]
        own = {stem for it in near if it in self.rules for stem in self.rules[it].stems}
        return own.issuperset(self.stemmer.of([name])[0])

    def weight(self, stem: int) -> float:
        """Return the weight of a word; one that is in no rule weighs nothing."""
        return self._weights.get(stem, 0.0)

    def fit(self, number: str, words: Mapping[int, float]) -> float:
        """Return the share of some weighted words' content that a rule has: 0 for no words, at most 1.5."""
        whole = sum(share * self.weight(stem) for stem, share in words.items())
        if not whole or number not in self.rules:
            return 0.0
        own = self._profile(number)
        return sum(share * self.weight(stem) * own.get(stem, 0.0) for stem, share in words.items()) / whole

    def shared(self, number: str, words: Mapping[int, float]) -> set[int]:
        """Return which of these words a rule, a part of it or a rule above it has."""
        return words.keys() & self._profile(number).keys() if number in self.rules else set()

    def closest(self, words: Mapping[int, float]) -> tuple[float, str]:
        """Return how well these words fit the rule that they fit best, and its number, ``""`` for none."""
        return max(((self.fit(number, words), number) for number in self._likely(words)), default=(0.0, ""))

    def like(self, text: str, share: float = 0.5) -> list[str]:
        """Return the rules with a share of a text's words, among those with the most telling ones."""
        own = {*self.stemmer.of([text])[0]}
        likely = self._likely(dict.fromkeys(nlargest(_RAREST, own, key=self.weight), 1.0))
        return [it for it in likely if len(own & self.rules[it].stems.keys()) >= share * len(own)]

    def _likely(self, words: Mapping[int, float]) -> list[str]:
        told: dict[str, float] = defaultdict(float)
        most = len(self.rules) * _NEAR_EVERYWHERE
        for stem, share in words.items():
            value, having = share * self.weight(stem), self.having.get(stem, ())
            for number in having if len(having) <= most else ():
                told[number] += value
        return nlargest(_LIKELY, told, key=told.__getitem__)

    def named(self, number: str) -> str:
        """Return the number of a rule if it has a title, or of the nearest rule above with one, or ``""``."""
        return next((it for it in wholes(number) if self._titles.get(it)), "")

    def title(self, number: str) -> str:
        """Return the title of a rule, or of the nearest rule above with one, or ``""``."""
        named = self.named(number)
        return self.rules[named].title if named else ""

    def tells(self, number: str) -> float:
        """Return the weight of the least telling name of a titled rule."""
        return min(
            (sum(map(self.weight, it)) for it in self._titles.get(self.named(number), ())), default=0.0
        )

    def says(self, number: str, stem_list: list[int], text: str = "") -> int:
        """Return where the title of a rule first occurs among these stems; -1 for nowhere.

        With their `text`, a title of one word is also found within a longer word.
        """
        named = self.named(number)
        places = [at for at, it in self.titles_in(stem_list) if it == named]
        if not places and text:
            small = text.lower()
            least = _SHORTEST_NAME if self.tells(number) >= _RARE else _SHORTEST_NAME + 1
            names = [it for it in self._plain.get(named, ()) if it.isalpha() and len(it) >= least]
            # *goader*; and names with at least five letters at the end of others: *forestcycling*.
            forms = (it if len(it) > _SHORTEST_NAME else rf"\b{it}" for it in names)
            found = [match for form in forms if (match := re.search(form, small))]
            places = [len(words_of(small[: match.start()])) for match in found]
        return min(places, default=-1)

    def words_of_title(self, number: str) -> set[int]:
        """Return the stems in the title of a rule, or of the nearest rule above with one."""
        return self._own_title(self.named(number))

    def _own_title(self, number: str) -> set[int]:
        return {stem for title in self._titles.get(number, ()) for stem in title}

    def speaks_of(self, number: str, text: str) -> bool:
        """Return whether a text may mean a titled rule, by a part of its name or by one word of it alone."""
        named, small = self.named(number), text.lower()
        telling = {it for it in self.words_of_title(number) if self.weight(it) >= _NAMING}
        telling |= {it for it in self._profile(named) | self._profile(number) if self.weight(it) >= _OWN}
        names = (it.replace("-", "").removesuffix("e") for it in self._plain[named])
        return not telling.isdisjoint(self.stemmer.of([text])[0]) or any(
            len(it) >= _SHORTEST_NAME and it in small for it in names
        )

    def are_in_one_name(self, number: str, other: str, code: str) -> bool:
        """Return whether a name in code has the names of two mechanics: *exchange_fight*, *exchangeFight*."""
        apart = [re.sub("_|(?<=[a-z])(?=[A-Z])", " ", it) for it in _COMPOUND.findall(code)]
        return any(min(self.says(number, it), self.says(other, it)) >= 0 for it in self.stemmer.of(apart))

    @cached_property
    def _by_first_stem(self) -> dict[int, list[tuple[tuple[int, ...], str]]]:
        """First stem of a title → the titles with it, and the numbers of their rules."""
        titled = ((title, number) for number, titles in self._titles.items() for title in titles)
        return grouped((title[0], (title, number)) for title, number in titled)

    def titles_in(self, stem_list: list[int]) -> list[tuple[int, str]]:
        """Return where titles of rules occur among these stems, with the numbers of the rules."""
        return [
            (at, number)
            for at, stem in enumerate(stem_list)
            for title, number in self._by_first_stem.get(stem, ())
            if tuple(stem_list[at : at + len(title)]) == title
        ]

    def _profile(self, number: str) -> dict[int, float]:
        if number in self._profiles:
            return self._profiles[number]
        own: dict[int, float] = {}

        def worth(stem_list: Iterable[int], value: float) -> None:
            for stem in stem_list:
                own[stem] = max(own.get(stem, 0.0), value)

        for stem, count in self.rules[number].stems.items():
            own[stem] = min(OWN_WORD, 1.6 * count / (count + 0.6))  # once 1, twice 1.23, then hardly more
        worth(self._own_title(number), OWN_TITLE)
        value = WHOLE_TITLE
        for above in list(wholes(number))[1:]:
            worth(self._own_title(above), value)
            if "." in above and above in self.rules:
                worth(self.rules[above].stems, WHOLE_WORD)
            value = FAR_TITLE
        for part in self.below.get(number, ()):
            worth(self._own_title(part), PART_WORD)
            worth(self.rules[part].stems, PART_WORD if "." in number else FAR_PART_WORD)
        self._profiles[number] = own
        return own


def _short(title: str) -> str:
    return _GENERIC.sub("", title.lower())


def _several(title: str) -> list[str]:
    """Return the other names in a title: *Daybound and Nightbound*, *Saga Cards*.

    Steps with two words are also called by these: *Declare Attackers*, but not *Draw*.
    """
    if match := _KINDS.fullmatch(title):
        return [match[1] or match[2]]
    parts = _PARTS.split(title)
    return parts if len(parts) > 1 and all(len(part.split()) == 1 for part in parts) else []
