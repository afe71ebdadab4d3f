"""Find the default store, and write output files completely or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO

from ..loaders.temporary import naming
from ..ontology import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def usual_store() -> str:
    """Return the store to use if none is named."""
    return os.environ.get("RULESGRAPH_STORE") or "rulesgraph-store"


def refuse_bytes(arguments: Iterable[str]) -> None:
    """Raise `UsageError` for bytes that are not text, or not in this locale, unless a file has that name."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            if os.path.lexists(argument):
                continue
            data = os.fsencode(argument)
            shown = data.decode(errors="backslashreplace")
            if shown.encode() != data:
                raise UsageError(f"this argument is neither valid text nor a file: {shown}") from None
            raise UsageError(
                f"the locale allows only {sys.getfilesystemencoding()}, and this argument is UTF-8: {shown}",
                way_out="Choose a locale with UTF-8 (LC_ALL=C.UTF-8), or set PYTHONUTF8=1.",
            ) from None


def is_no_store(location: str) -> bool:
    """Return whether nothing was ever built at a location; what an address leads to is not looked up."""
    from ..loaders.store.layout import POINTER

    return "://" not in location and not os.path.exists(os.path.join(location, POINTER))


@contextmanager
def output_file(path: str | Path | BinaryIO | None) -> Iterator[BinaryIO]:
    """Open `path` for bytes, or stdout for None and ``-``; a stream is yielded as it is.

    A regular file is written under another name and renamed at the end, so that a failure half-way keeps the
    old file; its permissions stay. Raises `UsageError` if the file cannot be written.
    """
    if not isinstance(path, str | PathLike | None):
        yield path
        return
    if path is None or path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    from pathlib import Path  # here, because reading a store does not need it

    place = Path(path).resolve()
    if place.is_dir():
        raise UsageError("this is a folder", where=str(path), way_out="Choose a file (-o FILE).")
    if place.exists() and not place.is_file():  # a pipe or a device
        with naming(path), _opened(place, str(path)) as device:
            yield device
        return
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with naming(path), _opened(draft, str(path)) as file:
            yield file
        if place.exists():
            draft.chmod(place.stat().st_mode)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _opened(place: Path, named: str) -> BinaryIO:
    try:
        return place.open("wb")
    except OSError as error:
        if error.errno in {errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO}:
            error.filename = named  # not the draft
            raise  # naming another file would not help
        raise UsageError(
            f"it cannot be written: {error.strerror}",
            where=named,
            way_out="Choose a file in an existing folder that you may write to.",
        ) from error
