"""Find the solved cases similar to a question, and the numbers of their rules in an edition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import log, sqrt
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...ontology import grouped
from ..session import Session, SimilarCase

NEAREST = 60
"""The number of nearest cases that count."""

LIKE = 0.35
"""The minimum likeness of a case that is shown: the cosine of the words, each by its rarity."""

_HALF = 0.1
"""The sum of squared likenesses at which the cases for a rule have half of their maximum effect."""

_ANSWER = 0.5
"""The weight of a word of the answer relative to one of a case's question."""


class KnownCase(NamedTuple):
    """A solved case: its IRI, words and source, the numbers that it cites, and their day."""

    iri: str
    question: str
    answer: str
    source: str
    as_of: date
    numbers: tuple[str, ...]


def all_cases(session: Session) -> tuple[KnownCase, ...]:
    """Return the solved cases of a store; they are read once in a session."""
    return session.once(_Cases).every


def cases_alike(
    session: Session, question: str, edition: str, beside: Mapping[str, float] = MappingProxyType({})
) -> list[SimilarCase]:
    """Return the solved cases nearest to a question, the closest first; none if no cases are loaded.

    `beside` are words that count as well, each by its weight: those of the cards that the question names.
    """
    cases = session.once(_Cases)
    if not cases.every:
        return []
    found = cases.near(question, beside)[:NEAREST]
    return [
        SimilarCase(case.question, case.answer, rules_now(case, edition), case.source, round(likeness, 3))
        for case, likeness in found
    ]


def rules_now(case: KnownCase, edition: str) -> tuple[str, ...]:
    """Return the numbers of a case's rules in an edition; a removed one has none.

    In an edition that the authority file does not cover they are the case's own.
    """
    lives = bundled_lives()
    then = lives.in_force(case.as_of)
    if edition not in lives.editions or not then:
        return case.numbers
    found: list[str] = []
    for number in case.numbers:
        provision = lives.holding(number, then)
        others = lives.became(provision, then, edition) if provision else []
        found += (own.number for it in others if (own := lives.at(it, edition)))
    return tuple(dict.fromkeys(found))


def votes(alike: Iterable[SimilarCase]) -> dict[str, float]:
    """Return number → how much the cases support it, below 1: many a little, similar ones most.

    >>> near = SimilarCase("", "", ("1.1", "1.2"), "", likeness=0.3)
    >>> said = votes([near, SimilarCase("", "", ("1.1",), "", likeness=0.1)])
    >>> {number: round(vote, 2) for number, vote in said.items()}
    {'1.1': 0.5, '1.2': 0.47}
    """
    said: dict[str, float] = defaultdict(float)
    for it in alike:
        for number in it.rules:
            said[number] += it.likeness**2
    return {number: own / (own + _HALF) for number, own in said.items()}


class _Cases:
    """The cases of a store with an index of their words."""

    def __init__(self, session: Session) -> None:
        numbers: dict[str, list[str]] = defaultdict(list)
        told: dict[str, tuple[str, str, str, date]] = {}
        for case, question, answer, source, issued, number in session.run("finding", "cases"):
            assert isinstance(issued, date)
            numbers[str(case)].append(str(number))
            told[str(case)] = str(question), str(answer or ""), str(source or ""), issued
        self.every = tuple(KnownCase(iri, *told[iri], tuple(own)) for iri, own in numbers.items())
        # Stemming all words at once is faster; their stems are kept.
        telling_stems(" ".join(text for it in self.every for text in (it.question, it.answer)))
        counted = [_counted([(it.question, 1.0), (it.answer, _ANSWER)]) for it in self.every]
        having = Counter(stem for own in counted for stem in own)
        self._rarity = {stem: log(1 + len(counted) / count) for stem, count in having.items()}
        weighed = ((place, pair) for place, own in enumerate(counted) for pair in self._weighed(own).items())
        self._postings = grouped((stem, (place, amount)) for place, (stem, amount) in weighed)

    def near(self, question: str, beside: Mapping[str, float]) -> Sequence[tuple[KnownCase, float]]:
        """Return all cases that share a word with a question or with `beside`, the closest first."""
        totals: dict[int, float] = defaultdict(float)
        for stem, amount in self._weighed(_counted([(question, 1.0), *beside.items()])).items():
            for place, other in self._postings.get(stem, ()):
                totals[place] += amount * other
        order = sorted(totals, key=lambda place: (-totals[place], place))
        return [(self.every[place], totals[place]) for place in order]

    def _weighed(self, counted: Mapping[str, float]) -> dict[str, float]:
        """Return stem → weight, as a vector of length 1; a stem that no case has is the rarest."""
        rarest = log(1 + len(self.every))
        found = {stem: amount * self._rarity.get(stem, rarest) for stem, amount in counted.items()}
        length = sqrt(sum(amount * amount for amount in found.values()))
        return {stem: amount / length for stem, amount in found.items()}


def _counted(texts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return stem → its total weight in texts; a word counts once in each."""
    found: dict[str, float] = {}
    for text, amount in texts:
        for stem in telling_stems(text):
            found[stem] = max(found.get(stem, 0.0), amount)
    return found
