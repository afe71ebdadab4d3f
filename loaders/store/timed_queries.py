"""Run queries with deadlines, each in its own process, which is killed at the deadline."""

from __future__ import annotations

import signal
import subprocess
import time
import weakref
from contextlib import suppress
from threading import Timer

import pyoxigraph
from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology import StoreError
from .query import PreparedQuery
from .results import LARGEST_ANSWER, Result, Solutions, Triples
from .worker_protocol import (
    LARGE,
    MEMORY,
    START,
    command,
    head,
    not_started,
    refused,
    request_line,
    too_late,
    too_much,
)

_Worker = subprocess.Popen[bytes]

_IDLE = 4
"""How many workers are kept for the next queries."""

_FORMATS = ("application/sparql-results+json", "application/n-triples")

_EXIT = 1.0
"""How many seconds a process has to exit after closing its output."""


class TimedQueries:
    """Runs queries over one store with deadlines; threads may share it.

    Workers open the store read-only. They are kept for further queries, and end with this object.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        self._idle: list[_Worker] = []
        self.close = weakref.finalize(self, _end_all, self._idle)

    def answer(self, generation: int, query: PreparedQuery, timeout: float) -> Result:
        """Run a query over a generation of the store, in at most `timeout` seconds.

        Raises `StoreTimeoutError`; `StoreExhaustedError` for too much memory; errors of queries.
        """
        job = {"query": query._asdict(), "formats": _FORMATS}
        request = request_line(self.location, generation, timeout, MEMORY, job)
        # That a worker was killed from outside says nothing about the query, which is tried once more.
        answer = self._ask(request, timeout) or self._ask(request, timeout)
        if answer is None:
            raise too_much(self.location, MEMORY)
        kind, data = answer
        if problem := refused(kind, data):
            raise problem
        if kind == "graph":
            quads = pyoxigraph.parse(input=data, format=RdfFormat.N_TRIPLES)
            return Triples((quad.triple for quad in quads), self.location)
        found = pyoxigraph.parse_query_results(input=data, format=QueryResultsFormat.JSON)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        return Solutions(found, self.location, query.star, bounds=query.bounds)

    def _ask(self, request: bytes, seconds: float) -> tuple[str, bytes] | None:
        """Return the kind of an answer and its bytes; None if the worker was killed from outside."""
        worker = self._free()
        kept = False
        try:
            begun = time.monotonic()
            answer = _answer(worker, request, seconds)
            is_late = time.monotonic() - begun >= seconds
            if answer is None:  # the exit code says why
                with suppress(subprocess.TimeoutExpired):
                    worker.wait(_EXIT)
            kept = answer is not None and not is_late and len(answer[1]) < LARGE
        finally:
            if kept and len(self._idle) < _IDLE:
                self._idle.append(worker)
            else:
                _end(worker)
        if answer is None and is_late:
            raise too_late(self.location, seconds)
        if answer is None and worker.returncode != -signal.SIGKILL:
            raise too_much(self.location, MEMORY)
        return answer

    def _free(self) -> _Worker:
        """Return an idle worker."""
        with suppress(IndexError):
            return self._idle.pop()
        with suppress(OSError):
            pipe = subprocess.PIPE
            worker = subprocess.Popen(command(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            if _answer(worker, b"", START):
                return worker
            _end(worker)
        raise not_started(self.location)


def _answer(worker: _Worker, request: bytes, seconds: float) -> tuple[str, bytes] | None:
    """Send a request and return the reply; None if the worker ends before that."""
    assert worker.stdin
    assert worker.stdout
    timer = Timer(seconds, worker.kill)
    timer.daemon = True
    timer.start()
    try:
        worker.stdin.write(request)
        worker.stdin.flush()
        line = worker.stdout.readline()
        if not line.endswith(b"\n"):
            return None
        kind, length = head(line)
        if length > LARGEST_ANSWER:
            raise StoreError(f"the answer has {length >> 20} MB", way_out="Add a LIMIT.")
        data = worker.stdout.read(length)
        return (kind, data) if len(data) == length else None
    except BrokenPipeError:
        return None
    finally:
        timer.cancel()


def _end(worker: _Worker) -> None:
    assert worker.stdin
    assert worker.stdout
    worker.kill()
    worker.wait()
    worker.stdout.close()
    with suppress(BrokenPipeError):
        worker.stdin.close()


def _end_all(idle: list[_Worker]) -> None:
    while idle:
        _end(idle.pop())
