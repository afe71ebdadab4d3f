"""Compare what a text says or denies beside a citation with what the cited rule says or denies."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from .citations import Citation
from .findings import Finding
from .rulebook import Rulebook, folded
from .topics import Stems, Topics

_NOT = frozenset("not never no cannot nor neither nobody none".split())
_MAY = frozenset("can may could cannot can't couldn't".split())
BE = frozenset("be been is are it's they're isn't aren't being become becomes".split())
VERBS = frozenset("can may is are does do has have will".split())
_PRONOUNS = frozenset("it they you".split())
_RELATIVE = frozenset("that who which where with".split())
"""Words before a denial that describes a noun: *a creature that can't attack*, *with no counters*."""

IF = frozenset("if when whenever while once".split())
_JOINS = frozenset("because so since but although though even as where whether which who".split())
_BEGINS = IF | _JOINS
_AND = frozenset("and or but".split())
_TIMES = frozenset("before after during".split())
_LIMITS = frozenset(
    "all already although always another but either else every everything except exception fail fails few"
    " fewer illegal impossible instead just lack lacking lacks least less more most myth necessarily need"
    " needn't needs neither nor normally only other otherwise own rather required requires same say says"
    " should shouldn't some still such than think though thought unable unless unlike until usually without"
    " would wouldn't yet again".split()
)
"""Words that make a text more than a plain statement: *can be blocked only by …*, *some say that …*."""

BOUNDS = frozenset("only except unless".split())
"""Words that a sentence would be wrong without: *can't be blocked except by …*."""

_EXCEPTS = frozenset(
    "another but case except exception fewer instead only other own say says states than unless until without"
    " would".split()
)
"""Words of a rule whose opposite may be true in other cases, or that only reports what something says."""

_LIGHT = frozenset("otherwise receive receives received".split())
"""Words without a meaning of their own here: one *gets* priority, or *receives* it."""

_AGAIN = frozenset("it they this these such that doing".split())
"""The beginning of a sentence about what was said before it."""

_POINTS = frozenset("this these those my his her him he she i we our it's that's".split())
_FIRST = frozenset(
    "it its they their not yes do does did can may is are was were will has have why how what whether"
    " suppose".split()
)
"""The beginning of a sentence about a single case, or of a question."""

_SAYS = re.compile(r"^(?:says?|states?|means?) (?:that )?")
_TOKEN = re.compile(r"\{\w{1,4}\}|[^\W\d_]+(?:['-][^\W\d_]+)*|[+-]?\d(?:[\w/+-]|\.\d)*|\S")
_PARTING = frozenset(".,;:()[]")

_FEWEST = 3
"""The minimum number of words that say what a sentence is about."""

_MOST_OTHER, _MOST_IN_CONDITION = 0.34, 0.2
"""A text may lack this share, by weight, of a rule's words before a denial or in a condition."""


def denies(word: str) -> bool:
    """Return whether a word, in small letters, denies what a sentence says."""
    return word in _NOT or word.endswith("n't")


def tokens_of(text: str) -> list[str]:
    """Return the words and marks of a text, folded."""
    return _TOKEN.findall(folded(text))


class Clause(NamedTuple):
    """The stems of a clause, those `denied` after its last denial, and how many `denials` it has.

    `may`, `passive` and `either` are the stems directly after *can*, *is* and *or*. A `condition` is a time
    (*while*) or a case (*if*). A clause `beside` another describes one of its nouns: *that can't attack*. If
    a clause is `limited`, or in a rule `excepted`, the opposite may also be true.
    """

    stems: Sequence[int]
    denied: Sequence[int]
    denials: int
    may: frozenset[int]
    passive: frozenset[int]
    either: frozenset[int]
    condition: str
    beside: bool
    limited: bool
    excepted: bool

    def is_in(self, others: Iterable[Clause]) -> bool:
        """Return whether this is a condition or description that some clauses have as well."""
        return bool(self.condition or self.beside) and any(
            (it.condition, it.beside, it.denials) == (self.condition, self.beside, self.denials)
            and {*self.stems}.issubset(it.stems)
            for it in others
        )


def plain_tokens(said: str, citation: Citation) -> list[str]:
    """Return the words and marks of a sentence; none if it is a question or about a single case."""
    tokens = tokens_of(_SAYS.sub("", folded(said)))
    is_plain = "?" not in said[-1:] + citation.behind(2) and tokens and tokens[0] not in _FIRST | _AGAIN
    return tokens if is_plain else []


def is_limited(tokens: Iterable[str], also: Collection[str] = ()) -> bool:
    """Return whether a text is more than a plain statement, because of words that the others lack."""
    return not (_LIMITS | _POINTS).difference(also).isdisjoint(tokens)


