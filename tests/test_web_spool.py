"""Large answers and the disk: what is told where there is no room."""

from __future__ import annotations

import asyncio
from typing import IO, Never, cast

import pytest
from clerks import FakeStaff
from rulesgraph.app.web.sparql import spool as spooling
from rulesgraph.app.web.sparql.clerk import Answered
from rulesgraph.app.web.sparql.spool import Spool
from rulesgraph.app.web.sparql.turns import CrowdedError
from rulesgraph.loaders.store.errands import IN_MEMORY

LENGTH = IN_MEMORY + 10


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


def answered(spool: Spool, *pieces: bytes) -> tuple[Answered | Exception, FakeStaff]:
    """Return what becomes of a query whose answer comes in pieces."""

    async def work() -> tuple[Answered | Exception, FakeStaff]:
        staff = FakeStaff(1, spool=spool)
        await staff.staffed()
        told: list[tuple[str, Answered | Exception]] = []
        staff.asked("a", told)
        for piece in (b"results %d\n" % LENGTH, *pieces):
            staff.clerks[0].pipe_data_received(1, piece)
        return told[0][1], staff

    return asyncio.run(work())


def test_a_large_answer_comes_whole_out_of_its_file() -> None:
    answer, _ = answered(Spool(2 * LENGTH), b"a" * IN_MEMORY, b"b" * 10)
    assert isinstance(answer, tuple)
    kind, body = answer
    assert isinstance(body, spooling.LargeAnswer)
    assert (kind, body.whole()) == ("results", b"a" * IN_MEMORY + b"b" * 10)


def test_an_answer_for_which_the_disk_has_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooling, "TemporaryFile", lambda: cast("IO[bytes]", _FullDisk(1)))
    spool = Spool(2 * LENGTH)
    answer, staff = answered(spool, b"a" * IN_MEMORY, b"b" * 5, b"c" * 5)
    assert isinstance(answer, CrowdedError)
    assert str(answer) == "The machine has no room for so large an answer."
    assert staff.processes[0].kills == 1
    assert spool.room == 2 * LENGTH


def test_a_file_that_cannot_be_made_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Never:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(spooling, "TemporaryFile", refuse)
    spool = Spool(100)
    with pytest.raises(CrowdedError, match="The machine has no room"):
        spool.take(60)
    assert spool.room == 100
