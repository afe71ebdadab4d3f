"""Processes that answer what a test says, for the staff of an endpoint."""

from __future__ import annotations

import asyncio
import signal
from typing import cast

from rulesgraph.app.web.sparql.clerk import Answered, Clerk, EndedError, Errand
from rulesgraph.app.web.sparql.spool import Spool
from rulesgraph.app.web.sparql.staff import Staff
from rulesgraph.app.web.sparql.turns import Turns


class FakeProcess:
    """The process of a clerk: what it was asked, and how often it was ended."""

    def __init__(self) -> None:
        self.kills = 0
        self.requests: list[bytes] = []
        self.code = -int(signal.SIGKILL)

    def kill(self) -> None:
        self.kills += 1

    def get_returncode(self) -> int:
        return self.code

    def close(self) -> None:
        pass

    def get_pipe_transport(self, fd: int) -> FakeProcess:
        return self

    def write(self, data: bytes) -> None:
        self.requests.append(data)


class FakeStaff(Staff):
    """A staff whose processes are made up; the first `ends` of them end before they are ready."""

    def __init__(self, size: int, seconds: float = 60, ends: int = 0, spool: Spool | None = None) -> None:
        super().__init__("nowhere", size, 0, seconds, spool or Spool(0), Turns(100, 100))
        self.ends = ends
        self.clerks: list[Clerk] = []
        self.processes: list[FakeProcess] = []

    async def _tried(self) -> Clerk:
        self.ends -= 1
        if self.ends >= 0:
            raise EndedError(killed=True)
        clerk, process = Clerk(self, self._spool), FakeProcess()
        clerk.connection_made(cast(asyncio.BaseTransport, process))
        self._all.add(clerk)
        self.clerks.append(clerk)
        self.processes.append(process)
        return clerk

    async def staffed(self) -> None:
        """Hire everybody who is missing."""
        self._hire()
        while self._hiring:
            await asyncio.gather(*self._hiring)

    def asked(self, name: str, told: list[tuple[str, Answered | Exception]], client: str = "") -> Errand:
        """Ask something; what becomes of it is told with its name."""
        errand = Errand(name.encode(), client, lambda outcome: told.append((name, outcome)))
        self.take(errand)
        return errand

    def gone(self, place: int, *, killed: bool = True) -> None:
        """Have a process go."""
        self.processes[place].code = -int(signal.SIGKILL if killed else signal.SIGABRT)
        clerk = self.clerks[place]
        clerk.process_exited()
        clerk.pipe_connection_lost(1, None)
        clerk.connection_lost(None)


def reply(body: bytes, kind: str = "results") -> bytes:
    """Return what a process says."""
    return b"%b %d\n%b" % (kind.encode(), len(body), body)
