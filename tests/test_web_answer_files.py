"""Large answers and the disk: what is told where there is no room."""

from __future__ import annotations

from typing import IO, Never, cast

import pytest
from fake_workers import FakePool
from rulesgraph.app.web.sparql import worker_process
from rulesgraph.app.web.sparql.worker_process import AnswerFile, CrowdedError, FileRoom, WorkerAnswer
from rulesgraph.loaders.store.worker_protocol import IN_MEMORY

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


def answered(room: FileRoom, *pieces: bytes) -> tuple[WorkerAnswer | Exception, FakePool]:
    """Return what becomes of a query whose answer comes in pieces."""

    pool = FakePool(1, room=room)
    pool.filled()
    told: list[tuple[str, WorkerAnswer | Exception]] = []
    pool.asked("a", told)
    for piece in (b"results %d\n" % LENGTH, *pieces):
        pool.all[0].received(piece)
    return told[0][1], pool


def test_a_large_answer_comes_whole_out_of_its_file() -> None:
    answer, _ = answered(FileRoom(2 * LENGTH), b"a" * IN_MEMORY, b"b" * 10)
    assert isinstance(answer, tuple)
    kind, body = answer
    assert isinstance(body, AnswerFile)
    assert (kind, body.whole()) == ("results", b"a" * IN_MEMORY + b"b" * 10)


def test_an_answer_for_which_the_disk_has_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "TemporaryFile", lambda: cast("IO[bytes]", _FullDisk(1)))
    room = FileRoom(2 * LENGTH)
    answer, pool = answered(room, b"a" * IN_MEMORY, b"b" * 5, b"c" * 5)
    assert isinstance(answer, CrowdedError)
    assert str(answer) == "The machine has no space for such a large answer."
    assert pool.processes[0].kills == 1
    assert room.left == 2 * LENGTH


def test_a_file_that_cannot_be_made_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Never:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(worker_process, "TemporaryFile", refuse)
    room = FileRoom(100)
    with pytest.raises(CrowdedError, match="The machine has no space"):
        room.take(60)
    assert room.left == 100
