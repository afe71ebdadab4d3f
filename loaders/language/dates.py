"""Find days, months and years in a text: ``July 11, 2009``, ``11 July 2009``, ``2009/07/11``, *in 2009*."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(rf"{month[:3]}(?:{month[3:]})?" if month[3:] else month for month in MONTHS) + "|sept"
_ORDINAL = r"(?:st|nd|rd|th)?"

DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.?\s+(?P<day>\d{{1,2}}){_ORDINAL},?\s+(?P<year>\d{{4}})\b"
    rf"|\b(?P<day2>\d{{1,2}}){_ORDINAL}\s+(?P<month2>{_MONTH})\b\.?,?\s+(?P<year2>\d{{4}})\b"
    rf"|\b(?P<year4>\d{{4}}),?\s+(?P<month4>{_MONTH})\b\.?\s+(?P<day4>\d{{1,2}}){_ORDINAL}\b"
    r"|\b(?P<year3>\d{4})\s?[-/.]\s?(?P<month3>\d{1,2})\s?[-/.]\s?(?P<day3>\d{1,2})\b",
    re.IGNORECASE,
)
"""A day in any form; `day_of` reads a match."""


def day_of(match: re.Match[str]) -> date | None:
    """Return the day that a match of `DAY` names, or None if no calendar has it."""
    year, month, day = (
        next(part for end in ("", "2", "3", "4") if (part := match[name + end]))
        for name in ("year", "month", "day")
    )
    number = int(month) if month.isdigit() else _number_of(month)
    try:
        return date(int(year), number, int(day))
    except ValueError:
        return None


def read_day(text: str) -> date | None:
    """Return the day that all of `text` names, or None.

    >>> read_day("March 17, 2008"), read_day("2008/02/30"), read_day("Smarch 5, 2008")
    (datetime.date(2008, 3, 17), None, None)
    """
    match = DAY.fullmatch(text.strip())
    return day_of(match) if match else None


def _number_of(month: str) -> int:
    return next(n for n, name in enumerate(MONTHS, start=1) if name.startswith(month[:3].casefold()))


_YEAR = r"(?:19|20)\d\d"
_NO_VERB = (
    r"(?!\s+(?!(?:and|or|vs|versus|to|till|until|through|than|compared|with|rules?|editions?|version)\b)\w)"
)
"""Not before the subject of the verb *may*: *in 2009 may a moth light lamps*."""

_MONTH_AND_YEAR = re.compile(
    rf"\b(?P<name>{_MONTH})\b\.?,?\s+(?:(?:of|in)\s+)?(?P<open>\()?(?P<year>{_YEAR})\b(?(open)\)?)"
    rf"|\b(?P<year2>{_YEAR})[-/](?P<name2>0[1-9]|1[0-2])\b(?![-/.]\d)"
    rf"|\b(?P<year3>{_YEAR}),?\s+(?P<open3>\()?(?P<name3>{_MONTH})\b\.?(?(open3)\)?|{_NO_VERB})",
    re.IGNORECASE,
)
_YEARS = re.compile(
    rf"\b(?:in|since|before|after|until|till|from|to|between|and|by|during|around|of|as of|back in|than)\s+"
    rf"(?:early\s+|late\s+|mid\s+|the\s+)?(?P<year>{_YEAR})\b(?![-/.]\d)"
    rf"|\b(?P<year2>{_YEAR})(?=(?:['’]s)?\s+(?:rules?|editions?|version|release|text|comp))",
    re.IGNORECASE,
)
"""A bare number is a year if the word before it shows it."""


class Period(NamedTuple):
    """The days from `first` to `last`, both included; ``text[start:end]`` names them."""

    first: date
    last: date
    start: int
    end: int

    @property
    def name(self) -> str:
        """The period in its shortest form: a day, a month or a year."""
        if self.first == self.last:
            return self.first.isoformat()
        return self.first.isoformat()[: 7 if self.first.month == self.last.month else 4]


def periods(text: str) -> Iterator[Period]:
    """Yield the days, months and years that a text names, in order.

    >>> [period.name for period in periods("In 2009, since Jan 2026, of 2008-02-01, with 2000 lamps")]
    ['2009', '2026-01', '2008-02-01']
    """
    if not any(map(str.isdecimal, text)):
        return
    found = [*_days(text), *_months(text), *_years(text)]
    free = 0
    for period in sorted(found, key=lambda it: (it.start, -it.end)):
        if period.start >= free:
            free = period.end
            yield period


def period_called(text: str) -> Period | None:
    """Return the day, month or year that all of `text` names, or None.

    >>> [str(period_called(text) and period_called(text).name) for text in ("July 2009", "2009", "M10")]
    ['2009-07', '2009', 'None']
    """
    said = f"in {text.strip()}"
    found = next(periods(said), None)
    return found if found and (found.start, found.end) == (len("in "), len(said)) else None


_RELATIVE = re.compile(
    rf"\b(?:(?P<which>last|this|the (?:last|past|previous)) (?P<unit>year|month)"
    rf"|(?P<lead>since|until|before|after|in|from)(?: last| this)? (?P<month>{_MONTH}))\b(?!\.? \d)",
    re.IGNORECASE,
)
"""A year or month by its distance from today, or a month without its year, which is the most recent one."""


_LEADING_WORD = re.compile(r"\b(?:since|until|before|after|in|from|during|of)\s+\Z", re.IGNORECASE)


_TO_A_MONTH = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.?"
    rf"(?= (?:and|to|until|till|through) (?P<last>{_MONTH})\b\.?,? (?P<year>{_YEAR})\b)",
    re.IGNORECASE,
)
"""A month without its year, before the last month of a period, which has the year."""


def with_years(text: str, today: date) -> str:
    """Return a text with a year for *last year*, *since January* and *from May to July 2009*, as of a day.

    >>> with_years("What changed since January, and last year, in May?", date(2031, 4, 2))
    'What changed since 2031-01, and in 2030, in 2030-05?'
    >>> with_years("between November and April 2026, from May to July 2009", date(2031, 4, 2))
    'between 2025-11 and April 2026, from 2009-05 to July 2009'
    """

    def shared(match: re.Match[str]) -> str:
        month = _number_of(match["month"])
        return f"{int(match['year']) - (month > _number_of(match['last']))}-{month:02}"

    def dated(match: re.Match[str]) -> str:
        is_led = match["lead"] or _LEADING_WORD.search(text[: match.start()])
        lead = f"{match['lead']} " if match["lead"] else "" if is_led else "in "
        if match["month"]:
            month = _number_of(match["month"])
            return f"{lead}{today.year - (month > today.month)}-{month:02}"
        back = match["which"].lower() != "this"
        if match["unit"].lower() == "year":
            return f"{lead}{today.year - back}"
        day = today.replace(day=1) - timedelta(days=int(back))
        return f"{lead}{day.isoformat()[:7]}"

    return _RELATIVE.sub(dated, _TO_A_MONTH.sub(shared, text))


def _days(text: str) -> Iterator[Period]:
    for match in DAY.finditer(text):
        day = day_of(match)
        if day:
            yield Period(day, day, match.start(), match.end())


def _months(text: str) -> Iterator[Period]:
    for match in _MONTH_AND_YEAR.finditer(text):
        said = match["name"] or match["name2"] or match["name3"]
        month = int(said) if said.isdigit() else _number_of(said)
        year = int(match["year"] or match["year2"] or match["year3"])
        last = date(year, month, monthrange(year, month)[1])
        yield Period(date(year, month, 1), last, match.start(), match.end())


def _years(text: str) -> Iterator[Period]:
    for match in _YEARS.finditer(text):
        group = "year" if match["year"] else "year2"
        year = int(match[group])
        yield Period(date(year, 1, 1), date(year, 12, 31), match.start(group), match.end(group))
