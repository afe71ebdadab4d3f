"""Answer queries from standard input: this is the process in which queries with a time limit run.

A request is a line of JSON with a prepared `query`, or with a `wish`, behind which stands the text of its
query, after a line that says how many bytes that has; an answer is a line ``kind length`` and as many bytes.
The kinds are ``ready``, ``solutions`` (SPARQL results in JSON), ``triples`` (N-Triples), ``bool``, those of
`document` for a wish, and the names of errors (JSON).
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import select
import signal
import sys
import threading
import time
from contextlib import nullcontext
from functools import lru_cache
from math import ceil
from typing import Any, BinaryIO, cast

from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology.errors import RulesgraphError
from ...ontology.terms import PREFIXES
from .documents import Wish, document
from .layout import Layout
from .local import LocalStore
from .query import PreparedQuery, parse_here
from .results import AnswerBounds, Solutions, Triples
from .worker_protocol import SHORT, limit, with_memory

_SLACK = 5
"""Seconds of computing beyond its limit that a query has when its parent is not there to end it."""

_NOTATIONS = {"nq": RdfFormat.N_QUADS, "trig": RdfFormat.TRIG}
"""The notations that keep named graphs apart, by their endings."""

_DUMPING = 600
"""Seconds that writing all of a store may compute."""

_LEVEL = 4
"""How hard zlib tries: it takes as long as the writing then."""


def main() -> None:
    """Answer requests until standard input is closed by whoever has its other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit(resource.RLIMIT_CORE, 0)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _send("ready", b"")
    requests = sys.stdin.buffer
    store, shown, watch = None, None, _Watch()
    for line in requests:
        request = _remembered(line) if len(line) <= SHORT else _read(line)
        wish = request.get("wish")
        # The text is read before anything can go wrong, so that the next line is a request again.
        text = requests.read(int(requests.readline())).decode() if wish else ""
        try:
            if store is None or shown != request["generation"]:
                store = None
                location, generation = request["location"], request["generation"]
                store = LocalStore(location, Layout(location).open(generation))
                if shown is None:
                    with_memory(request["memory"])
                shown = request["generation"]
            watch.allow(request["seconds"])
            kind, data = document(store, wish, text) if wish else _answer(store, request["query"])
        except RulesgraphError as error:
            kind, data = _told(error)
        _send(kind, data)


def dump() -> None:
    """Write a generation of a store to standard output, in little memory; see `dumping`."""
    location, generation, ending, packed = sys.argv[1:]
    limit(resource.RLIMIT_CPU, _DUMPING)
    store = Layout(location).open(int(generation))
    form = _NOTATIONS[ending]
    out = sys.stdout.buffer
    with gzip.GzipFile("", "wb", _LEVEL, out, mtime=0) if packed else nullcontext(out) as file:
        store.dump(cast(BinaryIO, file), form, prefixes=None if form == RdfFormat.N_QUADS else PREFIXES)
        file.flush()


def parse_one() -> None:
    """Parse the one query on standard input and write what is wrong with it; this may end the process.

    The parser gets as large a stack as whoever asks has, since that process may parse the query as well.
    """
    limit(resource.RLIMIT_CORE, 0)
    job = json.load(sys.stdin)
    limit(resource.RLIMIT_CPU, ceil(job["seconds"]) + _SLACK)
    outcome = "parsed", b""

    def parse() -> None:
        nonlocal outcome
        try:
            parse_here(job["text"], job["prefixes"], job["base"])
        except RulesgraphError as error:
            outcome = _told(error)

    threading.stack_size(job["stack"])
    thread = threading.Thread(target=parse)
    thread.start()
    thread.join()
    _send(*outcome)


def _told(error: RulesgraphError) -> tuple[str, bytes]:
    told = {"what": error.what, "where": error.where, "way_out": error.way_out}
    return type(error).__name__, json.dumps(told).encode()


def _end_with_parent() -> None:
    """Wait until nobody can send a request any more; a query that runs is not waited for."""
    hung_up = select.poll()
    hung_up.register(sys.stdin, 0)
    hung_up.poll()
    os._exit(0)


def _read(line: bytes) -> dict[str, Any]:
    """Return a request; the text of the query of a wish is still to come."""
    request: dict[str, Any] = json.loads(line)
    if "wish" in request:
        wish = Wish(**request["wish"])
        request["wish"] = wish._replace(bounds=AnswerBounds(*wish.bounds))
    return request


_remembered = lru_cache(64)(_read)
"""Of many queries that come in a row the lines with their wishes are the same."""


class _Watch:
    """Ends the process where a query computes much longer than it may, and nobody else has ended it."""

    def __init__(self) -> None:
        self._allowed, self._until = 0.0, 0.0

    def allow(self, seconds: float) -> None:
        """Let the process compute for so many seconds from now on, and a little longer.

        What it may was laid down at most a second ago, unless it is laid down anew.
        """
        now = time.monotonic()
        if now < self._until and seconds == self._allowed:
            return
        limit(resource.RLIMIT_CPU, ceil(time.process_time() + seconds) + _SLACK)
        self._allowed, self._until = seconds, now + 1


def _answer(store: LocalStore, job: dict[str, Any]) -> tuple[str, bytes]:
    query = PreparedQuery(**job)
    if query.bounds is not None:
        query = query._replace(bounds=AnswerBounds(*query.bounds))
    found = store.answer(query)
    if isinstance(found, Solutions):
        return "solutions", found.serialize(QueryResultsFormat.JSON)
    if isinstance(found, Triples):
        return "triples", found.serialize(RdfFormat.N_TRIPLES)
    return "bool", json.dumps(found).encode()


def _send(kind: str, data: bytes) -> None:
    sys.stdout.buffer.write(f"{kind} {len(data)}\n".encode() + data)
    sys.stdout.buffer.flush()
