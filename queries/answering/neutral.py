"""Decides which words around a question may be left out, because they name nothing and change nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from weakref import WeakKeyDictionary

from ...loaders.language.everyday import FUNCTION_WORDS
from ..catalogue.matching import AskedWord, Fit
from ..recognising.recognition import Recognised, recognise
from ..session import Session

_DENIES = frozenset(
    "not no none never neither nor nothing nobody cannot without except unless instead rather than".split()
)
"""Words that deny or make an exception: a question with one of them is another question."""

_COMPARES = frozenset(
    "more most less least fewer best better worst worse other another else versus vs or but".split()
)
"""Words that compare or give a choice: a sentence of its own may have them, or a clause before a question."""

_NARROWS = frozenset(
    "what which who whom whose when where why how whether if until till while because though although "
    "since once before after only same such too each every still already first last next previous second "
    "third".split()
)
"""Words that begin a clause or narrow one: they are left out with a clause of their own.

A mark sets that clause off, or the people who talk are its subject: *if you please*.
"""

_OF_SPEAKERS = re.compile(r"\w+\s+(?:i|you|u|we)\b", re.IGNORECASE)

_JOINS = frozenset("and with plus of".split())
"""Words behind a question that bring in a second thing."""

_OTHERWISE = frozenset(
    "example examples history number definition list steps parts changes rulings text wording order names "
    "kinds types rules called".split()
)
"""Words behind a question that ask for something else of what it names."""

_GOES_ON = frozenset(
    "do does get gets go goes happen happens have has make makes mean means need needs put puts say says "
    "want wants they he she it".split()
)
"""Words right behind a question that go on with it, *when does it go away*, and leave nothing to skip."""

_TALK = frozenset(
    "game games magic mtg play plays playing played player players rule rules rulebook question questions "
    "answer time times first plain friend friends table word words terms please thank thanks cheers ask "
    "asks asked asking help".split()
)
"""Words for the talk itself: who asks, where, and about which game. A question is the same without."""

_ADVERBS = frozenset(
    "again anyway days lately nowadays now today tonight tomorrow yesterday then though".split()
)
"""Words of time and manner that may end a question."""

_MOST_AROUND = 8
"""How many words that are no part of a question one sentence or clause beside it has at most."""

_RARE = 0.01
"""The share of passages that use a word up to which it is no word of the rules."""

_FEW = 5
"""How many passages may use a word in any case, however few there are."""


class _Apart(IntEnum):
    """How far from a question words stand: what is allowed grows with it."""

    BESIDE = 0
    CLAUSE = 1
    SENTENCE = 2


_SENTENCE_ENDS = re.compile(r"[.:;?!\n](?=\W|$)")
_CLAUSE_ENDS = re.compile(r"[,()\[\]\"“”–—]|(?:^|\s)-+(?:\s|$)")


def is_neutral(session: Session, text: str, fit: Fit, edition: str | None) -> bool:
    """Tell whether the words around a question name nothing and change nothing.

    They are few. None is part of a name, a number or a day, or denies anything. Words right beside the
    question are no words of the rules, narrow nothing and join nothing to it; a clause that marks set off
    may have more of these, a sentence of its own most.
    """
    before = [(it, _apart(text[it.end : fit.start])) for it in fit.before]
    behind = [(it, _apart(text[fit.end : it.start])) for it in fit.behind]
    if not (
        all(_is_allowed(text, it, apart, before=True) for it, apart in before)
        and all(_is_allowed(text, it, apart, before=False) for it, apart in behind)
        and all(count <= _MOST_AROUND for side in (before, behind) for count in _counts(side))
        and _may_follow(session, [it for it in behind if it[1] < _Apart.SENTENCE], edition)
    ):
        return False
    meant = [it for it in (*before, *behind) if it[0].text.lower() not in _TALK | _ADVERBS]
    if any(
        it.start < word.end and word.start < it.end
        for it in (_things_in(session, text, edition) if meant else ())
        for word, _ in meant
    ):
        return False
    beside = {it.text.lower() for it, apart in meant if apart is _Apart.BESIDE} - FUNCTION_WORDS
    return not any(_is_of_rules(session, word, edition) for word in beside)


def _apart(between: str) -> _Apart:
    """Return how far words stand from a question, by the marks between them."""
    if _SENTENCE_ENDS.search(between):
        return _Apart.SENTENCE
    return _Apart.CLAUSE if _CLAUSE_ENDS.search(between) else _Apart.BESIDE


def _counts(side: Sequence[tuple[AskedWord, _Apart]]) -> Iterable[int]:
    return Counter(apart for _, apart in side).values()


def _is_allowed(text: str, word: AskedWord, apart: _Apart, *, before: bool) -> bool:
    """Tell whether a word may stand as far apart from a question as it does, before or behind it."""
    said = word.text.lower()
    if said in _DENIES or word.stem == "not" or (not before and said in _OTHERWISE):
        return False
    if said in _COMPARES:
        return apart is _Apart.SENTENCE or (before and apart is _Apart.CLAUSE)
    return bool(said not in _NARROWS or apart or _OF_SPEAKERS.match(text, word.start))


def _may_follow(session: Session, words: Sequence[tuple[AskedWord, _Apart]], edition: str | None) -> bool:
    """Tell whether words in the sentence of a question, behind it, do not go on with it.

    A verb behind a thing does, *what does it send to*; so does *and* with another thing.
    """
    said = [it.text.lower() for it, _ in words]
    if not said:
        return True
    joined = next((place for place, word in enumerate(said) if word in _JOINS), len(said))
    if not set(said[joined:]) <= FUNCTION_WORDS | _TALK:
        return False
    first, (_, apart) = said[0], words[0]
    if first in _GOES_ON:
        return False
    return (
        bool(apart)
        or first in FUNCTION_WORDS | _TALK | _ADVERBS
        or first.endswith("ly")
        or not _is_of_rules(session, first, edition)
    )


_LAST: WeakKeyDictionary[Session, tuple[tuple[str, str | None], tuple[Recognised, ...]]] = WeakKeyDictionary()
"""What the text names that was looked at last: many examples fit it."""


def _things_in(session: Session, text: str, edition: str | None) -> tuple[Recognised, ...]:
    key, things = _LAST.get(session, (None, ()))
    if key != (text, edition):
        things = recognise(session, text, edition).things
        _LAST[session] = (text, edition), things
    return things


def _is_of_rules(session: Session, word: str, edition: str | None) -> bool:
    """Tell whether the rules use a word so often that it may be one of theirs."""
    index = session.index(session.scope(edition).editions[0])
    [having] = index.execute("SELECT count(*) FROM words WHERE words MATCH ?", (f'"{word}"',)).fetchone()
    [passages] = index.execute("SELECT count(*) FROM passage").fetchone()
    return bool(having > max(_FEW, _RARE * passages))
