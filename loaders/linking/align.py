"""Match paragraphs without headings to the glossary entries of an edition.

Words count first: a paragraph is about the term whose text shares most of its words, in the same order. If
several terms fit equally well ("See Landwalk."), position decides: a paragraph lies between the matches of
its neighbours. If neither settles it, a paragraph has no match.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ...ontology import grouped
from ...ontology import slug as slug_of
from ..language.words import normalise

LEAST_SIMILAR = 0.65
"""The minimum share of common words for two wordings of one paragraph.

Measured between editions of 2006 and 2008: wordings of one paragraph share 0.79 or more, others about the
same subject 0.60 or less.
"""

MARGIN = 0.05
"""Terms fit equally well if the scores of their best paragraphs differ by less than this."""

LEAST_WORDS = 8
"""Shorter texts must be equal: "See rule 606." and "See rule 607." are different."""

NEARLY = 0.99
"""The maximum score of a match that is not word for word."""

ORDERED = 0.95
"""The confidence lost if order chose one of several fitting terms."""

_CAPITAL_RULE = re.compile(r"\b(?:Rules?|Sections?)(?= \d)")
_WORD = re.compile(r"\w+(?:['-]\w+)*|[*]|\{\w+\}")
_REFERENCE = re.compile(r'\(?\b[Ss]ee (?:also )?(?:rules?|section) \d[\w.]*(?:,? "[^"]*")?[.)]*')
_FIRST_WORD = 0x10000


@dataclass(frozen=True, slots=True)
class Match:
    """The term that paragraph `index` is about, and the unit of the edition that shows it.

    `confidence` is the share of common words, from 0 to 1 (1: word for word); if order decided (`by`), it is
    reduced by the remaining doubt.
    """

    index: int
    slug: str
    unit_iri: str
    confidence: float
    by: Literal["words", "order"]


class _Unit(NamedTuple):
    """A paragraph of the edition: its place in the text, its term, and its likeness to another."""

    place: int
    slug: str
    iri: str
    text: str
    score: float = 0.0


def comparable(text: str) -> str:
    """Return the form in which paragraphs are compared word for word.

    White space, the kind of quotes and the capitals of "Rule 101" make no difference.

    >>> comparable("See  Rule 101, “Bells.”")
    'See rule 101, "Bells."'
    """
    return _CAPITAL_RULE.sub(lambda match: match[0].lower(), normalise(text))


def agreement(paragraphs: Iterable[str], editions: Mapping[str, Iterable[str]]) -> dict[str, tuple[int, int]]:
    """Return, for each edition, how many of `paragraphs` it contains word for word, and how many there are.

    `editions` maps an edition's id to the texts of its paragraphs.
    """
    wanted = [comparable(text) for text in paragraphs]
    held = {edition: {comparable(text) for text in texts} for edition, texts in editions.items()}
    return {edition: (sum(text in texts for text in wanted), len(wanted)) for edition, texts in held.items()}


def align(
    paragraphs: Sequence[str], entries: Sequence[tuple[str, Sequence[tuple[str, str]]]]
) -> tuple[Match, ...]:
    """Return a match for each paragraph that has one, in order.

    `paragraphs` are in the order of their text; `entries` are an edition's in the order of its text, each a
    term's slug and its `(unit IRI, text)` pairs.
    """
    units = [(slug, iri, text) for slug, texts in entries for iri, text in texts]
    edition = _Edition([_Unit(place, *unit) for place, unit in enumerate(units)])
    fitting = [edition.fitting(text) for text in paragraphs]
    decided = {
        index: found[0] for index, found in enumerate(fitting) if len({unit.slug for unit in found}) == 1
    }
    matches = {index: _match(index, unit, unit.score, "words") for index, unit in decided.items()}
    for run, after, before in _undecided_runs(fitting, _longest_rising(decided)):
        matches.update(_by_order(run, fitting, after, before))
    return tuple(matches[index] for index in sorted(matches))


class _Edition:
    """The units of an edition, indexed for comparison; words are coded as characters for speed."""

    def __init__(self, units: Sequence[_Unit]) -> None:
        self._units = units
        self._codes: dict[str, str] = {}
        texts = [comparable(unit.text) for unit in units]
        self._exact = grouped(zip(texts, units, strict=True))
        self._whole = [self._coded(text) for text in texts]
        self._bare = [self._coded(_REFERENCE.sub("", text)) for text in texts]

    def fitting(self, paragraph: str) -> list[_Unit]:
        """Return the best unit of each term that fits a paragraph, down to `MARGIN` below the best."""
        text = comparable(paragraph)
        if text in self._exact:
            return _best_of_each(unit._replace(score=1.0) for unit in self._exact[text])
        scores: dict[int, float] = {}
        # A rulings page prints as notes what the glossary has within its paragraphs: "See rule 408.1".
        for words, choices in ((text, self._whole), (_REFERENCE.sub("", text), self._bare)):
            for place, score in self._alike(self._coded(words), choices):
                scores[place] = max(scores.get(place, 0.0), min(score, NEARLY))
        likely = (self._units[place]._replace(score=score) for place, score in scores.items())
        named = f"-{slug_of(text)}-"
        best = _best_of_each(unit for unit in likely if not _names_another(unit, named))
        return [unit for unit in best if unit.score >= best[0].score - MARGIN]

    @staticmethod
    def _alike(words: str, choices: Sequence[str]) -> Iterator[tuple[int, float]]:
        """Yield place and score of the choices that share enough of the coded words, in order."""
        if len(words) < LEAST_WORDS:
            return
        from rapidfuzz import process  # imported here because only fragments are compared
        from rapidfuzz.distance import Indel

        alike = process.extract_iter(
            words, choices, scorer=Indel.normalized_similarity, score_cutoff=LEAST_SIMILAR
        )
        for choice, score, place in alike:
            if len(choice) >= LEAST_WORDS:
                yield place, score

    def _coded(self, text: str) -> str:
        words = _WORD.findall(text.lower())
        return "".join(self._codes.setdefault(word, chr(_FIRST_WORD + len(self._codes))) for word in words)


def _names_another(unit: _Unit, named: str) -> bool:
    """Return whether a unit names its term and the paragraph does not.

    The paragraphs of *Power* and *Toughness* do not differ otherwise.
    """
    own = f"-{unit.slug}"
    return own in f"-{slug_of(unit.text)}" and own not in named


def _best_of_each(units: Iterable[_Unit]) -> list[_Unit]:
    """Return each term's best unit (the first of equals), best first."""
    best: dict[str, _Unit] = {}
    for unit in sorted(units, key=lambda unit: (-unit.score, unit.place)):
        best.setdefault(unit.slug, unit)
    return list(best.values())


