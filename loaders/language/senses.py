"""Decide whether a name in a text means the term, or is an everyday word or part of a proper name.

The same rules hold for documents and questions; a `Policy` states the differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from .everyday import (
    BESIDE,
    COMMON_OPENINGS,
    COMPANY,
    DETERMINERS,
    JOINING,
    NOUNS_AS_VERBS,
    PHRASES,
    UNMARKED,
)
from .names import plural, small_share
from .verbs import verb_of
from .words import sentences

_NEAR = 60
"""How many characters around a name decide its sense."""

_LONGEST_HEADING = 14
"""A text with more words is not a heading."""

_QUOTES = "\"“”„'‘’\ufffd"
_OPENING = re.compile(r"(?:^|[.!?:;—–][\"”’)\]]*|[\"“‘(\[{]|\(\w{1,2}\))\s*$")
"""What precedes a word whose capital only begins a sentence, a quotation or an item of a list."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ITEM = r"(?P<item>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)+)"
"""Several words with capitals, between the commas of a list."""

_ITEM_BEFORE = re.compile(rf"(?:^|[ (\"“]){_ITEM}, $")
_ITEM_AFTER = re.compile(rf", {_ITEM}(?=[,.;]|$)")


@cache
def set_phrases() -> tuple[str, ...]:
    """Return the phrases, in lower case, in which a word of a term's name has its everyday sense."""
    phrases = []
    for phrase in filter(None, re.split(r"[|\n]", PHRASES)):
        verb, star, rest = phrase.partition("*")
        phrases += [form + rest for form in sorted(verb_of(verb).forms)] if star else [phrase]
    for forms in NOUNS_AS_VERBS.values():
        phrases += [f"{form} {determiner}" for form in forms for determiner in DETERMINERS]
    return tuple(phrases)


class Policy(NamedTuple):
    """How texts of a kind use names.

    Attributes:
        alone: whether a text that is only a name means it. A question does; in a document it is a heading.
        quotes: whether quotation marks around a name are enough. In a question they are; a document also
            quotes words in their plain sense.
        shouted: if this share of the words have capitals, a capital says nothing.
        openings: the words that may open a sentence with their own capital.
    """

    alone: bool
    quotes: bool
    shouted: float
    openings: frozenset[str]


DOCUMENT = Policy(alone=False, quotes=False, shouted=1.0, openings=COMMON_OPENINGS)
QUESTION = Policy(
    alone=True,
    quotes=True,
    shouted=0.8,
    openings=COMMON_OPENINGS
    | frozenset(
        "what which who whose whom where why how do does did is are was were can could will would shall "
        "should may might must has have had explain define list show tell give name whats whos wheres hows "
        "am suppose say".split()
    ),
)


class NameSpan(NamedTuple):
    """The place of a name, and the words that must come before it, if it needs any."""

    start: int
    end: int
    before: re.Pattern[str] | None = None


