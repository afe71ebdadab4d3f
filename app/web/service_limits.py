"""The limits of a service and their defaults, which the help of `serve` repeats."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...loaders.workers import processors


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """The limits of a service; sizes are in bytes, times in seconds."""

    workers: int = field(default_factory=processors)
    """How many queries run at once, each in its own process."""

    timeout: float = 30.0
    """How long a query may run before it is killed."""

    memory: int = 2 << 30
    """What the process of one query may use beyond opening the store."""

    answer: int = 256 << 20
    """How large an answer may be."""

    rows: int = 1_000_000
    """How many rows, or triples, an answer may have."""

    query: int = 100_000
    """How long a query may be, and the body of a request."""

    waiting: int = 200
    """How many queries may wait for a process; the next one is refused."""

    waiting_each: int = 50
    """How many of these may come from one address."""

    cache: int = 64 << 20
    """The space for cached answers; an eighth of it for one with its headers."""

    connections: int = 1_000
    """How many connections may be open; fewer if the process may open few files."""

    connections_each: int = 250
    """How many of these may come from one address."""

    headers: float = 10.0
    """How long the headers of a request may take to arrive."""

    files: int = 1 << 30
    """The space for all large answers in temporary files until they are read."""
