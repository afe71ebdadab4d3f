"""Queries of many clients become answers of a few processes: kept ones at once, others in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from ....loaders.store.bounds import AnswerBounds
from ....loaders.store.documents import Wish
from ....loaders.store.errands import SHORT, Envelope, frame
from ....queries.session.prefixes import usual_prefixes
from .clerk import Answered, Errand
from .kept import Kept, Ready
from .replies import Replies
from .spool import Spool
from .staff import Staff, told
from .turns import Turns

if TYPE_CHECKING:
    from ..current import Snapshot
    from ..limits import ServiceLimits
    from .protocol import QueryRequest


FormatNames = tuple[str | None, str | None]
"""The names of the formats for rows and for triples; None where the client takes none."""

_FRAMES = 256
"""How many kinds of wishes are remembered."""


class QueryDesk:
    """Answers the queries to one store, for one event loop."""

    def __init__(self, location: str, limits: ServiceLimits) -> None:
        self.limits = limits
        self._location = location
        self.replies = Replies(limits.cache // 8)
        self.swift: Kept[bytes] = Kept(limits.cache // 8)
        self._kept: Kept[Ready] = Kept(limits.cache - limits.cache // 4)
        turns: Turns[Errand] = Turns(limits.waiting, limits.waiting_each)
        spool = Spool(limits.files)
        self._staff = Staff(location, limits.workers, limits.memory, limits.timeout, spool, turns)
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
    ) -> Answered:
        """Run a query in its turn; a large answer is a file. What fits is kept under the key.

        Raises `CrowdedError` and `TimeoutError` when there is no turn, or no room, to be had;
        `StoreTimeoutError` and `StoreExhaustedError` when the query ran and had to be ended; `UsageError`
        for one that is refused.
        """
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

        def tell(outcome: Answered | Exception) -> None:
            self.keep(key, outcome)
            told(answer, outcome)

        errand = self.ask(snapshot, asked, formats, client, tell)
        try:
            return await answer
        except asyncio.CancelledError:
            self.leave(errand)
            raise

    def keep(self, key: str, outcome: Answered | Exception) -> None:
        """Keep what came of a query under a key, if it is an answer, and no file."""
        if isinstance(outcome, Exception):
            return
        kind, data = outcome
        if kind != "unwanted" and isinstance(data, bytes):
            self._kept.put(key, Ready(kind, data), len(data))

    def ask(
        self,
        snapshot: Snapshot,
        asked: QueryRequest,
        formats: FormatNames,
        client: str,
        tell: Callable[[Answered | Exception], None],
    ) -> Errand:
        """Have a query run in its turn, as `answer` does, and tell what it gives, or the error it ends in.

        Nothing is kept. Raises `CrowdedError` when there is no place to wait.
        """
        lines = self._frame(snapshot, asked.default_graphs, asked.named_graphs, formats)
        errand = Errand(lines.around(asked.query), client, tell)
        self._staff.take(errand)
        return errand

    def leave(self, errand: Errand) -> None:
        """Take note that nobody waits for what was asked."""
        self._staff.leave(errand)

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
            prefixes=usual_prefixes(session.iris),
            base=session.iris.base,
            default_graphs=default_graphs if fixed else session.scope().default_graphs,
            named_graphs=named_graphs,
            fixed=fixed,
            results=formats[0],
            graph=formats[1],
            bounds=AnswerBounds(limits.rows, limits.answer),
            length=limits.query,
        )
        made = frame(self._location, snapshot.generation, limits.timeout, limits.memory, wish)
        if len(made.line) > SHORT:
            return made
        if len(self._frames) >= _FRAMES:
            self._frames.clear()
        self._frames[key] = made
        return made
