"""Days as printed become dates, wherever they stand: ``July 11, 2009``, ``11 July 2009``, ``2009/07/11``."""

from __future__ import annotations

import re
from datetime import date

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(rf"{month[:3]}(?:{month[3:]})?" if month[3:] else month for month in MONTHS)
_ORDINAL = r"(?:st|nd|rd|th)?"

DAY = re.compile(
    rf"\b(?P<month>{_MONTH}|sept)\b\.?\s+(?P<day>\d{{1,2}}){_ORDINAL},?\s+(?P<year>\d{{4}})\b"
    rf"|\b(?P<day2>\d{{1,2}}){_ORDINAL}\s+(?P<month2>{_MONTH}|sept)\b\.?,?\s+(?P<year2>\d{{4}})\b"
    r"|\b(?P<year3>\d{4})\s?[-/.]\s?(?P<month3>\d{1,2})\s?[-/.]\s?(?P<day3>\d{1,2})\b",
    re.IGNORECASE,
)
"""A day in any of its forms; `day_of` reads a match."""

_EARLIEST = re.compile(r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2}))?")


def day_of(match: re.Match[str]) -> date | None:
    """Return the day that a match of `DAY` names, or None where no calendar has it."""
    year, month, day = (
        next(part for name in names if (part := match[name]))
        for names in (("year", "year2", "year3"), ("month", "month2", "month3"), ("day", "day2", "day3"))
    )
    number = int(month) if month.isdigit() else _number_of(month)
    try:
        return date(int(year), number, int(day))
    except ValueError:
        return None


def read_day(text: str) -> date | None:
    """Return the day that `text` is, or None.

    >>> read_day("March 17, 2008"), read_day("2008/02/30"), read_day("Smarch 5, 2008")
    (datetime.date(2008, 3, 17), None, None)
    """
    match = DAY.fullmatch(text.strip())
    return day_of(match) if match else None


def earliest_day(text: str) -> date | None:
    """Return the first day of what `text` names: a day, a month (``2007-05``) or a year.

    >>> earliest_day("2007"), earliest_day("2007/05"), earliest_day("2007-13")
    (datetime.date(2007, 1, 1), datetime.date(2007, 5, 1), None)
    """
    match = _EARLIEST.fullmatch(text.strip())
    if not match:
        return read_day(text)
    try:
        return date(int(match["year"]), int(match["month"] or 1), 1)
    except ValueError:
        return None


def _number_of(month: str) -> int:
    return next(n for n, name in enumerate(MONTHS, start=1) if name.startswith(month[:3].lower()))
