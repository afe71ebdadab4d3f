"""Write and read the messages between a worker process and its pool: requests, answers and errors."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from math import ceil

from ...ontology.errors import RulesgraphError, StoreError, StoreExhaustedError, StoreTimeoutError, UsageError

LONGER = "; --timeout allows more time"
"""Advice for the command line; other interfaces leave it out."""

MEMORY = 4 << 30
"""The maximum number of bytes that one query may use."""

START = 60.0
"""The seconds until a process is ready; the time limit of a query counts from then."""

LARGE = 64 << 20
"""After an answer of this size in bytes, a process is not used again, so that its memory is released."""


def command(function: str = "main") -> list[str]:
    """Return the command that starts a process which runs a function of `worker`."""
    return [sys.executable, "-P", "-c", f"from {__package__}.worker import {function}; {function}()"]


def dumping(location: str, generation: int, ending: str, packed: bool) -> list[str]:
    """Return the command that writes a generation of a folder in a format, `packed` by gzip or not."""
    return [*command("dump"), location, str(generation), ending, "gzip" if packed else ""]


def head(line: bytes) -> tuple[str, int]:
    """Return what the line before an answer says: its kind, and the number of bytes that follow."""
    kind, _, digits = line.decode().partition(" ")
    return kind, int(digits)


def request_line(
    location: str, generation: int, seconds: float, memory: int, job: Mapping[str, object]
) -> bytes:
    """Return the line that requests a job from a worker over a generation of a store."""
    about = {"location": location, "generation": generation, "seconds": ceil(seconds), "memory": memory}
    return json.dumps({**about, **job}).encode() + b"\n"


def refused(kind: str, data: bytes) -> RulesgraphError | None:
    """Return the error in an answer; None if it is not an error."""
    if not kind.endswith("Error"):
        return None
    return (UsageError if kind == "UsageError" else StoreError)(**json.loads(data))


def not_started(location: str) -> StoreError:
    """Return the error for a process that does not become ready."""
    return StoreError(
        "no process could be started for a query with a time limit",
        where=location,
        way_out="Memory may have run out. Without a time limit, the query runs in this process.",
    )


def too_late(location: str, seconds: float) -> StoreTimeoutError:
    """Return the error for an answer that did not arrive in time."""
    return StoreTimeoutError(
        f"the query took longer than {round(seconds, 3):g} s",
        where=location,
        way_out=f"Make it more specific, or add a LIMIT{LONGER}.",
    )


def too_much(location: str, memory: int) -> StoreExhaustedError:
    """Return the error for a query that killed its process."""
    most = min(it for it in (memory, *resource.getrlimit(resource.RLIMIT_AS)) if it != resource.RLIM_INFINITY)
    return StoreExhaustedError(
        "the query crashed its process, most likely because memory ran out",
        where=location,
        way_out=f"It may use {most >> 20} MB. Make it more specific, or add a LIMIT.",
    )


_PARSING_SECONDS = 60.0


def parse_apart(
    text: str, prefixes: Mapping[str, str], base: str | None, stack: int, seconds: float | None = None
) -> None:
    """Parse a query in a separate process, which may crash, with nearly as large a `stack`.

    Raises `UsageError` if the query does not parse, `StoreExhaustedError` if parsing it ends the process,
    `StoreTimeoutError` if it takes longer than `seconds`, or a minute.
    """
    seconds = min(seconds or _PARSING_SECONDS, _PARSING_SECONDS)
    # A query in memory runs in this process afterwards: an eighth of the stack is left for callers.
    job = {
        "text": text,
        "prefixes": dict(prefixes),
        "base": base,
        "stack": stack * 7 // 8,
        "seconds": seconds,
    }
    try:
        done = subprocess.run(
            command("parse_one"),
            input=json.dumps(job).encode(),
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise StoreTimeoutError(
            f"parsing the query took longer than {seconds:g} s", way_out="Nest it less deeply, or shorten it."
        ) from None
    line, _, data = done.stdout.partition(b"\n")
    if done.returncode or not line:
        raise StoreExhaustedError(
            "the query has too many terms for its parser",
            way_out="Split it into several, or give long lists in VALUES.",
        )
    if error := refused(head(line)[0], data):
        raise error


def with_memory(more: int) -> None:
    """Limit this process to `more` bytes beyond what it uses now, if the system says how much that is."""
    if os.path.exists("/proc/self/statm"):
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        limit(resource.RLIMIT_AS, used + more)


def limit(what: int, soft: int) -> None:
    """Set the soft limit of this process for a resource, within its hard limit."""
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