def _match(index: int, unit: _Unit, confidence: float, by: Literal["words", "order"]) -> Match:
    return Match(index, unit.slug, unit.iri, round(confidence, 2), by)


def _longest_rising(decided: Mapping[int, _Unit]) -> dict[int, int]:
    """Return the largest set of matches that are in the edition's order (index → place): the fixed points."""
    tails: list[int] = []
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for index in sorted(decided):
        place = decided[index].place
        length = bisect_left(tails, place)
        before[index] = ends[length - 1] if length else None
        tails[length : length + 1] = [place]
        ends[length : length + 1] = [index]
    rising: dict[int, int] = {}
    index_or_none = ends[-1] if ends else None
    while index_or_none is not None:
        rising[index_or_none] = decided[index_or_none].place
        index_or_none = before[index_or_none]
    return rising


def _undecided_runs(
    fitting: Sequence[Sequence[_Unit]], bearings: Mapping[int, int]
) -> Iterator[tuple[list[int], int | None, int | None]]:
    """Yield runs of paragraphs that fit several terms, with the fixed points before and after."""
    run: list[int] = []
    after: int | None = None
    for index, found in enumerate(fitting):
        if index in bearings:
            if run:
                yield run, after, bearings[index]
            run, after = [], bearings[index]
        elif len(found) > 1:
            run.append(index)
    if run:
        yield run, after, None


def _by_order(
    run: Sequence[int], fitting: Sequence[Sequence[_Unit]], after: int | None, before: int | None
) -> dict[int, Match]:
    """Match a run between two fixed points, each paragraph with the next place that fits it.

    The place nearest to a fixed point is likeliest; without one, order decides nothing.
    """
    if after is None and before is None:
        return {}
    matches = {}
    backwards = after is None
    low, high = after if after is not None else -1, before
    for index in reversed(run) if backwards else run:
        open_units = [
            unit for unit in fitting[index] if unit.place > low and (high is None or unit.place < high)
        ]
        if not open_units:
            continue
        choose = max if backwards else min
        unit = choose(open_units, key=lambda unit: unit.place)
        matches[index] = _match(index, unit, unit.score * ORDERED / len(open_units), "order")
        if backwards:
            high = unit.place
        else:
            low = unit.place
    return matches
