"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..ontology.errors import UsageError


@contextmanager
def output_file(path: str | Path | None) -> Iterator[BinaryIO]:
    """Open `path` for bytes, or stdout for None and ``-``.

    A regular file is written beside its place and moved there at the end, so that a failure half-way
    leaves what was there. Raises `UsageError` when the place cannot be written.
    """
    if path is None or path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    place = Path(path)
    if place.is_dir():
        raise UsageError("a folder stands there", where=str(path), way_out="Name a file (-o FILE).")
    if place.exists() and not place.is_file():  # a pipe or a device
        with _opened(place, str(path)) as device:
            yield device
        return
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with _opened(draft, str(path)) as file:
            yield file
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _opened(place: Path, named: str) -> BinaryIO:
    try:
        return place.open("wb")
    except OSError as error:
        if error.errno in {errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO}:
            raise  # no other word of the user's would help
        raise UsageError(
            f"it cannot be written: {error.strerror}",
            where=named,
            way_out="Name a file in a folder that exists and that you may write to.",
        ) from error
