"""Answer queries from standard input, in the process that runs queries with a time limit.

A request is a line of JSON. Its `query` is prepared, or not even parsed if the request names the `longest`
that is allowed; the graphs of such a query win over its own FROM if they are `fixed`. The `formats` are the
media types for rows and for triples. An answer is a line ``kind length`` and as many bytes. The kinds are
``ready``, those of `_answer`, and the names of errors (JSON).
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
from math import ceil
from typing import Any, BinaryIO, cast

from pyoxigraph import QueryResultsFormat, RdfFormat

from ...ontology import PREFIXES, RulesgraphError
from .layout import Layout
from .local import LocalStore
from .query import PreparedQuery, admit, parse_here, prepare
from .results import AnswerBounds, Triples
from .worker_protocol import limit, with_memory

_BOOLEANS = {
    QueryResultsFormat.JSON: '{{"head":{{}},"boolean":{}}}',
    QueryResultsFormat.XML: '<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head></head>'
    "<boolean>{}</boolean></sparql>",
    QueryResultsFormat.CSV: "{}\n",
    QueryResultsFormat.TSV: "{}\n",
}

_SLACK = 5
"""How many seconds beyond its limit a query may compute if its parent is not there to kill it."""

_DUMPING = 600
"""The maximum seconds of computing to write a whole store."""

_LEVEL = 4
"""The compression level of zlib: it then takes as long as the writing."""


def main() -> None:
    """Answer requests until the other end closes standard input."""
    # The parent decides when to end; terminals and systemd send these signals to all processes of a service.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    limit(resource.RLIMIT_CORE, 0)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _send("ready", b"")
    store, shown = None, None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            location, generation = request["location"], request["generation"]
            if store is None or shown != (location, generation):
                store = None
                store = LocalStore(location, Layout(location).open(generation))
                if shown is None:
                    with_memory(request["memory"])
                shown = location, generation
            # Ends the process if a query computes far beyond its limit without being killed.
            limit(resource.RLIMIT_CPU, ceil(time.process_time() + request["seconds"]) + _SLACK)
            kind, data = _answer(store, request)
        except RulesgraphError as error:
            kind, data = _as_reply(error)
        _send(kind, data)


def dump() -> None:
    """Write a generation of a store to standard output, in little memory; see `dumping`."""
    location, generation, ending, packed = sys.argv[1:]
    limit(resource.RLIMIT_CPU, _DUMPING)
    store = Layout(location).open(int(generation))
    form = RdfFormat.from_extension(ending)
    out = sys.stdout.buffer
    with gzip.GzipFile("", "wb", _LEVEL, out, mtime=0) if packed else nullcontext(out) as file:
        store.dump(cast(BinaryIO, file), form, prefixes=None if form == RdfFormat.N_QUADS else PREFIXES)
        file.flush()


def parse_one() -> None:
    """Parse the query on standard input and write what is wrong with it; this may crash the process.

    The parser gets a stack as large as the caller's, since that process may parse the query as well.
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
            outcome = _as_reply(error)

    threading.stack_size(job["stack"])
    thread = threading.Thread(target=parse)
    thread.start()
    thread.join()
    _send(*outcome)


def _as_reply(error: RulesgraphError) -> tuple[str, bytes]:
    told = {"what": error.what, "where": error.where, "way_out": error.way_out}
    return type(error).__name__, json.dumps(told).encode()


def _end_with_parent() -> None:
    """End when no more requests can come, without waiting for a running query."""
    hung_up = select.poll()
    hung_up.register(sys.stdin, 0)
    hung_up.poll()
    os._exit(0)


def _answer(store: LocalStore, request: dict[str, Any]) -> tuple[str, bytes]:
    """Run a query; return the kind of its answer (``results`` or ``graph``) and the document.

    The kind is ``unwanted`` if there is no format for such an answer. Raises `UsageError` for a query that is
    refused, and for an answer beyond the bounds; `StoreError`.
    """
    query = PreparedQuery(**request["query"])
    bounds = query.bounds and AnswerBounds(*query.bounds)
    if "longest" in request:  # it has not been parsed yet
        admit(query.text, request["longest"])
        default, named = query.default_graphs, query.named_graphs
        query = prepare(query.text, query.prefixes, query.base, parse_here)
        if request["fixed"] or not query.graphs:
            query = query._replace(graphs=(), default_graphs=default, named_graphs=named)
    found = store.answer(query._replace(bounds=bounds))
    results, graph = request["formats"]
    if isinstance(found, Triples):
        notation = RdfFormat.from_media_type(graph or "")
        return ("graph", found.serialize(notation, query.prefixes)) if notation else ("unwanted", b"")
    form = QueryResultsFormat.from_media_type(results or "")
    if form is None:
        return "unwanted", b""
    if isinstance(found, bool):
        return "results", _BOOLEANS[form].format(str(found).lower()).encode()
    return "results", found.serialize(form)


def _send(kind: str, data: bytes) -> None:
    sys.stdout.buffer.write(f"{kind} {len(data)}\n".encode() + data)
    sys.stdout.buffer.flush()
