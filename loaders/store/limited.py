"""Queries with a time limit run in processes of their own, since nothing stops one inside this process."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
import weakref
from math import ceil

import pyoxigraph
from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology.errors import StoreError, StoreTimeoutError, UsageError
from .query import PreparedQuery
from .results import LARGEST_ANSWER, Result, Solutions, Triples

_WORKER = f"from {__package__}.worker import main; main()"

_MEMORY = 4 << 30
"""Bytes that one query may use."""

_START = 60.0
"""Seconds until a process is ready; the time limit of a query counts from then."""

_IDLE = 4
"""Processes that are kept for the next query."""


class QueryPool:
    """The processes that answer for one store, each one query at a time.

    They open the store read-only, and are killed when an answer is late. Threads may share a pool.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        self._idle: list[_Worker] = []

    def answer(self, generation: int, query: PreparedQuery, timeout: float) -> Result:
        """Run a query over a generation of the store, in at most `timeout` seconds.

        Raises `StoreTimeoutError`; `StoreError` when it needs too much memory; and what queries raise.
        """
        request = {
            "location": self.location,
            "generation": generation,
            "query": query._asdict(),
            "seconds": ceil(timeout),
            "memory": _MEMORY,
        }
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = _Worker(self.location)
        try:
            kind, data = worker.ask(json.dumps(request).encode() + b"\n", timeout)
        except TimeoutError:
            worker.end()
            raise StoreTimeoutError(
                f"the query took longer than {timeout:g} s",
                where=self.location,
                way_out="Name more of what it looks for, add a LIMIT, or allow more time.",
            ) from None
        except EOFError:
            worker.end()
            raise StoreError(
                "the query broke its process off, most likely because it needed too much memory",
                where=self.location,
                way_out=f"It may use {_MEMORY >> 20} MB. Name more of what it looks for, or add a LIMIT.",
            ) from None
        except BaseException:
            worker.end()
            raise
        if len(self._idle) < _IDLE:
            self._idle.append(worker)
        return self._result(kind, data, query)

    def _result(self, kind: str, data: bytes, query: PreparedQuery) -> Result:
        if kind == "solutions":
            found = pyoxigraph.parse_query_results(input=data, format=QueryResultsFormat.JSON)
            assert isinstance(found, pyoxigraph.QuerySolutions)
            return Solutions(found, self.location, query.star)
        if kind == "triples":
            quads = pyoxigraph.parse(input=data, format=RdfFormat.N_TRIPLES)
            return Triples((quad.triple for quad in quads), self.location)
        if kind == "bool":
            return bool(json.loads(data))
        raise (UsageError if kind == "UsageError" else StoreError)(**json.loads(data))


class _Worker:
    """One process, as it is seen from here; it ends with this object."""

    def __init__(self, location: str) -> None:
        """Start the process and wait until it is ready; raise `StoreError` when it does not get so far."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _WORKER], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        assert process.stdin
        assert process.stdout
        self._requests = process.stdin
        self._answers = process.stdout.fileno()
        self.end = weakref.finalize(self, _end, process)
        try:
            self._read(time.monotonic() + _START)
        except (EOFError, TimeoutError):
            self.end()
            raise StoreError(
                "no process for a query with a time limit could be started",
                where=location,
                way_out="Is the memory used up? Without a time limit the query runs in this process.",
            ) from None

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

    def _read(self, deadline: float) -> tuple[str, bytes]:
        data = bytearray()
        while b"\n" not in data:
            data += self._some(deadline)
        head, _, body = data.partition(b"\n")
        kind, length = head.decode().split()
        if int(length) > LARGEST_ANSWER:
            raise StoreError(f"the answer has {int(length) >> 20} MB", way_out="Add a LIMIT.")
        while len(body) < int(length):
            body += self._some(deadline)
        return kind, bytes(body)

    def _some(self, deadline: float) -> bytes:
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        if not poll.poll(max(0, ceil((deadline - time.monotonic()) * 1000))):
            raise TimeoutError
        data = os.read(self._answers, 1 << 20)
        if not data:
            raise EOFError
        return data


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, and wait until it is gone."""
    process.kill()
    process.communicate()
