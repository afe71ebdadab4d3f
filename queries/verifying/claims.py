"""Compare the figure, player or kind that a text gives beside a citation with the cited rule's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ...loaders.facts.kinds import game_kinds, noun_phrase
from ...loaders.language.everyday import FUNCTION_WORDS
from ...loaders.language.numbers import parent
from ...ontology import in_a_list
from .citations import Citation
from .denials import IF, denies, is_limited, plain_tokens, tokens_of
from .findings import Finding
from .rulebook import Rulebook
from .topics import Stems, Topics

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
FIGURES = {word: str(value) for value, word in enumerate(_WORDS)}
FIGURES |= {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "sixty": "60", "hundred": "100"}
"""Number words, with their figures."""

_FIGURE = re.compile(r"[+-]?\d{1,3}(?:[a-z]|/[+-]?\d{1,3})?|\{\d{1,2}\}")
_CITING = frozenset(("rule", "rules", "section", "cr"))
_PARTING = frozenset(".;:()[]")
_ARTICLES = {"a": "1", "an": "1"}
_VALUES = FIGURES | _ARTICLES
_UNSAID = frozenset(("zero", "one", *_ARTICLES))
"""Figures that other words can express too: *no*, *a*, *any*."""

_EXACT = frozenset("only exactly just than".split())
"""Words before a *one* that is not an article."""

_BOUNDS = dict.fromkeys("no fewer than|no less than|or more|or greater|at least|greater than".split("|"), 1)
_BOUNDS |= dict.fromkeys("no more than|or less|or fewer|at most|up to|less than".split("|"), -1)
_BEYOND = {"more than": 1, "greater than": 1, "less than": -1, "fewer than": -1, "above": 1, "below": -1}
"""Words beside a figure → 1 if higher figures are meant as well, -1 if lower ones are."""

_SIDES = dict.fromkeys(("each", "every", "all"), "each")
_SIDES |= dict.fromkeys(("active", "attacking", "you"), "active")
_SIDES |= dict.fromkeys(("nonactive", "defending"), "other")
_PLAYERS = {"opponent": "other", "owner": "owner", "controller": "controller"}
_HOLDING = ("player", "control", "own")
"""Players, before one of these words, and alone: only one is right, but one may be among *each* of them."""

_COUNTED = frozenset("twice second third fourth fifth sixth".split())
"""Words in a text that goes on counting where the rule stops."""

_IS = re.compile(
    r"(?P<subject>[^.,;:()]{1,60}?) (?:is|are)(?P<denied>n't| not| never)?"
    r" (?P<what>(?:an?|one of|each) [^.,;:()]+|[^.,;:()]+(?<=s)\b)"
)

_ITEM = r"(?:the )?[\w'’/+-]+(?: [\w'’/+-]+){0,2}?"
_ENUMERATION = re.compile(rf"{_ITEM}(?:, {_ITEM})*,? and {_ITEM}(?![\w'’-])")
_BREAKS = re.compile(r",? and |, ")
_LISTS = re.compile(
    rf"(?:there are (?:\w+ )?)?(?P<subject>[\w ]{{3,60}}?)(?: are(?: the)?:?| consists? of:?|:) "
    rf"(?P<items>{_ENUMERATION.pattern})",
    re.IGNORECASE,
)
"""Words for all parts of something: *the moods are calm and wild*."""

_PARTLY = frozenset(
    "include includes including some such like other others another except besides remaining also both "
    "either first last usually among most many any not never can may might if when while only example".split()
)
"""Words in a sentence whose list may be a part of the rule's."""

_BEFORE, _BEHIND = 4, 2
"""How many telling words before and after a figure say what it counts."""

_ENOUGH = 0.6
"""The share of the weight of a sentence's words that a rule must have for its figure to be compared."""

_FEWEST = 2
"""The minimum number of words that both share beside the figure, and of telling words in a text."""


