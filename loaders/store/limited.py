"""Queries with a time limit run in processes of their own, since nothing stops one inside this process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
import weakref
from typing import Any

import pyoxigraph
from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology.errors import StoreError
from .errands import (
    LARGE,
    MEMORY,
    START,
    command,
    environment,
    errand,
    head,
    not_started,
    refused,
    too_late,
    too_much,
)
from .query import PreparedQuery
from .results import LARGEST_ANSWER, Result, Solutions, Triples

_IDLE = 4
"""Processes that are kept for the next query."""

_LOOK = 60.0
"""Seconds between two looks at the clock."""

_LEAVE = 0.25
"""Seconds that a process which said nothing more has to be gone."""


class QueryPool:
    """The processes that answer for one store, each one query at a time.

    They open the store read-only, and are killed when an answer is late. Threads may share a pool.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        self._idle: list[_Worker] = []

    def answer(self, generation: int, query: PreparedQuery, timeout: float) -> Result:
        """Run a query over a generation of the store, in at most `timeout` seconds.

        Raises `StoreTimeoutError`; `StoreExhaustedError` when it needs too much memory; what queries raise.
        """
        kind, data = self._ask({"query": query._asdict()}, generation, timeout)
        if kind == "solutions":
            found = pyoxigraph.parse_query_results(input=data, format=QueryResultsFormat.JSON)
            assert isinstance(found, pyoxigraph.QuerySolutions)
            return Solutions(found, self.location, query.star, bounds=query.bounds)
        if kind == "triples":
            quads = pyoxigraph.parse(input=data, format=RdfFormat.N_TRIPLES)
            return Triples((quad.triple for quad in quads), self.location)
        return bool(json.loads(data))

    def _ask(self, job: dict[str, Any], generation: int, timeout: float) -> tuple[str, bytes]:
        """Give a job to a process; where somebody else killed that, once more to another."""
        request = errand(self.location, generation, timeout, MEMORY, job)
        for again in (True, False):
            try:
                worker = self._idle.pop()
            except IndexError:
                worker = _Worker(self.location)
            try:
                kind, data = worker.ask(request, timeout)
            except TimeoutError:
                worker.end()
                raise too_late(self.location, timeout) from None
            except EOFError:
                if worker.was_killed() and again:
                    continue
                raise too_much(self.location, MEMORY) from None
            except BaseException:
                worker.end()
                raise
            break
        if len(self._idle) < _IDLE and len(data) < LARGE:
            self._idle.append(worker)
        else:
            worker.end()
        if error := refused(kind, data):
            raise error
        return kind, data


class _Worker:
    """One process, as it is seen from here; it ends with this object."""

    def __init__(self, location: str) -> None:
        """Start the process and wait until it is ready; raise `StoreError` when it does not get so far."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment()
        )
        assert process.stdin
        assert process.stdout
        self._process = process
        self._requests = process.stdin
        self._answers = process.stdout.fileno()
        self.end = weakref.finalize(self, _end, process)
        try:
            self._read(time.monotonic() + START)
        except (EOFError, TimeoutError):
            self.end()
            raise not_started(location) from None

    def ask(self, request: bytes, timeout: float) -> tuple[str, bytes]:
        """Return the kind of the answer and its bytes.

        Raises `TimeoutError` when it is late, `EOFError` when the process ended.
        """
        deadline = time.monotonic() + timeout
        try:
            self._requests.write(request)
            self._requests.flush()
        except BrokenPipeError:
            raise EOFError from None
        return self._read(deadline)

    def was_killed(self) -> bool:
        """Wait until the process is gone; tell whether it was killed, rather than ended by its query."""
        try:
            code = self._process.wait(_LEAVE)
        except subprocess.TimeoutExpired:
            code = 0
        self.end()
        return code == -signal.SIGKILL

    def _read(self, deadline: float) -> tuple[str, bytes]:
        data = bytearray()
        while b"\n" not in data:
            data += self._some(deadline)
        line, _, body = data.partition(b"\n")
        kind, length = head(bytes(line))
        if length > LARGEST_ANSWER:
            raise StoreError(f"the answer has {length >> 20} MB", way_out="Add a LIMIT.")
        while len(body) < length:
            body += self._some(deadline)
        return kind, bytes(body)

    def _some(self, deadline: float) -> bytes:
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while not poll.poll(max(0, min(_LOOK, deadline - time.monotonic())) * 1000):
            if time.monotonic() >= deadline:
                raise TimeoutError
        data = os.read(self._answers, 1 << 20)
        if not data:
            raise EOFError
        return data


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, and wait until it is gone."""
    process.kill()
    process.communicate()
