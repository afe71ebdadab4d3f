"""Who waits for a query gets a turn in a fair order, and what is kept stays within its room."""

from __future__ import annotations

import pytest
from rulesgraph.app.web.sparql.kept import BESIDES, Kept, Ready
from rulesgraph.app.web.sparql.turns import CrowdedError, Turns


def test_who_has_fewer_turns_is_next_and_then_who_came_first() -> None:
    turns: Turns[tuple[str, int]] = Turns(100, 100)
    turns.begin("greedy")
    turns.begin("greedy")
    waiting = [("greedy", 1), ("greedy", 2), ("modest", 1), ("greedy", 3), ("late", 1), ("modest", 2)]
    for one in waiting:
        turns.wait(one[0], one)
    order = []
    for client in ("greedy", "greedy", "modest", "late", "modest", "greedy"):
        turns.end(client)
        order.append(turns.take())
    assert order == [
        ("modest", 1),
        ("greedy", 1),
        ("late", 1),
        ("modest", 2),
        ("greedy", 2),
        ("greedy", 3),
    ]
    assert turns.take() is None


def test_too_many_who_wait_are_sent_away() -> None:
    turns: Turns[str] = Turns(3, 2)
    turns.wait("a", "1")
    turns.wait("a", "2")
    # There is room for one more, but not for a third of the same client.
    with pytest.raises(CrowdedError):
        turns.wait("a", "3")
    turns.wait("b", "4")
    with pytest.raises(CrowdedError):
        turns.wait("c", "5")
    assert turns.take() == "1"
    turns.wait("c", "6")
    assert list(turns) == [("b", "4"), ("a", "2"), ("c", "6")]


def test_who_had_a_turn_before_comes_first_even_where_it_is_crowded() -> None:
    turns: Turns[str] = Turns(1, 1)
    turns.wait("a", "late")
    turns.wait_again("a", "early")
    assert [turns.take(), turns.take(), turns.take()] == ["early", "late", None]


def test_who_leaves_gets_no_turn() -> None:
    turns: Turns[str] = Turns(10, 10)
    turns.wait("a", "1")
    turns.wait("a", "2")
    turns.leave("a", "1")
    turns.leave("a", "1")
    turns.leave("b", "1")
    assert [turns.take(), turns.take()] == ["2", None]


def test_answers_are_kept_as_long_as_there_is_room() -> None:
    kept: Kept[Ready] = Kept(8 * (BESIDES + 10))
    for number in range(10):
        kept.put(str(number), Ready("results", b"x" * 10), 10)
        assert kept.get("0") is not None
    assert [number for number in range(10) if kept.get(str(number))] == [0, *range(3, 10)]
    kept.put("large", Ready("results", b"x" * 11), 11)
    assert kept.get("large") is None
    kept.put("9", Ready("graph", b""), 0)
    assert kept.get("9") == Ready("results", b"x" * 10)


def test_answers_of_nothing_take_room_as_well() -> None:
    kept: Kept[Ready] = Kept(10 * BESIDES)
    for number in range(20):
        kept.put(str(number), Ready("results", b""), 0)
    assert [number for number in range(20) if kept.get(str(number))] == [*range(10, 20)]
