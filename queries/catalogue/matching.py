"""Match a user's words against the example questions, token by token.

An example is a sequence of words and slots. Words are compared by stem, and some words count as the same.
Articles, auxiliaries and pronouns for the speaker may be missing or added; all other words of the example
must be there, in order. The words between them fill the slots. The caller decides whether other words may
come before or after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise, product, takewhile
from typing import NamedTuple

from ...loaders.language.dates import periods
from ...loaders.language.words import tokens
from .questions import Question, questions

_SAME = """
which what who whose whats wat wut whos
how hows
where wheres
when whens
of for on about abt in within under regarding behind
and with to versus vs plus until till against alongside x
between from
since after
explain describe explanation define definition
work function operate
list table name enumerate show give
rely rest depend
need require
cite refer reference
change differ different difference diff update
kind sort type
obsolete outdated old dead informal
step stage
use used using
add introduce create invent print
appear enter come
"""
"""Words on one line are equivalent."""

_DROPPED = frozenset(
    "a an the this that these those my your our their his its some any all every each both "
    "am is are was were be been being do does did done has have had having got would will can could "
    "should may might must s r u ur me us i im you we one it "
    "please exactly actually really just basically ever even simply also again then directly right".split()
)
"""Articles, auxiliaries, pronouns and fillers: a question means the same with or without them."""

_BE = frozenset("is are was were".split())
_DO = frozenset("do does did can could will would has have had".split())
"""Auxiliaries that open a yes-or-no question. Only there do they count."""

_HAVE = frozenset("have has had".split())
"""Between two slots these count too, and so does one of several articles."""

_US = frozenset("i we you".split())
_LONGEST = 60  # words of a question and around it
_MAY = frozenset("am should may might must".split())

_WHEN_IT_WAS = ("when", "did"), ("when", "was")

_LEADS = frozenset(("which", "list", "tell"))
"""Words that may precede an example that is no sentence: *what is*, *show me*, *tell me* the turn order."""

_NEGATED = re.compile(r".*n['’]t|dont|doesnt|isnt|arent|cant|didnt|wont", re.IGNORECASE)
_ENDING = re.compile(r"(?<=\w{3})(?:(?<=\w{4})ings?|ed|es|s|e)$")
_JOINED = re.compile(r"(?<=\s)[&+](?=\s)")
_ENDS = re.compile(r"[.:;?!]+(?=\s)")
_PAUSES = re.compile(r"[,()]")
_PIECE = re.compile(r"\{\w+\}|\([^()]*\)|[^\s{}()]+")

_LONGEST_SLOT = 8
"""The maximum number of words in a slot."""


class AskedWord(NamedTuple):
    """A word of a question, ``text[start:end]``, with the `stem` by which it is compared.

    The meaning is the same without a `dropped` word. One that `opens` is the first of a sentence; one that
    `pauses` comes after a comma or bracket.
    """

    stem: str
    text: str
    start: int
    end: int
    dropped: bool
    opens: bool
    pauses: bool


class Fit(NamedTuple):
    """A question of the catalogue that matches some words.

    Attributes:
        question: the question.
        given: slot → the words in it.
        start: the offset in the text at which the match begins.
        end: the offset at which it ends.
        around: the number of words that count before and after the match.
        own: the number of words of the example.
        exact: whether the words are exactly those of the example.
    """

    question: Question
    given: dict[str, str]
    start: int
    end: int
    around: int
    own: int
    exact: bool


class _Example(NamedTuple):
    question: Question
    pieces: tuple[frozenset[str] | str, ...]
    """For each piece, its alternative stems, or the name of its slot."""

    words: tuple[str, ...]
    """The words outside the slots, in the form of `AskedWord.stem`."""

    is_sentence: bool
    """True if the example is a whole question; otherwise *what is* or *show me* may come before it."""


def asked_words(text: str) -> list[AskedWord]:
    """Return the words of a question, ready for comparison.

    >>> [word.stem for word in asked_words("What's Landwalk & how does it change?") if not word.dropped]
    ['which', 'landwalk', 'and', 'how', 'chang']
    """
    words, end = list[AskedWord](), 0
    days = list(periods(text))
    for it in tokens(_JOINED.sub("x", text)):
        # *In May 2009* is not about all of 2009.
        dropped = it.fold in _DROPPED and not any(day.start <= it.start < day.end for day in days)
        opens, pauses = (mark.search(text, end, it.start) is not None for mark in (_ENDS, _PAUSES))
        said = it.fold if dropped else stem(it.fold)
        words.append(AskedWord(said, it.text, it.start, it.end, dropped, opens, pauses))
        end = it.end
    return words


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the form in which a word of a question is compared.

    >>> [stem(word) for word in ("changes", "differs", "relies", "don't", "wat")]
    ['chang', 'chang', 'rely', 'not', 'which']
    """
    if _NEGATED.fullmatch(word):
        return "not"
    short = _shortened(word)
    return _equivalents().get(short, short)


