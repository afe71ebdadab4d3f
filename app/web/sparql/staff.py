"""Queries become answers of processes, which are killed where an answer is late or nobody waits for it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ....loaders.store.errands import (
    LARGE,
    START,
    command,
    not_started,
    refused,
    too_late,
    too_much,
)
from .clerk import Answered, Clerk, EndedError
from .spool import LargeAnswer, Spool

_HIRINGS = 3
"""How often a process is started that ends before it is ready."""


class Staff:
    """The processes that answer for the store in a folder, for one event loop.

    `size` is how many are kept, `memory` how many bytes each may use beyond the opened store, `spool`
    where large answers wait.
    """

    def __init__(self, location: str, size: int, memory: int, spool: Spool) -> None:
        self._location, self._size, self._memory = location, size, memory
        self._spool = spool
        self._all: set[Clerk] = set()
        self._idle: list[Clerk] = []

    async def start(self, request: bytes) -> None:
        """Start all processes, and ask each a first time; raises `StoreError` when they do not start."""
        self._idle = await asyncio.gather(*(self._hired() for _ in range(self._size)))
        await asyncio.gather(*(self.answer(request, START) for _ in range(self._size)))

    async def close(self) -> None:
        """End the processes, and the queries in them."""
        self._size = 0
        gone = [clerk.gone for clerk in self._all]
        for clerk in list(self._all):
            clerk.end()
        await asyncio.gather(*gone)

    async def answer(self, request: bytes, seconds: float) -> Answered:
        """Have a request (see `Envelope`) answered in at most so many seconds.

        Returns the kind and the document (see `document`). Raises `StoreTimeoutError`;
        `StoreExhaustedError` when it needs too much memory; `CrowdedError` when there is no room for so
        large an answer; what queries raise. A query whose task is cancelled is ended.
        """
        for again in (True, False):
            clerk = self._idle.pop() if self._idle else await self._hired()
            work = clerk.ask(request)
            late = asyncio.get_running_loop().call_later(seconds, _give_up, work)
            try:
                kind, data = await work
            except EndedError as error:
                # Where somebody else killed a process, another one gets the job, unless it was `close`.
                if error.killed and again and self._size:
                    continue
                raise too_much(self._location, self._memory) from None
            except TimeoutError:
                clerk.end()
                raise too_late(self._location, seconds) from None
            except BaseException:
                clerk.end()
                raise
            finally:
                late.cancel()
            break
        self._freed(clerk, data)
        if isinstance(data, bytes) and (problem := refused(kind, data)):
            raise problem
        return kind, data

    def _freed(self, clerk: Clerk, data: bytes | LargeAnswer) -> None:
        length = len(data) if isinstance(data, bytes) else data.length
        if len(self._idle) < self._size and length < LARGE:
            self._idle.append(clerk)
        else:
            clerk.end()

    async def _hired(self) -> Clerk:
        """Start a process, and wait until it is ready; where somebody kills it meanwhile, another one."""
        for _ in range(_HIRINGS - 1):
            with suppress(EndedError):
                return await self._tried()
        try:
            return await self._tried()
        except EndedError:
            raise not_started(self._location) from None

    async def _tried(self) -> Clerk:
        """Start a process, and wait until it is ready; raises `EndedError` when it ends before."""
        loop = asyncio.get_running_loop()
        pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        _, clerk = await loop.subprocess_exec(
            lambda: Clerk(self._spool), *command(), stdin=pipe, stdout=pipe, stderr=nowhere
        )
        self._all.add(clerk)
        clerk.gone.add_done_callback(lambda _: self._left(clerk))
        try:
            async with asyncio.timeout(START):
                await clerk.ask(b"")
        except TimeoutError:
            clerk.end()
            raise not_started(self._location) from None
        except BaseException:
            clerk.end()
            raise
        return clerk

    def _left(self, clerk: Clerk) -> None:
        self._all.discard(clerk)
        if clerk in self._idle:
            self._idle.remove(clerk)


def _give_up(work: asyncio.Future[Answered]) -> None:
    if not work.done():
        work.set_exception(TimeoutError())
