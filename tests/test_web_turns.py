"""Clients who wait for a query get their turn in a fair order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from rulesgraph.app.web.limits import CrowdedError, FairTurns

NEVER = 1e6


class Clients:
    """Those that have turns, in the order in which these came, each until it is let go."""

    def __init__(self, turns: FairTurns) -> None:
        self._turns = turns
        self.served: list[str] = []
        self._over: dict[str, asyncio.Event] = {}

    def comes(self, name: str, seconds: float = NEVER) -> asyncio.Task[None]:
        """Ask for a turn; the first letter of a name is the client."""
        return asyncio.ensure_future(self._use(name, seconds))

    async def _use(self, name: str, seconds: float) -> None:
        async with self._turns.turn(name[0], seconds):
            self.served.append(name)
            self._over[name] = asyncio.Event()
            await self._over[name].wait()

    async def ends(self, name: str) -> None:
        """End a turn, and let the next one begin."""
        self._over[name].set()
        await settled()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def played(turns: FairTurns, play: Callable[[Clients], Awaitable[None]]) -> list[str]:
    """Return who was served, in order."""

    async def work() -> list[str]:
        clients = Clients(turns)
        await play(clients)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        return clients.served

    return asyncio.run(work())


def test_who_has_fewer_turns_is_next_and_then_who_came_first() -> None:
    async def play(clients: Clients) -> None:
        for name in ("g1", "g2", "g3", "g4", "m1", "g5", "l1", "m2"):
            clients.comes(name)
            await settled()
        for name in ("g1", "g2", "m1", "g3", "l1", "m2"):
            await clients.ends(name)

    assert played(FairTurns(2, 100, 100), play) == ["g1", "g2", "m1", "g3", "l1", "m2", "g4", "g5"]


def test_too_many_who_wait_are_sent_away() -> None:
    async def play(clients: Clients) -> None:
        tasks = []
        for name in ("a1", "a2", "a3", "a4", "b1", "c1"):
            tasks.append(clients.comes(name))
            await settled()
        # There is room for one more than the two of a client, but not for another.
        assert [
            name for name, task in zip("a1 a2 a3 a4 b1 c1".split(), tasks, strict=True) if task.done()
        ] == [
            "a4",
            "c1",
        ]
        for task in (tasks[3], tasks[5]):
            with pytest.raises(CrowdedError, match="Too many"):
                task.result()

    played(FairTurns(1, 3, 2), play)


def test_who_leaves_or_waits_too_long_gets_no_turn_and_keeps_none() -> None:
    async def play(clients: Clients) -> None:
        clients.comes("a1")
        late, leaving = clients.comes("b1", 0.01), clients.comes("c1")
        clients.comes("c2")
        await settled()
        leaving.cancel()
        with pytest.raises(CrowdedError, match="too long for others"):
            await late
        await clients.ends("a1")
        # The turn comes as its client leaves: it passes to the next one.
        last = clients.comes("d1")
        clients.comes("e1")
        await settled()
        clients._over["c2"].set()
        await asyncio.sleep(0)
        last.cancel()
        await settled()

    assert played(FairTurns(1, 100, 100), play) == ["a1", "c2", "e1"]


def test_who_leaves_as_a_turn_ends_is_passed_over() -> None:
    async def play(clients: Clients) -> None:
        clients.comes("a1")
        await settled()
        leaving = [clients.comes(name) for name in ("b1", "b2", "c1")]
        clients.comes("d1")
        await settled()
        clients._over["a1"].set()
        await asyncio.sleep(0)
        for task in leaving:
            task.cancel()
        await settled()
        await clients.ends("d1")
        clients.comes("e1")
        await settled()

    assert played(FairTurns(1, 100, 100), play) == ["a1", "d1", "e1"]
