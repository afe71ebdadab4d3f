"""Talk to one worker process: send it requests, and receive its answers in the same order."""

from __future__ import annotations

import signal
import subprocess
import time
import weakref
from collections import deque
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, cast

from ....loaders.store.worker_protocol import IN_MEMORY, head

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable


QUICK = 0.005
"""Seconds. A worker that needed no longer for its last answer may get requests ahead of time."""

_BLOCK = 1 << 16
"""Bytes read at once: what a pipe holds. Larger buffers would be mapped and unmapped for each read."""

_EXIT = 1.0
"""Seconds that a process which closed its output has to exit."""


class CrowdedError(Exception):
    """There is no room to wait in, or for an answer; the message says which."""


class AnswerFile:
    """A large answer in a temporary file; closing or forgetting it deletes the file and frees its space."""

    def __init__(self, room: FileRoom, length: int) -> None:
        self._file = cast(BinaryIO, TemporaryFile())  # noqa: SIM115
        self.length = length
        self.close = weakref.finalize(self, _close, self._file, room, length)

    def write(self, block: bytes) -> None:
        """Add a block; after the last one the answer is read from its beginning.

        Raises `CrowdedError` where the disk is full.
        """
        try:
            self._file.write(block)
            if self._file.tell() >= self.length:
                self._file.seek(0)
        except OSError as error:
            raise CrowdedError("The machine has no space for such a large answer.") from error

    def read(self, most: int) -> bytes:
        """Return the next block; nothing after the last one."""
        return self._file.read(most)

    def whole(self) -> bytes:
        """Return all of it, and close it."""
        try:
            return self._file.read()
        finally:
            self.close()


