"""Make temporary folders and file locks that disappear with their process, and undo a stopped build.

The system releases a lock however its process ends. The next process removes what a killed one left behind.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from os import PathLike
from stat import S_ISDIR
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class FileLock:
    """A lock on a folder or file, held until the `with` block ends or the object is no longer used."""

    # Kept here because the interpreter may have emptied the module `os` when the last lock is freed at exit.
    _close = staticmethod(os.close)

    def __init__(self, path: str, mode: int, opening: int = os.O_RDONLY) -> None:
        """Lock without waiting; raise `BlockingIOError` if another process has it."""
        self.file = -1
        self.file = os.open(path, opening | os.O_CLOEXEC, 0o666)
        fcntl.flock(self.file, mode | fcntl.LOCK_NB)

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()

    def is_on(self, path: str) -> bool:
        """Return whether this is still the file at `path`: it may have been removed meanwhile."""
        try:
            return os.path.samestat(os.fstat(self.file), os.stat(path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Release the lock; a second time does nothing."""
        file, self.file = self.file, -1
        # When the interpreter exits, modules are emptied before the last locks are freed; the system closes
        # the file.
        if file >= 0 and os is not None:
            self._close(file)


_PREFIX = "rulesgraph-scratch-"
_NAME = re.compile(_PREFIX + r"[a-z0-9_]{8}")

ELSEWHERE, COPY = "elsewhere", "copy"
"""A file that names leftovers elsewhere for the next process to remove, and a store."""

_TRIES = 100
"""Creating a folder fails only if another build removes the new folder before it is locked."""

_stopping = threading.Lock()
_unfinished: dict[object, Callable[[], object]] = {}


@contextmanager
def unfinished(undo: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Call `undo` if the process is stopped before the block calls the yielded function.

    This is for stops that Python does not see (`undo_all`); the block handles its own errors.
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
    """Undo what is unfinished; the process must end afterwards, since nothing can be finished after this."""
    _stopping.acquire()
    for undo in _unfinished.values():
        with suppress(Exception):
            undo()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder for files of this process; at the end remove it, and those of processes that are gone."""
    for path in abandoned():
        _remove(path)
    path, lock = _new_folder()
    remove = partial(_remove, path)
    with lock, unfinished(remove):
        try:
            with naming(path):
                yield path
        finally:
            remove()


FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""The errors of a file that cannot grow."""


@contextmanager
def naming(path: str | PathLike[str]) -> Iterator[None]:
    """Add a place to the error for a file that cannot grow: the system's error does not name one."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(path)
        raise


def abandoned() -> Iterator[Path]:
    """Yield the folders of processes that ended without removing them, each locked while it is examined."""
    import tempfile  # this imports `shutil` and three compression libraries, and questions make no folders
    from pathlib import Path

    place = tempfile.gettempdir()
    for name in sorted(os.listdir(place)):
        path = os.path.join(place, name)
        if _NAME.fullmatch(name):
            with suppress(OSError):
                status = os.lstat(path)
                if S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
                    with FileLock(path, fcntl.LOCK_EX):
                        yield Path(path)


def _remove(path: Path) -> None:
    """Remove a folder, except for the note about leftovers elsewhere."""
    from shutil import rmtree

    rmtree(path / COPY if (path / ELSEWHERE).exists() else path, ignore_errors=True)


def _new_folder() -> tuple[Path, FileLock]:
    import tempfile
    from pathlib import Path

    for _ in range(_TRIES):
        path = tempfile.mkdtemp(prefix=_PREFIX)
        with suppress(BlockingIOError, FileNotFoundError):
            lock = FileLock(path, fcntl.LOCK_SH)
            if lock.is_on(path):
                return Path(path), lock
    raise FileNotFoundError(f"cannot create a folder in {tempfile.gettempdir()}")
