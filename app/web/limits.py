"""Limit what one request, and all of them together, may use."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """The limits of a service; sizes are in bytes, times in seconds."""

    workers: int = field(default_factory=_processors)
    """How many queries run at once, each in a process of its own."""

    timeout: float = 30.0
    """How long a query may run; it is ended then."""

    memory: int = 2 << 30
    """What the process of one query may use beyond what it needs to open the store."""

    answer: int = 256 << 20
    """How large an answer may be."""

    rows: int = 1_000_000
    """How many rows, or triples, an answer may have."""

    query: int = 100_000
    """How long a query may be, and the body of a request."""

    waiting: int = 200
    """How many queries may wait for a process; the next one is sent away."""

    waiting_each: int = 50
    """How many of these may come from one address."""

    cache: int = 64 << 20
    """What answers that are kept for the next who asks may take; an eighth of it those with their headers."""

    connections: int = 1_000
    """How many connections may be open; fewer where the process may open few files."""

    connections_each: int = 250
    """How many of these may come from one address."""

    headers: float = 10.0
    """How long the headers of a request may take to come in."""

    files: int = 1 << 30
    """What large answers may take, all together, in temporary files until they are read."""
