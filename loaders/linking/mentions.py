"""Names of terms become mentions: the places of a text where it uses a term's name in its game sense.

**What a mention is.** The name itself stands in the text: one of the names of the term's heading, in
singular or plural, in any case, with any hyphens and apostrophes, as whole words, and it means the term.
Where the edition uses a name as a verb, all forms of the verb are the name (*destroyed*, *casting*; see
`inflections`). Of names within names only the longest counts: *combat damage step* mentions neither
*Combat Damage* nor *Step*, *entered the battlefield* not *Battlefield*. A form that is a name as it stands
is that name. The entry's own term is never mentioned in it, nor is anything within an explicit reference,
its quoted title included.

**Names that are everyday words.** A rules text uses nearly all of its words in their game sense, but
not the ones that English cannot do without. These rules hold for all documents alike:

1. Function words, and a few names that texts mostly use plainly (*If*, *You*, *During*, *Placed*; the
   list is `everyday.UNMARKED`), count only where they are marked: in quotes of their own, or with a
   capital inside a sentence.
2. A name inside a set phrase of everyday English (*in the event of*, *long dash*, *game play*; the list
   is `everyday.set_phrases`), or a noun that stands as a verb before a determiner (*matches the*), is
   swallowed by the phrase as by a longer name. A term of the same name wins over the phrase. What stands
   beside a word can show its everyday sense too (*the first step of playing*; `everyday.BESIDE`).
3. A single word with a capital is part of a proper name (a card's, a set's) where words with capitals
   stand beside it that are not all names of terms: *Wall of Wood*, but *an Aura*, *Legendary Artifact*.
   Where all of them are, their place can show it: several alone in brackets (*Power Play*), or one item
   of a list whose next one is such a name. Headings, where every word has one, are exempt.
4. A few names are terms only in company: *create* makes tokens, a *restriction* is one on attacking
   or blocking; the word that tells so stands in the same sentence (`everyday.COMPANY`).
5. Single letters and acronyms (*X*, *LIFO*) count only in capitals, unless the document writes most of
   its headings so; a text that is nothing but the
   name is a heading, and no use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import ahocorasick  # type: ignore[import-not-found]

from ..language.everyday import BESIDE, COMMON_OPENINGS, COMPANY, JOINING, UNMARKED, set_phrases
from ..language.names import plural, singular
from ..language.sentences import sentence_at
from ..language.titles import small_share
from ..language.verbs import verb_of
from .inflections import Inflections
from .usage import VerbsUsed

_MARKS = "’“”—–‘"
"""What is not ASCII in most texts."""

_QUOTES = "\"“”„'‘’\ufffd"
_OPENING = re.compile(r"(?:^|[.!?:;—–][\"”’)\]]*|[\"“‘(\[{]|\(\w{1,2}\))\s*$")
"""What stands before a word whose capital only opens a sentence, a quotation or an item of a list."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ITEM = r"(?P<item>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)+)"
"""Several words with capitals, between the commas of a list."""

_ITEM_BEFORE = re.compile(rf"(?:^|[ (\"“]){_ITEM}, $")
_ITEM_AFTER = re.compile(rf", {_ITEM}(?=[,.;]|$)")


