"""Define the input of fact patterns, what they can look up in the edition, and what they state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ...ontology import grouped
from ..language.names import either_number
from ..language.numbers import ALPHABET
from ..language.senses import set_phrases
from ..linking.edition import EditionView, Unit
from .kinds import Kind, NounPhrase, bare_name, game_kinds, has_main_verb, noun_phrase

_SOME = re.compile(
    r"of (?:at least |exactly |up to )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)\b"
)
"""Words that say how many parts a thing has, not what it is part of: "a deck of ten moths"."""

_GONE = frozenset("old older former previous informal obsolete outdated not no never".split())
_CHOICE = re.compile(r"(?:and/or|or|nor|if|unless)\b", re.IGNORECASE)
_ELSE = re.compile(
    r"^(?:(?! (?:that|which|who)\b).)*?(?:, or (?:an?|the|copy|part) )|^ , an? "
    r"|\bor (?:an?|the) (?:(?P<other>[a-z ]+?) (?:that|which|who)|copy of)\b"
)
"""Words that add another kind: "a card, or copy of a card", "the spell that …, or the ability that …"."""

_GENUS = re.compile(r"(?<=\w) (?:zone|step|phase|variant|option|ability|supertype|keyword)$", re.IGNORECASE)
"""The word after a name that says what it names, if the heading is the name alone."""

_TERSE = 0.3
"""A glossary defines by noun phrases if this share of its entries open without a verb."""


@dataclass(frozen=True, slots=True)
class KindOf:
    """That a term is of some kinds: each of `kinds` is one thing that it names.

    `is_sense` says that another paragraph of the entry may give another meaning, `is_former` that it no
    longer is one.
    """

    term: str
    kinds: tuple[Kind, ...]
    is_sense: bool = False
    is_former: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """That a list of the things called `name` has the `items` (names), or what the rules `rules` state.

    If both are given, each rule is the one that names the item at the same place. `cls` is the class of the
    items, if known; `current_as` names the set as of which the list is said to be current.
    """

    name: str
    cls: str
    items: tuple[str, ...] = ()
    rules: tuple[Unit, ...] = ()
    is_ordered: bool = False
    current_as: str = ""

    @property
    def count(self) -> int:
        """The number of items in the list."""
        return max(len(self.items), len(self.rules))


@dataclass(frozen=True, slots=True)
class Division:
    """That a part of the turn, or the turn, has the parts `parts` (full names of class `cls`), in order."""

    whole: str
    cls: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """That a part of the turn is the n-th within `whole` (`ordinal`, 0 where only "last" is said)."""

    part: str
    cls: str
    ordinal: int
    whole: str


@dataclass(frozen=True, slots=True)
class Steps:
    """That `name` is done in steps: the rules `rules`, or the sentences `items`."""

    name: str
    items: tuple[str, ...] = ()
    rules: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherWords:
    """That there are other words for a term.

    `relation` says which, as a property of the vocabulary: ``alsoCalled``, ``formerlyCalled``, ``standsFor``
    (the term is short or informal for the words), or ``gaveWayTo`` (the words replaced it). For the last,
    `new` is the slug of the term that the words name, if there is one.
    """

    term: str
    relation: str
    words: str
    new: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """A wording that uses a term: its parameters, in order, and its meaning (may be empty)."""

    term: str
    wording: str
    parameters: tuple[str, ...]
    meaning: str


Statement = KindOf | Listing | Division | Position | Steps | OtherWords | Template


Continued = tuple[Statement, int]
"""A statement, and how many characters after its sentence also belong to it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: `text` with straight quotes, `quote` as printed, `place` in its unit from 0.

    `own` is the slug of the term whose entry contains it, or that its rule defines, or empty. `before` is the
    sentence before it, `rest` the text after it in its unit.
    """

    unit: Unit
    text: str
    quote: str
    place: int
    own: str
    before: str
    rest: str

    @property
    def is_entry(self) -> bool:
        """Whether it is in a glossary entry and not in a rule."""
        return bool(self.unit.term)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement with its evidence: the pattern, the unit, and the sentences that state it, as printed."""

    pattern: str
    statement: Statement
    unit: Unit
    quote: str


