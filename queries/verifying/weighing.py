"""Decide whether the words around a citation fit its number, the number's former meaning, or another rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...loaders.language.numbers import ALPHABET, parent
from ...ontology.grouping import grouped, runs
from .citations import Citation
from .findings import ERROR, WARNING
from .meanings import CHAPTER
from .naming import AFTER, EXPLAINED, HEADS, LABEL, Naming, namings
from .topics import TELLING, Topics, is_mechanic

HERE = "here"
"""The result if the words fit the rule that has the number."""

_NEAR, _BEFORE, _FAR, _CODE = 1.0, 0.8, 0.35, 0.4
"""The weight of a word, by its place relative to a citation."""

_NAMED_LEAD, _SHARE, _CLEAR_LEAD = 0.12, 0.55, 0.3
"""The lead that a rule with its title in the words needs over the rule that has the number: the first if the
words fit that one only by this share, else the last."""

LEAD, _ALIKE_LEAD, _LITTLE, _SHARED = 0.35, 0.6, 0.2, 3
"""The same without the title, and for two rules with the same title above them; how well the words may fit
the rule that has the number, and how many words the other must have."""

_TOPIC_LEAD, _TOPIC_LITTLE, _TOPIC_SHARE, _CLOSE = 0.4, 0.12, 0.3, 0.8
"""The same for a rule that never had the number, by its title; how well the words must fit without it."""

_MOST_OF = 0.6
"""The share of the words before a number that an older rule must have."""

_HINTING = 3.2  # the weight of a telling word in a title; *step* and *phase* are not telling

_FIRST, _NEAREST = 2, 12
"""The maximum number of words before the title of such a rule: to be sure of it, and to consider it."""

_MOST_MEANT = 3
"""The number of rules to name for a number that several rules had."""

_FIRST_OF_ONE_THING, _LAST_OF_ONE_THING, _FEWEST, _MOST_LISTED = "705", "8", 3, 2
"""From this chapter on, each rule is about one thing, such as a mechanic; the number of words that say
nothing about it, beside so many numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words beside a citation as stems, and all of them with their weights.

    They come after it in its sentence, before it, in the code below, or from farther away. `text` is all of
    it. `others` are the numbers of other citations that the words may be about, in its block or, if the
    text names its own subject, in its list of `listed` citations. `sentence` is its whole sentence before it,
    even parts about other citations; it is empty if the citation has a name of its own.
    """

    topics: Topics
    near: list[int]
    before: list[int]
    code: list[int]
    weights: Mapping[int, float]
    text: str
    others: frozenset[str]
    listed: int
    naming: Naming
    sentence: list[int]

    def fit(self, number: str) -> float:
        """Return how well the words fit a rule."""
        return self.topics.fit(number, self.weights)

    def call(self, number: str) -> bool:
        """Return whether the citation's name is that of a rule."""
        return self.topics.is_of(self.naming.name, number)

    def fits(self, number: str, target: str) -> tuple[str, float]:
        """Return how certain it is that the words mean another rule than the number's, and by how much.

        The first is `ERROR`, `WARNING`, ``""``, or `HERE` if they mean the number's rule.
        """
        if self.call(number) and not self.call(target):
            return HERE, 0.0
        if self._cite_others_of(target):
            return "", 0.0
        alike = self.topics.named(number) == self.topics.named(target)
        now, then = self.fit(number), self.fit(target)
        lead = then - now
        named_then = self.say(target)
        if not alike and self.say(number, self.sentence):
            return ("" if named_then else HERE), lead
        if named_then and not alike and lead >= _NAMED_LEAD and (now < _SHARE * then or lead >= _CLEAR_LEAD):
            return ERROR, lead
        least = _ALIKE_LEAD if alike else LEAD
        if lead >= least and now <= _LITTLE and self._share_with(target):
            return WARNING, lead
        is_clear = -lead >= least and then <= _LITTLE and self._share_with(number)
        return HERE if is_clear else "", lead

    def fit_only(self, text: str, number: str) -> bool:
        """Return whether the words before a citation, if weighty enough, fit a text and not a rule."""
        own = {it: self.topics.weight(it) for it in self.before}
        least, (there, here) = _MOST_OF * sum(own.values()), self._held(own, text, number)
        return there > max(least, TELLING) and least > here

    def fit_rather(self, text: str, number: str) -> bool:
        """Return whether more of their content is in a text than in a rule."""
        own = {it: share * self.topics.weight(it) for it, share in self.weights.items()}
        there, here = self._held(own, text, number)
        return there > here

    def _held(self, own: Mapping[int, float], text: str, number: str) -> tuple[float, float]:
        """Return how much of the weight of some stems a text has, and how much a rule."""
        there, here = own.keys() & self.topics.stemmer.of([text])[0], self.topics.shared(number, own)
        return sum(map(own.__getitem__, there)), sum(map(own.__getitem__, here))

    def hint_at(self, number: str, targets: Sequence[str]) -> bool:
        """Return whether words next to a citation, such as a name in a program, hint at its rule's title.

        One word of the title is enough, as in `object Untap`, if the words fit none of the targets as well.
        """
        beside = {*self.near[:_NEAREST], *self.before, *self.code}
        telling = (it for it in self.topics.words_of_title(number) if self.topics.weight(it) >= _HINTING)
        return not beside.isdisjoint(telling) and all(self.fit(it) < self.fit(number) for it in targets)

    def name_for(self, number: str) -> str:
        """Return the name that they give the citation, or the title of a rule with another name."""
        name = self.naming.name if not number or self.call(number) else self.topics.title(number)
        return f"“{name}”"

    def name_only(self, target: str) -> bool:
        """Return whether they give the citation the name of a rule, and cite no other rule with that name."""
        return self.call(target) and not self._cite_others_of(target)

    def likeliest(self, targets: Sequence[str]) -> list[str]:
        """Return the likeliest of several rules, best first: if the words name some, only these."""
        ranked = sorted([it for it in targets if self.say(it)] or targets, key=lambda it: -self.fit(it))
        is_clear = self.fit(ranked[0]) - self.fit(ranked[1 % len(ranked)]) > _CLEAR_LEAD
        return ranked[: 1 if is_clear else _MOST_MEANT]

    def mean_clearly(self, number: str, target: str) -> bool:
        """Return whether they mean a rule so clearly that its number may be written without review.

        They must name it close by, say nothing about the rule that has the number, and fit none of its
        siblings better. A rule directly below a chapter is about too much for that.
        """
        topics, rule, then = self.topics, self.topics.named(target), self.fit(target)
        is_near = topics.says(target, self.near[:_NEAREST]) >= 0 or topics.says(target, self.before) >= 0
        if not is_near or then - self.fit(number) < _CLEAR_LEAD:
            return False
        is_only = all(self.fit(it) <= then for it in topics.below.get(rule, ()))
        return target == rule or ((is_mechanic(rule) or is_one_thing(rule)) and is_only)

    def other_mechanic(self, number: str) -> tuple[str, str]:
        """Return how certain it is that they name another mechanic than the number's, and its number.

        Both are ``""`` if they do not. Rules that are not mechanics are cited beside anything they apply to.
        """
        topics = self.topics
        if not is_mechanic(topics.named(number)) or self.say(number, self.sentence):
            return "", ""
        now = self.fit(number)
        places = topics.titles_in(self.near[:_NEAREST])
        for more in (self.before, self.code):
            places += [(at + _FIRST + 1, it) for at, it in topics.titles_in(more)]
        found = [
            (self.fit(it) - now, at, it)
            for at, it in places
            if self._is_other_mechanic(it, number) and topics.tells(it) >= TELLING
        ]
        lead, at, other = max(found, default=(0.0, 0, ""))
        if lead >= _TOPIC_LEAD and now <= max(_TOPIC_LITTLE, _TOPIC_SHARE * lead):
            sure = at <= _FIRST and len(found) == 1 and now <= _TOPIC_LITTLE
            return ERROR if sure else WARNING, other
        fit, other = topics.closest(self.weights) if now <= _TOPIC_LITTLE else (0.0, "")
        # *Multiple instances are redundant* is said of most mechanics.
        beside = max(map(self.fit, topics.below.get(parent(number), ())), default=0.0)
        is_other = fit >= _CLOSE > beside and self._is_other_mechanic(topics.named(other), number)
        return (WARNING, other) if is_other and self._share_with(other) else ("", "")

    def misname(self, number: str) -> tuple[str, str]:
        """Return how certain it is that they give the number the name of a sibling or of another mechanic.

        The second value is that rule's number. A name is right for rules that its entry cites or that mention
        it, and for the rules above these.
        """
        topics, (name, firm, _, _, said) = self.topics, self.naming
        held, of_mechanic = topics.called(name) if name else (), is_mechanic(self.topics.named(number))
        is_title, is_mentioned = name.lower() in topics.titles, topics.mentions(number, name)
        chapters = topics.chapters(name) if number.isdigit() or said == LABEL else []
        is_beside = any(it[0] == number[0] for it in chapters) or not is_mentioned
        is_short = bool(chapters) and is_beside and not topics.is_in_title(name, number)
        heads = (is_title or is_short) and said in {HEADS, EXPLAINED, LABEL} and number.isdigit()
        is_step = (is_title or is_short) and (said == LABEL or (firm and said != AFTER))
        steps = [it for it in (*held, *chapters) if is_step and topics.are_alike(it, number)]
        # *Flying is rule 702.17* is wrong of reach, although that rule mentions flying.
        is_equal = is_title and said in {HEADS, EXPLAINED, LABEL} and topics.named(number) == number
        is_equal = is_equal and of_mechanic and all(map(is_mechanic, map(topics.named, held)))
        is_apart = heads or is_equal or any(self.fits(number, it)[0] == ERROR for it in steps)
        is_own = number.isdigit() and name.lower() in topics.title(number).lower()
        if not held or is_own or (is_mentioned and not is_apart):
            return "", ""
        is_said = topics.says(number, self.before) >= 0 or (not firm and self.say(number))
        if is_said or (firm and not said and self._fit_without_name(number, held)):
            return "", ""
        for it in held:
            if "." in it and (
                parent(it) == parent(number) or (of_mechanic and is_mechanic(topics.named(it)))
            ):
                if self._cite_others_of(it):
                    return "", ""
                # A verb is often a name: *a creature with indestructible can't be destroyed*.
                chapter = number[:CHAPTER]
                near = {named for _, named in topics.titles_in(self.before) if named[:CHAPTER] == chapter}
                other = it if it[:CHAPTER] == chapter or len(near) != 1 else near.pop()
                return ERROR if of_mechanic and not same_topic(other, number) else WARNING, other
        is_apart = is_apart or said == EXPLAINED or (said == LABEL and (is_title or is_short))
        if is_apart and not any(same_topic(it, number) or self._cite_others_of(it) for it in held):
            return WARNING, (*chapters, *held)[0]
        return "", ""

    def _fit_without_name(self, number: str, held: Sequence[str]) -> bool:
        """Return whether they fit a rule without the name, and none with it half as well: *… in exile*."""
        [name] = self.topics.stemmer.of([self.naming.name])
        rest = {stem: share for stem, share in self.weights.items() if stem not in name}
        least = self.topics.fit(number, rest)
        return least >= _LITTLE and all(self.topics.fit(it, rest) < least / 2 for it in held)

    def are_silent(self, number: str, around: str) -> bool:
        """Return whether they and the text around them say nothing about the only subject of a rule.

        Programs may name the subject in code around it. In a list, each number may be about a part of it.
        """
        topics, named = self.topics, self.topics.named(number)
        if (
            not (is_mechanic(named) or is_one_thing(named))
            or topics.tells(number) < TELLING
            or self.listed > _MOST_LISTED
        ):
            return False
        if len(self.weights) < _FEWEST or self.fit(number) > _TOPIC_LITTLE:
            return False
        telling = {stem: 1.0 for stem in self.weights if topics.weight(stem) >= TELLING}
        return not topics.shared(number, telling) and not topics.speaks_of(number, around)

    def say(self, number: str, *more: list[int]) -> bool:
        """Return whether the title of a rule appears next to the citation, or in `more` words."""
        beside = (self.before, self.code, *more)
        says = self.topics.says
        return says(number, self.near, self.text) >= 0 or any(says(number, it) >= 0 for it in beside)

    def _share_with(self, number: str) -> bool:
        return len(self.topics.shared(number, self.weights)) >= _SHARED

    def _cite_others_of(self, number: str) -> bool:
        return any(same_topic(it, number) for it in self.others)

    def _is_other_mechanic(self, named: str, number: str) -> bool:
        apart = is_mechanic(named) and not same_topic(named, number)
        return apart and not self._cite_others_of(named)


