"""The cache makes what several clients request only once, whatever happens to the first of them."""

from __future__ import annotations

import asyncio

import pytest
from rulesgraph.app.web.limits import MakingCache


def test_what_is_asked_for_together_is_made_once() -> None:
    made: list[str] = []

    async def make() -> str:
        await asyncio.sleep(0)
        made.append("page")
        return f"page {len(made)}"

    async def work() -> list[str]:
        cache: MakingCache[str] = MakingCache(100, len)
        together = await asyncio.gather(*(cache.get_or_make("a", make) for _ in range(3)))
        return [*together, await cache.get_or_make("a", make)]

    assert asyncio.run(work()) == ["page 1"] * 4


def test_what_fails_is_tried_again_by_who_asks_next() -> None:
    tries: list[str] = []

    async def make() -> str:
        tries.append("page")
        if len(tries) == 1:
            raise ValueError("not today")
        return "page"

    async def work() -> str:
        cache: MakingCache[str] = MakingCache(100, len)
        with pytest.raises(ValueError, match="not today"):
            await cache.get_or_make("a", make)
        return await cache.get_or_make("a", make)

    assert asyncio.run(work()) == "page"


def test_what_was_cancelled_before_it_began_is_made_when_it_is_asked_for_again() -> None:
    async def make() -> str:
        return "page"

    async def work() -> str:
        cache: MakingCache[str] = MakingCache(100, len)
        first = asyncio.ensure_future(cache.get_or_make("a", make))
        await asyncio.sleep(0)
        [task] = cache._under_way.values()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await cache.get_or_make("a", make)

    assert asyncio.run(work()) == "page"
