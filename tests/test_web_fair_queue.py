"""Who waits for a query gets a turn in a fair order, and what is kept stays within its room."""

from __future__ import annotations

import pytest
from rulesgraph.app.web.sparql.executor import BESIDES, answer_cache
from rulesgraph.app.web.sparql.worker_pool import FairQueue
from rulesgraph.app.web.sparql.worker_process import CrowdedError


def test_who_has_fewer_queue_is_next_and_then_who_came_first() -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue(100, 100)
    queue.begin("greedy")
    queue.begin("greedy")
    waiting = [("greedy", 1), ("greedy", 2), ("modest", 1), ("greedy", 3), ("late", 1), ("modest", 2)]
    for one in waiting:
        queue.wait(one[0], one)
    order = []
    for client in ("greedy", "greedy", "modest", "late", "modest", "greedy"):
        queue.end(client)
        order.append(queue.take())
    assert order == [
        ("modest", 1),
        ("greedy", 1),
        ("late", 1),
        ("modest", 2),
        ("greedy", 2),
        ("greedy", 3),
    ]
    assert queue.take() is None


def test_too_many_who_wait_are_sent_away() -> None:
    queue: FairQueue[str] = FairQueue(3, 2)
    queue.wait("a", "1")
    queue.wait("a", "2")
    # There is room for one more, but not for a third of the same client.
    with pytest.raises(CrowdedError):
        queue.wait("a", "3")
    queue.wait("b", "4")
    with pytest.raises(CrowdedError):
        queue.wait("c", "5")
    assert queue.take() == "1"
    queue.wait("c", "6")
    assert list(queue) == [("b", "4"), ("a", "2"), ("c", "6")]


def test_who_had_a_turn_before_comes_first_even_where_it_is_crowded() -> None:
    queue: FairQueue[str] = FairQueue(1, 1)
    queue.wait("a", "late")
    queue.wait_again("a", "early")
    assert [queue.take(), queue.take(), queue.take()] == ["early", "late", None]


def test_who_leaves_gets_no_turn() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    queue.wait("a", "1")
    queue.wait("a", "2")
    queue.leave("a", "1")
    queue.leave("a", "1")
    queue.leave("b", "1")
    assert [queue.take(), queue.take()] == ["2", None]


def test_answers_are_kept_as_long_as_there_is_room() -> None:
    kept = answer_cache(8 * (BESIDES + 10))
    for number in range(10):
        kept.put(str(number), ("results", b"x" * 10))
        assert kept.get("0") is not None
    assert [number for number in range(10) if kept.get(str(number))] == [0, *range(3, 10)]
    kept.put("large", ("results", b"x" * 11))
    assert kept.get("large") is None
    kept.put("9", ("graph", b""))
    assert kept.get("9") == ("results", b"x" * 10)


def test_answers_of_nothing_take_room_as_well() -> None:
    kept = answer_cache(10 * BESIDES)
    for number in range(20):
        kept.put(str(number), ("results", b""))
    assert [number for number in range(20) if kept.get(str(number))] == [*range(10, 20)]
