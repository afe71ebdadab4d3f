"""Find mentions: the places where a text uses the name of a term in its game sense.

**What a mention is.** The text contains one of the names in the term's heading, in the singular or plural, in
any case, with any hyphens and apostrophes, as whole words, and means the term. Joined names may share their
last word (*activated or triggered ability*). If the edition uses a name as a verb, every form of the verb is
the name (*destroyed*, *casting*; see `Inflections`). Of names within names only the longest counts: *combat
damage step* mentions neither *Combat Damage* nor *Step*, *entered the battlefield* does not mention
*Battlefield*. A form that is itself a name is that name. An entry never mentions its own term. Nothing inside
an explicit reference or its quoted title is a mention.

**Names that are everyday words.** A rules text uses nearly all of its words in their game sense, except for
those that English cannot do without. The same rules hold for all documents:

1. Function words, and a few names that texts mostly use plainly (*If*, *You*, *During*, *Placed*; see
   `everyday.UNMARKED`), count only if they are marked: alone in quotes, or with a capital inside a sentence.
2. A set phrase of everyday English hides the name inside it (*in the event of*, *long dash*, *game play*; see
   `senses.set_phrases`), and so does a noun used as a verb before a determiner (*matches the*). A term with
   the same name as the phrase wins. Neighbouring words can also show the everyday sense (*the first step of
   playing*; `everyday.BESIDE`).
3. A single capitalised word is part of a proper name (of a card, of a set) if there are capitalised words
   beside it that are not all names of terms: *Wall of Wood*, but *an Aura*, *Legendary Artifact*. If all of
   them are, their position can show it: several alone in brackets (*Power Play*), or one item of a list
   whose next item is a proper name. Headings capitalise every word, so this does not apply to them.
4. A few names are terms only in company: *create* needs tokens, a *restriction* is on attacking or blocking.
   The word that shows it is in the same sentence (`everyday.COMPANY`).
5. Single letters and acronyms (*X*, *LIFO*) count only in capitals, unless the document capitalises most of
   its headings. A text that is only the name is a heading, not a mention.

**Verb forms.** The first word of a name is inflected: *Destroy* gives *destroyed*, *Enters the Battlefield*
gives *entered the battlefield*. This needs evidence that the word is a verb: the edition uses it as one, or
the next word of the name shows it (*Lose the Game*). A name that is a participle or a gerund (*Cycling*,
*Phased Out*) has the other forms of its verb only if no term is named by the plain verb: if there is a term
*Draw*, drawing a card does not name *Drawing a Card*.

A word counts as used as a verb in a position that only a verb can take: the plain form after a modal (*can't
attack*) or a *To* that opens a sentence; the past after a form of *be* or *have*, after a thing, or before
its complement (*is destroyed*, *damage dealt to it*); the third person after its subject (*a player cycles*);
the gerund after a preposition. A verb with its particle (*phase out*) is a different verb from the word
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter, itemgetter

import ahocorasick  # type: ignore[import-not-found]

from ..language.everyday import UNBENT, UNMARKED
from ..language.names import plural, singular
from ..language.senses import DOCUMENT, NameSpan, Sense, set_phrases
from ..language.verbs import PARTICLES, plain_verbs, verb_of

_BEFORE = {
    "plain": "may can can't cannot could couldn't must mustn't would wouldn't will won't shall should "
    "shouldn't don't doesn't didn't",
    "past": "is isn't are aren't was wasn't were weren't be been being has hasn't have haven't had hadn't "
    "they card cards creature creatures object objects permanent permanents spell spells token tokens",
    "third": "player opponent teammate it she who",
    "gerund": "by of for from than without before after while",
}
"""The words that come before each form."""

_FORM = {word: form for form, words in _BEFORE.items() for word in words.split()}
_BETWEEN = (" not ", " also ", " only ", " never ", '"', "“", "(", "[")
"""What may come between them and the form, or before them."""

_COMPLETIONS = frozenset("by due from into onto this to using".split())
"""Words that follow a past, but not an adjective."""

_PUNCTUATION = ".,;:!?)]”'"


@lru_cache(maxsize=1 << 14)
def _verbs(text: str) -> VerbsUsed:
    """Return the verbs that a text shows, each in the form used."""
    return frozenset(_verbs_in(text))


def _verbs_in(text: str) -> Iterator[tuple[str, str]]:
    whole = f". {text} .".replace("To ", "shall ").lower().replace("’", "'")
    for between in _BETWEEN:
        whole = whole.replace(between, " ")
    words = [*whole.split(), ""]
    for before, word, behind in zip(words, words[1:], words[2:], strict=False):
        if before in _FORM:
            particle = behind.strip(_PUNCTUATION)
            verb = word.strip(_PUNCTUATION)
            yield _FORM[before], f"{verb} {particle}" if particle in PARTICLES else verb
        if behind in _COMPLETIONS:
            yield "past", word


VerbsUsed = frozenset[tuple[str, str]]
"""The verbs that texts use, each with the form in which it is used."""


def verbs_used(texts: Iterable[str]) -> VerbsUsed:
    """Return the verbs that some texts use."""
    return VerbsUsed().union(*map(_verbs, texts))


def uses(verbs: VerbsUsed, plain: str, besides: str = "") -> bool:
    """Return whether texts use a verb, given in its plain form, with its particle if it has one.

    `besides` is a form that proves nothing: a name that is itself a gerund occurs wherever gerunds do.
    """
    word, space, particle = plain.partition(" ")
    verb = verb_of(word)
    places = {"plain": {word}, "past": verb.past, "third": {verb.third}, "gerund": verb.gerund}
    return any(
        (form, word + space + particle) in verbs
        for form, words in places.items()
        for word in words
        if word != besides
    )


_PARTS = re.compile("[ -]")
_OBJECT = frozenset("a an the in into from out".split())
"""Words that follow a verb, but not a noun that begins a name."""

_BEFORE_PLAIN = re.compile(
    r"\b(?:to|may|can|cannot|could|must|would|will|they|you|\w+n['’]t|"
    r"(?!(?:as|has|is|its|this|was)\b)\w+s) $"
)
_BEFORE_THIRD = re.compile(
    r"\b(?:it|she|who|that|which|and|or|player|opponent|controller|card|creature|object|permanent|spell) $"
)


class Inflections:
    """The verb forms of names.

    `before` says what must come before forms that may also be nouns (*die*, of the name *Dies*; *pairs*, of
    *Paired*).
    """

    def __init__(self, names: Mapping[str, Sequence[str]], verbs: VerbsUsed) -> None:
        """Take all names of an edition, and the verbs that it uses."""
        self._verbs = verbs
        self._names = {name.lower() for own in names.values() for name in own}
        self.before: dict[str, re.Pattern[str]] = {}

    def of_names(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the forms of each name whose first word is a verb, in lower case."""
        for name in map(str.lower, names):
            first, *rest = _PARTS.split(name)
            if "[" in name or not first.isalpha() or name in UNMARKED:
                continue
            for plain in self._plain_verbs(first, rest):
                verb = verb_of(plain)
                if not rest and plain != first:
                    may_be_nouns = {plain: _BEFORE_PLAIN, verb.third: _BEFORE_THIRD}
                    self.before |= {form: may_be_nouns[form] for form in may_be_nouns.keys() - self._names}
                for form in sorted(verb.forms - {first}):
                    yield " ".join((form, *rest))

    def _plain_verbs(self, first: str, rest: Sequence[str]) -> Iterator[str]:
        """Yield the verbs that `first` is a form of, as the first word of a name."""
        behind = rest[0] if rest else ""
        particle = f" {behind}" if behind in PARTICLES else ""
        guesses = plain_verbs(first)
        if not particle and not UNBENT.isdisjoint((first, *guesses)):
            return
        named = not self._names.isdisjoint(guess + particle for guess in guesses)
        for plain in (first, *guesses):
            finite = first in (plain, verb_of(plain).third)
            shown = behind in _OBJECT and not (plain == first and guesses)
            besides = "" if plain == first else first
            if (finite or not named) and (shown or uses(self._verbs, plain + particle, besides)):
                yield plain