class Sense:
    """Decides what the surroundings of the names in a text say about each; made once for a text."""

    def __init__(
        self, text: str, named: Sequence[NameSpan], policy: Policy, acronyms: frozenset[str] = frozenset()
    ) -> None:
        """Take a text and the places of names in it.

        `acronyms` are names, in lower case, that count only in capitals.
        """
        self._text = text
        self._named = named
        self._policy = policy
        self._acronyms = acronyms
        self._length = len(text.strip(" .?"))
        self._beside, self._company = _by_form()

    def means(self, it: NameSpan) -> bool:
        """Return whether a name means the thing that it names."""
        start, end, before = it
        surface = self._text[start:end]
        small = surface.lower()
        if end - start == self._length:
            return self._policy.alone
        if (end - start == 1 and small in "ai") or (small in self._acronyms and not surface.isupper()):
            return False
        if small in UNMARKED:
            return self._is_quoted(it) or self._has_inner_capital(it)
        if self._policy.quotes and self._is_quoted(it):
            return True
        everyday = before or small in self._beside or small in self._company
        if everyday and self._is_everyday(small, it):
            return False
        capital = surface[:1].isupper() and " " not in surface and self._capitals_tell
        return not (capital and self._is_proper_name(it))

    @cached_property
    def _capitals_tell(self) -> bool:
        """Whether a capital says anything: not in a title, nor if nearly all words have one."""
        words = self._text.split()
        heading = len(words) <= _LONGEST_HEADING and small_share(self._text) == 0
        share = self._policy.shouted
        # A share of 1 is never exceeded, so nothing needs to be counted.
        shouted = share < 1 and sum(word[0].isupper() for word in words) > len(words) * share
        return not (heading or shouted)

    def _is_quoted(self, it: NameSpan) -> bool:
        """Return whether the name is alone in quotes."""
        before = self._text[it.start - 1 : it.start]
        after = self._text[it.end : it.end + 2].lstrip(",.;:?!")[:1]
        return bool(before) and before in _QUOTES and bool(after) and after in _QUOTES

    def _has_inner_capital(self, it: NameSpan) -> bool:
        """Return whether the name has a capital that is not due to the beginning of a sentence."""
        return self._text[it.start].isupper() and self._capitals_tell and not self._opens(it.start)

    def _opens(self, start: int) -> bool:
        return _OPENING.search(self._text, max(0, start - 8), start) is not None

    def _is_everyday(self, small: str, it: NameSpan) -> bool:
        """Return whether the words around a name (`small`: in lower case) show that it is not meant."""
        text, (start, end, before) = self._text, it
        if before and not before.search(text, max(0, start - _NEAR), start):
            return True
        beside, company = self._beside.get(small), self._company.get(small)
        if beside and beside.search(f"{text[max(0, start - _NEAR) : start]}<>{text[end : end + _NEAR]}"):
            return True
        return company is not None and not company.search(sentence_at(text, start))

    def _only_opens(self, word: re.Match[str]) -> bool:
        """Return whether the capital of `word` only says that a sentence begins."""
        small = word[0].lower()
        common = small in self._policy.openings or small.endswith(("ing", "ed"))
        return common and self._opens(word.start())

    def _is_proper_name(self, it: NameSpan) -> bool:
        """Return whether words with capitals beside the name make it a proper name.

        Either not all of them are terms, or they are in a place for names of cards.
        """
        beside = list(self._capitals_beside(it))
        return not self._covered.issuperset(beside) or (bool(beside) and self._stands_as_name(it, beside))

    def _stands_as_name(self, it: NameSpan, beside: Sequence[int]) -> bool:
        """Return whether a run of names of terms is alone in brackets, or in a list beside a proper name."""
        start = min(it.start, *beside)
        last = _WORD.match(self._text, max(beside))
        end = max(it.end, last.end() if last else 0)
        if self._text[start - 1 : start] == "(" and self._text[end : end + 1] == ")":
            return True
        items = (
            _ITEM_BEFORE.search(self._text, max(0, start - _NEAR), start),
            _ITEM_AFTER.match(self._text, end),
        )
        return any(not self._covered.issuperset(_words_of(item)) for item in items if item)

    @cached_property
    def _covered(self) -> set[int]:
        """The places where the words of names begin."""
        starts = {it.start for it in self._named}
        for start, end, _ in self._named:
            starts.update(start + word.start() for word in _WORD.finditer(self._text[start:end]))
        return starts

    def _capitals_beside(self, it: NameSpan) -> Iterator[int]:
        """Yield where capitalised words begin that only spaces and small words separate from the name."""
        before = list(_WORD.finditer(self._text, max(0, it.start - _NEAR), it.start))
        after = _WORD.finditer(self._text, it.end, it.end + _NEAR)
        at = it.start
        for word in reversed(before):
            if self._text[word.end() : at] != " " or not _joins(word[0]) or self._only_opens(word):
                break
            at = word.start()
            if word[0] not in JOINING:
                yield at
        at = it.end
        for word in after:
            if self._text[at : word.start()] != " " or not _joins(word[0]):
                break
            at = word.end()
            if word[0] not in JOINING:
                yield word.start()


def _joins(word: str) -> bool:
    """Return whether a word can be part of a proper name; a single letter (*Absorb N*) is a variable."""
    return word in JOINING or (word[0].isupper() and len(word) > 1)


def _words_of(item: re.Match[str]) -> Iterator[int]:
    """Yield where the words of an item of a list begin in its text."""
    for word in _WORD.finditer(item.string, item.start("item"), item.end("item")):
        yield word.start()


@cache
def _by_form() -> tuple[dict[str, re.Pattern[str]], dict[str, re.Pattern[str]]]:
    """Return `BESIDE` and `COMPANY` for each form of their names, as verb and as noun."""

    def spread(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
        return {
            form: re.compile(pattern, re.IGNORECASE)
            for name, pattern in patterns.items()
            for form in (*verb_of(name).forms, plural(name))
        }

    return spread(BESIDE), spread(COMPANY)


def sentence_at(text: str, place: int) -> str:
    """Return the sentence that contains the code point at `place`."""
    return next((text[start:end] for start, end in sentences(text) if place < end), "")