def _shortened(word: str) -> str:
    short = re.sub(r"i$", "y", _ENDING.sub("", word))
    return short if short != "not" else word


@cache
def _equivalents() -> dict[str, str]:
    lines = [[_shortened(word) for word in line.split()] for line in _SAME.strip().split("\n")]
    return {word: line[0] for line in lines for word in line}


def fitting(text: str, among: Sequence[Question] | None = None, *, around: bool = False) -> list[Fit]:
    """Return the questions, `among` those given or all, that match a text, best match first.

    With `around`, words may come before and after the question, but fewer are better. At equal numbers, the
    question with the most words of its own wins.
    """
    words = asked_words(text)
    stems = {word.stem for word in words} if len(words) <= _LONGEST else set()  # else it tells a story
    found: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[tuple[object, ...], Fit]] = {}
    for example in _examples(tuple(among) if among is not None else questions()):
        if all(isinstance(piece, str) or not stems.isdisjoint(piece) for piece in example.pieces):
            for fit in _fits(example, text, words, around):
                key = fit.question.name, tuple(fit.given.items())
                rank = (
                    *(fit.around, -fit.own, "number" not in fit.given, "kind" in fit.given, not fit.exact),
                    *(sum(map(len, fit.given.values())), fit.question.name),
                )
                if key not in found or rank < found[key][0]:
                    found[key] = rank, fit
    return [fit for _, fit in sorted(found.values(), key=lambda it: it[0])]


def _fits(example: _Example, text: str, words: Sequence[AskedWord], around: bool) -> Iterator[Fit]:
    """Yield each way in which the words match an example."""
    opens = isinstance(example.pieces[0], frozenset)
    leads = _LEADS if opens and not example.is_sentence else frozenset()
    names = [piece for piece in example.pieces if isinstance(piece, str)]
    for place, word in enumerate(words):
        start = place
        while start and (words[start - 1].dropped or words[start - 1].stem in leads):
            if words[start].opens or words[start].pauses:
                break
            start -= 1
        before = sum(not it.dropped for it in words[:start])
        if before and not around:
            return
        if opens and word.stem not in example.pieces[0]:
            continue
        for end, slots in _filled(example.pieces, words, place):
            # *Can I X to a Y* is a yes-or-no question; it does not ask what the two have in common.
            if not opens and any(it.stem in _BE | _DO for it in words[start : slots[0][0]]):
                continue
            behind = sum(not it.dropped for it in words[end:])
            if behind and not around:
                continue
            inside = {at for first, last in slots for at in range(first, last)}
            said = [it.stem for at, it in enumerate(words[place:end], place) if at not in inside]
            # *have* and *do* may end an example, but no piece stands for them.
            ends = (it.stem for it in takewhile(lambda it: it.dropped, words[end:]))
            said += islice(ends, max(0, len(example.words) - len(said)))
            # *Can a lamp be a moth* asks what a lamp is, *can I lamp a moth* does not.
            # *How many cards must a deck have* asks what a deck has, not which cards have it.
            has = slots and "have" in example.words
            lead = {it.stem for it in words[place : slots[0][1]]} if has else set()
            is_turned = bool(lead & (_MAY | _DO - _HAVE).difference(example.words)) and not lead & _HAVE
            if is_turned or ("be" in example.words and "be" not in said):
                continue
            # *Which lamps do I need* is not about what needs lamps, *how many do I get* not about a total.
            asked = place if _US.isdisjoint(example.words) or not slots else slots[0][0]
            if tuple(said) != example.words and asks_about_speaker(words[asked : end + 2]):
                continue
            # *When does a lamp leave* is about the game, *when did it leave* about changes of the rules.
            if example.words[:2] in _WHEN_IT_WAS and not {"do", "does"}.isdisjoint(said):
                continue
            given = {}
            for name, (first, last) in zip(names, slots, strict=True):
                filled = text[words[first].start : words[last - 1].end]
                closes = "(" in filled and text.startswith(")", words[last - 1].end)
                given[name] = filled + ")" * closes
            yield Fit(
                example.question,
                given,
                words[start].start,
                words[end - 1].end,
                before + behind,
                len(example.pieces) - len(slots),
                tuple(said) == example.words,
            )


