"""Queries of many clients become answers of a few processes: kept ones at once, others in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....loaders.store.documents import Wish
from ....loaders.store.errands import SHORT, Envelope, frame
from ....queries.session.prefixes import usual_prefixes
from .kept import Kept, Ready
from .replies import Replies
from .spool import LargeAnswer, Spool
from .staff import Staff
from .turns import Turns

if TYPE_CHECKING:
    from ..current import Snapshot
    from ..limits import ServiceLimits
    from .protocol import QueryRequest


FormatNames = tuple[str | None, str | None]
"""The names of the formats for rows and for triples; None where the client takes none."""

Served = Ready | tuple[str, LargeAnswer]
"""An answer is whole before it is given: in memory, or, where it is large, with its kind in a file."""

_FRAMES = 256
"""How many kinds of wishes are remembered."""


class QueryDesk:
    """Answers the queries to one store, for one event loop."""

    def __init__(self, location: str, limits: ServiceLimits) -> None:
        self.limits = limits
        self._location = location
        self._turns = Turns(limits.workers, limits.waiting, limits.waiting_each)
        self.replies = Replies(limits.cache // 8)
        self._kept: Kept[Ready] = Kept(limits.cache - limits.cache // 8)
        self._staff = Staff(location, limits.workers, limits.memory, Spool(limits.files))
        self._frames: dict[object, Envelope] = {}

    async def start(self, snapshot: Snapshot) -> None:
        """Start the processes; raises `StoreError` when they do not start."""
        await self._staff.start(self._frame(snapshot, None, None, ("json", None)).around("ASK {}"))

    async def close(self) -> None:
        """End the processes, and the queries in them."""
        await self._staff.close()

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

        Raises `CrowdedError` and `TimeoutError` when there is no turn, or no room, to be had;
        `StoreTimeoutError` and `StoreExhaustedError` when the query ran and had to be ended; `UsageError`
        for one that is refused.
        """
        seconds = self.limits.timeout
        await self._turns.take(client, seconds)
        try:
            lines = self._frame(snapshot, asked.default_graphs, asked.named_graphs, formats)
            kind, data = await self._staff.answer(lines.around(asked.query), seconds)
        finally:
            self._turns.give(client)
        if not isinstance(data, bytes):
            return kind, data
        ready = Ready(kind, data)
        if kind != "unwanted":
            self._kept.put(key, ready, len(data))
        return ready

    def _frame(
        self,
        snapshot: Snapshot,
        default_graphs: tuple[str, ...] | None,
        named_graphs: tuple[str, ...] | None,
        formats: FormatNames,
    ) -> Envelope:
        key = (snapshot.digest, snapshot.generation, default_graphs, named_graphs, formats)
        if found := self._frames.get(key):
            return found
        session, limits = snapshot.rules.session, self.limits
        fixed = default_graphs is not None
        wish = Wish(
            text="",
            prefixes=usual_prefixes(session.iris),
            base=session.iris.base,
            default_graphs=default_graphs if fixed else session.scope().default_graphs,
            named_graphs=named_graphs,
            fixed=fixed,
            results=formats[0],
            graph=formats[1],
            rows=limits.rows,
            size=limits.answer,
            length=limits.query,
        )
        made = frame(self._location, snapshot.generation, limits.timeout, limits.memory, wish)
        if len(made.line) > SHORT:
            return made
        if len(self._frames) >= _FRAMES:
            self._frames.clear()
        self._frames[key] = made
        return made
