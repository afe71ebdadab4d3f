"""The drawing of a thing among its neighbours: every position with its full value."""

from __future__ import annotations

import pytest
from rulesgraph.app.web.pages.term import MOST, drawing

OIL = {"name": "Oil", "link": "term/oil", "kind": "citation"}
WICK = {"name": "Wick", "link": "term/wick", "kind": "mention"}
DUSK = {"name": "Dusk", "link": "rule/201.1", "kind": "definition"}


def line(of: dict[str, str], x: float, y: float, anchor: str, way: str) -> dict[str, object]:
    return {**of, "label": of["name"], "x": x, "y": y, "anchor": anchor, "way": way}


def test_two_that_rely_on_it_and_one_that_it_relies_on() -> None:
    assert drawing("Moth", [OIL, WICK], [DUSK]) == {
        "name": "Moth",
        "height": 104,
        "middle": 64.0,
        "half": pytest.approx(35.6),
        "lines": [
            line(OIL, 210, 49.0, "end", "M216 49C277.2 49 277.2 64 344.4 64"),
            line(WICK, 210, 79.0, "end", "M216 79C277.2 79 277.2 64 344.4 64"),
            line(DUSK, 550, 64.0, "start", "M544 64C482.8 64 482.8 64 415.6 64"),
        ],
    }


def test_one_side_alone_sets_the_height() -> None:
    assert drawing("Moth", [], [OIL, WICK, DUSK]) == {
        "name": "Moth",
        "height": 134,
        "middle": 79.0,
        "half": pytest.approx(35.6),
        "lines": [
            line(OIL, 550, 49.0, "start", "M544 49C482.8 49 482.8 79 415.6 79"),
            line(WICK, 550, 79.0, "start", "M544 79C482.8 79 482.8 79 415.6 79"),
            line(DUSK, 550, 109.0, "start", "M544 109C482.8 109 482.8 79 415.6 79"),
        ],
    }


def test_nothing_to_draw() -> None:
    assert drawing("Moth", [], []) is None


def test_each_name_is_drawn_once_by_its_first_link_and_only_so_many() -> None:
    many = [{"name": f"Lamp {n}", "link": f"rule/{n}", "kind": "citation"} for n in range(MOST + 3)]
    drawn = drawing("Moth", [OIL, {**OIL, "link": "elsewhere", "kind": "mention"}, *many], [])
    assert drawn is not None
    assert [(it["label"], it["link"]) for it in drawn["lines"]] == [
        ("Oil", "term/oil"),
        *((f"Lamp {n}", f"rule/{n}") for n in range(MOST - 1)),
    ]
    assert (drawn["height"], drawn["middle"]) == (34 + 9 * 30 + 10, 34 + 9 * 15)
    assert [it["y"] for it in drawn["lines"]] == [49.0 + 30 * n for n in range(9)]


@pytest.mark.parametrize(
    ("name", "shown", "half"),
    [
        ("a" * 22, "a" * 22, 18 + 4.4 * 22),
        ("a" * 23, "a" * 23, 118.0),
        ("a" * 24, "a" * 24, 118.0),
        ("a" * 25, "a" * 23 + "…", 118.0),
        ("a" * 22 + " bc", "a" * 22 + "…", 118.0),
    ],
)
def test_a_long_name_is_cut_and_its_box_has_a_greatest_width(name: str, shown: str, half: float) -> None:
    drawn = drawing(name, [{"name": name, "link": "term/long", "kind": "citation"}], [])
    assert drawn is not None
    assert (drawn["name"], drawn["half"]) == (shown, pytest.approx(half))
    assert [it["label"] for it in drawn["lines"]] == [shown]
