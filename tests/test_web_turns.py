"""Who waits for a query gets a turn in a fair order, and nobody's turn is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from rulesgraph.app.web.sparql.kept import BESIDES, Kept, Ready
from rulesgraph.app.web.sparql.turns import CrowdedError, Turns

Doings = Callable[[], Coroutine[Any, Any, None]]


def run(steps: Doings) -> None:
    asyncio.run(steps())


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_who_has_fewer_turns_is_next_and_then_who_came_first() -> None:
    async def steps() -> None:
        turns, order = Turns(2, 100, 100), []

        async def visit(client: str, number: int) -> None:
            await turns.take(client, 60)
            order.append((client, number))

        await turns.take("greedy", 60)
        await turns.take("greedy", 60)
        waiting = [("greedy", 1), ("greedy", 2), ("modest", 1), ("greedy", 3), ("late", 1), ("modest", 2)]
        tasks = []
        for visitor in waiting:
            tasks.append(asyncio.create_task(visit(*visitor)))
            await settle()
        for client in ("greedy", "greedy", "modest", "late", "modest", "greedy"):
            turns.give(client)
            await settle()
        assert order == [
            ("modest", 1),
            ("greedy", 1),
            ("late", 1),
            ("modest", 2),
            ("greedy", 2),
            ("greedy", 3),
        ]
        for task in tasks:
            await task

    run(steps)


def test_too_many_who_wait_are_sent_away() -> None:
    async def steps() -> None:
        turns = Turns(1, 3, 2)
        await turns.take("a", 60)
        tasks = [asyncio.create_task(turns.take(client, 60)) for client in "aa"]
        await settle()
        # There is room for one more, but not for a third of the same client.
        with pytest.raises(CrowdedError):
            await turns.take("a", 60)
        tasks.append(asyncio.create_task(turns.take("b", 60)))
        await settle()
        with pytest.raises(CrowdedError):
            await turns.take("c", 60)
        turns.give("a")
        await settle()
        assert [task.done() for task in tasks] == [True, False, False]
        tasks.append(asyncio.create_task(turns.take("c", 60)))
        await settle()
        assert not tasks[3].done()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(steps)


def test_patience_ends_and_no_turn_is_lost() -> None:
    async def steps() -> None:
        turns = Turns(1, 10, 10)
        await turns.take("a", 60)
        with pytest.raises(TimeoutError):
            await turns.take("b", 0)
        leaving = asyncio.create_task(turns.take("c", 60))
        await settle()
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        # One whose turn has come as it leaves passes it on.
        unlucky, next_one = (asyncio.create_task(turns.take(client, 60)) for client in "de")
        await settle()
        turns.give("a")
        unlucky.cancel()
        await asyncio.gather(unlucky, return_exceptions=True)
        await next_one
        # One that leaves just before its turn would have come does not get it.
        early, patient = (asyncio.create_task(turns.take(client, 60)) for client in "gh")
        await settle()
        early.cancel()
        turns.give("e")
        await patient
        await asyncio.gather(early, return_exceptions=True)
        turns.give("h")
        await turns.take("f", 0)

    run(steps)


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
