"""Large answers and the disk, processes that end too soon: what is told, and what is tried again."""

from __future__ import annotations

import asyncio
import signal
from typing import IO, Never, cast

import pytest
from rulesgraph.app.web.sparql import spool as spooling
from rulesgraph.app.web.sparql.clerk import Clerk, EndedError
from rulesgraph.app.web.sparql.spool import Spool
from rulesgraph.app.web.sparql.staff import Staff
from rulesgraph.app.web.sparql.turns import CrowdedError
from rulesgraph.loaders.store.errands import IN_MEMORY
from rulesgraph.ontology.errors import StoreError, StoreExhaustedError

LENGTH = IN_MEMORY + 10


class _Process:
    """The process of a clerk; it only counts how often it is ended."""

    def __init__(self) -> None:
        self.kills = 0

    def kill(self) -> None:
        self.kills += 1

    def get_returncode(self) -> int:
        return -signal.SIGKILL

    def close(self) -> None:
        pass

    def get_pipe_transport(self, fd: int) -> _Process:
        return self

    def write(self, data: bytes) -> Never:
        raise RuntimeError("the pipe is closed")


class _FullDisk:
    """A file for which the disk has room for so many pieces."""

    def __init__(self, pieces: int) -> None:
        self._left = pieces

    def write(self, block: bytes) -> int:
        if not self._left:
            raise OSError(28, "No space left on device")
        self._left -= 1
        return len(block)

    def tell(self) -> int:
        return 0

    def close(self) -> None:
        pass


def _asked(spool: Spool) -> tuple[Clerk, _Process, asyncio.Future[tuple[str, object]]]:
    clerk, process = Clerk(spool), _Process()
    clerk.connection_made(cast(asyncio.BaseTransport, process))
    return clerk, process, cast("asyncio.Future[tuple[str, object]]", clerk.ask(b""))


def test_a_large_answer_comes_whole_out_of_its_file() -> None:
    async def work() -> tuple[str, bytes]:
        clerk, _, answer = _asked(Spool(2 * LENGTH))
        clerk.pipe_data_received(1, b"results %d\n" % LENGTH)
        clerk.pipe_data_received(1, b"a" * IN_MEMORY)
        clerk.pipe_data_received(1, b"b" * 10)
        kind, body = await answer
        assert isinstance(body, spooling.LargeAnswer)
        return kind, body.whole()

    assert asyncio.run(work()) == ("results", b"a" * IN_MEMORY + b"b" * 10)


def test_an_answer_for_which_the_disk_has_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooling, "TemporaryFile", lambda: cast("IO[bytes]", _FullDisk(1)))
    spool = Spool(2 * LENGTH)

    async def work() -> int:
        clerk, process, answer = _asked(spool)
        clerk.pipe_data_received(1, b"results %d\n" % LENGTH)
        for piece in (b"a" * IN_MEMORY, b"b" * 5, b"c" * 5):
            clerk.pipe_data_received(1, piece)
        with pytest.raises(CrowdedError, match="The machine has no room for so large an answer"):
            await answer
        return process.kills

    assert asyncio.run(work()) == 1
    assert spool.room == 2 * LENGTH


def test_a_file_that_cannot_be_made_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Never:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(spooling, "TemporaryFile", refuse)
    spool = Spool(100)
    with pytest.raises(CrowdedError, match="The machine has no room"):
        spool.take(60)
    assert spool.room == 100


def test_who_asks_a_process_that_is_gone_hears_so() -> None:
    async def work() -> bool:
        clerk, _, _ = _asked(Spool(0))
        with pytest.raises(EndedError) as told:
            await clerk.ask(b"a request")
        return told.value.killed

    assert asyncio.run(work())


class _Unlucky(Staff):
    """Processes of which the first ones end before they are ready."""

    def __init__(self, ends: int) -> None:
        super().__init__("nowhere", 1, 0, Spool(0))
        self.ends = ends

    async def _tried(self) -> Clerk:
        self.ends -= 1
        if self.ends >= 0:
            raise EndedError(killed=True)
        return Clerk(self._spool)


def test_a_process_that_ends_before_it_is_ready_is_replaced() -> None:
    async def hired(ends: int) -> Clerk:
        return await _Unlucky(ends)._hired()

    assert isinstance(asyncio.run(hired(2)), Clerk)
    with pytest.raises(StoreError, match="no process for a query"):
        asyncio.run(hired(3))


class _Working(Staff):
    """One process after the other, at work until somebody kills it."""

    def __init__(self) -> None:
        super().__init__("nowhere", 1, 0, Spool(0))
        self.clerks: list[Clerk] = []

    async def _hired(self) -> Clerk:
        self.clerks.append(_asked(self._spool)[0])
        return self.clerks[-1]


@pytest.mark.parametrize(("ends", "started"), [(False, 2), (True, 1)])
def test_who_is_killed_gets_a_successor_unless_all_are_to_end(ends: bool, started: int) -> None:
    async def work() -> int:
        staff = _Working()
        answer = asyncio.ensure_future(staff.answer(b"", 60))
        while not answer.done():
            await asyncio.sleep(0)
            if staff.clerks and not staff.clerks[-1].gone.done():
                if ends:
                    await staff.close()
                staff.clerks[-1].process_exited()
                staff.clerks[-1].connection_lost(None)
        with pytest.raises(StoreExhaustedError):
            await answer
        return len(staff.clerks)

    assert asyncio.run(work()) == started
