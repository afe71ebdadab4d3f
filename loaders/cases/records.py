"""Records of solved cases: questions with the rules that decided them, without RDF."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple


class SolvedCase(NamedTuple):
    """A question that was answered: `rules` are the numbers cited, as they were on the day `as_of`."""

    key: str
    question: str
    answer: str
    cards: tuple[str, ...]
    rules: tuple[str, ...]
    as_of: date
    source: str
    licence: str


class CaseSet(NamedTuple):
    """The cases of one file."""

    set_id: str
    checksum: str
    cases: tuple[SolvedCase, ...]


class PreparedCases(NamedTuple):
    """A file of cases that was read."""

    source: str
    found: CaseSet


class CaseSummary(NamedTuple):
    """What a build loaded: the file, the id of the set, its cases, and the numbers that no rule then had."""

    source: str
    case_set: str
    cases: int
    unknown: int
