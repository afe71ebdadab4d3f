"""Read phrases: the noun, the kind of thing in the game that it names, the names in a list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode

from ...ontology.hierarchy import own_hierarchy, vocabulary_store
from ...ontology.terms import GAME, GAME_CLASSES, PREFIXES
from ..language.names import plural, singular

_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
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
"""Words of a phrase before the kind: "a special kind of static ability"."""

_WORD = re.compile(r" ?([A-Za-z][A-Za-z'-]*)")
_LONGEST = 8
"""The maximum number of words in a noun and everything before it."""

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
"""Words that continue the description of a noun; other verbs begin a statement about it."""

OWNED = re.compile(r" [a-z]+s (?:can|may) have\b")
"""A clause without *that* whose subject has no article: "a designation lanterns can have"."""

_NOT_AN_ITEM = re.compile(
    r"\b(?:that|which|is|are|was|were|has|have|if|when|can|may|must|any|each)\b|[.:;\"?]|^and/or\b|^"
    r"(?:so on|others)$"
)
_MOST_WORDS = 5
"""The maximum number of words in an item's name."""

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_CLAUSE_OR_VERB = re.compile(
    r"\b(?:(?P<opens>that|which|who|whom|whose|where|when|whenever|if|unless|while|until|because|as|whether|after"
    r"|before|since|than|once|how|what|it|they|you)|(?P<verb>is|are|was|were|isn't|aren't|wasn't|has|have|had|hasn't|does|do"
    r"|doesn't|don't|can|can't|may|must|will|would|could|should|becomes?|gets?|means?|remains?|stays?|triggers))\b"
)
_REDUCED = re.compile(r" (?:an?|the|you|they|mana) ")
"""The beginning of a clause without *that*: "a status a permanent may have"."""

_PRINTED = re.compile(r"\d+/\d+ ")
"""What is printed in a corner of a card: "a 2/2 moth"."""

_PARTICIPLE = re.compile(r"(?:ed|ing|ly)$")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: the local name of a class of the game, the slug of a term, or both.

    `is_said` is false where the class is not in the words: the title of the term's chapter gives it.
    """

    cls: str
    term: str
    is_said: bool = True


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
        """Return whether a thing can belong to both classes."""
        return self._hierarchy.exclude(self._named[one], self._named[other]) is None

    def of(self, name: str) -> str:
        """Return the class whose label is this name, singular or plural, or ``""``."""
        small = name.lower()
        return self._labels.get(small) or self._labels.get(singular(small), "")

    def label(self, cls: str) -> str:
        """Return the singular label of a class."""
        return next(label for label, name in self._labels.items() if name == cls)

    @property
    def plurals(self) -> tuple[str, ...]:
        """The plural labels of each class, longest first."""
        return tuple(sorted(map(plural, self._labels), key=lambda name: (-len(name), name)))

    def is_kind_of(self, one: str, other: str) -> bool:
        """Return whether everything of class `one` is of class `other`."""
        return one == other or other in self.above[one]

    def is_begun(self, words: list[str]) -> bool:
        """Return whether these words begin a label: *part of*, of *part of the turn*."""
        return " ".join(words).lower() in self._beginnings


@cache
def game_kinds() -> GameKinds:
    """Return the kinds of things in the game, read once."""
    return GameKinds()


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """The words of a phrase up to its noun, and the text after them."""

    words: tuple[str, ...]
    after: str

    @property
    def is_plural(self) -> bool:
        """Whether its noun is plural."""
        return bool(self.words) and singular(self.words[-1]) != self.words[-1]


def noun_phrase(text: str) -> NounPhrase:
    """Read the noun phrase that opens `text`; articles, counts and "kind of" are left out.

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
    if len(words) > 1 and following and _PARTICIPLE.search(words[-1]) and following[0] in DESCRIBING:
        end -= len(words.pop()) + 1
    return NounPhrase(tuple(words), text[end:])


def _words(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    place = 0
    while len(found) < _LONGEST and (match := _WORD.match(text, place)):
        found.append(match)
        place = match.end()
    return found


def without_parentheses(text: str) -> str:
    """Return `text` without anything in parentheses."""
    return _PARENTHESIS.sub("", text) if "(" in text else text


def has_main_verb(text: str) -> bool:
    """Return whether a text has a common verb that is not in a subordinate clause.

    >>> has_main_verb("a lamp that is lit"), has_main_verb("a lamp is lit")
    (False, True)
    """
    clauses = int(bool(_REDUCED.match(text)))
    for match in _CLAUSE_OR_VERB.finditer(text):
        if match["opens"]:
            clauses += 1
        elif clauses == 0:
            return True
    return False


def bare_name(words: str) -> str:
    """Return a name without its quotes and article.

    >>> bare_name('the "end of combat step"')
    'end of combat step'
    """
    return _ARTICLE.sub("", words.strip().strip("\"'").strip()).strip("\"' ,.;").replace('"', "")


def items_in(text: str) -> tuple[str, ...]:
    """Return the names in an enumeration, or none when it contains anything but names.

    >>> items_in("oil (see rule 1), wick, and power and glow.")
    ('oil', 'wick', 'power and glow')
    """
    text = without_parentheses(text).strip().rstrip(".")
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and re.match(r"(?:and|or) ", parts[-1]):
        parts[-1] = re.sub(r"^(?:and|or) ", "", parts[-1])
    else:
        parts[-1:] = re.split(r" and | or ", parts[-1])
    names = tuple(bare_name(part) if not part.startswith("The ") else part for part in parts if part)
    sound = all(name and len(name.split()) <= _MOST_WORDS and not _NOT_AN_ITEM.search(name) for name in names)
    return names if sound else ()


def has_no_verb(text: str, may_be_plural: bool) -> bool:
    """Return whether the words after the noun phrase that opens a text only describe it."""
    phrase = noun_phrase(text)
    if not phrase.words or (phrase.is_plural and not may_be_plural and not text.startswith("one")):
        return False
    following = re.match(r"(?P<end>[.,;]|\s*$)|\s(?P<word>[a-z]+)\b", phrase.after)
    if following is None:
        return False
    word = following["word"]
    if OWNED.match(phrase.after):
        return True
    describes = word is None or word in DESCRIBING or bool(re.search(r"(?:ed|en|ing|ly)$", word))
    return describes and not has_main_verb(phrase.after)
