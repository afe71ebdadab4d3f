"""Find solved cases similar to a question, and the numbers of their rules in an edition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from math import log, sqrt
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.cases import BUNDLED, bundled_cases
from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...ontology import RG, grouped
from ..session import Session, SimilarCase
from .provisions import permanent_rules

NEAREST = 60
"""The number of nearest cases that are used."""

LIKE = 0.35
"""The minimum similarity of a case that is shown: the cosine of the words, weighted by rarity."""

SAME = 0.7
"""The minimum similarity of a case that none of the best rules decided."""

_DATE = len("2026-01-16")

_HALF = 0.1
"""The sum of squared similarities at which the cases for a rule have half of their maximum effect."""

_ANSWER = 0.5
"""The weight of a word in a case's answer, relative to one in its question."""


class KnownCase(NamedTuple):
    """A solved case: its IRI, words and source, the numbers that it cites, and their day."""

    iri: str
    question: str
    answer: str
    source: str
    as_of: date
    numbers: tuple[str, ...]


def loaded_cases(session: Session) -> tuple[KnownCase, ...]:
    """Return the solved cases of a store, read once in a session."""
    return session.once(_read_loaded)


def _read_loaded(session: Session) -> tuple[KnownCase, ...]:
    numbers: dict[str, list[str]] = defaultdict(list)
    told: dict[str, tuple[str, str, str, date]] = {}
    for case, question, answer, source, issued, number in session.run("finding", "cases"):
        assert isinstance(issued, date)
        numbers[str(case)].append(str(number))
        told[str(case)] = str(question), str(answer or ""), str(source or ""), issued
    return tuple(KnownCase(iri, *told[iri], tuple(own)) for iri, own in numbers.items())


def _read_bundled(session: Session) -> tuple[KnownCase, ...]:
    """Return the bundled cases; none if the store has a set with their name, which replaces them."""
    name = session.iris.cases(BUNDLED)
    if session.pairs([name], RG.checksum, of=[name]):
        return ()
    day = date.fromisoformat
    return tuple(
        KnownCase(
            "", it["question"], it["answer"], it["source"], day(it["as_of"][-_DATE:]), (*it["rules"].split(),)
        )
        for it in bundled_cases()
    )


def cases_alike(
    session: Session, question: str, edition: str, beside: Mapping[str, float] = MappingProxyType({})
) -> list[SimilarCase]:
    """Return the solved cases most similar to a question, the most similar first.

    They are the store's and, in an edition whose rules have permanent ids, the bundled ones. `beside` maps
    more words, those of the cards in the question, to their weights.
    """
    cases = session.once(_Cases, bool(session.once(permanent_rules, edition)))
    nearest = cases.near(question, beside)[:NEAREST] if cases.every else ()
    return [_similar(case, rules_now(session, case, edition), likeness) for case, likeness in nearest]


def _similar(case: KnownCase, rules: tuple[str, ...], likeness: float) -> SimilarCase:
    return SimilarCase(
        case.question, case.answer, rules, case.source, round(likeness, 3), case.as_of.isoformat()
    )


def rules_now(session: Session, case: KnownCase, edition: str) -> tuple[str, ...]:
    """Return the numbers of a case's rules in an edition, without rules that were removed.

    If no rule of the edition has a permanent id, the case's own numbers are returned.
    """
    standing = session.once(permanent_rules, edition)
    then = bundled_lives().in_force(case.as_of)
    if not (then and standing):
        return case.numbers
    found = (standing[it] for own in case.numbers for it in _became(own, then, edition) if it in standing)
    return tuple(dict.fromkeys(session.iris.parse(it).key for it in found))


def _became(number: str, then: str, edition: str) -> list[str]:
    """Return the permanent ids, in an edition, of the rule that once had a number."""
    lives = bundled_lives()
    until = max((it for it in lives.editions if it <= edition), default="")
    return lives.became(lives.holding(number, then), then, until)