def same_topic(one: str, other: str) -> bool:
    """Return whether two numbers are in one chapter, or in one rule where each rule is a topic of its own."""
    if one[:CHAPTER] != other[:CHAPTER]:
        return False
    return not (is_mechanic(one) and is_mechanic(other)) or one.rstrip(ALPHABET) == other.rstrip(ALPHABET)


def is_one_thing(named: str) -> bool:
    """Return whether a chapter is about a single thing, such as the monarch."""
    return _FIRST_OF_ONE_THING <= named < _LAST_OF_ONE_THING


# -- reading the words ------------------------------------------------------------------------------

_FARTHEST_BEHIND, _FARTHEST_BEFORE = 260, 200
_SHORTEST_SENTENCE = 25
LIST = re.compile(
    r"(?i)[\s,;/&+|]*+(?:and|or|through|to|[-–—])?\s*+(?:\([^()]{0,30}\))?[\s,;/&+|]*+(?:and|or)?\s*"
)
"""The separators between citations of one list; words beside the list belong to each of them."""

_SENTENCE = re.compile(rf"(?s).{{{_SHORTEST_SENTENCE},}}?[.!?](?=\s+[A-Z]|$)")
_LAST_SENTENCE = re.compile(r"(?s).*[.!?]\s+(?=\S)")
_FEW_WORDS = 4
"""*(See also rule …)* refers to the sentence before it."""