def _by_form(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Return the patterns by each form, of the verb and of the noun, of the names that they are about."""
    return {
        form: re.compile(pattern, re.IGNORECASE)
        for name, pattern in patterns.items()
        for form in (*verb_of(name).forms, plural(name))
    }


_COMPANY = _by_form(COMPANY)
_BESIDE = _by_form(BESIDE)
_NEAR = 60
"""How many characters from a name what tells its sense is looked for."""

_LONGEST_HEADING = 14
"""A text of more words is not taken for a heading."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One use of a term's name: ``text[start:end]`` names the term `slug`."""

    start: int
    end: int
    slug: str


class _Fold(dict[int, str]):
    """Maps a code point to exactly one: a letter or figure made small, all else to a space."""

    def __missing__(self, code: int) -> str:
        small = chr(code).lower()
        self[code] = small if len(small) == 1 and small.isalnum() else " "
        return self[code]


_FOLD = _Fold()


@lru_cache(maxsize=1 << 14)
def _folded(text: str) -> str:
    """Return a text as it is looked through; many finders look through the same ones."""
    if not text.isascii():  # text of ASCII alone is translated many times faster
        for mark in _MARKS:
            text = text.replace(mark, " ")
    return f" {text.translate(_FOLD)} "


class MentionFinder:
    """Finds the names of terms; built once per edition, then asked for each of its texts."""

    def __init__(self, names: Mapping[str, Sequence[str]], verbs: VerbsUsed | None = None) -> None:
        """Prepare to find the terms of `names`: the slug of each with all its names.

        `verbs` are those that the edition uses; without them, few names have verb forms.
        """
        inflections = Inflections(names, verbs or VerbsUsed())
        forms: dict[str, str] = {}
        for spread in (_first_name, _other_names, _numbers, inflections.of_names):
            for slug, own in names.items():
                for form in spread(own):
                    key = _folded(form)
                    if key.strip():
                        forms.setdefault(key, slug)
        written = [name for own in names.values() for name in own]
        capitals = {name.lower() for name in written if name.isupper()}
        self._acronyms = frozenset(capitals if 2 * len(capitals) <= len(written) else ())
        self._automaton = ahocorasick.Automaton()
        for phrase in set_phrases():
            self._automaton.add_word(_folded(phrase), (len(phrase), "", None))
        for key, slug in forms.items():
            self._automaton.add_word(key, (len(key) - 2, slug, inflections.before.get(key.strip())))
        self._automaton.make_automaton()

    def find(self, text: str, skip: Sequence[tuple[int, int]] = (), own: str = "") -> tuple[Mention, ...]:
        """Return the mentions in `text`, in order; offsets are code points from 0, end exclusive.

        `skip` are spans that hold no mention (references); `own` is the slug of the term whose entry
        the text belongs to.
        """
        ends = self._automaton.iter(_folded(text))
        hits = tuple((last - length - 1, last - 1, slug, before) for last, (length, slug, before) in ends)
        return _meant(text, hits, tuple(skip), own, self._acronyms) if hits else ()


_Hit = tuple[int, int, str, re.Pattern[str] | None]
"""Where a name or a phrase (slug ``""``) stands, and what has to stand before it."""


@lru_cache(maxsize=1 << 13)
def _meant(
    text: str, hits: tuple[_Hit, ...], skip: tuple[tuple[int, int], ...], own: str, acronyms: frozenset[str]
) -> tuple[Mention, ...]:
    """Return the mentions among the hits in a text; neighbouring editions share most of both."""
    found = dict(_longest(hits, skip))
    reading = _Reading(text, found)
    return tuple(
        mention
        for mention, before in found.items()
        if mention.slug and mention.slug != own and _means(mention, reading, before, acronyms)
    )


def _longest(
    hits: Sequence[_Hit], skip: Sequence[tuple[int, int]]
) -> Iterator[tuple[Mention, re.Pattern[str] | None]]:
    """Yield the leftmost longest names and phrases outside of `skip`, none within another."""
    spans = sorted(skip)
    free = passed = 0
    for start, end, slug, before in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
        while passed < len(spans) and spans[passed][1] <= start:
            passed += 1
        if start >= free and not (passed < len(spans) and spans[passed][0] < end):
            yield Mention(start, end, slug), before
            free = end


def _means(
    mention: Mention, reading: _Reading, before: re.Pattern[str] | None, acronyms: frozenset[str]
) -> bool:
    """Tell whether the name is used in its game sense (see the module's rules)."""
    surface = reading.text[mention.start : mention.end]
    small = surface.lower()
    if len(surface) == len(reading.text.strip(" .")) or (small in acronyms and not surface.isupper()):
        return False
    if small in UNMARKED:
        return reading.is_quoted(mention) or (reading.has_inner_capital(mention) and not reading.is_heading)
    if _is_everyday(small, mention, reading.text, before):
        return False
    capital = " " not in surface and surface[:1].isupper() and not reading.is_heading
    return not (capital and reading.is_proper_name(mention))


def _is_everyday(small: str, mention: Mention, text: str, before: re.Pattern[str] | None) -> bool:
    """Tell whether the words around a name, `small` in small letters, show that it is not meant."""
    start, end = mention.start, mention.end
    beside, company = _BESIDE.get(small), _COMPANY.get(small)
    if before and not before.search(text, max(0, start - _NEAR), start):
        return True
    if beside and beside.search(f"{text[max(0, start - _NEAR) : start]}<>{text[end : end + _NEAR]}"):
        return True
    return company is not None and not company.search(sentence_at(text, start))


class _Reading:
    """What the neighbourhood of a name says about it."""

    def __init__(self, text: str, found: Iterable[Mention]) -> None:
        self.text = text
        self._found = [mention for mention in found if mention.slug]
        self._covered: set[int] | None = None
        self._heading: bool | None = None

    @property
    def is_heading(self) -> bool:
        """Whether all words of the text have a capital, save the small ones: a title."""
        if self._heading is None:
            few = len(self.text.split()) <= _LONGEST_HEADING
            self._heading = few and small_share(self.text) == 0
        return self._heading

    def is_quoted(self, mention: Mention) -> bool:
        """Tell whether the name stands alone in quotes."""
        before = self.text[mention.start - 1 : mention.start]
        after = self.text[mention.end : mention.end + 2].lstrip(",.;:?!")[:1]
        return bool(before) and before in _QUOTES and bool(after) and after in _QUOTES

    def has_inner_capital(self, mention: Mention) -> bool:
        """Tell whether the name has a capital that no sentence's beginning explains."""
        return self.text[mention.start].isupper() and not self._opens(mention.start)

    def _opens(self, start: int) -> bool:
        return _OPENING.search(self.text, max(0, start - 8), start) is not None

    def _only_opens(self, word: re.Match[str]) -> bool:
        """Tell whether the capital of `word` says no more than that a sentence begins."""
        small = word[0].lower()
        return self._opens(word.start()) and (small in COMMON_OPENINGS or small.endswith(("ing", "ed")))

    def is_proper_name(self, mention: Mention) -> bool:
        """Tell whether words with capitals beside the name make it a proper name.

        Either not all of them are terms, or they stand where names of cards do.
        """
        beside = list(self._capitals_beside(mention))
        return not all(map(self._is_term, beside)) or (bool(beside) and self._stands_as_name(mention, beside))

    def _stands_as_name(self, mention: Mention, beside: Sequence[int]) -> bool:
        """Tell whether a run of names of terms is alone in brackets, or in a list beside a proper name."""
        start = min(mention.start, *beside)
        last = _WORD.match(self.text, max(beside))
        end = max(mention.end, last.end() if last else 0)
        if self.text[start - 1 : start] == "(" and self.text[end : end + 1] == ")":
            return True
        items = (
            _ITEM_BEFORE.search(self.text, max(0, start - _NEAR), start),
            _ITEM_AFTER.match(self.text, end),
        )
        return any(not all(map(self._is_term, _words_of(item))) for item in items if item)

    def _is_term(self, place: int) -> bool:
        if self._covered is None:
            self._covered = {m.start for m in self._found}
            for m in self._found:
                self._covered.update(
                    m.start + word.start() for word in _WORD.finditer(self.text[m.start : m.end])
                )
        return place in self._covered

    def _capitals_beside(self, mention: Mention) -> Iterator[int]:
        """Yield where words with capitals begin that only spaces and small words part from the name."""
        before = list(_WORD.finditer(self.text, max(0, mention.start - _NEAR), mention.start))
        after = _WORD.finditer(self.text, mention.end, mention.end + _NEAR)
        at = mention.start
        for word in reversed(before):
            if self.text[word.end() : at] != " " or not _joins(word[0]) or self._only_opens(word):
                break
            at = word.start()
            if word[0] not in JOINING:
                yield at
        at = mention.end
        for word in after:
            if self.text[at : word.start()] != " " or not _joins(word[0]):
                break
            at = word.end()
            if word[0] not in JOINING:
                yield word.start()


def _joins(word: str) -> bool:
    """Tell whether a word can be part of a proper name; a single letter (*Absorb N*) is a variable."""
    return word in JOINING or (word[0].isupper() and len(word) > 1)


def _words_of(item: re.Match[str]) -> Iterator[int]:
    """Yield where the words of an item of a list begin in its text."""
    for word in _WORD.finditer(item.string, item.start("item"), item.end("item")):
        yield word.start()


def _first_name(names: Sequence[str]) -> Iterator[str]:
    yield from names[:1]


def _other_names(names: Sequence[str]) -> Iterator[str]:
    yield from names[1:]


def _numbers(names: Sequence[str]) -> Iterator[str]:
    """Yield the plurals and singulars of names, and what stands before a template (*Partner with [name]*)."""
    for name in names:
        whole = name.split("[")[0].strip(" —–-") if "[" in name else name
        if whole != name:
            if " " in whole:
                yield whole
            continue
        for form in (plural(name), singular(name)):
            if form != name:
                yield form
