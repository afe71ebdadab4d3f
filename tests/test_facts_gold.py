"""Facts of real documents are as good as they were measured to be: a drop below the floors fails."""

from __future__ import annotations

from pathlib import Path

import measure_facts
import pytest
from measure import Score

FLOORS = {
    # (document, part): precision, recall of all facts; what was measured, rounded down
    ("rulings-2008-03-17", "all"): (1.0, 0.98),
    ("cr-2006-07-15", "tuned"): (1.0, 0.95),
    ("cr-2006-07-15", "since"): (1.0, 1.0),
    ("cr-2020-04-17", "tuned"): (1.0, 1.0),
    ("cr-2020-04-17", "since"): (1.0, 0.97),
    ("cr-2016-11-11", "since"): (1.0, 0.94),
    ("1999 to 2026", "across-tuned"): (1.0, 0.98),
    ("1999 to 2026", "across-unseen"): (0.96, 0.93),
    ("1999 to 2026", "again-tuned"): (1.0, 0.98),
    ("1999 to 2026", "again-unseen"): (0.98, 0.96),
}


def fallen(measured: dict[tuple[str, str], Score]) -> list[tuple[str, str]]:
    """Return what is below its floor."""
    return [
        key
        for key, score in measured.items()
        if score.precision < FLOORS[key][0] or score.recall < FLOORS[key][1]
    ]


def test_facts_of_two_documents_are_as_good_as_measured(shared: Path) -> None:
    documents = ("rulings-2008-03-17", "cr-2020-04-17")
    scores = measure_facts.scores(shared, documents)
    measured = {
        key[:2]: score
        for key, score in scores.items()
        if key[2] == "all" and key[1] not in measure_facts.ACROSS
    }
    assert measured.keys() == {key for key in FLOORS if key[0] in documents}
    assert not fallen(measured)


@pytest.mark.long(small="test_facts_of_two_documents_are_as_good_as_measured")
def test_facts_are_as_good_as_measured(shared: Path) -> None:
    each, across = measure_facts.scores(shared), measure_facts.across(shared)
    measured = {
        key[:2]: score
        for key, score in each.items()
        if key[2] == "all" and key[1] not in measure_facts.ACROSS
    }
    measured |= {("1999 to 2026", part): score for (part, sort), score in across.items() if sort == "all"}
    assert measured.keys() == FLOORS.keys()
    assert not fallen(measured)


def test_the_gold_is_large_enough_and_has_a_page_whole(shared: Path) -> None:
    rows = measure_facts.gold()
    entries = {
        (row["document"], row["unit"].rpartition("/")[0]) for row in rows if row["unit"].startswith("entry/")
    }
    assert sum(document.startswith("cr-") for document, _ in entries) >= 150
    page = measure_facts.view(shared, "rulings-2008-03-17")
    whole = {measure_facts.unit_key(unit.iri) for unit in page.units if not unit.part}
    assert whole <= {row["unit"] for row in rows if row["document"] == "rulings-2008-03-17"}


@pytest.mark.long(small="test_the_gold_is_large_enough_and_has_a_page_whole")
def test_the_gold_is_about_units_that_exist(shared: Path) -> None:
    rows = measure_facts.gold()
    for name in measure_facts.SOURCES:
        units = {measure_facts.unit_key(unit.iri) for unit in measure_facts.view(shared, name).units}
        assert {row["unit"] for row in rows if row["document"] == name} <= units


def test_the_gold_holds_no_sentences() -> None:
    for row in measure_facts.gold():
        assert all(character.isalnum() or character in " -+" for character in row["fact"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # The last two call the parts of the turn by the names of the rule before: *the first main phase*.
        (
            "cr-2003-07-01",
            {"quote": 224, "list below": 4, "inferred": 1, "heading": 39}
            | {
                f"https://w3id.org/rulesgraph/edition/cr-2003-07-01/entry/phase/1/fact/{n}": 1 for n in (1, 2)
            },
        ),
        ("cr-2008-02-01", {"quote": 472, "list below": 7, "inferred": 2, "heading": 95}),
        ("cr-2026-01-16", {"quote": 1063, "list below": 15, "inferred": 5, "heading": 260}),
    ],
)
def test_the_sentences_of_a_fact_say_it(shared: Path, name: str, expected: dict[str, int]) -> None:
    assert measure_facts.said_where(measure_facts.view(shared, name)) == expected
