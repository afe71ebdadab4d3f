"""Dates are read in every form that the documents print, and nothing else is taken for one."""

from __future__ import annotations

from datetime import date

import pytest
from rulesgraph.loaders.language.dates import DAY, day_of, period_called, periods, read_day

PRINTED = [
    ("March 17, 2008", date(2008, 3, 17)),
    ("Sept. 1st, 2004", date(2004, 9, 1)),
    ("SEPTEMBER 30 1999", date(1999, 9, 30)),
    ("11 July 2009", date(2009, 7, 11)),
    ("2nd of May 2010", None),
    ("2010 May 2nd", date(2010, 5, 2)),
    ("2008-03-17", date(2008, 3, 17)),
    ("2003 / 07/ 01", date(2003, 7, 1)),
    ("2003/07", None),
    ("starter", None),
    ("Mrach 17, 2008", None),
    ("Smarch 5, 2008", None),
    ("Marching 5, 2008", None),
    ("February 30, 2008", None),
    ("2008-13-01", None),
    ("12008-03-17", None),
]


@pytest.mark.parametrize(("text", "expected"), PRINTED)
def test_a_day(text: str, expected: date | None) -> None:
    assert read_day(text) == expected


EARLIEST = [
    ("2007-05-03", date(2007, 5, 3)),
    ("2007/05", date(2007, 5, 1)),
    ("2007", date(2007, 1, 1)),
    ("May 2007", date(2007, 5, 1)),
    ("2007 may", date(2007, 5, 1)),
    ("2007, Sept.", date(2007, 9, 1)),
    ("2007 (May)", date(2007, 5, 1)),
    ("May (2007)", date(2007, 5, 1)),
    ("in May 2007", None),
    ("2007-00", None),
    ("0000", None),
    ("soon", None),
]


@pytest.mark.parametrize(("text", "expected"), EARLIEST)
def test_the_first_day_of_what_is_named(text: str, expected: date | None) -> None:
    found = period_called(text)
    assert (found and found.first) == expected


def test_days_in_running_text() -> None:
    text = "Printed on 1 June 2001, in force from July 1, 2001 (see 2001/08/32)."
    assert [day_of(match) for match in DAY.finditer(text)] == [date(2001, 6, 1), date(2001, 7, 1), None]


MONTHS_OR_VERBS = [
    ("How did moths fly in 2007 may vs now?", ["2007-05"]),
    ("between 2007 May and 2008 (March)", ["2007-05", "2008-03"]),
    ("the 2007 may rules", ["2007-05"]),
    ("In 2007 may a moth fly?", ["2007"]),
    ("In 2007 may moths fly?", ["2007"]),
]


@pytest.mark.parametrize(("text", "expected"), MONTHS_OR_VERBS)
def test_may_after_a_year_is_a_month_or_a_verb(text: str, expected: list[str]) -> None:
    assert [it.name for it in periods(text)] == expected
