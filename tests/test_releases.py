"""Two releases of a rulings site, or of tournament rules, are compared with each other."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.ontology.errors import UnknownNameError, UsageError

OLD = """\
This search based on the March 3, 2007 release of the Rulings.
G31.1 - Dusk
- G31.1a - It dims every lamp that stands outside. [CompRules 2003/07/01]
- G31.1b - Nobody rows at dusk, as the harbour is closed then. [CompRules 2003/07/01]
G31.2 - Dawn
- G31.2a - Lamps are put out at dawn by their keepers. [CompRules 2003/07/01]
"""
NEW = """\
This search based on the May 5, 2009 release of the Rulings.
G31.1 - Dusk
- G31.1a - It dims every lamp that stands outside. [CompRules 2003/07/01]
- G31.1b - Everybody rows at dusk, as the harbour is closed then. [CompRules 2009/05/01]
G31.2 - Daybreak
- G31.2a - Daybreak comes before dawn; gulls call. [CompRules 2009/05/01]
G31.3 - Dawn
- G31.3a - Lamps are put out at dawn by their keepers. [CompRules 2003/07/01]
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    texts = {"old": OLD, "new": NEW, "other": OLD.replace("G31", "G32")}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    rulesgraph.build([tmp_path / f"{name}.txt" for name in texts], tmp_path / "store")
    return tmp_path / "store"


def test_what_changed_between_two_releases(store: Path) -> None:
    found = rulesgraph.open(store).diff("rulings-2007-03-03", "2009-05-05")
    assert [row[:4] for row in found.changes.rows] == [
        ("reworded", "rule", "G31.1b", "G31.1b"),
        ("added", "rule", "", "G31.2a"),
        ("renumbered", "rule", "G31.2a", "G31.3a"),
    ]
    assert found.changes.rows[0][4] == "[-Nobody-] {+Everybody+} rows at dusk, as the harbour is closed then."
    # A page that one release alone has loaded is not gone from the other.
    assert found.changes.notes == (
        "Not compared, because only one release is loaded: rulings-2007-03-03-g32.",
    )


def test_choices_hold_for_releases_too(store: Path) -> None:
    rules = rulesgraph.open(store)
    moved = rules.diff("2009-05-05", "2007-03-03", only="moved").changes
    assert [row[2:4] for row in moved.rows] == [("G31.3a", "G31.2a")]
    within = rules.diff("2007-03-03", "2009-05-05", within="G31.1").changes
    assert [row[0] for row in within.rows] == ["reworded"]


def test_a_number_alone_is_followed_from_the_oldest_release_that_has_it(store: Path) -> None:
    rules = rulesgraph.open(store)
    assert [row[:3] for row in rules.trace("G31.1").rows] == [
        ("rulings-2007-03-03", "G31.1a", ""),
        ("rulings-2009-05-05", "G31.1a", "unchanged"),
        ("rulings-2007-03-03", "G31.1b", ""),
        ("rulings-2009-05-05", "G31.1b", "reworded"),
    ]
    assert [row[:2] for row in rules.trace("G31.3a").rows] == [("rulings-2009-05-05", "G31.3a")]


def test_a_paragraph_is_followed_through_the_releases(store: Path) -> None:
    rules = rulesgraph.open(store)
    assert rules.trace("g31.2a", "2007-03-03").rows == (
        ("rulings-2007-03-03", "G31.2a", "", 1.0),
        ("rulings-2009-05-05", "G31.3a", "renumbered", 1.0),
    )
    back = rules.trace("G31.2a", "2009-05-05", "2007-03-03")
    assert [row[:3] for row in back.rows][-1] == ("rulings-2007-03-03", None, "not there yet")
    alone = rules.trace("G32.1a", "2007-03-03")
    assert len(alone.rows) == len(alone.notes) == 1
    with pytest.raises(UnknownNameError, match=r"G31\.9"):
        rules.trace("G31.9", "2007-03-03")


def test_the_sentences_of_a_paragraph_are_dated_by_releases(store: Path) -> None:
    found = rulesgraph.open(store).blame("G31.1b", edition="2009-05-05")
    [row] = found.rows
    assert row[1:4] == ("rulings-2009-05-05", "G31.1b", "Nobody rows at dusk, as the harbour is closed then.")
    assert row[4:] == (None, None, "G31.1b")
    assert "rulings-2007-03-03 is the oldest" in found.notes[0]
    [row] = rulesgraph.open(store).blame("G31.2a", edition="2009-05-05").rows
    assert row[4:] == ("rulings-2009-05-05", "G31.2a", "G31.2a")


def test_releases_and_rules_are_not_compared_with_each_other(store: Path, tmp_path: Path) -> None:
    rulesgraph.build([Path(__file__).parent / "mini" / "lanterns-2031-02-01.txt"], store)
    with pytest.raises(UsageError, match="not an edition of the comprehensive rules"):
        rulesgraph.open(store).diff("2007-03-03", "cr-2031-02-01")
