"""The engine's own tidying stands back while a large store is changed a little.

The engine merges its files in threads of its own as soon as a database is open for writing, and what they
have not finished when it is closed is lost: of adding one edition to many they were a quarter of the work.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_TASKS = "/proc/self/task"
_TIDIER = b"rocksdb:low"
"""What the engine calls the threads that merge files."""


@contextmanager
def standing_back() -> Iterator[None]:
    """Let the engine's threads that merge files work only when this thread rests, where the system is Linux.

    They share one processor with this thread, and give way to it. Afterwards all may run anywhere again; that
    they give way stays, for a process may not take that back unless it has the right to.
    """
    tidiers = list(_tidiers()) if hasattr(os, "SCHED_IDLE") else []
    if not tidiers:
        yield
        return
    allowed = os.sched_getaffinity(0)
    one = {min(allowed)}
    for it in tidiers:
        with suppress(OSError):  # it may have ended
            os.sched_setscheduler(it, os.SCHED_IDLE, os.sched_param(0))
            os.sched_setaffinity(it, one)
    _run_on(one)
    try:
        yield
    finally:
        _run_on(allowed)
        for it in tidiers:
            with suppress(OSError):
                os.sched_setaffinity(it, allowed)
                os.sched_setscheduler(it, os.SCHED_OTHER, os.sched_param(0))


def _run_on(processors: set[int]) -> None:
    """Let this thread run on some processors, unless the system forbids to choose."""
    with suppress(OSError):
        os.sched_setaffinity(0, processors)


def _tidiers() -> Iterator[int]:
    tasks = os.listdir(_TASKS) if os.path.isdir(_TASKS) else []  # no /proc may be mounted
    for task in tasks:
        with suppress(OSError), open(os.path.join(_TASKS, task, "comm"), "rb") as name:
            if name.read().startswith(_TIDIER):
                yield int(task)
