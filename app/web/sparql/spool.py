"""Large answers wait for their readers in temporary files, which share one bound."""

from __future__ import annotations

import weakref
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from .turns import CrowdedError


class LargeAnswer:
    """An answer in a file; the file and its room go when it is closed, or forgotten."""

    def __init__(self, spool: Spool, length: int) -> None:
        self._file = cast(BinaryIO, TemporaryFile())  # noqa: SIM115
        self.length = length
        self.close = weakref.finalize(self, _close, self._file, spool, length)

    def write(self, block: bytes) -> None:
        """Add a block; after the last one the answer is read from its beginning.

        Raises `CrowdedError` where the machine has no room for it.
        """
        try:
            self._file.write(block)
            if self._file.tell() >= self.length:
                self._file.seek(0)
        except OSError as error:
            raise CrowdedError("The machine has no room for so large an answer.") from error

    def read(self, most: int) -> bytes:
        """Return the next block; nothing after the last one."""
        return self._file.read(most)

    def whole(self) -> bytes:
        """Return all of it, and close it."""
        try:
            return self._file.read()
        finally:
            self.close()


class Spool:
    """Room for so many bytes of files, for one event loop."""

    def __init__(self, room: int) -> None:
        self.room = room

    def take(self, length: int) -> LargeAnswer:
        """Return an empty file for an answer; raises `CrowdedError` when there is no room for it."""
        if length > self.room:
            raise CrowdedError("Large answers that others read take all the room there is for them.")
        try:
            answer = LargeAnswer(self, length)
        except OSError as error:
            raise CrowdedError("The machine has no room for so large an answer.") from error
        self.room -= length
        return answer


def _close(file: BinaryIO, spool: Spool, length: int) -> None:
    file.close()
    spool.room += length
