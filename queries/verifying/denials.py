"""Compare what a text says or denies beside a citation, and its figures, with what the cited rule does."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...loaders.language.everyday import FUNCTION_WORDS
from .citations import Citation
from .findings import Finding
from .rulebook import Rulebook, folded
from .topics import Stems, Topics

_NOT = frozenset("not never no cannot nor neither nobody none".split())
_MAY = frozenset("can may could cannot can't couldn't".split())
_BE = frozenset("be been is are isn't aren't being become becomes".split())
_VERBS = frozenset("can may is are does do has have will".split())
_PRONOUNS = frozenset("it they you".split())
_RELATIVE = frozenset("that who which where with".split())
"""Before a denial that is about a noun: *a creature that can't attack*, *with no counters*."""

_IF = frozenset("if when whenever while once".split())
_JOINS = frozenset("because so since but although though even as where whether which who".split())
_TIMES = frozenset("before after during".split())
_LIMITS = frozenset(
    "all already although always another but either else every everything except exception fail fails few"
    " fewer illegal impossible instead just lack lacking lacks least less more most myth necessarily need"
    " needn't needs neither nor normally only other otherwise own rather required requires same say says"
    " should shouldn't some still such than think though thought unable unless unlike until usually without"
    " would wouldn't yet again".split()
)
"""Words of a text that is no plain statement: *can be blocked only by …*, *some say that …*."""

_EXCEPTS = frozenset(
    "another but except exception fewer instead only other own say says states than unless until without"
    " would".split()
)
"""Words of a rule whose contrary may hold in other cases, or of what it only says that something says."""

_POINTS = frozenset("this these those my his her him he she i we our it's that's".split())
_FIRST = frozenset(
    "it its they their not yes do does did can may is are was were will has have why how what whether"
    " suppose".split()
)
"""How a sentence begins that is about one case, or a question."""

_SAYS = re.compile(r"^(?:says?|states?|means?) (?:that )?")
_TOKEN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|[+-]?\d(?:[\w/+-]|\.\d)*|\S")
_PARTING = frozenset(".,;:()[]")

_FEWEST = 3
"""The minimum number of words that say what a sentence is about."""

_MOST_OTHER = 0.34
"""The share of the weight of a rule's words before a denial, or in a condition, that a text need not have."""


def denies(word: str) -> bool:
    """Return whether a word, in small letters, denies what a sentence says."""
    return word in _NOT or word.endswith("n't")


def tokens_of(text: str) -> list[str]:
    """Return the words and marks of a text, folded."""
    return _TOKEN.findall(folded(text))


class Clause(NamedTuple):
    """The stems of a clause, those `denied` behind its last denial, and how many `denials` it has.

    Stems are directly after *can* (`may`), *is* (`passive`), or *or* (`either`). Beside one that is
    `limited`, or in a rule `excepted`, the contrary may hold.
    """

    stems: Sequence[int]
    denied: Sequence[int]
    denials: int
    may: frozenset[int]
    passive: frozenset[int]
    either: frozenset[int]
    condition: bool
    limited: bool
    excepted: bool


