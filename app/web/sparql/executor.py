"""Run the queries of many clients in a few worker processes, and keep the answers."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from ....loaders.store.documents import Wish
from ....loaders.store.results import AnswerBounds
from ....loaders.store.worker_protocol import SHORT, request_line, with_text
from ....ontology.terms import usual_prefixes
from ..cache import Cache
from .worker_pool import FairQueue, WorkerPool
from .worker_process import FileRoom, QueuedQuery, WorkerAnswer

if TYPE_CHECKING:
    from ....ontology.json_values import Json
    from ..current import Snapshot
    from ..limits import ServiceLimits
    from .protocol import QueryRequest


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
            FileRoom(limits.files),
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
    ) -> WorkerAnswer:
        """Run a query in its turn; a large answer is a file. What fits is kept under the key.

        Raises `CrowdedError` and `TimeoutError` when there is no turn, or no space, to be had;
        `StoreTimeoutError` and `StoreExhaustedError` when the query ran and had to be ended; `UsageError`
        for one that is refused.
        """
        plain = snapshot.rules.session.seen_by(asked.query)
        line = self._request(snapshot, plain, asked.default_graphs, asked.named_graphs, formats)
        kind, data = await self._run(with_text(line, asked.query), client)
        if kind != "unwanted" and isinstance(data, bytes):
            self._cache.put(key, (kind, data))
        return kind, data

    async def _run(self, request: bytes, client: str) -> WorkerAnswer:
        assert self._pool is not None
        answer: asyncio.Future[WorkerAnswer] = asyncio.get_running_loop().create_future()
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
            prefixes=usual_prefixes(session.iris.base),
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


def _tell(answer: asyncio.Future[WorkerAnswer], outcome: WorkerAnswer | Exception) -> None:
    """Pass the outcome of a query on to whoever waits for it, unless they have gone."""
    if answer.done():
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
