"""Run the queries of many clients in a few worker processes, and cache the answers.

A query cannot be stopped inside its process, so each runs in its own. That is killed at the deadline of the
query, or when no client waits for the answer any more.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import weakref
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from tempfile import TemporaryFile
from time import monotonic
from typing import BinaryIO

from ....loaders.store import AnswerBounds, PreparedQuery
from ....loaders.store.folder import FolderStore
from ....loaders.store.worker_protocol import (
    LARGE,
    START,
    command,
    head,
    not_started,
    refused,
    request_line,
    too_late,
    too_much,
)
from ....ontology import RulesgraphError, usual_prefixes
from ...terminal import harmless
from ..current import Snapshot
from ..limits import Cache, CrowdedError, FairTurns, end
from ..service_limits import ServiceLimits
from .protocol import Formats, negotiated

BESIDES = 500
"""The approximate size in bytes of a cached answer without its content: its key and its cache entry."""

_STARTS = 3
"""How many workers in a row may end before they are ready."""

_IN_MEMORY = 4 << 20
"""The number of bytes of an answer kept in memory; a larger one goes to a temporary file."""

_BLOCK = 1 << 18

_SLOW = 1.0
"""The seconds, with the waiting for a turn, after which an answer is noted in the log."""

_SHOWN = 200
"""How many characters of a query the log shows."""

_LOG = logging.getLogger(__name__)


def answer_cache(room: int) -> Cache[tuple[str, bytes]]:
    """Return a cache of answers, each a kind and its bytes; none takes more than an eighth of it."""
    return Cache(room, lambda answer: len(answer[1]) + BESIDES, room // 8)


class FileRoom:
    """The bytes that the temporary files of a service may still use."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, length: int) -> AnswerFile:
        """Return an empty file for an answer; raise `CrowdedError` if there is no room for it."""
        if length > self.left:
            raise CrowdedError("All the space for large answers is in use.")
        found = AnswerFile(self, length)
        self.left -= length
        return found

    def free(self, file: BinaryIO, length: int) -> None:
        """Close a file, and release its room."""
        file.close()
        self.left += length


class AnswerFile:
    """A large answer in a temporary file; closing or forgetting it releases the room."""

    def __init__(self, room: FileRoom, length: int) -> None:
        self.length = length
        self.file: BinaryIO = TemporaryFile()  # noqa: SIM115
        self.close = weakref.finalize(self, room.free, self.file, length)


WorkerAnswer = tuple[str, bytes | AnswerFile]
"""The kind of an answer, and its bytes; a file if these are many."""


