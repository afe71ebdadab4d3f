"""What is said between a process that answers queries and the one that asks it, and what goes wrong."""

from __future__ import annotations

import json
import os
import sys
from math import ceil
from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
from typing import TYPE_CHECKING, NamedTuple

from ...ontology.errors import (
    RulesgraphError,
    StoreError,
    StoreExhaustedError,
    StoreTimeoutError,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...ontology.json_values import Json
    from .documents import Wish

MEMORY = 4 << 30
"""Bytes that one query may use."""

START = 60.0
"""Seconds until a process is ready; the time limit of a query counts from then."""

IN_MEMORY = 4 << 20
"""Bytes of a document that are kept in memory; what is larger goes to a temporary file."""

SHORT = 8_000
"""Bytes of a line that is remembered for the next of its kind."""

LARGE = 64 << 20
"""After an answer of so many bytes a process is not used again, so that its memory is given back."""


_TUNABLE = "glibc.malloc.tcache_count=1000"
"""Of each of 64 sizes up to a kilobyte; another C library does not know the word."""


def command() -> list[str]:
    """Return what starts a process that answers; an answer to nothing says when it can be asked."""
    return [sys.executable, "-P", "-c", f"from {__package__}.worker import main; main()"]


def environment() -> dict[str, str]:
    """Return the environment of such a process.

    The engine asks for hundreds of small pieces of memory for a query and gives them back; the C library
    keeps seven of a size for the next who asks, unless it is told to keep more, and sorts in the others.
    """
    given = os.environ.get("GLIBC_TUNABLES")
    return {**os.environ, "GLIBC_TUNABLES": ":".join(it for it in (_TUNABLE, given) if it)}


class Announced(NamedTuple):
    """The line before an answer: its kind, and how many bytes follow."""

    kind: str
    length: int


def head(line: bytes) -> Announced:
    """Return what a line announces."""
    kind, _, digits = line.decode().partition(" ")
    return Announced(kind, int(digits))


class Envelope(NamedTuple):
    """The line that asks for a wish, but for the text of the query, which differs most."""

    line: bytes

    def around(self, text: str) -> bytes:
        """Return the line, and the text of a query behind a line that says how many bytes it has."""
        data = text.encode(errors="replace")
        return b"%b%d\n%b" % (self.line, len(data), data)


def frame(location: str, generation: int, seconds: float, memory: int, wish: Wish) -> Envelope:
    """Return the frame of all queries of which the same is wished."""
    return Envelope(errand(location, generation, seconds, memory, {"wish": wish._asdict()}))


def errand(location: str, generation: int, seconds: float, memory: int, job: Mapping[str, Json]) -> bytes:
    """Return the line that asks for a job over a generation of a store."""
    about = {"location": location, "generation": generation, "seconds": ceil(seconds), "memory": memory}
    return json.dumps({**about, **job}).encode() + b"\n"


def refused(kind: str, data: bytes) -> RulesgraphError | None:
    """Return the error that an answer is; None for any other answer."""
    if not kind.endswith("Error"):
        return None
    return (UsageError if kind == "UsageError" else StoreError)(**json.loads(data))


def not_started(location: str) -> StoreError:
    """Return the error for a process that does not get ready."""
    return StoreError(
        "no process for a query with a time limit could be started",
        where=location,
        way_out="Is the memory used up? Without a time limit the query runs in this process.",
    )


def too_late(location: str, seconds: float) -> StoreTimeoutError:
    """Return the error for an answer that did not come in time."""
    return StoreTimeoutError(
        f"the query took longer than {seconds:g} s",
        where=location,
        way_out="Name more of what it looks for, add a LIMIT, or allow more time (--timeout).",
    )


def too_much(location: str, memory: int) -> StoreExhaustedError:
    """Return the error for a query that took its process with it."""
    most = min(it for it in (memory, *getrlimit(RLIMIT_AS)) if it != RLIM_INFINITY)
    return StoreExhaustedError(
        "the query broke its process off, most likely because it needed too much memory",
        where=location,
        way_out=f"It may use {most >> 20} MB. Name more of what it looks for, or add a LIMIT.",
    )