_CONTRASTS = re.compile(
    r"\b(?:exceptions? (?:to|from)|unlike|contrary to|overrides?|rather than|not)\s+$", re.IGNORECASE
)
"""Words before a citation of something that does not apply."""


def read_words(found: Iterable[Citation], topics: Topics) -> dict[Citation, Words]:
    """Return the words beside each citation."""
    words = {}
    groups = grouped((id(it.block), it) for it in found).values()
    # Stemming all new words at once is faster.
    topics.stemmer.of(it for group in groups for it in (group[0].block.text, group[0].block.code))
    for group in groups:
        text = group[0].block.text
        named = namings(group, topics)
        joined = [
            bool(LIST.fullmatch(text, one.end, two.start))
            and (named[n].until, named[n + 1].since) == (two.start, one.end)
            for n, (one, two) in enumerate(pairwise(group))
        ]
        for first, last in runs(joined):
            for it, naming in zip(group[first : last + 1], named[first : last + 1], strict=True):
                if _CONTRASTS.search(text, max(0, it.start - 20), it.start):
                    words[it] = _words(topics, ("",) * 5, (), 1, Naming("", False, 0, 0))
                    continue
                start, end = group[first].start, group[last].end
                far = text[end : min(named[last].until, end + _FARTHEST_BEHIND)]
                farthest = max(0, start - _FARTHEST_BEFORE)
                before = _last_sentences(text[max(named[first].since, farthest) : start])
                sentence = "" if naming.name else _last_sentences(text[farthest:start])
                near = match[0] if (match := _SENTENCE.match(far)) else far
                texts = (near, before, far, it.block.code, sentence)
                beside = group[first : last + 1] if naming.name else group
                others = frozenset(number for one in beside for number in one.numbers) - {*it.numbers}
                words[it] = _words(topics, texts, others, last + 1 - first, naming)
    return words


def _words(topics: Topics, texts: Sequence[str], others: Iterable[str], listed: int, naming: Naming) -> Words:
    near, before, far, code, sentence = topics.stemmer.of(texts)
    weights: dict[int, float] = {}
    for stems, value in ((near, _NEAR), (before, _BEFORE), (far, _FAR), (code, _CODE)):
        for stem in stems:
            weights[stem] = max(weights.get(stem, 0.0), value)
    text = " ".join(texts[:-1])
    return Words(topics, near, before, code, weights, text, frozenset(others), listed, naming, sentence)


def _last_sentences(text: str) -> str:
    """Return the last sentence of a text, with the one before it if the last says too little."""
    match = _LAST_SENTENCE.match(text)
    if match and len(text[match.end() :].split()) < _FEW_WORDS:
        match = _LAST_SENTENCE.match(text, 0, match.end() - 1)
    return text[match.end() :] if match else text
