"""Noun phrases become kinds of things: classes of `game.ttl`, known by their labels, and terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from ...ontology.resources import read_text
from ...ontology.terms import GAME_CLASSES, PREFIXES, RG
from ..language.names import singular
from .context import Context, without_parentheses
from .statements import Kind

_DETERMINERS = re.compile(
    r"^(?:(?:one of the (?:(?:two|three|four|five|six|seven|eight|nine|ten|several|many)\s+)?"
    r"|(?:an?|the|any|each|every|one|another|two|three|four|both|either|some)\s+"
    r"|(?:first|second|third|fourth|fifth|sixth|seventh|last|final)(?: and (?:final|last))?\s+(?=[a-z])"
    r"|(?:also|simply|just|actually|essentially|normally|usually)\s+))+",
    re.IGNORECASE,
)
_THROUGH = re.compile(
    r"^(?:(?:special|particular|specific|additional|certain|different|specialized)\s+)?"
    r"(?:kinds?|types?|sorts?|forms?|variants?|variety|varieties|versions?) of\s+",
    re.IGNORECASE,
)
"""What a phrase says before it names the kind: "a special kind of static ability"."""

_WORD = re.compile(r" ?([A-Za-z][A-Za-z'-]*)")
_LONGEST = 8
"""How many words a noun has with all that stands before it."""

_AFTER_NOUN = frozenset(
    "that which who whose whom where when while if unless with without of in on for from to by as at within "
    "under during before after used given found written printed played put made seen needed created"
    " chosen cast "
    "only has have can could may must is are was were normally usually and or nor but so because a an"
    " the each "
    "any it its you your they their between into onto".split()
)
_FINITE = frozenset("is are was were has have can could may must and or nor but so if unless".split())
DESCRIBING = _AFTER_NOUN - _FINITE
"""Words that go on describing a noun; those that are left out begin what is said of it."""

_GONE = frozenset("obsolete old older former previous informal outdated not no never".split())
_CHOICE = re.compile(r"(?:and/or|or|nor|if|unless)\b", re.IGNORECASE)
_ELSE = re.compile(
    r"^(?:(?! (?:that|which|who)\b).)*?(?:, or (?:an?|the|copy|part) )|^ , an? "
    r"|\bor (?:an?|the) (?:[a-z ]+? (?:that|which|who)|copy of)\b"
)
"""What adds another kind: "a card, or copy of a card", "the spell that …, or the ability that …"."""

_PARTICIPLE = re.compile(r"(?:ed|ing|ly)$")


@dataclass(frozen=True, slots=True)
class GameKinds:
    """The classes of the game as `game.ttl` has them: labels, classes above, and disjoint pairs."""

    labels: dict[str, str]
    beginnings: frozenset[str]
    above: dict[str, frozenset[str]]
    disjoint: frozenset[frozenset[str]]

    def agree(self, one: str, other: str) -> bool:
        """Tell whether one thing can be of both classes."""
        return not any(frozenset((a, b)) in self.disjoint for a in self.above[one] for b in self.above[other])

    def of(self, name: str) -> str:
        """Return the class that a name in the singular or plural is the label of, or ``""``."""
        return _labelled(name.lower())

    def is_begun(self, words: list[str]) -> bool:
        """Tell whether a label goes on behind these words: *part of the turn* behind *part of*."""
        return " ".join(words).lower() in self.beginnings


@lru_cache(maxsize=8192)
def _labelled(name: str) -> str:
    labels = game_kinds().labels
    return labels.get(name) or labels.get(singular(name), "")


@cache
def game_kinds() -> GameKinds:
    """Read `game.ttl`; labels are in small letters."""
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    space = RG.Term.removesuffix("Term")
    owl, rdf, rdfs, skos = (PREFIXES[prefix] for prefix in ("owl", "rdf", "rdfs", "skos"))
    labels: dict[str, str] = {}
    parents: dict[str, set[str]] = {name: set() for name in GAME_CLASSES}
    disjoint: set[frozenset[str]] = set()
    first: dict[str, str] = {}
    rest: dict[str, str] = {}
    groups: list[str] = []
    for triple in parse(input=read_text("game.ttl").encode(), format=RdfFormat.TURTLE):
        subject, predicate, value = triple.subject, triple.predicate.value, triple.object
        if not isinstance(subject, NamedNode | BlankNode) or not isinstance(
            value, NamedNode | BlankNode | Literal
        ):
            continue
        name, target = subject.value.removeprefix(space), value.value.removeprefix(space)
        if predicate in (f"{rdfs}label", f"{skos}altLabel") and name in parents:
            labels.setdefault(target.lower(), name)
        elif predicate == f"{rdfs}subClassOf" and name in parents and target in parents:
            parents[name].add(target)
        elif predicate == f"{owl}disjointWith":
            disjoint.add(frozenset((name, target)))
        elif predicate == f"{owl}members":
            groups.append(target)
        elif predicate == f"{rdf}first":
            first[name] = target
        elif predicate == f"{rdf}rest":
            rest[name] = target
    for cell in groups:
        listed = []
        following = cell
        while following in first:
            listed.append(first[following])
            following = rest[following]
        disjoint |= {frozenset((a, b)) for a in listed for b in listed if a != b}
    beginnings = {" ".join(label.split()[:n]) for label in labels for n in range(1, len(label.split()) + 1)}
    return GameKinds(
        labels,
        frozenset(beginnings),
        {name: _closure(name, parents) for name in parents},
        frozenset(disjoint),
    )


def _closure(name: str, parents: dict[str, set[str]]) -> frozenset[str]:
    found, todo = {name}, [name]
    while todo:
        new = parents[todo.pop()] - found
        found |= new
        todo += new
    return frozenset(found)


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
    text = _DETERMINERS.sub("", without_parentheses(text).strip())
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

    A kind that is gone ("an obsolete card type") and a choice of kinds ("a card or token") are none.
    """
    phrase = noun_phrase(text)
    if not phrase.words or _GONE & {word.lower() for word in phrase.words}:
        return ()
    after = phrase.after.lstrip()
    if _CHOICE.match(after) or _ELSE.search(f" {after}"):
        return ()
    cls = term = ""
    for start in range(len(phrase.words)):
        name = " ".join(phrase.words[start:])
        cls = cls or game_kinds().of(name)
        term = term or context.term(name)
    if not cls and (after.startswith("of ") or not term):
        return ()
    return (Kind(cls, term),)
