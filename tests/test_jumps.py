"""An edition whose counts fall out of line with its neighbours is reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import session_on
from commands import Run
from real import AROUND, rules
from rulesgraph.loaders.build import build
from rulesgraph.queries.checking.defects import compared_with_neighbours, is_out_of_line

MINI = Path(__file__).parent / "mini"


@pytest.mark.parametrize(
    ("own", "before", "after", "jumps"),
    [
        (711, 708, 725, False),
        # rules grow by a third in a few years
        (647, 356, 946, False),
        # more than a tenth less than before is a loss, whatever comes after
        (9, 10, None, False),
        (8, 10, None, True),
        (600, 700, None, True),
        (600, 700, 590, True),
        # a dip or a bulge between two neighbours
        (680, 705, 710, True),
        (800, 700, 710, True),
        # the first edition has nothing to be checked against
        (100, None, 700, False),
    ],
)
def test_a_jump(own: int, before: int | None, after: int | None, jumps: bool) -> None:
    assert is_out_of_line(own, before, after) is jumps


def test_a_copy_that_lost_part_of_its_glossary(tmp_path: Path, run: Run) -> None:
    text = (MINI / "lanterns-2031-02-01.txt").read_text(encoding="utf-8")
    middle = re.sub(r"(?s)\nKeeper\nA keeper.*?(?=\nTrim\n)", "", text.replace("February 1", "April 1"))
    later = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    for name, words in (("a", text), ("b", middle), ("c", later)):
        (tmp_path / f"{name}.txt").write_text(words, encoding="utf-8")
    store = tmp_path / "store"
    assert build([tmp_path / f"{name}.txt" for name in "abc"], str(store)).refused == ()
    code, out, talk = run(
        "build", "--store", tmp_path / "told", *(tmp_path / f"{name}.txt" for name in "abc")
    )
    assert code == 0
    lost = (
        "glossary entries, but there are 13 in cr-2031-02-01 and 14 in cr-2031-07-01: is the text complete?"
    )
    assert [line for line in talk.splitlines() if lost in line] == [f"cr-2031-04-01: 7 {lost}"]
    code, out, _ = run("check", "--store", store, "--edition", "cr-2031-04-01", "--format", "csv")
    assert code == 1
    found = [line for line in out.splitlines() if "count-jump" in line]
    assert len(found) == 1
    assert "glossary entries, but there are 13 in cr-2031-02-01 and 14 in cr-2031-07-01" in found[0]
    for edition in ("cr-2031-02-01", "cr-2031-07-01"):
        _, out, _ = run("check", "--store", store, "--edition", edition, "--format", "csv")
        assert "count-jump" not in out


@pytest.mark.long(small="test_a_copy_that_lost_part_of_its_glossary")
def test_no_real_edition_jumps(shared: Path, store_of: Callable[..., Path]) -> None:
    session = session_on(store_of(*(rules(shared, day) for day in AROUND)))
    names = [f"cr-{day}" for day in AROUND]
    assert min(it.counts["Rule"] for it in session.counted()) > 1000
    assert list(compared_with_neighbours(session, names)) == []