class _Figure(NamedTuple):
    """A figure or an owner, with its word and the stems of the words that say what it is about.

    `between` are the nearest of these stems; `said` is false if the word may be an article.
    """

    value: str
    word: str
    of: frozenset[int]
    between: tuple[list[int], list[int]]
    said: bool
    bound: int

    @property
    def form(self) -> str:
        """What it counts, by its form: *7c* and *+1/+1* do not count cards; a word has no form."""
        return re.sub(r"\d+", "0", re.sub("[a-z]", "a", self.value)) if re.search(r"\d", self.value) else ""

    def is_between(self, other: _Figure) -> bool:
        """Return whether the same words are on both sides, or, if it is no article, on one side."""
        (before, behind), (one, two) = self.between, other.between
        same = (bool(one) and before == one, bool(two) and behind == two)
        return any(same) if self.said else all(same)

    def allows(self, other: _Figure) -> bool:
        """Return whether this figure, a minimum or maximum, allows another one."""
        if not (self.bound and self.value.isdigit() and other.value.isdigit()):
            return False
        return not other.bound and (int(other.value) - int(self.value)) * self.bound > 0


def other_figure(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report the only figure, or player, in a sentence if the cited rule has one other for the same thing.

    Nothing is reported if rules below or above it have the text's. Players, and figures that may be articles
    in the rule, are compared only if a sentence of the rule has all other words.
    """
    topics, stemmer, [number] = book.topics, book.topics.stemmer, citation.numbers
    for mark in (_figures, _players):
        tokens, values = mark(said)
        own = [it for it in _beside(tokens, values, stemmer) if it.said]
        if not own:
            continue
        near = [text for it in book.family(number) for text in book.sentences(it)]
        held = [(text, it) for text in near for it in _beside(*mark(text), stemmer)]
        plainly = [it for it in held if it[1].word not in _ARTICLES and not it[0].startswith("(")]
        both = {it.value for it in own} & {it.value for _, it in plainly}
        forms = {it.form for _, it in held}
        own = [it for it in own if it.value not in both and it.form in forms]
        if len({it.value for it in own}) != 1:
            continue
        held, plainly = (
            [it for it in those if it[1].value not in both and it[1].form == own[0].form]
            for those in (held, plainly)
        )
        others = [it for it, value in zip(tokens, values, strict=True) if it.isalpha() and not value]
        words = dict.fromkeys(stemmer.of([" ".join(others)])[0], 1.0)
        if len(words) < _FEWEST:
            continue
        plain = plain_tokens(said, citation)
        title, denials = topics.words_of_title(number), sum(map(denies, tokens)) % 2
        even, whole = set[str](), set[str]()
        for text in book.sentences(number):
            found = tokens_of(text)
            is_even = sum(map(denies, found)) % 2 == denials
            is_plain = is_even and plain and not is_limited(plain, {*found, *_EXACT})
            if is_even or not denials:
                even.add(text)
            if is_plain and words.keys() <= title.union(*stemmer.of(found)):
                whole.add(text)
        shared = sum(map(topics.weight, topics.shared(number, words)))
        is_about = shared >= _ENOUGH * sum(map(topics.weight, words)) and _COUNTED.isdisjoint(tokens)
        same = [it for it in held if it[0] in whole and it[1].is_between(own[0])]
        told = same[0] if len({it.value for _, it in same}) == 1 else None
        if mark is _figures and is_about:
            told = _nearest(topics, own, [it for it in plainly if it[0] in even]) or told
        if told and not told[1].allows(own[0]) and told[1].value != "each":  # the active player is one
            message = f"{number} has “{told[1].word}” where these words have “{own[0].word}”"
            if mark is _figures and (other := _with_figure(book, number, own[0].value, words)):
                message += f"; {other} has that"
            return Finding("words", message, quote=said, wording=told[0])
    return None


def _with_figure(book: Rulebook, number: str, own: str, words: Mapping[int, float]) -> str:
    """Return the sibling of a rule that has the text's figure and more of its words than the rule has."""
    topics, found = book.topics, dict[str, float]()
    for it in (number, *book.below.get(parent(number), ())):
        if it == number or any(own in _figures(text)[1] for text in book.sentences(it)):
            found[it] = sum(map(topics.weight, topics.shared(it, words)))
    best = max(found, key=found.__getitem__)
    return best if found[best] > found[number] else ""


def cut_list(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report a sentence that lists what something consists of, if a list in the cited rule has more.

    *The moods are calm and wild*, of a rule with three moods. The rule must say of its list all that the
    sentence says of its own: *hidden zones* are not all zones.
    """
    [number], stemmer = citation.numbers, book.topics.stemmer
    found = _LISTS.fullmatch(said.strip(" ."))
    if not found or not plain_tokens(said, citation) or not _PARTLY.isdisjoint(tokens_of(said)):
        return None
    own, subject = _items(found["items"]), {*stemmer.of([found["subject"]])[0]}
    for text in book.sentences(number):
        whole = max(_ENUMERATION.finditer(text), key=lambda it: len(_items(it[0])), default=None)
        listed = _items(whole[0]) if whole else {}
        lead = (
            f"{text[: whole.start()]}{whole[0].rpartition(' are ')[0]} {text[whole.end() :]}" if whole else ""
        )
        if subject and own.keys() < listed.keys() and subject <= {*stemmer.of([lead])[0]}:
            left = [it for key, it in listed.items() if key not in own]
            return Finding("words", f"{number} also lists {in_a_list(left)}", quote=said, wording=text)
    return None


def _items(enumeration: str) -> dict[str, str]:
    """Return the items of *one, two, and three*, in lower case and as written; *of these* is none."""
    parts = (it.rpartition(" are ")[2].strip() for it in _BREAKS.split(enumeration))
    items = {it.lower().removeprefix("the "): it for it in parts if it}
    return {key: it for key, it in items.items() if FUNCTION_WORDS.isdisjoint(key.split())}


def _nearest(
    topics: Topics, own: Sequence[_Figure], theirs: Sequence[tuple[str, _Figure]]
) -> tuple[str, _Figure] | None:
    """Return the rule's figure for the same thing, with its sentence, if the figure is a real one.

    Of several, it is the one whose neighbouring words weigh most. A limit is compared with the rule's only
    limit.
    """
    of = frozenset[int]().union(*(it.of for it in own))
    bound = own[0].bound
    limits = [it for it in theirs if it[1].bound == bound != 0]
    fewest = 1 if len({it.value for _, it in limits}) == 1 else min(_FEWEST, len(of))
    near = [it for it in limits or theirs if len(it[1].of & of) >= fewest]

    def weight(it: tuple[str, _Figure]) -> float:
        return sum(map(topics.weight, it[1].of & of))

    most = max(map(weight, near), default=0.0)
    near = [it for it in near if weight(it) == most]
    is_one = len({it.value for _, it in near}) == 1 and near[0][1].said
    return near[0] if of and is_one else None


def has_values_of(said: str, text: str) -> bool:
    """Return whether a text has every figure and owner of another one, but for those in other words."""
    for mark in (_figures, _players):
        (tokens, values), (_, theirs) = mark(said), mark(text)
        own = {value for it, value in zip(tokens, values, strict=True) if value and it not in _UNSAID}
        if not own.issubset(theirs):
            return False
    return True


def _figures(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text, with the figures that they stand for."""
    tokens = tokens_of(text)
    values = [_VALUES.get(it, it if _FIGURE.fullmatch(it) else "") for it in tokens]
    return tokens, ["" if it in _CITING else value for it, value in zip(("", *tokens), values, strict=False)]


def _players(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text without *player*, and the owners that they name."""
    tokens = tokens_of(text)
    values = [
        (_SIDES.get(it, "") if after.startswith(_HOLDING) else "")
        or _PLAYERS.get(it.removesuffix("'s").removesuffix("s"), "")
        for it, after in zip_longest(tokens, tokens[1:], fillvalue="")
    ]
    return ["the" if it.startswith("player") else it for it in tokens], values


def _beside(tokens: Sequence[str], values: Sequence[str], stemmer: Stems) -> list[_Figure]:
    """Return the figures in a text, each with the words near it, up to punctuation or another figure."""
    found = []
    for at, value in enumerate(values):
        if value:
            before = stemmer.of(_near(tokens[:at][::-1], values[:at][::-1], _BEFORE))
            behind = stemmer.of(_near(tokens[at + 1 :], values[at + 1 :], _BEHIND))
            of = frozenset(stem for stems in (*before, *behind) for stem in stems)
            said = tokens[at] not in _UNSAID or (tokens[at] == "one" and tokens[max(0, at - 1)] in _EXACT)
            edges = [" ".join(tokens[max(0, at - count) : at]) for count in (3, 2)]
            edges.append(" ".join(tokens[at + 1 : at + 3]))
            is_plain = value.isdigit() and edges[0] not in _BOUNDS and not any(map(denies, tokens[:at]))
            more = _BEYOND.get(edges[1]) or _BEYOND.get(edges[1].split(" ")[-1], 0) if is_plain else 0
            bound = more or next((_BOUNDS[it] for it in edges if it in _BOUNDS), 0)
            meant = str(int(value) + more) if more else value  # *less than one* is *0 or less*
            between = ((before or [[]])[0], (behind or [[]])[0])
            word = f"{edges[1]} {tokens[at]}" if more else tokens[at]
            found.append(_Figure(meant, word, of, between, said, bound))
    return found


def _near(tokens: Sequence[str], values: Sequence[str], most: int) -> list[str]:
    """Return the next telling words; a colon beside a figure means *is*: *Layer 5: colors*."""
    near: list[str] = []
    for at, (token, value) in enumerate(zip(tokens, values, strict=True)):
        is_mark = token in _PARTING and (at > 0 or token != ":")
        if (value and token not in _UNSAID) or is_mark or len(near) == most:
            break
        near += [token] if token[0].isalpha() and token not in FUNCTION_WORDS and not value else []
    return near


class _Statement(NamedTuple):
    """What a sentence is about, as stems, and what it says this is (if `denied`: is not), with its class."""

    subject: frozenset[int]
    what: frozenset[int]
    cls: str
    denied: bool

    def is_of(self, other: _Statement) -> bool:
        """Return whether the kind in one statement includes that in the other."""
        classes = (self.cls, other.cls)
        return self.what == other.what or (all(classes) and game_kinds().is_kind_of(*classes))

    def excludes(self, other: _Statement) -> bool:
        """Return whether only one of the two can be right."""
        if self.denied != other.denied:
            return other.is_of(self) if self.denied else self.is_of(other)
        return not self.denied and all((self.cls, other.cls)) and not game_kinds().agree(self.cls, other.cls)


def other_kind(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report a sentence that says what kind a thing is, if the rule gives it a kind that excludes this.

    Of a rule with siblings that are about the same thing, one may give the kind.
    """
    [number], stemmer = citation.numbers, book.topics.stemmer
    own = _statement(plain_tokens(said, citation), stemmer)
    if not own:
        return None
    whole = parent(number) if "." in parent(number) else number
    rules = dict.fromkeys((number, *book.with_parts(whole)))
    said_by_rules = ((it, words) for it in rules for words in book.sentences(it))
    read = ((it, words, _statement(tokens_of(words), stemmer)) for it, words in said_by_rules)
    told = [(it, words, one) for it, words, one in read if one and one.subject == own.subject]
    if any(one.denied == own.denied and one.is_of(own) for _, _, one in told):
        return None
    for it, words, one in told:
        if own.excludes(one):
            message = f"these words say of what kind it is, and {it} says something else"
            return Finding("words", message, quote=said, wording=words)
    return None


def _statement(tokens: Sequence[str], stemmer: Stems) -> _Statement | None:
    """Return what a plain sentence says that something is."""
    found = None if is_limited(tokens) else _IS.match(" ".join(tokens))
    words = noun_phrase(found["what"]).words if found else ()
    if not found or not words or found["subject"].split()[0] in IF:
        return None
    subject, what = map(frozenset, stemmer.of((found["subject"], " ".join(words))))
    cls = game_kinds().of(" ".join(words))
    return _Statement(subject, what, cls, bool(found["denied"])) if subject and what else None
