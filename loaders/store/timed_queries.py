"""Run queries with a deadline from the thread that waits for the answer."""

from __future__ import annotations

import json
import weakref
from typing import TYPE_CHECKING

import pyoxigraph
from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology.errors import StoreError
from .results import LARGEST_ANSWER, Result, Solutions, Triples
from .worker_pool import FairQueue, WorkerPool
from .worker_process import QueuedQuery, SelectorLoop, WorkerAnswer
from .worker_protocol import MEMORY, request_line

if TYPE_CHECKING:
    from .query import PreparedQuery

_IDLE = 4
"""Workers that are kept for the next query."""


class TimedQueries:
    """Runs queries over one store with deadlines; threads may share it.

    Workers open the store read-only. They are kept for the next query, and end with this object.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        # A pool of one worker belongs to one thread at a time, so nothing has to be locked.
        self._idle: list[tuple[SelectorLoop, WorkerPool]] = []
        self.close = weakref.finalize(self, _close, self._idle)

    def answer(self, generation: int, query: PreparedQuery, timeout: float) -> Result:
        """Run a query over a generation of the store, in at most `timeout` seconds.

        Raises `StoreTimeoutError`; `StoreExhaustedError` when it needs too much memory; what queries raise.
        """
        job = {"query": query._asdict()}
        kind, data = self._ask(request_line(self.location, generation, timeout, MEMORY, job), timeout)
        if kind == "solutions":
            found = pyoxigraph.parse_query_results(input=data, format=QueryResultsFormat.JSON)
            assert isinstance(found, pyoxigraph.QuerySolutions)
            return Solutions(found, self.location, query.star, bounds=query.bounds)
        if kind == "triples":
            quads = pyoxigraph.parse(input=data, format=RdfFormat.N_TRIPLES)
            return Triples((quad.triple for quad in quads), self.location)
        return bool(json.loads(data))

    def _ask(self, request: bytes, timeout: float) -> tuple[str, bytes]:
        try:
            loop, pool = self._idle.pop()
        except IndexError:
            loop = SelectorLoop()
            pool = WorkerPool(loop, self.location, 1, MEMORY, FairQueue(1, 1), _in_memory)
        outcomes: list[WorkerAnswer | Exception] = []
        try:
            pool.take(QueuedQuery(request, "", timeout, outcomes.append))
            while not outcomes:
                loop.run_once()
        except BaseException:
            pool.close()
            raise
        if len(self._idle) < _IDLE and all(not worker.ended for worker in pool.workers):
            self._idle.append((loop, pool))
        else:
            pool.close()
        outcome = outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        kind, data = outcome
        assert isinstance(data, bytes)
        return kind, data


def _in_memory(length: int) -> None:
    """Keep an answer in memory, unless it is too large for that; see `WorkerProcess`."""
    if length > LARGEST_ANSWER:
        raise StoreError(f"the answer has {length >> 20} MB", way_out="Add a LIMIT.")


def _close(idle: list[tuple[SelectorLoop, WorkerPool]]) -> None:
    for _, pool in idle:
        pool.close()
