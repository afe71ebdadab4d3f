"""Processes that answer what a test says, for a pool of workers, and an event loop that a test drives."""

from __future__ import annotations

import signal
import subprocess
from asyncio import AbstractEventLoop
from collections.abc import Callable
from typing import cast

from rulesgraph.app.web.sparql.worker_pool import FairQueue, WorkerPool
from rulesgraph.app.web.sparql.worker_process import FileRoom, QueuedQuery, WorkerAnswer, WorkerProcess


class FakeLoop:
    """An event loop that watches no files; what comes soon waits until a test lets it come."""

    def __init__(self) -> None:
        self._soon: list[Callable[[], object]] = []
        self.writers = 0

    def add_reader(self, file: int, callback: Callable[[], object]) -> None:
        pass

    def remove_reader(self, file: int) -> None:
        pass

    def add_writer(self, file: int, callback: Callable[[], object]) -> None:
        self.writers += 1

    def remove_writer(self, file: int) -> None:
        self.writers -= 1

    def call_soon(self, callback: Callable[[], object]) -> None:
        self._soon.append(callback)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> None:
        pass

    def settle(self) -> None:
        """Let come what comes soon."""
        soon, self._soon = self._soon, []
        for callback in soon:
            callback()


class FakeProcess:
    """The process of a worker: what it was asked, and how often it was killed."""

    def __init__(self) -> None:
        self.kills = 0
        self.requests: list[bytes] = []
        self.room = 1 << 20
        self.code = -int(signal.SIGKILL)
        self.pid = 0
        self.stdin = self.stdout = self

    def kill(self) -> None:
        self.kills += 1

    def wait(self, seconds: float | None = None) -> int:
        return self.code

    def close(self) -> None:
        pass

    def fileno(self) -> int:
        return -1

    def write(self, data: bytes) -> int | None:
        taken = data[: self.room]
        if taken:
            self.requests.append(taken)
        return len(taken) or None


class FakePool(WorkerPool):
    """A pool whose processes are made up; the first `ends` of them end before they are ready.

    `all` are the workers that it ever had, `processes` theirs.
    """

    def __init__(self, size: int, seconds: float = 60, ends: int = 0, room: FileRoom | None = None) -> None:
        self.loop = FakeLoop()
        self._watched = cast("AbstractEventLoop", self.loop)
        super().__init__(self._watched, "nowhere", size, 0, FairQueue(100, 100), room or FileRoom(0))
        self.seconds = seconds
        self.ends = ends
        self.all: list[WorkerProcess] = []
        self.processes: list[FakeProcess] = []

    def _start(self) -> WorkerProcess:
        process = FakeProcess()
        worker = WorkerProcess(
            cast("subprocess.Popen[bytes]", process),
            self._watched,
            self.ready,
            self.answered,
            self.exited,
            self._room,
        )
        self.all.append(worker)
        self.processes.append(process)
        return worker

    def filled(self) -> None:
        """Start every worker that is missing, and have it get ready."""
        self.fill()
        while starting := [it for it in self.workers if not it.ready and not it.ended]:
            self.ends -= 1
            if self.ends >= 0:
                starting[0].reap()
            else:
                starting[0].received(b"ready 0\n")
        self.loop.settle()

    def asked(
        self, name: str, told: list[tuple[str, WorkerAnswer | Exception]], client: str = ""
    ) -> QueuedQuery:
        """Ask something; what becomes of it is told with its name."""
        job = QueuedQuery(name.encode(), client, self.seconds, lambda outcome: told.append((name, outcome)))
        self.take(job)
        return job

    def gone(self, place: int, *, killed: bool = True) -> None:
        """Have a process go."""
        self.processes[place].code = -int(signal.SIGKILL if killed else signal.SIGABRT)
        self.all[place].reap()


def reply(body: bytes, kind: str = "results") -> bytes:
    """Return what a process says."""
    return b"%b %d\n%b" % (kind.encode(), len(body), body)