_TURNING = {
    **dict.fromkeys("before after until less fewer more most least all both any only must".split(), ""),
    **{"may": "can", "can": "may", "every": "each", "each": "every"},
}
"""Words that turn a sentence into another statement → another word for the same."""


_CONDITIONS = frozenset("if unless while during until with without have has".split())
"""Words that a condition or description in a rule begins with: *during their main phase*, *that have it*."""


def is_bounded_like(said: str, text: str) -> bool:
    """Return whether a sentence of a rule has the words of another that turn what it says, and its bounds.

    The other must have the conditions of the rule, and *only*, *except*, *unless* or *other than* if it has.
    """
    own, theirs = {*tokens_of(said)}, {*tokens_of(text)}
    bounds = BOUNDS | {"other"} if "other than" in folded(text) else BOUNDS
    turned = (it for it in own & _TURNING.keys() if it not in theirs and _TURNING[it] not in theirs)
    is_whole = own.issuperset(_CONDITIONS & theirs)
    is_bound = bounds.isdisjoint(theirs) or not {*BOUNDS, "other", "but"}.isdisjoint(own)
    return is_whole and is_bound and not any(turned)


def contrary(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report a sentence that says what the cited rule denies, or denies what it says.

    One sentence of the rule must have all its words that say what it is about, and only one of the two may
    deny. Conditions and descriptions that both have are left out: *if it isn't their turn*.
    """
    [number], tokens = citation.numbers, plain_tokens(said, citation)
    if "." not in number or not tokens:
        return None
    topics, stemmer, rules = book.topics, book.topics.stemmer, book.with_parts(number)
    held = {word for it in rules for text in book.sentences(it) for word in tokens_of(text)}
    if sum(it.isdigit() and it not in held for it in tokens) > 1:  # an example
        return None
    for it in rules:
        read = [(wording, tokens_of(wording)) for wording in book.sentences(it)]
        parts = [[*clauses(theirs, stemmer, tokens)] for _, theirs in read]
        known = [one for found in parts for one in found]
        for at, (wording, last) in enumerate(read):
            first = 0 if last[0] in _AGAIN else at
            before = [one for found in parts[first:at] for one in found]
            theirs = [word for _, told in read[first : at + 1] for word in told]
            if first < at and parts[at] and parts[at][0].denials:  # *This action doesn't use the stack*
                parts[at][0] = parts[at][0]._replace(stems=parts[at][0].denied)
            whole = [*clauses(tokens, stemmer, theirs)]
            found, own = parts[at], [one for one in whole if not one.is_in(parts[at])]
            words = {stem for one in whole for stem in one.stems}
            denials = sum(one.denials for one in own)
            is_short = len(words) < _FEWEST and not any(words == {*one.stems} for one in found)
            if is_short or len(words) < 2 or denials > 1 or any(one.limited for one in own):
                continue
            if not _TIMES.union(_POINTS).intersection(tokens).issubset(theirs):
                continue
            described = [one for one in found if one.beside]
            if described and not any(one.is_in(whole) for one in described):
                continue
            if not _covers(book, it, [*before, *found], whole, tokens):
                continue
            message = f"these words {f'deny what {it} says' if denials else f'say what {it} denies'}"
            if not denials and any(one.condition and one.denials and not one.is_in(whole) for one in found):
                continue
            if _denied(own, found, known) if denials else _said(own, words, found, known, topics):
                return Finding("words", message, quote=said, wording=wording)
    return None


def _covers(
    book: Rulebook, number: str, found: Sequence[Clause], own: Sequence[Clause], tokens: Sequence[str]
) -> bool:
    """Return whether a sentence has all words of a text, except a verb as in *the turn it came*.

    It may also lack the verb of something that other rules deny with it: *don't use the stack*.
    """
    stemmer = book.topics.stemmer
    theirs = book.topics.words_of_title(number).union(*(it.stems for it in found))
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


def _said(
    own: Sequence[Clause],
    words: Collection[int],
    found: Sequence[Clause],
    known: Sequence[Clause],
    topics: Topics,
) -> bool:
    """Return whether a clause of a rule denies what a text says in some words, and none says it."""

    def lacks(it: Clause) -> bool:
        other = {*it.stems}.difference(words) - it.either
        whole = sum(map(topics.weight, {*it.stems}))
        most = _MOST_IN_CONDITION if it.condition else _MOST_OTHER
        return sum(map(topics.weight, other)) > most * whole or not other.isdisjoint(it.denied)

    if any(it.condition and lacks(it) for it in found):
        return False
    for it in found:
        if it.denials != 1 or it.condition or it.excepted or not it.denied or lacks(it):
            continue
        head, held = it.denied[0], {*it.stems}.intersection(words)
        firm = any(
            head in one.stems and (head in one.passive) == (head in it.passive)
            for one in own
            if not one.condition
        )
        if firm and not any(
            held.issubset(one.stems) and (head in one.passive) == (head in it.passive)
            for one in known
            if not (one.denials or one.condition)
        ):
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
    firm = [it for it in found if not (it.denials or it.condition or it.excepted)]
    if any(it.denials and not subject.isdisjoint(it.stems) for it in found):
        return any(head in clause.may & it.may for it in firm)

    def says(it: Clause) -> bool:
        # *Apply effects* orders what *effects are applied* says.
        is_alike = (head in clause.passive) == (head in it.passive) or it.stems[0] == head
        is_said = head in it.stems and is_alike
        may = (head in clause.may, head in it.may)
        return is_said and (all(may) or (not any(may) and {*clause.denied}.issubset(it.stems)))

    return any(says(it) for it in firm)


def clauses(tokens: Sequence[str], stemmer: Stems, also: Collection[str] = ()) -> Iterator[Clause]:
    """Yield the clauses of a text that have words for what it is about.

    Words that the other text has `also` do not limit it.
    """
    condition = ""
    for words in _parts(tokens):
        if words[0] != "and":  # *if a deck is full, and it has no lands, …*
            condition = "" if words[0] not in IF else "while" if words[0] == "while" else "if"
        found = stemmer.of("" if denies(it) or it in _LIGHT else it for it in words)
        if not any(found):
            continue
        last = max((n for n, it in enumerate(words) if denies(it)), default=len(words))
        ahead = words[max(0, last - 2) : last] if last < len(words) else []
        is_aside = words[0] in _RELATIVE or (
            len(ahead) > 1 and ahead[1] in _PRONOUNS and ahead[0] not in _BEGINS
        )
        is_aside = is_aside or (words[0] == "or" and last < len(words))
        rest = words[1:] if words[0] == "but" else words
        yield Clause(
            _flat(found),
            _flat(found[last + 1 :]),
            sum(map(denies, words)),
            _behind(_MAY, words, found),
            _behind(BE, words, found),
            _behind({"or"}, words, found),
            condition,
            words[0] in _RELATIVE and last < len(words),
            is_aside or words[0] == "not" or is_limited(words, also),
            is_aside or not _EXCEPTS.difference(also).isdisjoint(rest),
        )


def _parts(tokens: Sequence[str]) -> list[list[str]]:
    """Return the words of each clause of a text; all of a list with *or* are denied like its first."""
    parts: list[list[str]] = [[]]
    marks = [*(n for n, it in enumerate(tokens) if it in _PARTING or it in _JOINS), len(tokens)]
    for at, (it, after) in enumerate(zip(tokens, (*tokens[1:], ""), strict=True)):
        rest = tokens[at : next(n for n in marks if n >= at)]
        is_verb = it in _AND and (
            denies(after) or after in VERBS or (any(map(denies, parts[-1])) and any(map(denies, rest)))
        )
        is_beside = denies(after) and it in _RELATIVE | _PRONOUNS
        is_beside = is_beside and bool(parts[-1]) and parts[-1][-1] not in _BEGINS | _AND
        if it in _PARTING or it in _BEGINS or is_verb or is_beside:
            parts.append(["that"] if is_beside else [])
        parts[-1] += [it] if it not in _PARTING else []
    parts = [it for it in parts if it]
    first: list[str] = []
    listed: list[int] = []
    for at, words in enumerate(parts):
        denials = [n for n, it in enumerate(words) if denies(it)]
        if denials or not VERBS.isdisjoint(words) or words[0] in _BEGINS:
            last = denials[-1] + 1 if denials and words[0] not in _RELATIVE else 0
            end = last + 1 if words[last : last + 1] == ["be"] else last
            first = words[max(0, last - 1) : end] if last else []
            listed = []
        elif first:
            listed.append(at)
            for one in listed if words[0] == "or" else ():
                own = parts[one][1:] if parts[one][0] == "or" else parts[one]
                parts[one] = [*first, *own]
    return parts


def _flat(found: Iterable[list[int]]) -> list[int]:
    return [stem for own in found for stem in own]


def _behind(led: Collection[str], words: Sequence[str], found: Sequence[list[int]]) -> frozenset[int]:
    """Return the first stems after some words."""
    rest = (_flat(found[n + 1 :])[:1] for n, it in enumerate(words) if it in led)
    return frozenset(_flat(rest))