class Context:
    """What patterns look up in an edition: the term with a name, the text after a unit."""

    def __init__(self, view: EditionView) -> None:
        self._view = view
        self._terms: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._by_rule = self._defined()
        units = [*self.units()]
        self._parts = grouped((above, unit) for unit in units if (above := self._above(unit.rule)))
        of_one = ((a, b) for a, b in pairwise(units) if b.term and b.term == a.term)
        self._next = {before.iri: unit for before, unit in of_one}

    def _above(self, rule: str) -> str:
        """Return the rule of a subrule: `…/rule/702.30a` → `…/rule/702.30`; ``""`` if it is not a subrule."""
        if rule not in self._parents:
            place = self._view.iris.parse(rule)
            above = place.key.rstrip(ALPHABET)
            is_subrule = above != place.key and above[-1:].isdigit()
            self._parents[rule] = self._view.iris.rule(place.edition, above) if is_subrule else ""
        return self._parents[rule]

    def _defined(self) -> dict[str, str]:
        defining = self._view.defining.items()
        terms = grouped((rule, term) for term, rules in defining for rule in dict.fromkeys(rules))
        return {rule: found[0] for rule, found in terms.items() if len(found) == 1}

    def units(self) -> Iterator[Unit]:
        """Return the rules and paragraphs; notes, rulings and examples state no facts."""
        return (unit for unit in self._view.units if not unit.part)

    def term(self, words: str) -> str:
        """Return the slug of the term that `words` (without article and quotes) name here, or ``""``.

        Some headings include the word for their kind, some do not: *Upkeep*, *Draw Step*.
        """
        if words not in self._terms:
            bare = bare_name(words)
            forms = dict.fromkeys((bare, _GENUS.sub("", bare))) if bare else ()
            found = (slug for form in forms if (slug := self._view.term_of(form)) in self._view.names)
            self._terms[words] = next(found, "")
        return self._terms[words]

    def joined(self, words: str) -> tuple[str, ...]:
        """Return the two terms whose names are joined by *and* (*Dusk and Dawn*), or nothing."""
        one, _, other = bare_name(words).partition(" and ")
        terms = (self.term(one), self.term(other))
        return terms if all(terms) else ()

    def item(self, name: str) -> str:
        """Return the slug of the term named by a list's item, or ``""``; a town *The Lamp* is not a lamp."""
        term = self.term(name)
        is_other = name.startswith("The ") and not any(it.startswith("The ") for it in self.names(term))
        return "" if is_other else term

    def names(self, slug: str) -> tuple[str, ...]:
        """Return the names of a term."""
        return tuple(self._view.names.get(slug, ()))

    def forms(self, slug: str) -> set[str]:
        """Return the names of a term, singular and plural, in lower case and without an exclamation mark."""
        return {form.lower() for name in self.names(slug) for form in either_number(name.rstrip("!"))}

    def is_called(self, term: str, words: str) -> bool:
        """Return whether `words` name a term, with or without the word for its kind: *Cleanup*."""
        if self.term(words) == term:
            return True
        bare = bare_name(words).lower()
        return any(_GENUS.sub("", name).lower() == bare for name in self.names(term))

    def own(self, unit: Unit) -> str:
        """Return the term that a unit is about: its entry's, or the one in its rule's title, or ``""``."""
        return unit.term or self._by_rule.get(unit.rule) or self._by_rule.get(self._above(unit.rule), "")

    def parts(self, unit: Unit) -> Sequence[Unit]:
        """Return the subrules of a rule, in order."""
        return self._parts.get(unit.rule, ()) if unit.rule else ()

    @cached_property
    def is_terse(self) -> bool:
        """Whether the glossary defines by noun phrases ("A zone.") rather than by sentences."""
        openings = [unit.text[:200].partition(". ")[0] for unit in self.units() if unit.term]
        nouns = sum(
            bool(re.match(r"(?:An?|The|One) ", text)) and not has_main_verb(text) for text in openings
        )
        return nouns > _TERSE * len(openings)

    def following(self, unit: Unit) -> Unit | None:
        """Return the next paragraph of the same entry."""
        return self._next.get(unit.iri)

    def heading(self, term: str) -> str:
        """Return the title of the chapter in which a rule defines a term, or ``""``."""
        rules = self._view.defining.get(term, ())
        chapters = (self._view.iris.parse(rule).key.partition(".")[0] for rule in sorted(rules))
        return next((title for it in chapters if (title := self._view.titles.get(it, ""))), "")

    def chapter(self, unit: Unit) -> str:
        """Return the title of the chapter that a rule is in, or ``""``."""
        number = unit.label.partition(".")[0]
        return self._view.titles.get(number, "") if unit.rule else ""


