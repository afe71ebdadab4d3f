"""Decide whether the words around a citation fit its number, its former meaning, or another rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...loaders.language.numbers import parent
from ...ontology.grouping import grouped
from .citations import Citation
from .meanings import CHAPTER
from .naming import AFTER, EXPLAINED, HEADS, Naming, namings
from .topics import TELLING, Topics

ERROR, WARNING, NOTE = "error", "warning", "note"
"""The certainty of a finding, as measured (docs/quality.md); notes are shown on request."""

UNREAD = "unread"
"""The `finding` of a number that may be anything, and of a quotation without one: nothing was checked."""

STANDS = "stands"
"""The `finding` of a correct citation; only `every` shows such."""

HERE = "here"
"""The result for words that fit the rule which has the number."""

_NEAR, _BEFORE, _FAR, _CODE = 1.0, 0.8, 0.35, 0.4
"""The weight of a word by its place beside a citation."""

_NAMED_LEAD, _SHARE, _CLEAR_LEAD = 0.12, 0.55, 0.3
"""The lead by which words with the title of a rule must fit it better than the rule that has the number: the
first, if they fit that at most by a share of it, else the last."""

_LEAD, _ALIKE_LEAD, _LITTLE, _SHARED = 0.35, 0.6, 0.2, 3
"""The same without the title, and for two rules below one title; how well the words may fit the rule that has
the number, and how many of them the other must have."""

_TOPIC_LEAD, _TOPIC_LITTLE, _TOPIC_SHARE, _CLOSE = 0.4, 0.12, 0.3, 0.8
"""The same for a rule that never had the number, by its title; how well one must fit without it."""

_HINTING = 3.2
"""The weight of a telling word of a title, which *step* and *phase* are not."""

_FIRST, _NEAREST = 2, 12
"""The maximum number of words before the title of such a rule for it to be sure, and to count at all."""

_MOST_MEANT = 3
"""The number of rules that are named for a number which was that of several."""

_FIRST_OF_ONE_THING, _LAST_OF_ONE_THING, _FEWEST, _MOST_LISTED = "705", "8", 3, 2
"""The chapter from which each rule is about one thing, such as a mechanic; the number of words that say
nothing about it, beside so many numbers."""


class Finding(NamedTuple):
    """The finding about one number of a citation; `now` are the numbers to look at instead.

    `fix` says that the only number of `now` may be written without review.
    """

    kind: str
    message: str = ""
    now: tuple[str, ...] = ()
    quote: str = ""
    severity: str = ERROR
    fix: bool = False
    wording: str = ""


NOT_CHECKED = Finding(UNREAD, "nothing beside this number says that it is that of a rule", severity=NOTE)


class Words(NamedTuple):
    """The words beside a citation as stems, and all of them with their weights.

    They are after it in its sentence, before it, and in the code below, or farther on. `text` is all of it.
    `others` are the numbers of the other citations in its passage, whose subjects they may be about, or those
    of its list if the text names its own subject; `listed` is how many are in one list with it. `sentence` is
    its whole sentence before it, also what other citations may be about; it is empty if it has its own name.
    """

    near: list[int]
    before: list[int]
    code: list[int]
    weights: Mapping[int, float]
    text: str
    others: frozenset[str]
    listed: int
    naming: Naming
    sentence: list[int]


def read_words(found: Iterable[Citation], topics: Topics) -> dict[int, Words]:
    """Return the words beside some citations, by the `id` of each."""
    groups = grouped((id(it.passage), it) for it in found).values()
    topics.stemmer.of(group[0].passage.text for group in groups)
    told = [it for group in groups for it in _beside(group, topics)]
    stems = topics.stemmer.of(text for _, texts, *_ in told for text in texts)
    words = {}
    for place, (citation, texts, others, listed, naming) in enumerate(told):
        near, before, far, code, sentence = stems[5 * place : 5 * place + 5]
        weights: dict[int, float] = {}
        for stem_list, value in ((near, _NEAR), (before, _BEFORE), (far, _FAR), (code, _CODE)):
            for stem in stem_list:
                weights[stem] = max(weights.get(stem, 0.0), value)
        text = " ".join(texts[:-1])
        words[id(citation)] = Words(near, before, code, weights, text, others, listed, naming, sentence)
    return words


def fits(topics: Topics, words: Words, number: str, target: str) -> tuple[str, float]:
    """Return how sure it is that some words mean another rule than the one with a number, and by how much.

    The first is `ERROR`, `WARNING`, ``""``, or `HERE` if they mean the one with the number.
    """
    if topics.is_of(words.naming.name, number) and not topics.is_of(words.naming.name, target):
        return HERE, 0.0
    if any(same_topic(it, target) for it in words.others):
        return "", 0.0
    alike = topics.named(number) == topics.named(target)
    now, then = topics.fit(number, words.weights), topics.fit(target, words.weights)
    lead = then - now
    named_then = _says(topics, target, words)
    if not alike and _says(topics, number, words, words.sentence):
        return ("" if named_then else HERE), lead
    if named_then and not alike and lead >= _NAMED_LEAD and (now < _SHARE * then or lead >= _CLEAR_LEAD):
        return ERROR, lead
    least = _ALIKE_LEAD if alike else _LEAD
    if lead >= least and now <= _LITTLE and topics.shared(target, words.weights) >= _SHARED:
        return WARNING, lead
    is_clear = -lead >= least and then <= _LITTLE and topics.shared(number, words.weights) >= _SHARED
    return HERE if is_clear else "", lead


def hints(topics: Topics, words: Words, number: str, targets: Sequence[str]) -> bool:
    """Return whether words next to a citation, such as a name in a program, hint at the title of its number.

    One word of the title does, as in `object Untap`, if the words fit none of the targets as well.
    """
    beside = {*words.near[:_NEAREST], *words.before, *words.code}
    now = topics.fit(number, words.weights)
    is_told = any(it in beside and topics.weight(it) >= _HINTING for it in topics.words_of_title(number))
    return is_told and all(topics.fit(it, words.weights) < now for it in targets)


def is_named(topics: Topics, words: Words, target: str) -> bool:
    """Return whether the words beside a citation give it the name of a rule, and cite no other of that."""
    is_of_others = any(same_topic(it, target) for it in words.others)
    return topics.is_of(words.naming.name, target) and not is_of_others


def likeliest(topics: Topics, words: Words, targets: Sequence[str]) -> list[str]:
    """Return the rules that some words may mean, of several, the best first: those that they name, if any."""
    said = [it for it in targets if _says(topics, it, words)] or targets
    ranked = sorted(said, key=lambda it: -topics.fit(it, words.weights))
    best, other = (topics.fit(it, words.weights) for it in (ranked[0], ranked[1 % len(ranked)]))
    return ranked[: 1 if best - other > _CLEAR_LEAD else _MOST_MEANT]


def clearly(topics: Topics, words: Words, number: str, target: str) -> bool:
    """Return whether words mean a rule so clearly that its number may be written without review.

    They name it close by, say nothing about the rule that has the number, and no sibling of it fits better. A
    rule below the title of a chapter is about too much for that.
    """
    if topics.says(target, words.near[:_NEAREST]) < 0 and topics.says(target, words.before) < 0:
        return False
    now, then = topics.fit(number, words.weights), topics.fit(target, words.weights)
    rule = topics.named(target)
    if then - now < _CLEAR_LEAD or not (_is_mechanic(rule) or target == rule):
        return False
    return target == rule or all(
        topics.fit(it, words.weights) <= then for it in topics.parts(rule) if it != rule
    )


def other_mechanic(topics: Topics, words: Words, number: str) -> tuple[str, str]:
    """Return how sure it is that some words name another mechanic than a number does, and its number.

    Both are ``""`` if they do not. Rules that are no mechanics are cited beside anything they apply to.
    """
    if not _is_mechanic(topics.named(number)) or _says(topics, number, words, words.sentence):
        return "", ""
    now = topics.fit(number, words.weights)
    near, before = words.near[:_NEAREST], words.before
    places = topics.titles_in(near)
    places += [(at + _FIRST + 1, it) for more in (before, words.code) for at, it in topics.titles_in(more)]
    found = [
        (topics.fit(it, words.weights) - now, at, it)
        for at, it in places
        if _is_other_mechanic(it, number, words.others) and topics.tells(it) >= TELLING
    ]
    lead, at, other = max(found, default=(0.0, 0, ""))
    if lead >= _TOPIC_LEAD and now <= max(_TOPIC_LITTLE, _TOPIC_SHARE * lead):
        sure = at <= _FIRST and len(found) == 1 and now <= _TOPIC_LITTLE
        return ERROR if sure else WARNING, other
    if now <= _TOPIC_LITTLE:
        fit, other = topics.closest(words.weights)
        is_other = _is_other_mechanic(topics.named(other), number, words.others)
        if fit >= _CLOSE and is_other and topics.shared(other, words.weights) >= _SHARED:
            return WARNING, other
    return "", ""


def misnamed(topics: Topics, words: Words, number: str) -> tuple[str, str]:
    """Return how sure it is that a number has the name of a sibling, or of another mechanic, and that number.

    A name is right for each rule that its entry cites or that mentions it, and for wholes of these.
    """
    name = words.naming.name
    held = topics.called(name) if name else ()
    is_title = topics.is_title(name)
    heads = is_title and words.naming.said in {HEADS, EXPLAINED} and number.isdigit()
    steps = [
        it
        for it in held
        if is_title and words.naming.firm and words.naming.said != AFTER and topics.are_alike(it, number)
    ]
    is_apart = heads or any(fits(topics, words, number, it)[0] == ERROR for it in steps)
    if not held or (topics.mentions(number, name) and not is_apart):
        return "", ""
    if topics.says(number, words.before) >= 0 or (not words.naming.firm and _says(topics, number, words)):
        return "", ""
    is_mechanic = _is_mechanic(topics.named(number))
    for it in held:
        if "." in it and (parent(it) == parent(number) or (is_mechanic and _is_mechanic(topics.named(it)))):
            if any(same_topic(it, other) for other in words.others):
                return "", ""
            return ERROR if is_mechanic and not same_topic(it, number) else WARNING, it
    if is_apart or words.naming.said == EXPLAINED:
        near = (number, *words.others)
        if not any(same_topic(it, other) for it in held for other in near):
            return WARNING, held[0]
    return "", ""


def is_unspoken(topics: Topics, words: Words, number: str, around: str) -> bool:
    """Return whether words, and the text around them, say nothing about the only subject of a rule.

    Programs name what they do in place. In a list of numbers each may be about a part of that.
    """
    named = topics.named(number)
    is_one_thing = _is_mechanic(named) or _FIRST_OF_ONE_THING <= named < _LAST_OF_ONE_THING
    if not is_one_thing or topics.tells(number) < TELLING or words.listed > _MOST_LISTED:
        return False
    if len(words.weights) < _FEWEST or topics.fit(number, words.weights) > _TOPIC_LITTLE:
        return False
    telling = {stem for stem in words.weights if topics.weight(stem) >= TELLING}
    return not topics.shared(number, dict.fromkeys(telling, 1.0)) and not topics.speaks_of(number, around)


def same_topic(one: str, other: str) -> bool:
    """Return whether two numbers are of one chapter, or of one rule where each rule is a topic."""
    if one[:CHAPTER] != other[:CHAPTER]:
        return False
    return not (_is_mechanic(one) and _is_mechanic(other)) or _rule(one) == _rule(other)


def _is_other_mechanic(named: str, number: str, others: Iterable[str]) -> bool:
    apart = _is_mechanic(named) and not same_topic(named, number)
    return apart and not any(same_topic(it, named) for it in others)


def _is_mechanic(named: str) -> bool:
    """Return whether a titled rule is one of those that each describe a mechanic, not the game's course."""
    return named[:1] == "7" and "." in named


