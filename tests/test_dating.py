"""Dates of paragraphs on rulings pages, checked against editions of the rules around those days."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from real import pages, rules
from rulesgraph.loaders.build import build, drop
from rulesgraph.loaders.store import MEMORY, Store, open_store
from rulesgraph.ontology.terms import RG
from rulesgraph.queries.session import Session

MINI = Path(__file__).with_name("mini")
EARLY, LATE = "lanterns-2031-02-01.txt", "lanterns-2031-07-01.txt"
RELEASE = """\
This search based on the August 9, 2031 release of the Rulings.
G7.1 - Bag
- G7.1a - The bag holds the moths that are not on the table.  See Rule 202, "Moths." [LanternRules {bag}]
G7.2 - Drift
- G7.2a - Drift is a static ability that frees a moth from lanterns.  See rule 320.3, "Drift."
[LanternRules {drift}]
G7.3 - Trim
- G7.3a - To trim a lantern is to take one oil from it, and no more. [LanternRules 2031/07/01]
"""


FACTS = 27
"""The statements about the release of 2008, with four editions around it."""


def built(folder: Path, *editions: str, bag: str = "2031/02/01", drift: str = "2031/07/01") -> Store:
    """Build the release and some editions in memory."""
    page = folder / "page.txt"
    page.write_text(RELEASE.format(bag=bag, drift=drift), encoding="utf-8")
    store = open_store(MEMORY)
    assert not build([page, *(MINI / name for name in editions)], store).refused
    return store


def verdicts(folder: Path, *editions: str, **days: str) -> set[str]:
    """Return what is said about the dates of the release beside some editions: "G7.2/a agrees cr-…"."""
    return said(built(folder, *editions, **days))


def said(store: Store) -> set[str]:
    query = (
        f"SELECT ?p ?how ?e WHERE {{ VALUES ?how {{ <{RG.dateAgreesWith}> <{RG.dateDisagreesWith}> }} "
        "GRAPH ?g { ?p ?how ?e } FILTER(STRENDS(STR(?g), '/derived')) }"
    )
    names = {RG.dateAgreesWith: "agrees", RG.dateDisagreesWith: "disagrees"}
    return {
        f"{str(p).rpartition('entry/')[2]} {names[str(how)]} {str(e).rpartition('/')[2]}"
        for p, how, e in Session(store).select(query)
    }


def test_a_date_agrees_when_the_words_came_in_on_that_day(tmp_path: Path) -> None:
    """The entry of Drift is new in July; the bag's was there before, and nothing is said about it."""
    assert verdicts(tmp_path, EARLY, LATE) == {"G7.2/a agrees cr-2031-07-01"}


def test_a_date_disagrees_when_the_words_stood_there_before(tmp_path: Path) -> None:
    assert verdicts(tmp_path, EARLY, LATE, bag="2031/07/01") == {
        "G7.1/a disagrees cr-2031-02-01",
        "G7.2/a agrees cr-2031-07-01",
    }


@pytest.mark.parametrize(
    ("editions", "drift"),
    [
        # nothing to hold it against
        ((), "2031/07/01"),
        # no edition before: the words may be older
        ((LATE,), "2031/07/01"),
        # no edition of that day
        ((EARLY, LATE), "2031/06/01"),
        ((EARLY,), "2031/07/01"),
    ],
)
def test_without_editions_on_both_sides_nothing_is_said(
    tmp_path: Path, editions: tuple[str, ...], drift: str
) -> None:
    assert verdicts(tmp_path, *editions, drift=drift) == set()


def test_an_edition_that_comes_or_goes_later_changes_what_is_said(tmp_path: Path) -> None:
    store = built(tmp_path, LATE)
    assert said(store) == set()
    assert not build([MINI / EARLY], store).refused
    assert said(store) == {"G7.2/a agrees cr-2031-07-01"}
    drop("cr-2031-02-01", store)
    assert said(store) == set()


@pytest.mark.long(small="test_a_date_disagrees_when_the_words_stood_there_before")
def test_the_release_of_2008_against_the_rules_of_its_time(
    shared: Path, store_of: Callable[..., Path]
) -> None:
    """Most of its words are its own; some of the others existed before the day that they give."""
    days = ("1999-11-01", "2003-07-01", "2006-07-15", "2008-02-01")
    found = said(open_store(store_of(*(rules(shared, day) for day in days), *pages(shared))))
    before = {fact.partition(" ")[0] for fact in found if "disagrees cr-1999-11-01" in fact}
    assert before == {"G12.6/a", "G12.11/a", "G16.16/a", "G16.16/d", "G5.19/c"}
    assert {"G5.19/a agrees cr-2003-07-01", "G5.7/b agrees cr-2008-02-01"} <= found
    assert len(found) == FACTS
