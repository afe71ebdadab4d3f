"""Locks on folders and files, which the system lets go of however their process ends."""

from __future__ import annotations

import fcntl
import os


class Guard:
    """A lock on a folder or a file, held until the `with` block ends or nobody has the object any more."""

    def __init__(self, path: str, mode: int, opening: int = os.O_RDONLY) -> None:
        """Lock without waiting; raise `BlockingIOError` when another process has it."""
        self.file = -1
        self.file = os.open(path, opening | os.O_CLOEXEC, 0o666)
        fcntl.flock(self.file, mode | fcntl.LOCK_NB)

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()

    def guards(self, path: str) -> bool:
        """Tell whether it is still this that stands at `path`: it may have been removed meanwhile."""
        try:
            return os.path.samestat(os.fstat(self.file), os.stat(path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let go; a second time does nothing."""
        file, self.file = self.file, -1
        if file >= 0:
            os.close(file)