def _rule(number: str) -> str:
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def _says(topics: Topics, number: str, words: Words, *more: list[int]) -> bool:
    """Return whether the title of a rule appears next to a citation, or in `more` words."""
    return topics.says(number, words.near, words.text) >= 0 or any(
        topics.says(number, it) >= 0 for it in (words.before, words.code, *more)
    )


_FARTHEST_BEHIND, _FARTHEST_BEFORE = 260, 200
_SHORTEST_SENTENCE = 25
_LIST = re.compile(
    r"[\s,;/&+|]*(?:and|or|through|to|[-–—])?\s*(?:\([^()]{0,30}\))?[\s,;/&+|]*(?:and|or)?\s*", re.IGNORECASE
)
"""What is between the citations of one list; the words beside it belong to each."""

_SENTENCE = re.compile(rf"(?s).{{{_SHORTEST_SENTENCE},}}?[.!?](?=\s+[A-Z]|$)")
_LAST_SENTENCE = re.compile(r"(?s).*[.!?]\s+(?=\S)")
_FEW_WORDS = 4
"""*(See also rule …)* is about the sentence before it."""


_CONTRASTS = re.compile(
    r"\b(?:exceptions? (?:to|from)|unlike|contrary to|overrides?|rather than|not)\s+$", re.IGNORECASE
)
"""Before a citation of something that does not apply."""


