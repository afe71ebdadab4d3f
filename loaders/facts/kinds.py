"""Tell which kind of thing a noun phrase names: a class of `game.ttl` or a term."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode

from ...ontology.hierarchy import own_hierarchy, vocabulary_store
from ...ontology.terms import GAME, GAME_CLASSES, PREFIXES
from ..language.names import plural, singular
from .context import Context, Kind, without_parentheses

_DETERMINERS = re.compile(
    r"^(?:(?:one of the (?:(?:two|three|four|five|six|seven|eight|nine|ten|several|many)\s+)?"
    r"|(?:an?|the|any|each|every|one|another|two|three|four|both|either|some)\s+"
    r"|(?:first|second|third|fourth|fifth|sixth|seventh|last|final)(?: and (?:final|last))?\s+(?=[a-z])"
    r"|(?:also|simply|just|actually|essentially|normally|usually)\s+))+",
    re.IGNORECASE,
)
_THROUGH = re.compile(
    r"^(?:(?:special|particular|specific|additional|certain|different|specialized)\s+)?"
    r"(?:kinds?|types?|sorts?|forms?|variants?|variety|varieties|versions?|categor(?:y|ies)|modifications?)"
    r" of\s+",
    re.IGNORECASE,
)
"""What a phrase says before it names the kind: "a special kind of static ability"."""

_WORD = re.compile(r" ?([A-Za-z][A-Za-z'-]*)")
_LONGEST = 8
"""How many words a noun has with all that stands before it."""

_AFTER_NOUN = frozenset(
    "that which who whose whom where when while if unless with without of in on for from to by as at within "
    "under during before after used given found written printed played put made seen needed created named"
    " chosen cast like not than once dealt spent kept held sent "
    "only has have can could may must is are was were normally usually and or nor but so because a an"
    " the each "
    "any it its you your they their between into onto".split()
)
_FINITE = frozenset("is are was were has have can could may must and or nor but so if unless".split())
DESCRIBING = _AFTER_NOUN - _FINITE
"""Words that go on describing a noun; those that are left out begin what is said of it."""

OWNED = re.compile(r" [a-z]+s (?:can|may) have\b")
"""A clause without its *that*, whose subject has no article: "a designation lanterns can have"."""

_SOME = re.compile(
    r"of (?:at least |exactly |up to )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)\b"
)
"""What says how many parts a thing has, not of what it is a part: "a deck of ten moths"."""

_GONE = frozenset("old older former previous informal outdated not no never".split())
_CHOICE = re.compile(r"(?:and/or|or|nor|if|unless)\b", re.IGNORECASE)
_ELSE = re.compile(
    r"^(?:(?! (?:that|which|who)\b).)*?(?:, or (?:an?|the|copy|part) )|^ , an? "
    r"|\bor (?:an?|the) (?:(?P<other>[a-z ]+?) (?:that|which|who)|copy of)\b"
)
"""What adds another kind: "a card, or copy of a card", "the spell that …, or the ability that …"."""

_PRINTED = re.compile(r"\d+/\d+ ")
"""What is printed in a corner of a card: "a 2/2 moth"."""

_PARTICIPLE = re.compile(r"(?:ed|ing|ly)$")


class GameKinds:
    """The kinds of things in the game: classes of the ontology, by local name, found by their labels."""

    def __init__(self) -> None:
        vocabulary, hierarchy = vocabulary_store(), own_hierarchy()
        named: dict[str, str] = {name: getattr(GAME, name) for name in GAME_CLASSES}
        names = {iri: name for name, iri in named.items()}
        self._labels: dict[str, str] = {}
        for called in (PREFIXES["rdfs"] + "label", PREFIXES["skos"] + "altLabel"):
            for name, iri in named.items():
                for said in vocabulary.quads_for_pattern(NamedNode(iri), NamedNode(called), None):
                    if isinstance(said.object, Literal):
                        self._labels.setdefault(said.object.value.lower(), name)
        self._beginnings = {
            " ".join(words[:count])
            for words in (label.split() for label in self._labels)
            for count in range(1, len(words) + 1)
        }
        self.above = {
            name: frozenset(names[it] for it in hierarchy.above_class(iri) if it in names)
            for name, iri in named.items()
        }
        self._named, self._hierarchy = named, hierarchy

    def agree(self, one: str, other: str) -> bool:
        """Tell whether one thing can be of both classes."""
        return self._hierarchy.exclude(self._named[one], self._named[other]) is None

    def of(self, name: str) -> str:
        """Return the class that a name in the singular or plural is the label of, or ``""``."""
        small = name.lower()
        return self._labels.get(small) or self._labels.get(singular(small), "")

    def label(self, cls: str) -> str:
        """Return what a class is called, in the singular."""
        return next(label for label, name in self._labels.items() if name == cls)

    @property
    def plurals(self) -> tuple[str, ...]:
        """What several things of each class are called, the longest first."""
        return tuple(sorted(map(plural, self._labels), key=lambda name: (-len(name), name)))

    def is_kind_of(self, one: str, other: str) -> bool:
        """Tell whether everything of class `one` is of class `other`."""
        return one == other or other in self.above[one]

    def is_begun(self, words: list[str]) -> bool:
        """Tell whether a label goes on behind these words: *part of the turn* behind *part of*."""
        return " ".join(words).lower() in self._beginnings


@cache
def game_kinds() -> GameKinds:
    """Return the kinds of things in the game, read once."""
    return GameKinds()


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """The words of a phrase up to its noun, and what stands behind them."""

    words: tuple[str, ...]
    after: str

    @property
    def is_plural(self) -> bool:
        """Whether its noun is a plural."""
        return bool(self.words) and singular(self.words[-1]) != self.words[-1]


def noun_phrase(text: str) -> NounPhrase:
    """Read the noun phrase that `text` begins with; articles, counts and "kind of" are left out.

    >>> noun_phrase("a special kind of static ability that sings")
    NounPhrase(words=('static', 'ability'), after=' that sings')
    """
    text = _PRINTED.sub("", _DETERMINERS.sub("", without_parentheses(text).strip()))
    through = _THROUGH.match(text)
    if through:
        text = _DETERMINERS.sub("", text[through.end() :])
    words: list[str] = []
    end = 0
    complete = 0
    for word in _words(text):
        lowered = word[1].lower().partition("'")[0]
        if lowered in _AFTER_NOUN and not (words and game_kinds().is_begun([*words, word[1]])):
            break
        words.append(word[1])
        end = word.end()
        if game_kinds().of(" ".join(words)):
            complete = len(words)
    if "of" in words and complete < len(words):
        words = words[: words.index("of")]
        end = len(" ".join(words))
    if 0 < complete < len(words) and OWNED.match(text[len(" ".join(words[:complete])) :]):
        words = words[:complete]
        end = len(" ".join(words))
    following = text[end:].split(maxsplit=1)
    while len(words) > 1 and following and _PARTICIPLE.search(words[-1]) and following[0] in DESCRIBING:
        end -= len(words.pop()) + 1
        following = [_PARTICIPLE.pattern]
    return NounPhrase(tuple(words), text[end:])


def _words(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    place = 0
    while len(found) < _LONGEST and (match := _WORD.match(text, place)):
        found.append(match)
        place = match.end()
    return found


def kinds_in(text: str, context: Context) -> tuple[Kind, ...]:
    """Return the kind that the noun phrase at the beginning of `text` names (one, or none that is known).

    A kind that is gone ("an obsolete card type") and a choice of kinds ("a card or token") are none; an
    obsolete ability is an ability still.
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
    for start in range(ends):  # what stands behind "of" is not the kind: a part of a card is no card
        name = " ".join(phrase.words[start:])
        cls = cls or game_kinds().of(name)
        term = term or context.term(name)
    if cls == "Subtype":  # a *lamp subtype* is a lamp type, and *lamp type subtypes* are lamp types
        before = " ".join(phrase.words[:-1])
        named = next((it for it in (before, f"{before} type") if game_kinds().of(it)), "")
        if before and named:
            cls, term = game_kinds().of(named), context.term(named)
    if "obsolete" in phrase.words and not (cls and game_kinds().is_kind_of(cls, "Ability")):
        return ()
    if not cls and ((after.startswith("of ") and not _SOME.match(after)) or not term):
        return ()
    return (Kind(cls, term),)


def _form_of(phrase: NounPhrase, context: Context) -> Kind | None:
    """Return the kind of a form of a thing, no variant of the game: *an Echo variant* is an ability."""
    *words, noun = phrase.words
    cls = game_kinds().of(noun)
    term = context.term(" ".join(words)) if words and cls == "Variant" else ""
    heading = game_kinds().of(context.heading(term)) if term else ""
    return Kind(heading, term) if heading and not game_kinds().agree(heading, cls) else None
