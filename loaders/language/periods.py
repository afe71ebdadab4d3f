"""Days, months and years that a text names become spans of days."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from .dates import DAY, MONTHS, day_of

_MONTH_NAME = "|".join(rf"{month[:3]}(?:{month[3:]})?" if month[3:] else month for month in MONTHS)
_YEAR = r"(?:19|20)\d\d"
_MONTH = re.compile(
    rf"\b(?P<name>{_MONTH_NAME}|sept)\b\.?,?\s+(?:of\s+)?(?P<year>{_YEAR})\b"
    rf"|\b(?P<year2>{_YEAR})[-/](?P<number>0[1-9]|1[0-2])\b(?![-/.]\d)",
    re.IGNORECASE,
)
_YEARS = re.compile(
    rf"\b(?:in|since|before|after|until|till|from|to|between|and|by|during|around|of|as of|back in|than)\s+"
    rf"(?:early\s+|late\s+|mid\s+|the\s+)?(?P<year>{_YEAR})\b(?![-/.]\d)"
    rf"|\b(?P<year2>{_YEAR})(?=(?:['’]s)?\s+(?:rules?|editions?|version|release|text|comp))",
    re.IGNORECASE,
)
"""A bare number is a year where the word beside it says so."""


class Period(NamedTuple):
    """The days from `first` to `last`, both included; ``text[start:end]`` names them."""

    first: date
    last: date
    start: int
    end: int

    @property
    def name(self) -> str:
        """The period as short as it can be written: a day, a month or a year."""
        if self.first == self.last:
            return self.first.isoformat()
        return self.first.isoformat()[: 7 if self.first.month == self.last.month else 4]


def periods(text: str) -> Iterator[Period]:
    """Yield the days, months and years that a text names, in order.

    >>> [period.name for period in periods("In 2009, since Jan 2026, of 2008-02-01, with 2000 lamps")]
    ['2009', '2026-01', '2008-02-01']
    """
    found = [*_days(text), *_months(text), *_years(text)]
    free = 0
    for period in sorted(found, key=lambda it: (it.start, -it.end)):
        if period.start >= free:
            free = period.end
            yield period


def _days(text: str) -> Iterator[Period]:
    for match in DAY.finditer(text):
        day = day_of(match)
        if day:
            yield Period(day, day, match.start(), match.end())


def _months(text: str) -> Iterator[Period]:
    for match in _MONTH.finditer(text):
        name = match["name"]
        month = int(match["number"] or 0)
        if name:
            month = next(n for n, it in enumerate(MONTHS, start=1) if it.startswith(name[:3].lower()))
        year = int(match["year"] or match["year2"])
        last = date(year, month, monthrange(year, month)[1])
        yield Period(date(year, month, 1), last, match.start(), match.end())


def _years(text: str) -> Iterator[Period]:
    for match in _YEARS.finditer(text):
        group = "year" if match["year"] else "year2"
        year = int(match[group])
        yield Period(date(year, 1, 1), date(year, 12, 31), match.start(group), match.end(group))
