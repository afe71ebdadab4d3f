"""Translate people's words into the rules' words, and find words for what other documents regulate."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from ...loaders.indexing.stemmer import stems
from ...loaders.language.everyday import DETERMINERS
from ...loaders.reading.numbered.form import bundled_topics, is_of_tournaments
from ...ontology import grouped, packaged
from ..session import Session
from .grammar import Wanted

ELSEWHERE = "tournament"
"""The rules' word for anything that other documents regulate."""

MAY_COVER = "The tournament documents, which are separate rules, may cover"
"""The beginning of a sentence on words about that, which follow it."""

GAP = "…"
"""A place in a phrase about tournaments for one more word."""

_SMALL = frozenset((*DETERMINERS, *"my our at for from in of on to".split()))
"""Words that may come between those of a phrase about tournaments."""

_ONE_MORE = r"(?:\S+ )?"

NO_TOURNAMENTS = (
    "No tournament rules are loaded: `rulesgraph build` reads the Magic Tournament Rules, the Infraction "
    "Procedure Guide and Judging at Regular, as plain text or HTML."
)

_WORD = re.compile(r"\w+")
_BRACKETS = re.compile(r"\[([^]]*)\]")

_PlainWord = tuple[tuple[str, ...], Mapping[str, str]]
"""People's words as stems, and the rules' words: stem → word."""


def words_of_the_rules(said: Sequence[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the rules' words for people's words in `said`, the stems of a text in order.

    The result is stem → the word and the stems that it replaces, without stems in the text itself.
    """
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for phrase, instead in _phrases_in(said):
        for stem, word in instead.items():
            before = found.get(stem, (word, ()))[1]
            found[stem] = word, (*before, *phrase)
    return {stem: whole for stem, whole in found.items() if stem not in said}


def _phrases_in(said: Sequence[str]) -> Iterator[_PlainWord]:
    for place, first in enumerate(said):
        for phrase, instead in _by_first_word().get(first, ()):
            if tuple(said[place : place + len(phrase)]) == phrase:
                yield phrase, instead


def phrases_of_the_rules() -> Iterator[_PlainWord]:
    """Yield people's words as stems, with the rules' words for them: stem → word."""
    for own in _by_first_word().values():
        yield from own


def plain_words(mark: str = ":") -> Iterator[tuple[list[str], list[str]]]:
    """Yield people's words and the rules' words in the order of the file, each as a list of words.

    With the `mark` ``=``, they are phrases that are read as the rules' words; with ``~``, words of questions
    that no rule answers. The last ones with ``:`` are about what other documents regulate: the rules only say
    that tournaments have more rules.
    """
    topics = [f"{it}: {ELSEWHERE}" for it in dict.fromkeys(bundled_topics()) if it]
    for line in (*packaged(__package__, "plain_words.txt").decode("utf-8").splitlines(), *topics):
        said, marked, instead = line.partition(mark)
        for one in said.split(",") if marked and not line.startswith("#") else ():
            # Every second part is in brackets.
            parts = [
                part.split("|") if place % 2 else [part] for place, part in enumerate(_BRACKETS.split(one))
            ]
            for words in product(*parts):
                yield "".join(words).replace(GAP, " ").split(), instead.split()


@cache
def phrases_read_otherwise() -> Mapping[str, str]:
    """Return phrase → how it is read, in lower case, for the phrases that are read as others."""
    return {" ".join(said): " ".join(instead) for said, instead in plain_words("=")}


def read_otherwise(text: str) -> str:
    """Return a text in which such phrases are replaced."""
    phrases, parts, end = phrases_read_otherwise(), list[str](), 0
    for start, until, phrase in _phrases_at(text, _by_word(phrases_read_otherwise)):
        parts += (text[end:start], phrases[phrase])
        end = until
    return "".join((*parts, text[end:]))


def untold_in(text: str) -> dict[str, str]:
    """Return what a question asks for that no rule tells, as people say it: phrase → topic.

    >>> untold_in("Is a moth better than a lantern?")
    {'better': 'what is better or worse'}
    """
    topics, text = _topics_untold(), read_otherwise(text)
    found = _phrases_at(text, _by_word(_topics_untold))
    return {text[start:end]: topics[phrase] for start, end, phrase in found}


@cache
def _topics_untold() -> Mapping[str, str]:
    """Return phrase → topic for what no rule tells."""
    return {" ".join(said): " ".join(topic) for said, topic in plain_words("~")}


@cache
def _by_word(phrases_of: Callable[[], Mapping[str, str]]) -> Mapping[str, Sequence[str]]:
    """Return word → the phrases that begin with it; of several in a text, the first is meant."""
    return grouped((found[0], it) for it in phrases_of() if (found := _WORD.match(it)))


def _phrases_at(text: str, by_word: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, int, str]]:
    """Yield where a text has one of some phrases, in any case: start, end and phrase.

    A pattern of all phrases would take longer to compile than the whole answer to a short question.
    """
    end = 0
    for word in _WORD.finditer(text):
        start = word.start()
        for phrase in by_word.get(word[0].lower(), ()) if start >= end else ():
            until = start + len(phrase)
            if text[start:until].lower() == phrase and not _WORD.match(text, until):
                yield start, until, phrase
                end = until
                break


@cache
def _by_first_word() -> dict[str, list[_PlainWord]]:
    every = list(plain_words())
    stem_of = stems(word for said, instead in every for word in (*said, *instead))
    found: dict[str, list[_PlainWord]] = defaultdict(list)
    for said, instead in every:
        own = tuple(stem_of[word] for word in said)
        found[own[0]].append((own, {stem_of[word]: word for word in instead}))
    return found


def words_of_tournaments(words: Sequence[str]) -> list[Wanted]:
    """Return the words and phrases of a question that are about what tournament documents regulate.

    The question may itself say that it is about a tournament. Articles and prepositions may come between the
    words of a phrase: *look at an extra card*.
    """
    telling = [word for word in words if word not in _SMALL and word != ELSEWHERE]
    word_of = {stem: word for word, stem in stems(telling).items() if stem}
    stem_of = {word: stem for stem, word in word_of.items()}
    said = " ".join(stem_of[word] for word in telling if word in stem_of)
    own = {*said.split(" ")}
    theirs = [
        it for it, pattern in _of_tournaments().items() if own.issuperset(it) and re.search(pattern, said)
    ]
    longest = [it for it in theirs if not any({*it} < {*other} for other in theirs)]
    return [Wanted(tuple(word_of[stem] for stem in phrase)) for phrase in longest]


@cache
def _of_tournaments() -> Mapping[tuple[str, ...], str]:
    """Return the phrases for what tournament documents regulate, as stems, with their patterns."""
    phrases = [phrase for topics in bundled_topics() for phrase in topics.split(",") if phrase.strip()]
    telling = [[word for word in it.split() if word not in _SMALL] for it in phrases]
    stem_of = stems(word for said in telling for word in said if word != GAP)
    patterns: dict[tuple[str, ...], str] = {}
    for said in telling:
        words = tuple(stem_of[word] for word in said if word != GAP)
        pattern = " ".join(re.escape(stem_of.get(word, GAP)) for word in said).replace(f"{GAP} ", _ONE_MORE)
        patterns[words] = rf"(?<!\S){pattern}(?!\S)"
    return patterns


def without_tournaments(session: Session) -> list[str]:
    """Return a note that no tournament rules are loaded, or on how to ask those that are."""
    loaded = [it.id for it in session.editions() if is_of_tournaments(it.id)]
    return [f"`--edition {','.join(loaded)}` asks those that are loaded." if loaded else NO_TOURNAMENTS]