def _beside(
    found: Sequence[Citation], topics: Topics
) -> Iterator[tuple[Citation, tuple[str, ...], frozenset[str], int, Naming]]:
    """Yield each citation of one passage with the texts beside it, and the rest of `Words`."""
    text = found[0].passage.text
    named = namings(
        found,
        lambda words: bool(topics.called(words)),
        lambda name, numbers: any(topics.is_of(name, it) for it in numbers),
    )
    joined = [
        bool(_LIST.fullmatch(text, one.end, following.start))
        and (named[n].until, named[n + 1].since) == (following.start, one.end)
        for n, (one, following) in enumerate(pairwise(found))
    ]
    for place, it in enumerate(found):
        first = last = place
        while last < len(joined) and joined[last]:
            last += 1
        while first and joined[first - 1]:
            first -= 1
        if _CONTRASTS.search(text, max(0, it.start - 20), it.start):
            yield it, ("", "", "", "", ""), frozenset(), 1, Naming("", False, 0, 0)
            continue
        far = text[found[last].end : min(named[last].until, found[last].end + _FARTHEST_BEHIND)]
        farthest = max(0, found[first].start - _FARTHEST_BEFORE)
        before = _last_sentences(text[max(named[first].since, farthest) : found[first].start])
        sentence = "" if named[place].name else _last_sentences(text[farthest : found[first].start])
        near = match[0] if (match := _SENTENCE.match(far)) else far
        beside = found[first : last + 1] if named[place].name else found
        others = frozenset(number for one in beside for number in one.numbers).difference(it.numbers)
        yield it, (near, before, far, it.passage.code, sentence), others, last + 1 - first, named[place]


def _last_sentences(text: str) -> str:
    """Return the last sentence of a text, and the one before it if the last says too little."""
    match = _LAST_SENTENCE.match(text)
    if match and len(text[match.end() :].split()) < _FEW_WORDS:
        match = _LAST_SENTENCE.match(text, 0, match.end() - 1)
    return text[match.end() :] if match else text