def contrary(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report a sentence that says what the cited rule denies, or denies what that says.

    One sentence of the rule must have all its words that say what it is about, and only one of both denies.
    """
    [number, *more] = citation.numbers
    if more or number not in book.items or "." not in number or "?" in said[-1:] + citation.behind(2):
        return None
    topics, stemmer = book.topics, book.topics.stemmer
    tokens = tokens_of(_SAYS.sub("", folded(said)))
    own = [*clauses(tokens, stemmer)]
    words = {stem for it in own for stem in it.stems}
    denials = sum(map(denies, tokens))
    is_plain = not any(it.limited for it in own) and tokens[0] not in _FIRST and _POINTS.isdisjoint(tokens)
    if len(words) < _FEWEST or denials > 1 or not is_plain:
        return None
    for it in (number, *book.below.get(number, ())):
        read = [(wording, tokens_of(wording)) for wording in book.sentences(it)]
        parts = {wording: [*clauses(theirs, stemmer)] for wording, theirs in read}
        known = [one for found in parts.values() for one in found]
        for wording, theirs in read:
            found = parts[wording]
            if not _TIMES.intersection(tokens).issubset(theirs) or not _covers(book, it, found, own, tokens):
                continue
            message = f"these words {f'deny what {it} says' if denials else f'say what {it} denies'}"
            if _denied(own, found, known) if denials else _said(own, found, known, topics):
                return Finding("words", message, quote=said, wording=wording)
    return None


def _covers(
    book: Rulebook, number: str, found: Sequence[Clause], own: Sequence[Clause], tokens: Sequence[str]
) -> bool:
    """Return whether a sentence has all words of a text, but one which is the verb of *the turn it came*.

    Another such one is the verb of something that other rules deny with it: *don't use the stack*.
    """
    stemmer, theirs = book.topics.stemmer, {stem for it in found for stem in it.stems}
    far = theirs | {*book.topics.rules[number].stems}
    words = {stem: it for it in own for stem in it.stems}
    missing = [stem for stem, it in words.items() if stem not in (far if it.condition else theirs)]
    if len(missing) != 1:
        return not missing
    at = next(n for n, it in enumerate(tokens) if missing[0] in stemmer.of([it])[0])
    if at and tokens[at - 1] in _PRONOUNS:
        return len(words) > _FEWEST + 1
    rest = (n for n, it in enumerate(tokens) if n > at and stemmer.of([it])[0])
    end = next((n for n in rest if theirs.issuperset(stemmer.of([tokens[n]])[0])), 0)
    phrase = " ".join((tokens[at].removesuffix("s"), *tokens[at + 1 : end + 1]))
    return bool(end) and any(book.anywhere((f"{it} {phrase}",)) for it in ("don't", "doesn't"))


def _said(own: Sequence[Clause], found: Sequence[Clause], known: Sequence[Clause], topics: Topics) -> bool:
    """Return whether a clause of a rule denies what a text says, and none says it."""
    words = {stem for it in own for stem in it.stems}

    def lacks(it: Clause) -> bool:
        other = {*it.stems} - words - it.either
        whole = sum(map(topics.weight, {*it.stems}))
        return sum(map(topics.weight, other)) > _MOST_OTHER * whole or not other.isdisjoint(it.denied)

    if any(it.condition and lacks(it) for it in found):
        return False
    for it in found:
        if it.denials != 1 or it.condition or it.excepted or not it.denied or lacks(it):
            continue
        head, held = it.denied[0], words.intersection(it.stems)
        firm = any(
            head in one.stems and (head in one.passive) == (head in it.passive)
            for one in own
            if not one.condition
        )
        if firm and not any(not one.denials and held.issubset(one.stems) for one in known):
            return True
    return False


def _denied(own: Sequence[Clause], found: Sequence[Clause], known: Sequence[Clause]) -> bool:
    """Return whether a clause of a rule says what a text denies, and none denies it."""
    clause = next((it for it in own if it.denials), None)
    if (
        not clause
        or not clause.denied
        or clause.condition
        or (not clause.may and any(it.condition for it in own))
    ):
        return False
    head = clause.denied[0]
    subject = {*clause.stems[: clause.stems.index(head)]}
    if any(it.denials and head in it.stems for it in known):
        return False
    if any(it.denials and not subject.isdisjoint(it.stems) for it in found):
        return False

    def says(it: Clause) -> bool:
        is_said = head in it.stems and (head in clause.passive) == (head in it.passive)
        may = (head in clause.may, head in it.may)
        return is_said and (all(may) or (not any(may) and {*clause.denied}.issubset(it.stems)))

    return any(says(it) for it in found if not (it.denials or it.condition or it.excepted))


def clauses(tokens: Sequence[str], stemmer: Stems) -> Iterator[Clause]:
    """Yield the clauses of a text that have words which say what it is about."""
    parts: list[list[str]] = [[]]
    for it, after in zip(tokens, (*tokens[1:], ""), strict=True):
        is_verb = it in {"and", "or", "but"} and (denies(after) or after in _VERBS)
        if it in _PARTING or it in _IF or it in _JOINS or is_verb:
            parts.append([])
        parts[-1] += [it] if it not in _PARTING else []
    for words in parts:
        found = stemmer.of("" if denies(it) else it for it in words)
        if not any(found):
            continue
        last = max((n for n, it in enumerate(words) if denies(it)), default=len(words))
        ahead = words[max(0, last - 2) : last] if last < len(words) else []
        is_beside = bool(ahead) and (ahead[-1] in _RELATIVE or (len(ahead) > 1 and ahead[-1] in _PRONOUNS))
        is_beside = is_beside or (last > 1 and words[0] == "or" and last < len(words))
        yield Clause(
            _flat(found),
            _flat(found[last + 1 :]),
            sum(map(denies, words)),
            _behind(_MAY, words, found),
            _behind(_BE, words, found),
            _behind({"or"}, words, found),
            words[0] in _IF,
            is_beside or words[0] == "not" or not _LIMITS.isdisjoint(words),
            is_beside or not _EXCEPTS.isdisjoint(words),
        )


def _flat(found: Iterable[list[int]]) -> list[int]:
    return [stem for own in found for stem in own]


def _behind(led: Collection[str], words: Sequence[str], found: Sequence[list[int]]) -> frozenset[int]:
    """Return the first stems behind some words."""
    rest = (_flat(found[n + 1 :])[:1] for n, it in enumerate(words) if it in led)
    return frozenset(_flat(rest))


_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
FIGURES = {word: str(value) for value, word in enumerate(_WORDS)}
FIGURES |= {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "sixty": "60", "hundred": "100"}
"""Number words, with their figures."""

_FIGURE = re.compile(r"\d{1,3}")
_CITING = frozenset(("rule", "rules", "section", "cr"))
_STOPS = frozenset(".;:()[]")
_UNSAID = frozenset(("0", "1"))
"""Figures that are said in other words as well: *no*, *a*, *any*."""

_BEFORE, _BEHIND = 4, 2
"""How many telling words before a figure and behind it say of what it is."""

_ENOUGH = 0.6
"""The share of the weight of a sentence's words that a rule must have for its figure to be compared."""

_FEWEST_BESIDE = 2
"""The minimum number of words that both have beside the figure."""


class _Figure(NamedTuple):
    """A figure, and the stems of the words that say of what it is."""

    value: str
    of: frozenset[int]


def other_figure(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report the only figure of a sentence if the cited rule has one other figure for the same.

    Rules below and above it may have the figure of the text: nothing is reported then.
    """
    topics, [number, *more] = book.topics, citation.numbers
    if more or number not in book.items:
        return None
    own = [it for it in _figures(said, topics.stemmer) if it.value not in _UNSAID]
    if len({it.value for it in own}) != 1:
        return None
    plain = " ".join(it for it in tokens_of(said) if it.isalpha() and it not in FIGURES)
    words = dict.fromkeys(topics.stemmer.of([plain])[0], 1.0)
    whole = sum(map(topics.weight, words))
    if sum(map(topics.weight, topics.shared(number, words))) < _ENOUGH * whole:
        return None
    known = {it.value for near in book.family(number) for it in _of_rule(book, near)}
    if own[0].value in known:
        return None
    of = frozenset[int]().union(*(it.of for it in own))
    theirs = [*_of_rule(book, number)]
    most = max((len(it.of & of) for it in theirs), default=0)
    near = [it for it in theirs if len(it.of & of) == most]
    values = {it.value for it in near}
    if not of or most < min(_FEWEST_BESIDE, len(of)) or len(values) != 1 or values & _UNSAID:
        return None
    message = f"{number} has {values.pop()} where these words have {own[0].value}"
    wording = next(it for it in book.sentences(number) if near[0] in _figures(it, topics.stemmer))
    return Finding("words", message, quote=said, wording=wording)


def _of_rule(book: Rulebook, number: str) -> Iterator[_Figure]:
    for sentence in book.sentences(number):
        yield from _figures(sentence, book.topics.stemmer)


def _figures(text: str, stemmer: Stems) -> list[_Figure]:
    """Return the figures of a text, each with the words near it that no mark or other figure parts off."""
    tokens = tokens_of(text)
    values = [FIGURES.get(it, it if _FIGURE.fullmatch(it) else "") for it in tokens]
    values = [
        "" if it and tokens[at - 1 : at] and tokens[at - 1] in _CITING else it for at, it in enumerate(values)
    ]
    found = []
    for at, value in enumerate(values):
        if value:
            before = _near(tokens[:at][::-1], values[:at][::-1], _BEFORE)
            behind = _near(tokens[at + 1 :], values[at + 1 :], _BEHIND)
            of = frozenset(stem for stems in stemmer.of([*before, *behind]) for stem in stems)
            found.append(_Figure(value, of))
    return found


def _near(tokens: list[str], values: list[str], most: int) -> list[str]:
    near: list[str] = []
    for token, value in zip(tokens, values, strict=True):
        if (value and value not in _UNSAID) or token in _STOPS or len(near) == most:
            break
        near += [token] if token[0].isalpha() and token not in FUNCTION_WORDS and not value else []
    return near
