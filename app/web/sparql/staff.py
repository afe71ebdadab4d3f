"""Queries become answers of processes, which are killed where an answer is late or nobody waits for it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from ....loaders.store.errands import (
    LARGE,
    START,
    command,
    environment,
    not_started,
    refused,
    too_late,
    too_much,
)
from ....ontology.errors import StoreError
from .clerk import Answered, Clerk, EndedError, Errand
from .spool import Spool
from .turns import CrowdedError, Turns

_HIRINGS = 3
"""How often a process is started that ends before it is ready."""

_BEFOREHAND = 4
"""Requests that a quick process may have at once: it is woken up once for all of them."""

_TICK = 0.02
"""Seconds between two looks at how long queries run; what waits behind a slow one goes elsewhere then."""

_ABANDONED = 0.2
"""Seconds after which a query that nobody waits for is ended rather than left to its end."""


class Staff:
    """The processes that answer for the store in a folder, for one event loop.

    `size` is how many are kept, `memory` how many bytes each may use beyond the opened store, `seconds` how
    long a query may wait, and then run, `spool` where large answers wait, `turns` where queries do.
    """

    def __init__(
        self, location: str, size: int, memory: int, seconds: float, spool: Spool, turns: Turns[Errand]
    ) -> None:
        self._location, self._size, self._memory, self._seconds = location, size, memory, seconds
        self._spool, self._turns = spool, turns
        self._clerks: list[Clerk] = []
        self._all: set[Clerk] = set()
        self._hiring: set[asyncio.Task[None]] = set()
        self._looking: asyncio.TimerHandle | None = None

    async def start(self, request: bytes) -> None:
        """Start all processes, and ask each a first time; raises `StoreError` when they do not start."""
        clerks = await asyncio.gather(*(self._hired() for _ in range(self._size)))
        for kind, data in await asyncio.gather(*(_asked(clerk, request) for clerk in clerks)):
            if isinstance(data, bytes) and (problem := refused(kind, data)):
                raise problem
        self._clerks += clerks

    async def close(self) -> None:
        """End the processes, and the queries in them."""
        self._size = 0
        for task in self._hiring:
            task.cancel()
        gone = [clerk.gone for clerk in self._all]
        for clerk in list(self._all):
            clerk.end()
        for client, errand in self._turns:
            self._turns.leave(client, errand)
            errand.finish(CrowdedError("The service stops."))
        await asyncio.gather(*gone)

    def take(self, errand: Errand) -> None:
        """Have an errand done (see `Envelope` for its request): who waits for it is told.

        They get the kind and the document (see `document`); `StoreTimeoutError`; `StoreExhaustedError` when
        it needs too much memory; `CrowdedError` when there is no room for so large an answer; `TimeoutError`
        when it never had its turn; what queries raise. Raises `CrowdedError` when there is no place to wait.
        """
        clerk = self._free()
        if clerk is None:
            self._turns.wait(errand.client, errand)
        else:
            self._turns.begin(errand.client)
            clerk.ask(errand)
        if self._looking is None:
            self._look_later()

    def leave(self, errand: Errand) -> None:
        """Take note that nobody waits for an errand any more; one that runs is ended, soon."""
        errand.abandon()
        self._turns.leave(errand.client, errand)

    # -- what processes tell -----------------------------------------------------------------------

    def answered(self, clerk: Clerk, errand: Errand, answer: Answered) -> None:
        """Pass an answer on; the next request goes out before."""
        if clerk in self._clerks:
            self._turns.end(errand.client)
        kind, data = answer
        if (len(data) if isinstance(data, bytes) else data.length) >= LARGE:
            clerk.end()
        else:
            self._busy(clerk)
        problem = refused(kind, data) if isinstance(data, bytes) else None
        errand.finish(problem or answer)

    def left(self, clerk: Clerk, killed: bool) -> None:
        """Have others do what a process had to do that is gone; what it was at, once, where it was killed."""
        self._all.discard(clerk)
        if clerk not in self._clerks:
            for errand in clerk.errands:
                errand.finish(EndedError(killed))
            return
        self._clerks.remove(clerk)
        first = clerk.errands[0] if clerk.errands else None
        # Where somebody else killed a process, another one gets the job, unless it was `close`.
        if first is not None and (not killed or first.repeated or not self._size):
            first.finish(too_much(self._location, self._memory))
        elif first is not None:
            first.repeated = True
        self._move([*clerk.errands])
        self._hire()

    # -- who does what -----------------------------------------------------------------------------

    def _free(self) -> Clerk | None:
        """Return the process that is to have the next request."""
        best, fewest = None, _BEFOREHAND
        for clerk in self._clerks:
            count = len(clerk.errands)
            if count < fewest and (not count or clerk.quick) and not clerk.ended:
                best, fewest = clerk, count
        return best

    def _busy(self, clerk: Clerk) -> None:
        """Give a process what waits, as far as it can have that."""
        while not clerk.ended and len(clerk.errands) < (_BEFOREHAND if clerk.quick else 1):
            errand = self._turns.take()
            if errand is None:
                return
            clerk.ask(errand)

    def _move(self, errands: list[Errand]) -> None:
        """Have those of some errands that are wanted done by others, and first."""
        for errand in reversed(errands):
            self._turns.end(errand.client)
            if errand.wanted:
                self._turns.wait_again(errand.client, errand)
        for clerk in self._clerks:
            if not clerk.errands:
                self._busy(clerk)

    def _look_later(self) -> None:
        self._looking = asyncio.get_running_loop().call_later(_TICK, self._look)

    def _look(self) -> None:
        """End what has run for too long, and let go of what waits behind what runs long."""
        self._looking = None
        now = time.monotonic()
        for clerk in [it for it in self._clerks if it.errands and not it.ended]:
            ran, first = now - clerk.begun, clerk.errands[0]
            if ran >= self._seconds:
                first.finish(too_late(self._location, self._seconds))
                clerk.end()
            elif ran >= _ABANDONED and not first.wanted:
                clerk.end()
            elif ran >= _TICK and len(clerk.errands) > 1:
                clerk.quick = False
                for errand in reversed(clerk.recalled()):
                    self._turns.wait_again(errand.client, errand)
        for clerk in self._clerks:
            if not clerk.errands:
                self._busy(clerk)
        for client, waiting in self._turns:
            if now - waiting.since >= self._seconds:
                self._turns.leave(client, waiting)
                waiting.finish(TimeoutError())
        self._hire()
        if any(clerk.errands for clerk in self._clerks) or any(self._turns):
            self._look_later()

    # -- processes ---------------------------------------------------------------------------------

    def _hire(self) -> None:
        """Start as many processes as are missing."""
        for _ in range(self._size - len(self._clerks) - len(self._hiring)):
            task = asyncio.get_running_loop().create_task(self._replace())
            self._hiring.add(task)
            task.add_done_callback(self._hiring.discard)

    async def _replace(self) -> None:
        try:
            clerk = await self._hired()
        except StoreError as error:
            if not self._clerks:
                for client, errand in self._turns:
                    self._turns.leave(client, errand)
                    errand.finish(error)
            return
        self._clerks.append(clerk)
        self._busy(clerk)

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
            lambda: Clerk(self, self._spool),
            *command(),
            stdin=pipe,
            stdout=pipe,
            stderr=nowhere,
            env=environment(),
        )
        self._all.add(clerk)
        try:
            await _asked(clerk, b"")
        except TimeoutError:
            clerk.end()
            raise not_started(self._location) from None
        except BaseException:
            clerk.end()
            raise
        return clerk


async def _asked(clerk: Clerk, request: bytes) -> Answered:
    """Ask a process that nobody else asks yet."""
    answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
    clerk.ask(Errand(request, "", lambda outcome: told(answer, outcome)))
    async with asyncio.timeout(START):
        return await answer


def told(answer: asyncio.Future[Answered], outcome: Answered | Exception) -> None:
    """Pass what became of an errand on to a future, unless nobody waits for that."""
    if answer.done():
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
