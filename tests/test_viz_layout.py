"""Positions: always the same, no overlapping boxes, later things in the gaps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesgraph.viz.layout import Point, arrange, separate

LINKS = st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24), st.sampled_from((0.1, 1.0))), max_size=40)


def overlaps(positions: list[Point], boxes: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Return the pairs of boxes that overlap by more than the pixel that layout tolerates."""
    found = []
    for a, b in combinations(range(len(boxes)), 2):
        across = (boxes[a][0] + boxes[b][0]) / 2 - abs(positions[a][0] - positions[b][0])
        down = (boxes[a][1] + boxes[b][1]) / 2 - abs(positions[a][1] - positions[b][1])
        if across > 1 and down > 1:
            found.append((a, b))
    return found


def wheel(rim: int) -> list[tuple[int, int, float]]:
    return [(0, i, 1.0) for i in range(1, rim + 1)] + [(i, i % rim + 1, 1.0) for i in range(1, rim + 1)]


@settings(max_examples=25)
@given(LINKS)
def test_no_box_covers_another(links: list[tuple[int, int, float]]) -> None:
    boxes = [(40 + 7 * (i % 9), 20 + 5 * (i % 4)) for i in range(25)]
    assert overlaps(arrange(boxes, links), boxes) == []


@settings(max_examples=10)
@given(LINKS)
def test_the_same_input_gives_the_same_picture(links: list[tuple[int, int, float]]) -> None:
    boxes = [(60, 30)] * 25
    assert arrange(boxes, links) == arrange(boxes, links)


@pytest.mark.parametrize(
    ("boxes", "links"),
    [
        (0, []),
        (1, []),
        (2, [(0, 1, 1.0)]),
        (2, []),
        (3, [(0, 0, 1.0)]),  # a link to itself pulls nowhere
        (3, [(0, 1, 1.0), (1, 0, 1.0)]),  # two links between the same two
    ],
)
def test_small_pictures(boxes: int, links: list[tuple[int, int, float]]) -> None:
    places = arrange([(50, 30)] * boxes, links)
    assert len(set(places)) == boxes


def test_latecomers_take_what_room_is_left() -> None:
    early = [(80, 40)] * 13
    late = [(30, 20)] * 6
    links = wheel(12)
    alone = arrange(early, links)
    both = arrange([*early, *late], [*links, *((i, 13 + i, 1.0) for i in range(6))], late=6)
    assert both[:13] == alone, "what was there must stay where it was"
    assert overlaps(both, [*early, *late]) == []
    spread = max(abs(x - alone[0][0]) for x, _ in alone)
    for i in range(6):
        assert abs(both[13 + i][0] - both[i][0]) < spread, "a latecomer stands near what it is linked to"


def test_all_late() -> None:
    places = arrange([(30, 20)] * 3, [(0, 1, 1.0)], late=3)
    assert overlaps(places, [(30, 20)] * 3) == []


def test_linked_things_stand_nearer_than_others() -> None:
    """Two wheels joined by one link: each stays together."""
    links = [*wheel(8), *((a + 9, b + 9, w) for a, b, w in wheel(8)), (0, 9, 1.0)]
    places = np.array(arrange([(30, 20)] * 18, links))
    middle = places[:9].mean(axis=0), places[9:].mean(axis=0)
    for part, own, other in ((range(9), 0, 1), (range(9, 18), 1, 0)):
        nearer = [np.hypot(*(places[i] - middle[own])) < np.hypot(*(places[i] - middle[other])) for i in part]
        assert sum(nearer) >= 8


def test_separate_moves_only_what_overlaps() -> None:
    points = np.array([[0.0, 0.0], [5.0, 0.0], [500.0, 500.0]])
    moved = separate(points, np.array([[40.0, 20.0]] * 3))
    assert tuple(moved[2]) == (500.0, 500.0)
    assert abs(moved[0][0] - moved[1][0]) >= 39 or abs(moved[0][1] - moved[1][1]) >= 19