def asks_about_speaker(words: Sequence[AskedWord]) -> bool:
    """Return whether words ask about the speaker: *can I hold*, but not *I beg you*."""
    return any(one.stem in _BE | _DO | _MAY and other.stem in _US for one, other in pairwise(words))


def _filled(
    pieces: Sequence[frozenset[str] | str],
    words: Sequence[AskedWord],
    start: int,
    at: int = 0,
    slots: tuple[tuple[int, int], ...] = (),
) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """Yield each place where the pieces can end, and the ranges of words in the slots.

    The search begins at the word `start` with the piece `at`. A match stays within one sentence, and there is
    no comma between adjacent words of the example.
    """
    if at == len(pieces):
        yield start, slots
        return
    piece = pieces[at]
    goes_on = at > 0 and not isinstance(pieces[at - 1], str)
    for place in range(start, len(words)):
        word = words[place]
        if (at and word.opens) or (goes_on and word.pauses and not isinstance(piece, str)):
            return
        if not isinstance(piece, str):
            if word.stem in piece:
                yield from _filled(pieces, words, place + 1, at + 1, slots)
        elif word.stem not in _BE | _DO:
            # An article may be part of a name, an auxiliary may not.
            for end in range(place + 1, min(place + _LONGEST_SLOT, len(words)) + 1):
                if end - 1 > place and words[end - 1].opens:
                    break
                yield from _filled(pieces, words, end, at + 1, (*slots, (place, end)))
        if not word.dropped:
            return


@cache
def _examples(among: tuple[Question, ...]) -> tuple[_Example, ...]:
    return tuple(
        _Example(it, *_compiled(plain))
        for it in among
        for example in it.examples
        for plain in _alternatives(example)
    )


def _alternatives(example: str) -> Iterator[str]:
    """Yield an example once for each of its alternatives of several words; single words stay one piece."""
    parts = re.split(r"\(([^()]* [^()]*)\)", example)
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return ("".join(chosen) for chosen in product(*choices))


def _compiled(example: str) -> tuple[tuple[frozenset[str] | str, ...], tuple[str, ...], bool]:
    """Return the pieces of an example, its words, and whether it is a whole sentence.

    >>> _compiled("Is {moth} a (lantern|lamp)?")[0][1:] == ("moth", frozenset(("lantern", "lamp")))
    True
    """
    pieces: list[frozenset[str] | str] = []
    said: list[str] = []
    for place, piece in enumerate(_PIECE.findall(example.lower().rstrip("?"))):
        words = piece.strip("()").split("|")
        if piece.startswith("{"):
            # Otherwise any two things would fit.
            if pieces and isinstance(pieces[-1], str) and _HAVE.intersection(said[-1:]):
                pieces.append(_HAVE)
            pieces.append(piece.strip("{}"))
            continue
        if pieces or words[0] not in _DROPPED - _BE - _DO:
            said.append(words[0] if words[0] in _DROPPED else stem(words[0]))
        if not place and words[0] in _BE | _DO:
            pieces.append(_BE if words[0] in _BE else _DO)
        elif not _DROPPED.issuperset(words) or (len(words) > 1 and pieces and isinstance(pieces[-1], str)):
            pieces.append(frozenset(map(stem, words)))
    return tuple(pieces), tuple(said), example.endswith("?")


@cache
def words_of_questions() -> frozenset[str]:
    """Return all words that the questions use, in lower case."""
    examples = " ".join(example for it in questions() for example in it.examples)
    return frozenset(re.findall(r"[a-z]+", f"{_SAME} {examples}".lower()))


def nearest(words: str) -> Sequence[str]:
    """Return the quoted titles of the questions with the most similar wording."""
    # Imported here because it loads more slowly than most questions are answered.
    from rapidfuzz import fuzz, process, utils

    titles = {phrasing: question.title for question in questions() for phrasing in question.phrasings}
    near = process.extract(
        words, list(titles), scorer=fuzz.token_set_ratio, processor=utils.default_process, limit=8
    )
    return list(dict.fromkeys(f'"{titles[phrasing]}"' for phrasing, _, _ in near))[:3]