WHERE = ("entry", "opening", "anywhere")
"""Where a pattern applies: an entry's first sentence, the first two of any unit, or all."""

OPENING = 2
"""The number of sentences in a unit's opening."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form in which rules texts state something.

    `cues` are words; every sentence that the pattern reads contains one of them (empty: any sentence).
    `where`, one of `WHERE`, limits the place of the sentence. `build` turns each match of `regex` into
    statements.
    """

    name: str
    cues: tuple[str, ...]
    regex: str
    build: Callable[[re.Match[str], Sentence, Context], Iterable[Statement | Continued]]
    where: str = "anywhere"

    def is_cued(self, text: str) -> bool:
        """Return whether a text has one of the cues, if there are any."""
        return not self.cues or any(map(text.__contains__, self.cues))

    def reads(self, place: int, is_entry: bool) -> bool:
        """Return whether the pattern reads the sentence at a place of a text (an entry's, if `is_entry`)."""
        if self.where == "entry":
            return is_entry and place == 0
        return self.where == "anywhere" or place < OPENING


def kinds_in(text: str, context: Context) -> tuple[Kind, ...]:
    """Return the kind named by the noun phrase that opens `text` (one, or none if it is unknown).

    An obsolete kind ("an obsolete card type") and a choice of kinds ("a card or token") do not count.
    """
    phrase = noun_phrase(text)
    if not phrase.words or _GONE & {word.lower() for word in phrase.words}:
        return ()
    after = phrase.after.lstrip()
    other = _ELSE.search(f" {after}")
    if _CHOICE.match(after) or (other and other["other"] != " ".join(phrase.words)):
        return ()
    if form := _form_of(phrase, context):
        return (form,)
    cls = term = ""
    ends = phrase.words.index("of") if "of" in phrase.words else len(phrase.words)
    for start in range(ends):  # what follows "of" is not the kind: a part of a card is not a card
        name = " ".join(phrase.words[start:])
        if name in set_phrases():  # as in mentions: a discard pile is not a *Pile*
            break
        cls = cls or game_kinds().of(name)
        term = term or context.term(name)
    if cls == "Subtype":  # a *lamp subtype* is a lamp type, and *lamp type subtypes* are lamp types
        before = " ".join(phrase.words[:-1])
        named = next((it for it in (before, f"{before} type") if game_kinds().of(it)), "")
        if before and named:
            cls, term = game_kinds().of(named), context.term(named)
    if not cls and ((after.startswith("of ") and not _SOME.match(after)) or not term):
        return ()
    return (Kind(cls, term),)


def _form_of(phrase: NounPhrase, context: Context) -> Kind | None:
    """Return the kind of a form of a thing; it is not a game variant: *an Echo variant* is an ability."""
    *words, noun = phrase.words
    cls = game_kinds().of(noun)
    term = context.term(" ".join(words)) if words and cls == "Variant" else ""
    heading = game_kinds().of(context.heading(term)) if term else ""
    return Kind(heading, term, is_said=False) if heading and not game_kinds().agree(heading, cls) else None