def near_cases(
    session: Session, alike: Iterable[SimilarCase], edition: str, best: Set[str], here: Iterable[str]
) -> Iterator[SimilarCase]:
    """Yield the similar cases to show, without those decided by a rule that has been reworded since.

    A case whose rules are not among the `best` must be almost the same question, since it may share only
    words. If none of its rules is `here`, among the numbers of the edition, this cannot be judged.
    """
    for case in alike:
        is_near = not best.isdisjoint(case.rules) or {*case.rules}.isdisjoint(here)
        if case.rules and case.likeness >= (LIKE if is_near else SAME):
            told = case._replace(changed=reworded(session, case, edition))
            if not (told.changed and f"cr-{told.as_of}" > edition):
                yield told


def reworded(session: Session, case: SimilarCase, edition: str) -> tuple[str, ...]:
    """Return those of a case's rules that are worded differently in an edition than on its day."""
    lives = bundled_lives()
    then = lives.in_force(date.fromisoformat(case.as_of))
    named = {iri: own for own, iri in session.once(permanent_rules, edition).items()}
    rules = {session.iris.rule(edition, number): number for number in case.rules}
    if not (then and named):
        return ()
    graphs = [session.iris.document(edition)]
    wordings = dict(session.pairs(graphs, RG.wording, of=rules, kept=True))
    words = dict(session.pairs(graphs, RG.foldedAs, of=wordings.values(), kept=True))
    was = {iri: own for iri in rules if (own := lives.at(named.get(iri, ""), then))}
    same = {iri for iri, own in was.items() if own.words == words.get(wordings[iri])}
    return tuple(number for iri, number in rules.items() if iri not in same)


def votes(alike: Iterable[SimilarCase]) -> dict[str, float]:
    """Return number → how strongly the cases support it, below 1: many help a little, similar ones most.

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
    """The cases of a store, with the bundled ones if `bundled`, and an index of their words."""

    def __init__(self, session: Session, bundled: bool) -> None:
        self.every = (*loaded_cases(session), *(_read_bundled(session) if bundled else ()))
        # Stemming all words at once is faster.
        telling_stems(" ".join(text for it in self.every for text in (it.question, it.answer)))
        counted = [_counted([(it.question, 1.0), (it.answer, _ANSWER)]) for it in self.every]
        having = Counter(stem for own in counted for stem in own)
        self._rarity = {stem: log(1 + len(counted) / count) for stem, count in having.items()}
        weighed = ((place, pair) for place, own in enumerate(counted) for pair in self._weighed(own).items())
        self._postings = grouped((stem, (place, amount)) for place, (stem, amount) in weighed)

    def near(self, question: str, beside: Mapping[str, float]) -> Sequence[tuple[KnownCase, float]]:
        """Return all cases that share a word with the question or with `beside`, the most similar first."""
        totals: dict[int, float] = defaultdict(float)
        for stem, amount in self._weighed(_counted([(question, 1.0), *beside.items()])).items():
            for place, other in self._postings.get(stem, ()):
                totals[place] += amount * other
        order = sorted(totals, key=lambda place: (-totals[place], place))
        return [(self.every[place], totals[place]) for place in order]

    def _weighed(self, counted: Mapping[str, float]) -> dict[str, float]:
        """Return stem → weight, as a vector of length 1; a stem that is in no case counts as the rarest."""
        rarest = log(1 + len(self.every))
        found = {stem: amount * self._rarity.get(stem, rarest) for stem, amount in counted.items()}
        length = sqrt(sum(amount * amount for amount in found.values()))
        return {stem: amount / length for stem, amount in found.items()}


def _counted(texts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return stem → its total weight in texts; each text counts a word once."""
    found: dict[str, float] = {}
    for text, amount in texts:
        for stem in telling_stems(text):
            found[stem] = max(found.get(stem, 0.0), amount)
    return found
