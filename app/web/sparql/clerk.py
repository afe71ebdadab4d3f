"""A process that answers queries, as the event loop sees it: lines go in, answers come out."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import cast

from ....loaders.store.errands import IN_MEMORY, head
from .spool import LargeAnswer, Spool

Answered = tuple[str, bytes | LargeAnswer]
"""The kind of an answer, and its bytes; a file where these are many."""


class EndedError(Exception):
    """The process is gone, and has not answered; `killed` tells whether somebody killed it."""

    def __init__(self, killed: bool) -> None:
        self.killed = killed


class Clerk(asyncio.SubprocessProtocol):
    """One process, which answers one request at a time."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._waiting: asyncio.Future[Answered] | None = None
        self._received = b""
        self._kind, self._missing = "", 0
        self._blocks: list[bytes] = []
        self._file: LargeAnswer | None = None
        self._dead = False
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def ask(self, request: bytes) -> asyncio.Future[Answered]:
        """Return the answer to a request, as it will be; the first, to no request at all, says it is ready.

        Raises `EndedError` when the process goes, `CrowdedError` when there is no room for the answer.
        """
        waiting: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting = waiting
        if self._dead:
            self._fail(EndedError(killed=True))
        elif request:
            try:
                self._requests.write(request)
            except (OSError, RuntimeError):  # it is gone, and the loop has not said so yet
                self._fail(EndedError(killed=True))
        return waiting

    def end(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._transport.kill()

    # -- what the event loop calls ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take note of a process that was started."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._requests = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take in a piece of an answer."""
        if self._dead:
            return
        if not self._kind:
            data = self._received + data
            line, found, data = data.partition(b"\n")
            if not found:
                self._received = line
                return
            self._received = b""
            self._kind, self._missing = head(line)
        try:
            self._keep(data)
        except Exception as error:
            self._dead = True
            if self._file is not None:
                self._file.close()
                self._file = None
            self._fail(error)
            self.end()
            return
        if not self._missing:
            self._done()

    def process_exited(self) -> None:
        """Take note of the end."""
        self._dead = True
        self._fail(EndedError(self._transport.get_returncode() == -signal.SIGKILL))
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that nothing is left of the process."""
        self.gone.set_result(None)

    def _keep(self, data: bytes) -> None:
        if self._missing > IN_MEMORY and self._file is None and not self._blocks:
            self._file = self._spool.take(self._missing)
        if self._file is None:
            self._blocks.append(data)
        else:
            self._file.write(data)
        self._missing -= len(data)

    def _done(self) -> None:
        blocks, file, kind, waiting = self._blocks, self._file, self._kind, self._waiting
        self._blocks, self._file, self._kind, self._waiting = [], None, "", None
        if waiting is not None and not waiting.done():
            body = file or (blocks[0] if len(blocks) == 1 else b"".join(blocks))
            waiting.set_result((kind, body))

    def _fail(self, error: Exception) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(error)
