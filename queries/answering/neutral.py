"""Decide which words around a question can be skipped because they name nothing and change nothing.

Punctuation divides a text into clauses and sentences. A clause apart from the question is skipped if it is
about the conversation (who asks, and what they know), or if it does not deny, compare or narrow anything.
Words right beside the question are neutral less often: after it, only a few kinds are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache

from ...loaders.language.everyday import FUNCTION_WORDS, is_english
from ...loaders.language.lexicon import How
from ...loaders.language.words import without_possessive
from ...ontology import packaged
from ..catalogue.matching import AskedWord, Fit, asked_words, asks_about_speaker
from ..finding.kinds import kinds
from ..finding.recognition import Recognised, recognise
from ..session import Session

_DO_NOT = re.compile(r"don['’]?t?", re.IGNORECASE)
_KIND = re.compile(r"^(\w+):\n((?:  .*\n)+)", re.MULTILINE)


@cache
def _word_classes() -> Mapping[str, frozenset[str]]:
    """Return the classes of words in `neutral_words.txt`, which describes each."""
    text = packaged("rulesgraph.queries", "answering", "neutral_words.txt").decode("utf-8")
    return {name: frozenset(words.split()) for name, words in _KIND.findall(text)}


def _is(kind: str, *said: str) -> bool:
    """Return whether one of some words is of a class."""
    return not _word_classes()[kind].isdisjoint(said)


@cache
def _talk() -> re.Pattern[str]:
    return re.compile("|".join(word.replace("*", r"\w*") for word in sorted(_word_classes()["talk"])))


def _is_talk(said: Iterable[str]) -> bool:
    return any(map(_talk().fullmatch, said))


_POSSESSIVES = frozenset(("my", "our", "your"))

_IDIOMS = frozenset(
    "step by step|in other words|as always|without further ado|once and for all|real quick|real fast|"
    "in order|for real|for good|long story short|on the fly|at first glance".split("|")
)
"""Phrases that may open or end a question, although the rules use their words."""

_LINKS = frozenset("but so and".split())
"""Words that link a clause about the conversation to the question after it: *dumb question but*."""

_MOST_WORDS = 10
"""The maximum number of counted words in a clause around a question."""

_MOST_CLAUSES = 6
"""The maximum number of clauses and sentences on either side of a question."""

_RARE = 0.01
"""A word counts as one of the rules if more than this share of passages has it."""

_OFTEN = 0.05
"""The same for words that belong to the speaker: *for my notes*."""

_FEW = 5
"""This many passages may use a word, however few there are."""

_CUT_NUMBER = re.compile(r"\.\d")
_SENTENCE_ENDS = re.compile(r"[.:;?!\n](?=\W|$)")
_CLAUSE_ENDS = re.compile(r"[,()\[\]\"“”–—]|(?:^|\s)-+(?:\s|$)")
_MANNER = re.compile(r"(?:ly|ed|wise|wards|ing)$")
_EVERYDAY = re.compile(
    r"\b(?:real life|(?:game|friday|magic) nights?|(?:new|beginning|casual|average|fellow) players?)\b",
    re.IGNORECASE,
)
"""Phrases in which a name from the rules does not mean the thing."""


class _Place(IntEnum):
    """The distance of words from a question, by the punctuation between them."""

    BESIDE = 0
    CLAUSE = 1
    SENTENCE = 2


class Around:
    """The parts of one text that may be skipped."""

    def __init__(self, session: Session, text: str, edition: str | None) -> None:
        self.key = text, edition
        self._words = asked_words(text)
        self._session = session
        self._things: list[Recognised] | None = None
        self._judged: dict[tuple[int, int, _Place, bool], bool] = {}

    def begins_later(self, fit: Fit) -> bool:
        """Return whether a question begins with a name that may include the word before it.

        *Edict effect and indestructible* is not about all effects.
        """
        text, _ = self.key
        before = [it for it in self._words if it.end <= fit.start][-1:]
        is_named = any(text.startswith(said, fit.start) for said in fit.given.values())
        return is_named and any(
            not _parted(text[it.end : fit.start]) and not (it.dropped or self._is_beside_names(_plainly(it)))
            for it in before
        )

    def _is_beside_names(self, word: str) -> bool:
        """Return whether a word right before a name is not part of it."""
        is_about_talk = _is_talk([word]) or any(_is(kind, word) for kind in ("asides", "talkers", "setting"))
        return not _is("denies", word) and (is_about_talk or word in FUNCTION_WORDS or word in _LINKS)

    def allows(self, start: int, end: int) -> bool:
        """Return whether everything around ``text[start:end]`` is neutral; a number must not be cut."""
        if _CUT_NUMBER.match(self.key[0], end):
            return False
        before = [place for place, it in enumerate(self._words) if it.end <= start]
        behind = [place for place, it in enumerate(self._words) if it.start >= end]
        return self._side(before[::-1], start, is_behind=False) and self._side(behind, end, is_behind=True)

    def _side(self, places: Sequence[int], edge: int, *, is_behind: bool) -> bool:
        """Return whether the words at some places, nearest to the question first, are neutral."""
        clauses: list[tuple[_Place, list[int]]] = []
        apart = _Place.BESIDE
        for place in places:
            it = self._words[place]
            parted = _parted(self.key[0][edge : it.start] if is_behind else self.key[0][it.end : edge])
            if parted or not clauses:
                apart = max(apart, parted)
                clauses.append((apart, []))
            clauses[-1][1].append(place)
            edge = it.end if is_behind else it.start
        return len(clauses) <= _MOST_CLAUSES and all(
            self._is_neutral(min(clause), max(clause) + 1, apart, is_behind) for apart, clause in clauses
        )

    def _is_neutral(self, first: int, last: int, apart: _Place, is_behind: bool) -> bool:
        key = first, last, apart, is_behind
        if key not in self._judged:
            self._judged[key] = self._judge(self._words[first:last], apart, is_behind)
        return self._judged[key]

    def _judge(self, words: Sequence[AskedWord], apart: _Place, is_behind: bool) -> bool:
        """Return whether the words between two marks, or between a mark and the question, are neutral."""
        said = [_plainly(it) for it in words if not it.dropped]
        if is_behind and not apart and not _is_talk(said) and asks_about_speaker(words):
            return False
        if not said or " ".join(map(_plainly, words)) in _IDIOMS:
            return True
        if len(said) > _MOST_WORDS or self._names(words, said, apart) or _says_in_other_words(said):
            return False
        telling = [it for it in words if not it.dropped]
        first = len(telling) if said[0] in ("of", "in", "to") else 1
        if is_behind and not apart and any(map(self._may_be_name, telling[:first])):
            return False
        is_linked = not apart and not is_behind and said[-1] in _LINKS
        if is_linked:
            return _is_talk(said) or (said[-1] != "and" and not self._has_rules_words(said))
        rest = self._without_asides(words) if is_behind or said[0] not in _LINKS else words
        return not rest or (self._is_skipped_behind if is_behind else self._is_skipped_before)(
            rest, said, apart
        )

    def _is_skipped_before(self, rest: Sequence[AskedWord], said: Sequence[str], apart: _Place) -> bool:
        if _is_talk(said) and apart:
            return said[0] != "say"
        if _is_talk(said):
            last = max(place for place, word in enumerate(said) if _is_talk([word]))
            return not any(_is(kind, *said[last:]) for kind in ("denies", "compares", "opens", "narrows"))
        if _is("places", _plainly(rest[0])) or _is("leads", _plainly(rest[0])):
            return self._is_setting(rest, apart)
        narrows = any(_is(kind, *said) for kind in ("compares", "opens", "narrows"))
        narrows = narrows or any(map(_is_superlative, said))
        if _is("denies", *said) or (narrows and not apart):
            return (bool(apart) or not _is("compares", *said)) and self._is_of_talkers(rest)
        if apart is _Place.CLAUSE:
            return not _is("opens", *said) or not self._has_rules_words(said, 0)
        return bool(apart) or not self._has_rules_words(said)

    def _is_skipped_behind(self, rest: Sequence[AskedWord], said: Sequence[str], apart: _Place) -> bool:
        head = _plainly(rest[0])
        if _is("places", head) or _is("leads", head):
            return self._is_setting(rest, apart)
        if _is("otherwise", *said) or (_is_talk(said) and apart):
            return not _is("otherwise", *said) and said[0] != "say"
        if not apart or _is("denies", *said) or (_is("compares", *said) and apart is _Place.CLAUSE):
            # What somebody does to the thing just named narrows it: *how many moths I hold*.
            is_told = apart or _is("joins", head) or _is_talk(said)
            return bool(is_told) and not (apart and _is("compares", *said)) and self._is_of_talkers(rest)
        if _is("opens", *said) or _is("narrows", *said):
            return (_is("joins", head) and not self._has_rules_words(said, 0)) or self._is_of_talkers(rest)
        if apart is _Place.SENTENCE or _is("asides", *said) or _is("talkers", *map(_plainly, rest)):
            return True
        # A form of address: *sensei*, not *twice* or *backwards*.
        return len(said) == 1 and not _MANNER.search(said[0]) and not self._uses(said[0])

    def _without_asides(self, words: Sequence[AskedWord]) -> Sequence[AskedWord]:
        """Return words from the first one that is not an aside."""
        for place, it in enumerate(words):
            word = _plainly(it)
            is_aside = _is("asides", word) or (it.dropped and not _is("talkers", word))
            if not is_aside and not self._is_foreign(word):
                return words[place:]
        return ()

    def _may_be_name(self, word: AskedWord) -> bool:
        """Return whether an unknown word is like a name, or is where one may be: after *of* or a kind."""
        if _is("asides", _plainly(word)) or not self._is_foreign(without_possessive(word.text.lower())):
            return False
        text, edition = self.key
        before = text[: word.start].lower().split() or [""]
        is_capital = word.text[0].isupper() and not text.isupper()
        things = recognise(self._session, text, edition).things
        ended = [it for it in things if it.end == word.start - 1]
        heads = {before[-1], *(it.name.lower() for it in ended if it.used[-1] != "s")}
        return is_capital or before[-1] in FUNCTION_WORDS or not heads.isdisjoint(kinds(self._session))

    def _is_foreign(self, word: str) -> bool:
        """Return whether a word is neither English nor of the rules: *bitte*, *lmk*."""
        return word.isalpha() and not is_english(word) and not self._uses(word)

    def _uses(self, word: str) -> int:
        """Return how many passages use a word."""
        index = self._session.index(self._session.scope(self.key[1]).edition)
        [count] = index.execute("SELECT count(*) FROM words WHERE words MATCH ?", (f'"{word}"',)).fetchone()
        return int(count)

    def _is_of_talkers(self, words: Sequence[AskedWord]) -> bool:
        """Return whether words are a clause about the conversation: *I beg you*, *so that I know*."""
        said = [_plainly(it) for it in words]
        if _DO_NOT.fullmatch(words[0].text):
            return not self._has_rules_words(said, 0)
        opening = said[:4] if _is("joins", *said[:2]) else said[:1]
        return _is("talkers", *opening) and not self._has_rules_words(said)

    def _is_setting(self, words: Sequence[AskedWord], apart: _Place) -> bool:
        """Return whether a prepositional phrase says where, how, for whom or through what people talk."""
        head, *said = map(_plainly, words)
        is_open, setting = _is("leads", head), _word_classes()["setting"]
        if _is_talk(said):
            said = [word for word in said if not _is("everyday", word)]
        elif _is("denies", *said) or _is("compares", *said) or _is("otherwise", *{*said} - setting):
            return False
        if not is_open and not _is("setting", *said) and not _is("talkers", *said):
            return False
        if apart and (is_open or setting.intersection(said[-1:])):
            return True
        return not self._has_rules_words(said, _RARE if _POSSESSIVES.isdisjoint(said) else _OFTEN)

    def _names(self, words: Sequence[AskedWord], said: Sequence[str], apart: _Place) -> bool:
        """Return whether words name something in the rules; people in such a clause do not count."""
        if self._things is None:
            text, edition = self.key
            phrases = [it.span() for it in _EVERYDAY.finditer(text)]
            self._things = [
                it
                for it in recognise(self._session, text, edition).things
                if not _is("setting", it.used.lower()) and not _is("asides", it.used.lower())
                if not any(start <= it.start and it.end <= end for start, end in phrases)
            ]
        named = [it for it in self._things if it.start < words[-1].end and words[0].start < it.end]
        if apart or _is_talk(said):
            everyday = _word_classes()["everyday"]
            if _is_talk(said) and not _is("denies", *said):
                everyday |= _word_classes()["hobby"]
            named = [it for it in named if it.how is not How.MISSPELT and it.used.lower() not in everyday]
            named = [it for it in named if not _is_talk([it.used.lower()])]
        return bool(named)

    def _has_rules_words(self, said: Iterable[str], share: float = _RARE) -> bool:
        """Return whether more than a share of the passages use one of some words: the rules may own it."""
        if not self._session.editions():
            return False
        index = self._session.index(self._session.scope(self.key[1]).edition)
        [passages] = index.execute("SELECT count(*) FROM passage").fetchone()
        of_talk = FUNCTION_WORDS.union(*(_word_classes()[it] for it in ("asides", "setting", "talkers")))
        meant = (word for word in {*said} - of_talk if not _is_talk([word]))
        return any(self._uses(word) > max(_FEW, share * passages) for word in meant)


def _is_superlative(word: str) -> bool:
    """Return whether a word may be a superlative, by its comparative: *cheapest*, *newest*."""
    return word.endswith("est") and is_english(f"{word[:-2]}r")


def _says_in_other_words(said: Sequence[str]) -> bool:
    """Return whether words contain a phrase for something in the rules, such as *at the same moment*."""
    # Most questions have no words around them.
    from ...loaders.indexing.stemmer import stems
    from ..searching.plain_words import words_of_the_rules

    stem_of = stems(said)
    instead = words_of_the_rules([stem_of[it] for it in said])
    return any(len(phrase) > 1 for _, phrase in instead.values())


def _parted(between: str) -> _Place:
    """Return how far the punctuation in a text separates what is before it from what is after it."""
    if _SENTENCE_ENDS.search(between):
        return _Place.SENTENCE
    return _Place.CLAUSE if _CLAUSE_ENDS.search(between) else _Place.BESIDE


def _plainly(word: AskedWord) -> str:
    return "not" if word.stem == "not" else re.sub("['’]", "", word.text.lower())


def _around(session: Session, text: str, edition: str | None) -> Around:
    """Return the surroundings of questions in a text; the last is cached, since many examples may match."""
    last = session.once(_last)
    if (text, edition) not in last:
        last.clear()
        last[text, edition] = Around(session, text, edition)
    return last[text, edition]


def _last(_: Session) -> dict[tuple[str, str | None], Around]:
    return {}


def is_neutral(session: Session, text: str, fit: Fit, edition: str | None) -> bool:
    """Return whether the words around a question name nothing and change nothing."""
    around = _around(session, text, edition)
    return not around.begins_later(fit) and around.allows(fit.start, fit.end)


def ends_neutrally(session: Session, text: str, fit: Fit, said: str, edition: str | None) -> bool:
    """Return whether some words at the end of a question do not belong to `said`, its last slot."""
    start = fit.end - len(said)
    if text[start : fit.end] != said:
        return False
    around = _around(session, text, edition)
    return any(around.allows(fit.start, start + it.start()) for it in re.finditer(r"(?<=\w)\W+(?=\w)", said))
