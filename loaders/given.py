"""Read a file that the user named, up to a maximum size (a device may never end)."""

from __future__ import annotations

import os
import stat
import sys
from os import PathLike

from ..ontology import UsageError

LARGEST_GIVEN = 64 << 20
"""The maximum size in bytes of a user's file: Turtle, an authority file, answers to questions."""


def beginning(path: str | PathLike[str], most: int) -> bytes:
    """Return at most `most` bytes of a file; raises `OSError` if it cannot be read."""
    status = os.stat(path)
    if stat.S_ISREG(status.st_mode) and not status.st_size:  # `/proc/kmsg` waits for input
        return b""
    with open(path, "rb") as file:
        return file.read(most)


def read_whole(path: str | PathLike[str], most: int = LARGEST_GIVEN) -> bytes:
    """Return the bytes of a file, or of stdin for ``-``.

    Raises `UsageError` for more than `most` bytes, `OSError` if it cannot be read.
    """
    data = sys.stdin.buffer.read(most + 1) if path == "-" else beginning(path, most + 1)
    if len(data) > most:
        raise UsageError(f"it has more than {most >> 20} MB", where=str(path), way_out="Give less at once.")
    return data
