"""Numbers of rules, as people write them in a sentence, become the places where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..finding.names import number_in

_CITED = re.compile(
    r"(?<![\w.])(?:(?:comp(?:rehensive)?|cr|rulings?)\s+)?"
    r"(?:(?P<named>(?:rules?|sections?|chapters?|entry|entries|paragraph|cr)\s*#?\s*)?"
    r"(?P<number>\d{3}\.\d+[a-z]{0,2}|(?-i:[A-Z])\d{1,2}\.\d+[a-z]?(?:\.ruling\.\d+)?)"
    r"|(?:rules?|sections?|chapters?|entry|cr)\s*#?\s*(?P<plain>\d{1,3}|(?-i:[A-Z])\d{1,2}))"
    r"(?![\w/]|\.\d)",
    re.IGNORECASE,
)


class Cited(NamedTuple):
    """One number: ``text[start:end]`` names it, with the word *rule* before it where that stands there."""

    number: str
    start: int
    end: int


def citations(text: str) -> Iterator[Cited]:
    """Yield the numbers of rules that a text names: with a point, or with a word that says what they are.

    >>> [cited.number for cited in citations("Do CR704.5K, rule 100 and 702.19c hold on turn 100 of G5.3a?")]
    ['704.5k', '100', '702.19c', 'G5.3a']
    """
    for match in _CITED.finditer(text):
        yield Cited(number_in(match["number"] or match["plain"]), match.start(), match.end())
