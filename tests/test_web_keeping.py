"""What several ask for is made once, whatever becomes of who asked first."""

from __future__ import annotations

import asyncio

import pytest
from rulesgraph.app.web.pages.keeping import Keeping


def test_what_is_asked_for_together_is_made_once() -> None:
    made: list[str] = []

    async def make() -> str:
        await asyncio.sleep(0)
        made.append("page")
        return f"page {len(made)}"

    async def work() -> list[str]:
        kept: Keeping[str] = Keeping(100, len)
        together = await asyncio.gather(*(kept.once("a", make) for _ in range(3)))
        return [*together, await kept.once("a", make)]

    assert asyncio.run(work()) == ["page 1"] * 4


def test_what_fails_is_tried_again_by_who_asks_next() -> None:
    tries: list[str] = []

    async def make() -> str:
        tries.append("page")
        if len(tries) == 1:
            raise ValueError("not today")
        return "page"

    async def work() -> str:
        kept: Keeping[str] = Keeping(100, len)
        with pytest.raises(ValueError, match="not today"):
            await kept.once("a", make)
        return await kept.once("a", make)

    assert asyncio.run(work()) == "page"


def test_what_was_cancelled_before_it_began_is_made_when_it_is_asked_for_again() -> None:
    async def make() -> str:
        return "page"

    async def work() -> str:
        kept: Keeping[str] = Keeping(100, len)
        first = asyncio.ensure_future(kept.once("a", make))
        await asyncio.sleep(0)
        [task] = kept._under_way.values()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await kept.once("a", make)

    assert asyncio.run(work()) == "page"