_CONJUNCTIONS = (", ", " and ", " or ", "/or ")
_WORD = re.compile(r"[\w'’-]+")
_JOINED = re.compile(r"(?P<words>(?:[\w'’-]+ ){0,3}[\w'’-]+)(?:,|,? (?:and/or|and|or)) $")
_LONGEST_JOINED = 60
"""How many characters before a name are searched for a name joined with it."""

_MARKS = "’“”—–‘"
"""Non-ASCII characters of most texts."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One use of a term's name: ``text[start:end]`` names the term `slug`."""

    start: int
    end: int
    slug: str


class _Fold(dict[int, str]):
    """Maps a code point to exactly one other: a letter or figure to lower case, anything else to a space."""

    def __missing__(self, code: int) -> str:
        small = chr(code).lower()
        self[code] = small if len(small) == 1 and small.isalnum() else " "
        return self[code]


_FOLD = _Fold()


@lru_cache(maxsize=1 << 14)
def _folded(text: str) -> str:
    """Return a text in the form that is searched; cached, as many finders search the same texts."""
    if not text.isascii():  # ASCII text is translated many times faster
        for mark in _MARKS:
            text = text.replace(mark, " ")
    return f" {text.translate(_FOLD)} "


class MentionFinder:
    """Finds the names of terms; built once per edition, then used for each of its texts."""

    def __init__(self, names: Mapping[str, Sequence[str]], verbs: VerbsUsed = frozenset()) -> None:
        """Prepare to find the terms of `names`: the slug of each with all its names.

        `verbs` are the verbs that the edition uses; without them, few names have verb forms.
        """
        inflections = Inflections(names, verbs)
        forms: dict[str, str] = {}
        for spread in (itemgetter(slice(1)), itemgetter(slice(1, None)), _numbers, inflections.of_names):
            for slug, own in names.items():
                for form in spread(own):
                    key = _folded(form)
                    if key.strip():
                        forms.setdefault(key, slug)
        forms |= {_folded(form): slug for form, slug in _abbreviated(names)}
        written = [name for own in names.values() for name in own]
        self._written = {name.lower() for name in written}
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

        `skip` are spans without mentions (references); `own` is the slug of the term whose entry contains the
        text.
        """
        ends = self._automaton.iter(_folded(text))
        hits = tuple((last - length - 1, last - 1, slug, before) for last, (length, slug, before) in ends)
        if not any(slug for _, _, slug, _ in hits):
            return ()
        found = _meant(text, hits, tuple(skip), own, self._acronyms)
        joined = [one for it in found for one in self._joined_with(text, it)]
        joined = [it for it in joined if it.slug != own and _is_apart(it, skip)]
        alone = [it for it in found if _is_apart(it, [(one.start, one.end) for one in joined])]
        return tuple(sorted((*alone, *joined), key=attrgetter("start")))

    def _joined_with(self, text: str, it: Mention) -> Iterator[Mention]:
        """Yield the names before a mention that share its last word: *dusk* in "dusk and dawn lamps"."""
        start = it.start
        _, space, noun = text[start : it.end].rpartition(" ")
        while space and text.endswith(_CONJUNCTIONS, 0, start):
            joined = _JOINED.search(text, max(0, start - _LONGEST_JOINED), start)
            for word in _WORD.finditer(text, joined.start(), joined.end("words")) if joined else ():
                name = text[word.start() : word.endpos]
                _, slug, _ = self._automaton.get(_folded(f"{name} {noun}"), (0, "", None))
                if slug and name.lower() not in self._written:
                    yield Mention(word.start(), word.endpos, slug)
                    start = word.start()
                    break
            else:
                return


def _is_apart(it: Mention, spans: Iterable[tuple[int, int]]) -> bool:
    return all(end <= it.start or it.end <= start for start, end in spans)


_Hit = tuple[int, int, str, re.Pattern[str] | None]
"""The place of a name or a phrase (slug ``""``), and what must come before it."""


@lru_cache(maxsize=1 << 13)
def _meant(
    text: str, hits: tuple[_Hit, ...], skip: tuple[tuple[int, int], ...], own: str, acronyms: frozenset[str]
) -> tuple[Mention, ...]:
    """Return the mentions among the hits in a text; cached, as neighbouring editions share most of both."""
    found = list(_longest(hits, skip))
    sense = Sense(text, [span for span, slug in found if slug], DOCUMENT, acronyms)
    return tuple(
        Mention(span.start, span.end, slug)
        for span, slug in found
        if slug and slug != own and sense.means(span)
    )


def _longest(hits: Sequence[_Hit], skip: Sequence[tuple[int, int]]) -> Iterator[tuple[NameSpan, str]]:
    """Yield the leftmost longest names and phrases outside of `skip`, none within another."""
    spans = sorted(skip)
    free = passed = 0
    for start, end, slug, before in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
        while passed < len(spans) and spans[passed][1] <= start:
            passed += 1
        if start >= free and not (passed < len(spans) and spans[passed][0] < end):
            yield NameSpan(start, end, before), slug
            free = end


def _numbers(names: Sequence[str]) -> Iterator[str]:
    """Yield the plurals and singulars of names, and the part before a template (*Partner with [name]*)."""
    for name in names:
        whole = name.split("[")[0].strip(" —–-") if "[" in name else name
        if whole != name:
            if " " in whole:
                yield whole
            continue
        for form in (plural(name), singular(name)):
            if form != name:
                yield form


def _abbreviated(names: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield names with another name's abbreviation inserted: *Moth, Lamp (ML) Order*, from *ML Order*."""
    written = [(name, slug) for slug, own in names.items() for name in own]
    for short, _, noun in (name.partition(" ") for name, _ in written):
        if short.isupper() and len(short) > 1 and noun:
            for name, slug in written:
                if name.endswith(f" {noun}"):
                    yield f"{name.removesuffix(noun)}({short}) {noun}", slug
