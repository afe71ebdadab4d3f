"""Queries of many clients become answers of a few processes: kept ones at once, others in turn."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, BinaryIO

from ....loaders.store.documents import Wish
from ....loaders.store.limited import QueryPool
from ....queries.session.prefixes import usual_prefixes
from .kept import Kept, Ready
from .turns import Turns

if TYPE_CHECKING:
    from ..current import Snapshot
    from ..limits import ServiceLimits
    from .protocol import QueryRequest


FormatNames = tuple[str | None, str | None]
"""The names of the formats for rows and for triples; None where the client takes none."""

Served = Ready | tuple[str, BinaryIO]
"""An answer is whole before it is given: in memory, or, where it is large, with its kind in a file."""


class QueryDesk:
    """Answers the queries to one store, for one event loop."""

    def __init__(self, location: str, limits: ServiceLimits) -> None:
        self.limits = limits
        self._turns = Turns(limits.workers, limits.waiting, limits.waiting_each)
        self._kept = Kept(limits.cache)
        self._pool = QueryPool(location, idle=limits.workers, memory=limits.memory)
        self._threads = ThreadPoolExecutor(limits.workers, "query")
        self._open = True

    def start(self, snapshot: Snapshot) -> None:
        """Start the processes; raises `StoreError` when they do not start."""
        self._pool.warm(snapshot.generation)

    def close(self) -> None:
        """End the processes, and the queries in them."""
        self._open = False
        self._pool.close()
        self._threads.shutdown()

    def kept(self, key: str) -> Ready | None:
        """Return the answer that is kept under a key."""
        return self._kept.get(key)

    async def answer(
        self,
        snapshot: Snapshot,
        asked: QueryRequest,
        formats: FormatNames,
        client: str,
        key: str,
    ) -> Served:
        """Run a query in its turn; a large answer is a file. What fits is kept under the key.

        Raises `CrowdedError` and `TimeoutError` when there is no turn to be had, `StoreTimeoutError` and
        `StoreExhaustedError` when the query ran and had to be ended, `UsageError` for one that is refused.
        """
        limits = self.limits
        await self._turns.take(client, limits.timeout)
        gone = False
        try:
            wish = self._wish(snapshot, asked, formats)
            work = asyncio.get_running_loop().run_in_executor(
                self._threads,
                self._pool.document,
                snapshot.generation,
                wish,
                limits.timeout,
                lambda: self._open and not gone,
            )
            try:
                kind, data = await asyncio.shield(work)
            except asyncio.CancelledError:
                # The client has gone: its turn is over when the query has been ended.
                gone = True
                work.add_done_callback(_heard)
                raise
        finally:
            self._turns.give(client)
        if not isinstance(data, bytes):
            return kind, data
        ready = Ready(kind, data)
        if kind != "unwanted":
            self._kept.put(key, ready)
        return ready

    def _wish(self, snapshot: Snapshot, asked: QueryRequest, formats: FormatNames) -> Wish:
        session = snapshot.rules.session
        fixed = asked.default_graphs is not None
        return Wish(
            text=asked.query,
            prefixes=usual_prefixes(session.iris),
            base=session.iris.base,
            default_graphs=asked.default_graphs if fixed else session.scope().default_graphs,
            named_graphs=asked.named_graphs,
            fixed=fixed,
            results=formats[0],
            graph=formats[1],
            rows=self.limits.rows,
            size=self.limits.answer,
            length=self.limits.query,
        )


def _heard(work: asyncio.Future[tuple[str, bytes | BinaryIO]]) -> None:
    """Take note of how work ended that nobody waits for, so that it is not reported as lost."""
    if not work.cancelled():
        work.exception()
