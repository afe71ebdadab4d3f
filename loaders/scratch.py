"""What is made on the way goes when it is done, when the process is stopped, or else with the next build."""

from __future__ import annotations

import fcntl
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from stat import S_ISDIR
from typing import TYPE_CHECKING

from .locks import Guard

if TYPE_CHECKING:
    from pathlib import Path

_PREFIX = "rulesgraph-scratch-"
_NAME = re.compile(_PREFIX + r"[a-z0-9_]{8}")

ELSEWHERE, COPY = "elsewhere", "copy"
"""A file that says where else something was left, which whoever goes there next takes away; and a store."""

_TRIES = 100
"""Each is lost only if another build sweeps a new folder before it is locked."""

_stopping = threading.Lock()
_unfinished: dict[object, Callable[[], object]] = {}


@contextmanager
def unfinished(undo: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Have `undo` called if the process is stopped within the block, and before what is yielded is called.

    That is for a stop which Python does not see (`undo_all`): an error in the block is its own business.
    """
    key = object()

    def finished() -> None:
        with _stopping:
            _unfinished.pop(key, None)

    with _stopping:
        _unfinished[key] = undo
    try:
        yield finished
    finally:
        finished()


def undo_all() -> None:
    """Undo what is unfinished; the process has to end now, since from here on nothing can be finished."""
    _stopping.acquire()
    for undo in _unfinished.values():
        with suppress(Exception):
            undo()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for files of this process; remove it in the end, and those of processes that are gone."""
    for path in abandoned():
        _remove(path)
    path, guard = _made()
    remove = partial(_remove, path)
    with guard, unfinished(remove):
        try:
            yield path
        finally:
            remove()


def abandoned() -> Iterator[Path]:
    """Yield the folders of processes that ended without removing them, each locked while it is looked at."""
    import tempfile  # brings `shutil` and three compressions, and questions make no folders
    from pathlib import Path

    place = tempfile.gettempdir()
    for name in sorted(os.listdir(place)):
        path = os.path.join(place, name)
        if _NAME.fullmatch(name):
            with suppress(OSError):
                status = os.lstat(path)
                if S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
                    with Guard(path, fcntl.LOCK_EX):
                        yield Path(path)


def _remove(path: Path) -> None:
    """Remove a folder, but for the note of what was left elsewhere."""
    from shutil import rmtree

    rmtree(path / COPY if (path / ELSEWHERE).exists() else path, ignore_errors=True)


def _made() -> tuple[Path, Guard]:
    import tempfile
    from pathlib import Path

    for _ in range(_TRIES):
        path = tempfile.mkdtemp(prefix=_PREFIX)
        with suppress(BlockingIOError, FileNotFoundError):
            guard = Guard(path, fcntl.LOCK_SH)
            if guard.guards(path):
                return Path(path), guard
    raise FileNotFoundError(f"no folder can be kept in {tempfile.gettempdir()}")
