"""A process that answers queries, as the event loop sees it: requests go in, answers come out in order."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, cast

from ....loaders.store.errands import IN_MEMORY, head
from .spool import LargeAnswer, Spool

Answered = tuple[str, bytes | LargeAnswer]
"""The kind of an answer, and its bytes; a file where these are many."""

QUICK = 0.005
"""Seconds; a process that needed no longer for its last answer may have the next requests beforehand."""


class EndedError(Exception):
    """The process is gone, and has not answered; `killed` tells whether somebody killed it."""

    def __init__(self, killed: bool) -> None:
        self.killed = killed


class Errand:
    """A request of a client, and whom to `tell` its answer, or the error that it ends in, once."""

    __slots__ = ("_tell", "client", "repeated", "request", "since")

    def __init__(self, request: bytes, client: str, tell: Callable[[Answered | Exception], None]) -> None:
        self.request = request
        self.client = client
        self.since = time.monotonic()
        self.repeated = False
        self._tell: Callable[[Answered | Exception], None] | None = tell

    @property
    def wanted(self) -> bool:
        """Tell whether somebody waits for it still."""
        return self._tell is not None

    def finish(self, outcome: Answered | Exception) -> None:
        """Tell who waits; nobody does afterwards."""
        tell, self._tell = self._tell, None
        if tell is not None:
            tell(outcome)
        elif not isinstance(outcome, Exception) and isinstance(outcome[1], LargeAnswer):
            outcome[1].close()

    def abandon(self) -> None:
        """Note that nobody waits any more."""
        self._tell = None

    def moved(self) -> Errand:
        """Return the same request for another process; nobody waits for this one any more."""
        assert self._tell is not None
        other = Errand(self.request, self.client, self._tell)
        other.since, other.repeated = self.since, self.repeated
        self._tell = None
        return other


class Employer(Protocol):
    """Whom a process tells what becomes of it."""

    def answered(self, clerk: Clerk, errand: Errand, answer: Answered) -> None:
        """Take note of an answer."""

    def left(self, clerk: Clerk, killed: bool) -> None:
        """Take note that a process is gone, with what it had to do."""


class Clerk(asyncio.SubprocessProtocol):
    """One process, which answers one request after the other; those that it has got wait in its pipe."""

    def __init__(self, staff: Employer, spool: Spool) -> None:
        self._staff, self._spool = staff, spool
        self.errands: deque[Errand] = deque()
        self.begun = 0.0
        self.quick = False
        self.ended = False
        self._received = b""
        self._kind, self._missing = "", 0
        self._blocks: list[bytes] = []
        self._file: LargeAnswer | None = None
        self._exited = self._silent = False
        self._loop = asyncio.get_running_loop()
        self._unsent: list[bytes] = []
        self.gone: asyncio.Future[None] = self._loop.create_future()

    def ask(self, errand: Errand) -> None:
        """Give it one more request; the first, of no bytes at all, is answered when it is ready."""
        if not self.errands:
            self.begun = time.monotonic()
        self.errands.append(errand)
        if errand.request:
            if not self._unsent:
                self._loop.call_soon(self._send)
            self._unsent.append(errand.request)

    def _send(self) -> None:
        """Write at once what one round of the loop has for it: it is woken up once for all of that."""
        data = b"".join(self._unsent)
        self._unsent.clear()
        # Where it is gone and the loop has not said so yet, what it had is asked anew as that is said.
        with suppress(OSError, RuntimeError):
            self._requests.write(data)

    def recalled(self) -> list[Errand]:
        """Return what waits behind what it is at, for others to do: its own answers to that count no more."""
        return [errand.moved() for place, errand in enumerate(self.errands) if place and errand.wanted]

    def end(self) -> None:
        """Kill the process; what it says now is not listened to."""
        self.ended = True
        if self._file is not None:
            self._file.close()
            self._file = None
        with suppress(ProcessLookupError):
            self._transport.kill()

    # -- what the event loop calls ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take note of a process that was started."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._requests = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take in what has come of its answers."""
        if self._received:
            data, self._received = self._received + data, b""
        while not self.ended:
            if not self._kind:
                line, found, data = data.partition(b"\n")
                if not found:
                    self._received = line
                    return
                self._kind, self._missing = head(line)
            piece, data = data[: self._missing], data[self._missing :]
            try:
                self._keep(piece)
            except Exception as error:
                self.errands[0].finish(error)
                self.end()
                return
            if self._missing:
                return
            self._done()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Take note that it says nothing more."""
        if fd == 1:
            self._silent = True
            self._over()

    def process_exited(self) -> None:
        """Take note of its end; what it said before may still be on its way."""
        self._exited = True
        self._over()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that nothing is left of the process."""
        self.gone.set_result(None)

    def _over(self) -> None:
        if self._exited and self._silent:
            self.ended = True
            self._staff.left(self, killed=self._transport.get_returncode() == -signal.SIGKILL)
            self._transport.close()

    def _keep(self, data: bytes) -> None:
        if self._missing > IN_MEMORY and self._file is None and not self._blocks:
            self._file = self._spool.take(self._missing)
        if self._file is None:
            self._blocks.append(data)
        else:
            self._file.write(data)
        self._missing -= len(data)

    def _done(self) -> None:
        blocks, file, kind = self._blocks, self._file, self._kind
        self._blocks, self._file, self._kind = [], None, ""
        now = time.monotonic()
        self.quick = now - self.begun < QUICK
        self.begun = now
        body = file or (blocks[0] if len(blocks) == 1 else b"".join(blocks))
        self._staff.answered(self, self.errands.popleft(), (kind, body))
