"""Run the queries of many clients in a few worker processes, and keep the answers."""

from __future__ import annotations

import asyncio
import weakref
from functools import partial
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, cast

from ....loaders.store.documents import Wish
from ....loaders.store.results import AnswerBounds
from ....loaders.store.worker_pool import CrowdedError, FairQueue, WorkerPool
from ....loaders.store.worker_process import QueuedQuery
from ....loaders.store.worker_protocol import SHORT, request_line, with_text
from ....queries.session import usual_prefixes
from ..cache import Cache

if TYPE_CHECKING:
    from ....loaders.store.worker_process import WorkerAnswer
    from ....ontology.json_values import Json
    from ..current import Snapshot
    from ..limits import ServiceLimits
    from .protocol import QueryRequest


class AnswerFile:
    """A large answer in a temporary file; closing or forgetting it deletes the file and frees its room."""

    def __init__(self, room: FileRoom, length: int) -> None:
        self._file = cast(BinaryIO, TemporaryFile())  # noqa: SIM115
        self.length = length
        self.close = weakref.finalize(self, _close, self._file, room, length)

    def write(self, block: bytes) -> None:
        """Add a block; after the last one the answer is read from its beginning.

        Raises `CrowdedError` where the disk is full.
        """
        try:
            self._file.write(block)
            if self._file.tell() >= self.length:
                self._file.seek(0)
        except OSError as error:
            raise CrowdedError("The machine has no room for so large an answer.") from error

    def read(self, most: int) -> bytes:
        """Return the next block; nothing after the last one."""
        return self._file.read(most)

    def whole(self) -> bytes:
        """Return all of it, and close it."""
        try:
            return self._file.read()
        finally:
            self.close()


class FileRoom:
    """How many bytes the temporary files of a service may still take."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, length: int) -> AnswerFile:
        """Return an empty file for an answer; raise `CrowdedError` where there is no room for it."""
        if length > self.left:
            raise CrowdedError("Large answers that others read take all the room there is for them.")
        try:
            answer = AnswerFile(self, length)
        except OSError as error:
            raise CrowdedError("The machine has no room for so large an answer.") from error
        self.left -= length
        return answer


def _close(file: BinaryIO, room: FileRoom, length: int) -> None:
    file.close()
    room.left += length


Answered = tuple[str, bytes | AnswerFile]
"""The kind of an answer, and its bytes; a file where these are many."""


BESIDES = 500
"""About how many bytes an answer takes besides its own: its key, and its place among the others."""


def answer_cache(room: int) -> Cache[tuple[str, bytes]]:
    """Return a cache of answers, each of a kind and with its bytes; none takes more than an eighth of it."""
    return Cache(room, lambda answer: len(answer[1]) + BESIDES, room // 8)


FormatNames = tuple[str | None, str | None]
"""The names of the formats for rows and for triples; None where the client takes none."""

_REMEMBERED = 256
"""How many kinds of wishes are remembered."""


class QueryExecutor:
    """Answers the queries to one store, for one event loop."""

    def __init__(self, location: str, limits: ServiceLimits) -> None:
        self.limits = limits
        self._location = location
        self._cache = answer_cache(limits.cache)
        self._requests: Cache[bytes] = Cache(_REMEMBERED, lambda _: 1)
        self._pool: WorkerPool | None = None

    async def start(self, snapshot: Snapshot) -> None:
        """Start the workers, and have each open the store; raises `StoreError` when they do not start."""
        limits = self.limits
        self._pool = WorkerPool(
            asyncio.get_running_loop(),
            self._location,
            limits.workers,
            limits.memory,
            FairQueue(limits.waiting, limits.waiting_each),
            FileRoom(limits.files).take,
        )
        self._pool.fill()
        request = with_text(self._request(snapshot, (), None, None, ("json", None)), "ASK {}")
        # While none is ready, each worker gets one of these.
        await asyncio.gather(*(self._run(request, "") for _ in range(limits.workers)))

    def close(self) -> None:
        """Kill the workers, and the queries in them."""
        if self._pool is not None:
            self._pool.close()

    def kept(self, key: str) -> tuple[str, bytes] | None:
        """Return the answer that is kept under a key."""
        return self._cache.get(key)

    async def answer(
        self,
        snapshot: Snapshot,
        asked: QueryRequest,
        formats: FormatNames,
        client: str,
        key: str,
    ) -> Answered:
        """Run a query in its turn; a large answer is a file. What fits is kept under the key.

        Raises `CrowdedError` and `TimeoutError` when there is no turn, or no room, to be had;
        `StoreTimeoutError` and `StoreExhaustedError` when the query ran and had to be ended; `UsageError`
        for one that is refused.
        """
        plain = snapshot.rules.session.seen_by(asked.query)
        line = self._request(snapshot, plain, asked.default_graphs, asked.named_graphs, formats)
        kind, data = await self._run(with_text(line, asked.query), client)
        if kind != "unwanted" and isinstance(data, bytes):
            self._cache.put(key, (kind, data))
        return kind, data

    async def _run(self, request: bytes, client: str) -> Answered:
        assert self._pool is not None
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        job = QueuedQuery(request, client, self.limits.timeout, partial(_tell, answer))
        self._pool.take(job)
        try:
            return await answer
        except asyncio.CancelledError:
            self._pool.leave(job)
            raise

    def _request(
        self,
        snapshot: Snapshot,
        plain: tuple[str, ...],
        default_graphs: tuple[str, ...] | None,
        named_graphs: tuple[str, ...] | None,
        formats: FormatNames,
    ) -> bytes:
        key = (snapshot.digest, snapshot.generation, plain, default_graphs, named_graphs, formats)
        if found := self._requests.get(key):
            return found
        session, limits = snapshot.rules.session, self.limits
        fixed = default_graphs is not None
        wish = Wish(
            prefixes=usual_prefixes(session.iris),
            base=session.iris.base,
            default_graphs=default_graphs if fixed else plain,
            named_graphs=named_graphs,
            fixed=fixed,
            results=formats[0],
            graph=formats[1],
            bounds=AnswerBounds(limits.rows, limits.answer),
            length=limits.query,
        )
        job: dict[str, Json] = {"wish": wish._asdict()}
        made = request_line(self._location, snapshot.generation, limits.timeout, limits.memory, job)
        if len(made) <= SHORT:
            self._requests.put(key, made)
        return made


def _tell(answer: asyncio.Future[Answered], outcome: WorkerAnswer | Exception) -> None:
    """Pass the outcome of a query on to whoever waits for it, unless they have gone."""
    if answer.done():
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        # Large answers come from `FileRoom.take`.
        answer.set_result(cast("Answered", outcome))
