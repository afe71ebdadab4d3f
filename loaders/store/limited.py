"""Queries with a time limit run in processes of their own, since nothing stops one inside this process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from math import ceil
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO

import pyoxigraph
from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology.errors import StoreError, StoreExhaustedError, StoreTimeoutError, UsageError
from .query import PreparedQuery
from .results import LARGEST_ANSWER, Result, Solutions, Triples

if TYPE_CHECKING:
    from .documents import Wish

_WORKER = f"from {__package__}.worker import main; main()"

_MEMORY = 4 << 30
"""Bytes that one query may use."""

_START = 60.0
"""Seconds until a process is ready; the time limit of a query counts from then."""

_IDLE = 4
"""Processes that are kept for the next query."""

_IN_MEMORY = 4 << 20
"""Bytes of a document that are kept in memory; what is larger goes to a temporary file."""

_LARGE = 64 << 20
"""After an answer of so many bytes a process is not used again, so that its memory is given back."""

_LOOK = 0.25
"""Seconds between two looks whether an answer is still wanted."""


class UnwantedError(Exception):
    """Nobody waits for the answer any more."""


class QueryPool:
    """The processes that answer for one store, each one query at a time.

    They open the store read-only, and are killed when an answer is late. Threads may share a pool.
    `idle` is how many processes are kept, `memory` how many bytes each may use beyond the opened store.
    """

    def __init__(self, location: str, *, idle: int = _IDLE, memory: int | None = None) -> None:
        self.location = location
        self._most_idle = idle
        self._memory = memory or _MEMORY
        self._idle: list[_Worker] = []

    def answer(self, generation: int, query: PreparedQuery, timeout: float) -> Result:
        """Run a query over a generation of the store, in at most `timeout` seconds.

        Raises `StoreTimeoutError`; `StoreExhaustedError` when it needs too much memory; what queries raise.
        """
        kind, data = self._ask({"query": query._asdict()}, generation, timeout)
        assert isinstance(data, bytes)
        if kind == "solutions":
            found = pyoxigraph.parse_query_results(input=data, format=QueryResultsFormat.JSON)
            assert isinstance(found, pyoxigraph.QuerySolutions)
            return Solutions(found, self.location, query.star, bounds=query.bounds)
        if kind == "triples":
            quads = pyoxigraph.parse(input=data, format=RdfFormat.N_TRIPLES)
            return Triples((quad.triple for quad in quads), self.location)
        return bool(json.loads(data))

    def document(
        self, generation: int, wish: Wish, timeout: float, wanted: Callable[[], bool] | None = None
    ) -> tuple[str, bytes | BinaryIO]:
        """Run a query that not even was parsed; return the kind and the document (see `document`).

        A large document is a temporary file, at its beginning. `wanted` is called now and then: when it
        says no, the query is ended. Raises what `answer` raises, and `UnwantedError`.
        """
        return self._ask({"wish": wish._asdict()}, generation, timeout, wanted)

    def warm(self, generation: int) -> None:
        """Start all processes that may be kept, and let each open a generation."""
        started = [_Worker(self.location) for _ in range(self._most_idle - len(self._idle))]
        for worker in started:
            job = {"query": PreparedQuery("ASK {}")._asdict()}
            worker.ask(self._request(job, generation, _START), _START)
        self._idle += started

    def close(self) -> None:
        """End the processes that wait; those that work end with their query."""
        self._most_idle = 0
        while self._idle:
            self._idle.pop().end()

    def _request(self, job: dict[str, Any], generation: int, seconds: float) -> bytes:
        about = {
            "location": self.location,
            "generation": generation,
            "seconds": ceil(seconds),
            "memory": self._memory,
        }
        return json.dumps({**about, **job}).encode() + b"\n"

    def _ask(
        self, job: dict[str, Any], generation: int, timeout: float, wanted: Callable[[], bool] | None = None
    ) -> tuple[str, bytes | BinaryIO]:
        """Give a job to a process; where somebody else killed that, once more to another."""
        request = self._request(job, generation, timeout)
        for again in (True, False):
            try:
                worker = self._idle.pop()
            except IndexError:
                worker = _Worker(self.location)
            try:
                kind, data = worker.ask(request, timeout, wanted, spool="wish" in job)
            except TimeoutError:
                worker.end()
                raise StoreTimeoutError(
                    f"the query took longer than {timeout:g} s",
                    where=self.location,
                    way_out="Name more of what it looks for, add a LIMIT, or allow more time (--timeout).",
                ) from None
            except EOFError:
                if worker.was_killed() and again:
                    continue
                raise StoreExhaustedError(
                    "the query broke its process off, most likely because it needed too much memory",
                    where=self.location,
                    way_out=f"It may use {self._memory >> 20} MB. "
                    "Name more of what it looks for, or add a LIMIT.",
                ) from None
            except BaseException:
                worker.end()
                raise
            break
        length = len(data) if isinstance(data, bytes) else os.fstat(data.fileno()).st_size
        if len(self._idle) < self._most_idle and length < _LARGE:
            self._idle.append(worker)
        else:
            worker.end()
        if kind.endswith("Error"):
            assert isinstance(data, bytes)
            raise (UsageError if kind == "UsageError" else StoreError)(**json.loads(data))
        return kind, data


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
        self._process = process
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

    def ask(
        self,
        request: bytes,
        timeout: float,
        wanted: Callable[[], bool] | None = None,
        *,
        spool: bool = False,
    ) -> tuple[str, bytes | BinaryIO]:
        """Return the kind of the answer and its bytes; with `spool`, a file where these are many.

        Raises `TimeoutError` when it is late, `EOFError` when the process ended, `UnwantedError`.
        """
        deadline = time.monotonic() + timeout
        try:
            self._requests.write(request)
            self._requests.flush()
        except BrokenPipeError:
            raise EOFError from None
        return self._read(deadline, wanted, spool)

    def was_killed(self) -> bool:
        """Wait until the process is gone; tell whether it was killed, rather than ended by its query."""
        try:
            code = self._process.wait(_LOOK)
        except subprocess.TimeoutExpired:
            code = 0
        self.end()
        return code == -signal.SIGKILL

    def _read(
        self, deadline: float, wanted: Callable[[], bool] | None = None, spool: bool = False
    ) -> tuple[str, bytes | BinaryIO]:
        data = bytearray()
        while b"\n" not in data:
            data += self._some(deadline, wanted)
        head, _, body = data.partition(b"\n")
        kind, digits = head.decode().split()
        length = int(digits)
        if length > LARGEST_ANSWER:
            raise StoreError(f"the answer has {length >> 20} MB", way_out="Add a LIMIT.")
        if not spool or length <= _IN_MEMORY:
            while len(body) < length:
                body += self._some(deadline, wanted)
            return kind, bytes(body)
        file = TemporaryFile()  # noqa: SIM115
        written = file.write(body)
        while written < length:
            written += file.write(self._some(deadline, wanted))
        file.seek(0)
        return kind, file

    def _some(self, deadline: float, wanted: Callable[[], bool] | None) -> bytes:
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while not poll.poll(max(0, min(_LOOK, deadline - time.monotonic()) * 1000)):
            if time.monotonic() >= deadline:
                raise TimeoutError
            if wanted is not None and not wanted():
                raise UnwantedError
        data = os.read(self._answers, 1 << 20)
        if not data:
            raise EOFError
        return data


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, and wait until it is gone."""
    process.kill()
    process.communicate()