class QueryExecutor:
    """Answers the queries to one store, for one event loop."""

    def __init__(self, location: str, limits: ServiceLimits) -> None:
        self.limits = limits
        self._location = location
        self._cache = answer_cache(limits.cache)
        self._turns = FairTurns(limits.workers, limits.waiting, limits.waiting_each)
        self._room = FileRoom(limits.files)
        self._workers: set[Process] = set()
        self._idle: list[Process] = []
        self.stops = False

    async def start(self, snapshot: Snapshot) -> None:
        """Start the workers, and have each open the store; raises `StoreError` when they do not start."""
        request = self._request(snapshot, PreparedQuery("ASK {}", default_graphs=()), negotiated(None))
        await asyncio.gather(*(self._run(request, "") for _ in range(self.limits.workers)))

    async def close(self) -> None:
        """Kill the workers, and the queries in them."""
        self.stops = True
        for worker in self._workers:
            end(worker)
        await asyncio.gather(*(worker.wait() for worker in self._workers))

    async def answer(
        self,
        snapshot: Snapshot,
        asked: PreparedQuery,
        formats: Formats,
        client: str,
        key: str,
        edition: str = "",
    ) -> WorkerAnswer:
        """Return the cached answer of a key, or run a query in its turn; a large answer is a file.

        With an `edition` the query sees what `Session.sparql` shows it of that.

        Raises `CrowdedError` when there is no turn, or no space; `StoreTimeoutError` and
        `StoreExhaustedError` when the query had to be killed; `UsageError` for one that is refused.
        """
        if kept := self._cache.get(key):
            return kept
        began, shown = monotonic(), harmless(" ".join(asked.text.split())[:_SHOWN])
        try:
            # A thread, because it takes a second to make the view of an edition.
            request = asyncio.to_thread(self._request, snapshot, asked, formats, edition)
            kind, data = await self._run(await request, client)
        except (CrowdedError, RulesgraphError) as error:
            _LOG.info("%s query refused: %s: %s", client, str(error).partition("\n")[0], shown)
            raise
        if (seconds := monotonic() - began) > _SLOW:
            _LOG.info("%s slow query, %.1f s: %s", client, seconds, shown)
        if kind != "unwanted" and isinstance(data, bytes):
            self._cache.put(key, (kind, data))
        return kind, data

    async def _run(self, request: bytes, client: str) -> WorkerAnswer:
        async with self._turns.turn(client, self.limits.timeout):
            # A worker killed from outside says nothing about the query: it is tried once more.
            answer = await self._ask(request) or await self._ask(request)
        if answer is None:
            raise too_much(self._location, self.limits.memory)
        kind, data = answer
        if isinstance(data, bytes) and (problem := refused(kind, data)):
            raise problem
        return answer

    async def _ask(self, request: bytes) -> WorkerAnswer | None:
        """Return the answer of a worker; None if it is killed from outside."""
        self._idle = [it for it in self._idle if it.returncode is None]
        worker = self._idle.pop() if self._idle else await self._started()
        is_kept = False
        try:
            async with asyncio.timeout(self.limits.timeout):
                kind, length, data = await _exchanged(worker, request, self._room)
            is_kept = length < LARGE
        except TimeoutError:
            raise too_late(self._location, self.limits.timeout) from None
        except (ConnectionError, EOFError):
            if await worker.wait() != -signal.SIGKILL:
                raise too_much(self._location, self.limits.memory) from None
            return None
        except OSError as error:
            raise CrowdedError("The machine has no space for such a large answer.") from error
        finally:
            if is_kept:
                self._idle.append(worker)
            else:
                end(worker)
        return kind, data

    async def _started(self) -> Process:
        """Return a new worker; raise `StoreError` if none gets ready."""
        for _ in range(_STARTS):
            if self.stops:
                raise CrowdedError("The service is stopping.")
            with suppress(OSError):  # or too late
                worker = await asyncio.create_subprocess_exec(
                    *command(), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=_BLOCK
                )
                self._workers = {worker, *(it for it in self._workers if it.returncode is None)}
                is_ready = False
                try:
                    assert worker.stdout
                    async with asyncio.timeout(START):
                        is_ready = bool(await worker.stdout.readline())
                finally:
                    if not is_ready:
                        end(worker)
                if is_ready:
                    return worker
        raise not_started(self._location)

    def _request(
        self, snapshot: Snapshot, asked: PreparedQuery, formats: Formats, edition: str = ""
    ) -> bytes:
        session, limits = snapshot.rules.session, self.limits
        location, generation = self._location, snapshot.generation
        if edition:
            scope = session.scope(edition)
            seen = session.seen_by(asked.text, scope)
            asked = asked._replace(default_graphs=seen, named_graphs=scope.named_graphs)
            view = session.holding(seen)
            if not isinstance(view, FolderStore):
                raise CrowdedError("There is no space for the view of an edition.")
            location, generation = view.location, view.state()[0]
        fixed = asked.default_graphs is not None
        query = asked._replace(
            prefixes=usual_prefixes(session.iris.base),
            base=session.iris.base,
            default_graphs=asked.default_graphs if fixed else session.seen_by(asked.text),
            bounds=AnswerBounds(limits.rows, limits.answer),
        )
        job = {"query": query._asdict(), "formats": formats, "fixed": fixed, "longest": limits.query}
        return request_line(location, generation, limits.timeout, limits.memory, job)


async def _exchanged(worker: Process, request: bytes, room: FileRoom) -> tuple[str, int, bytes | AnswerFile]:
    """Send a request to a worker; return the kind of its answer, its number of bytes, and the answer.

    Raises `ConnectionError` or `EOFError` if the worker ends before that, `CrowdedError` or `OSError` if
    there is no room for a large answer.
    """
    assert worker.stdin
    assert worker.stdout
    if worker.stdin.is_closing():
        raise EOFError
    worker.stdin.write(request)
    kind, length = head(await worker.stdout.readuntil(b"\n"))
    if length <= _IN_MEMORY:
        return kind, length, await worker.stdout.readexactly(length)
    answer, missing = room.take(length), length
    try:
        while missing:
            missing -= answer.file.write(await worker.stdout.readexactly(min(missing, _BLOCK)))
        answer.file.seek(0)
    except BaseException:
        answer.close()
        raise
    return kind, length, answer