class FileRoom:
    """How many bytes the temporary files of a service may still use."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, length: int) -> AnswerFile:
        """Return an empty file for an answer; raise `CrowdedError` if there is no space for it."""
        if length > self.left:
            raise CrowdedError("All the space for large answers is in use.")
        try:
            answer = AnswerFile(self, length)
        except OSError as error:
            raise CrowdedError("The machine has no space for such a large answer.") from error
        self.left -= length
        return answer


def _close(file: BinaryIO, room: FileRoom, length: int) -> None:
    file.close()
    room.left += length


WorkerAnswer = tuple[str, bytes | AnswerFile]
"""The kind of an answer, and its bytes; a file where these are many."""


class QueuedQuery:
    """A request with `seconds` to run, and a callback that gets its answer, or its error, once.

    Queries wait fairly by `client`.
    """

    __slots__ = ("_tell", "client", "repeated", "request", "seconds", "since")

    def __init__(
        self, request: bytes, client: str, seconds: float, tell: Callable[[WorkerAnswer | Exception], object]
    ) -> None:
        self.request = request
        self.client = client
        self.seconds = seconds
        self.since = time.monotonic()
        self.repeated = False
        self._tell: Callable[[WorkerAnswer | Exception], object] | None = tell

    @property
    def wanted(self) -> bool:
        """Whether somebody still waits for the answer."""
        return self._tell is not None

    def finish(self, outcome: WorkerAnswer | Exception) -> None:
        """Pass the outcome to the callback, or discard it where nobody waits any more."""
        tell, self._tell = self._tell, None
        if tell is not None:
            tell(outcome)
        elif not isinstance(outcome, Exception) and not isinstance(outcome[1], bytes):
            outcome[1].close()

    def abandon(self) -> None:
        """Note that nobody waits any more."""
        self._tell = None

    def moved(self) -> QueuedQuery:
        """Return the same request for another worker; the answer to this one will be discarded."""
        assert self._tell is not None
        other = QueuedQuery(self.request, self.client, self.seconds, self._tell)
        other.since, other.repeated = self.since, self.repeated
        self._tell = None
        return other


class WorkerProcess:
    """A process that answers requests in order; requests sent ahead wait in its pipe.

    `on_ready`, `on_answer` and `on_exit` (which gets whether somebody killed the process) are called from the
    event loop. Answers of more than `IN_MEMORY` bytes go into files, for which there is so much `room`.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        loop: AbstractEventLoop,
        on_ready: Callable[[WorkerProcess], None],
        on_answer: Callable[[WorkerProcess, QueuedQuery, WorkerAnswer], None],
        on_exit: Callable[[WorkerProcess, bool], None],
        room: FileRoom,
    ) -> None:
        self._process, self._loop, self._room = process, loop, room
        self._on_ready, self._on_answer, self._on_exit = on_ready, on_answer, on_exit
        self.jobs: deque[QueuedQuery] = deque()
        self.begun = time.monotonic()
        self.ready = self.quick = self.ended = False
        self._unsent: list[bytes] = []
        self._writing = False
        self._received = b""
        self._kind, self._missing = "", 0
        self._blocks: list[bytes] = []
        self._file: AnswerFile | None = None
        assert process.stdin
        assert process.stdout
        self._requests, self._answers = process.stdin, process.stdout
        loop.add_reader(self._answers.fileno(), self._read)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, job: QueuedQuery) -> None:
        """Send one more request."""
        if not self.jobs and self.ready:
            self.begun = time.monotonic()
        self.jobs.append(job)
        # What comes up in one round of the event loop is sent in one piece, and wakes the process up once.
        self._unsent.append(job.request)
        if len(self._unsent) == 1:
            self._loop.call_soon(self._send)

    def recalled(self) -> list[QueuedQuery]:
        """Return the queries behind the one that runs, for other workers to answer."""
        return [job.moved() for place, job in enumerate(self.jobs) if place and job.wanted]

    def end(self) -> None:
        """Kill the process, and ignore what it still says; `on_exit` follows when it is gone."""
        self.ended = True
        self._discard()
        self._process.kill()

    def reap(self) -> None:
        """Wait for the end of the process, and call `on_exit`."""
        self.ended = True
        self._discard()
        self._loop.remove_reader(self._answers.fileno())
        if self._writing:
            self._loop.remove_writer(self._requests.fileno())
            self._writing = False
        try:
            # The system closes the pipes of a process as it ends it: this hardly ever waits.
            code = self._process.wait(_EXIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._requests.close()
        self._answers.close()
        self._on_exit(self, code == -signal.SIGKILL)

    def received(self, data: bytes) -> None:
        """Add a piece of its answers."""
        if self._received:
            data, self._received = self._received + data, b""
        while not self.ended:
            if not self._kind:
                line, found, data = data.partition(b"\n")
                if not found:
                    self._received = line
                    return
                self._kind, self._missing = head(line)
            piece, data = data[: self._missing], data[self._missing :]
            try:
                self._keep(piece)
            except Exception as error:
                self.jobs[0].finish(error)
                self.end()
                return
            if self._missing:
                return
            self._done()

    def _read(self) -> None:
        data = self._answers.read(_BLOCK)
        if data:
            self.received(data)
        elif data is not None:
            self.reap()

    def _send(self) -> None:
        data = b"".join(self._unsent)
        self._unsent.clear()
        try:
            sent = self._requests.write(data) or 0
        except (OSError, ValueError):
            # The process is gone, or its pipe is closed: other workers answer what it was given.
            sent = len(data)
        if rest := data[sent:]:
            self._unsent.append(rest)
        if bool(rest) != self._writing:
            self._writing = bool(rest)
            if rest:
                self._loop.add_writer(self._requests.fileno(), self._send)
            else:
                self._loop.remove_writer(self._requests.fileno())

    def _keep(self, data: bytes) -> None:
        if self._missing > IN_MEMORY and self._file is None and not self._blocks:
            self._file = self._room.take(self._missing)
        if self._file is None:
            self._blocks.append(data)
        else:
            self._file.write(data)
        self._missing -= len(data)

    def _done(self) -> None:
        blocks, file, kind = self._blocks, self._file, self._kind
        self._blocks, self._file, self._kind = [], None, ""
        now = time.monotonic()
        taken, self.begun = now - self.begun, now
        if not self.ready:
            self.ready = True
            self._on_ready(self)
            return
        self.quick = taken < QUICK
        self._on_answer(self, self.jobs.popleft(), (kind, file or b"".join(blocks)))

    def _discard(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
