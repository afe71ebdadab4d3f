"""What is retried and what is reported when workers are slow, late or gone, or there is no room."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, Never

import pytest
from rulesgraph.app.web.limits import CrowdedError
from rulesgraph.app.web.service_limits import ServiceLimits
from rulesgraph.app.web.sparql import executor as executors
from rulesgraph.app.web.sparql.executor import (
    BESIDES,
    AnswerFile,
    FileRoom,
    QueryExecutor,
    WorkerAnswer,
    answer_cache,
)
from rulesgraph.ontology.errors import StoreError, StoreExhaustedError, StoreTimeoutError, UsageError

WORKER = """
import json, os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])

def say(kind, data):
    sys.stdout.buffer.write(f"{kind} {len(data)}\\n".encode() + data)
    sys.stdout.buffer.flush()

def times(name):
    file = folder / name
    count = len(file.read_text()) if file.exists() else 0
    file.write_text("x" * (count + 1))
    return count

if times("starts") < int(sys.argv[2]):
    sys.exit(1)
say("ready", b"")
for line in sys.stdin:
    what, number = json.loads(line)
    if what == "sleep":
        time.sleep(1000)
    if what == "die":
        os._exit(3)
    if what == "killed" and times("kills") < number:
        os.kill(os.getpid(), 9)
    if what == "refuse":
        say("UsageError", json.dumps({"what": "no", "where": "", "way_out": ""}).encode())
    else:
        say("results", what.encode() * number)
"""
"""A scripted worker; it fails to start as often as its second argument says."""


def asked(what: str, number: int = 1) -> bytes:
    return json.dumps([what, number]).encode() + b"\n"


WithExecutor = Callable[[QueryExecutor], Awaitable[Any]]


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a scenario with an executor whose workers are of the kind above."""

    def run(play: WithExecutor, *, failing: int = 0, **limits: Any) -> Any:
        command = [sys.executable, "-c", WORKER, str(tmp_path), str(failing)]
        monkeypatch.setattr(executors, "command", lambda: command)

        async def work() -> Any:
            executor = QueryExecutor("nowhere", ServiceLimits(**{"workers": 1, **limits}))
            try:
                return await play(executor)
            finally:
                await executor.close()

        return asyncio.run(work())

    return run


def starts(folder: Path) -> int:
    """Return how many workers were started."""
    return len((folder / "starts").read_text())


async def outcomes(executor: QueryExecutor, requests: Iterable[bytes]) -> list[object]:
    """Return the results of requests, one after the other: answers, or the types of errors."""
    found: list[object] = []
    for request in requests:
        try:
            found.append((await executor._run(request, ""))[1])
        except Exception as error:
            found.append(type(error))
    return found


def test_one_worker_answers_one_after_the_other(played: Callable[..., Any], tmp_path: Path) -> None:
    requests = [asked("a"), asked("b\n", 3), asked("c", 0), asked("refuse"), asked("d", 100_000)]
    found = played(lambda executor: outcomes(executor, requests))
    assert found == [b"a", b"b\nb\nb\n", b"", UsageError, b"d" * 100_000]
    assert starts(tmp_path) == 1


def test_what_runs_too_long_is_ended_and_what_comes_next_is_answered(
    played: Callable[..., Any], tmp_path: Path
) -> None:
    found = played(lambda it: outcomes(it, [asked("sleep"), asked("a")]), timeout=0.5)
    assert found == [StoreTimeoutError, b"a"]
    assert starts(tmp_path) == 2


def test_what_nobody_waits_for_is_ended(played: Callable[..., Any], tmp_path: Path) -> None:
    async def play(executor: QueryExecutor) -> WorkerAnswer:
        task = asyncio.ensure_future(executor._run(asked("sleep"), ""))
        while not executor._workers:
            await asyncio.sleep(0.01)
        [worker] = executor._workers
        task.cancel()
        found = await executor._run(asked("a"), "")
        await worker.wait()
        return found

    assert played(play) == ("results", b"a")


def test_who_kills_a_worker_costs_no_answer_but_what_ends_it_does(
    played: Callable[..., Any], tmp_path: Path
) -> None:
    requests = [asked("killed", 1), asked("die"), asked("a"), asked("killed", 9), asked("b")]
    found = played(lambda executor: outcomes(executor, requests))
    assert found == [b"killed", StoreExhaustedError, b"a", StoreExhaustedError, b"b"]
    assert starts(tmp_path) == 5


def test_an_idle_worker_that_is_killed_is_replaced(played: Callable[..., Any]) -> None:
    async def play(executor: QueryExecutor) -> list[object]:
        first = await outcomes(executor, [asked("a")])
        [worker] = executor._workers
        worker.kill()
        await worker.wait()
        return [*first, *await outcomes(executor, [asked("b")])]

    assert played(play) == [b"a", b"b"]


def test_a_large_answer_is_the_last_of_its_worker(
    played: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "LARGE", 100)
    assert played(lambda it: outcomes(it, [asked("a", 100), asked("b")])) == [b"a" * 100, b"b"]
    assert starts(tmp_path) == 2


@pytest.mark.parametrize(("failing", "expected"), [(2, b"a"), (3, StoreError)])
def test_a_worker_that_ends_before_it_is_ready_is_replaced(
    played: Callable[..., Any], failing: int, expected: object
) -> None:
    assert played(lambda executor: outcomes(executor, [asked("a")]), failing=failing) == [expected]


def test_who_waits_as_the_service_stops_hears_so(played: Callable[..., Any]) -> None:
    async def play(executor: QueryExecutor) -> list[object]:
        tasks = [asyncio.ensure_future(executor._run(asked("sleep"), name)) for name in "ab"]
        while not executor._workers:
            await asyncio.sleep(0.01)
        await executor.close()
        return await asyncio.gather(*tasks, return_exceptions=True)

    assert [(type(it), str(it)) for it in played(play)] == [(CrowdedError, "The service is stopping.")] * 2


# -- large answers and the disk --------------------------------------------------------------------

LENGTH = executors._IN_MEMORY + 10


def test_a_large_answer_comes_whole_out_of_its_file(played: Callable[..., Any]) -> None:
    _, answer = played(lambda executor: executor._run(asked("a", LENGTH), ""), files=2 * LENGTH)
    assert answer.file.read() == b"a" * LENGTH


def test_an_answer_for_which_there_is_no_room_is_refused(played: Callable[..., Any]) -> None:
    async def play(executor: QueryExecutor) -> list[object]:
        [kept] = await outcomes(executor, [asked("a", LENGTH)])
        refused = await outcomes(executor, [asked("b", LENGTH)])
        del kept
        [again] = await outcomes(executor, [asked("c", LENGTH)])
        assert isinstance(again, AnswerFile)
        return [*refused, again.file.read(1)]

    assert played(play, files=LENGTH + 5) == [CrowdedError, b"c"]


class _FullDisk:
    """A file for which the disk has no room."""

    def write(self, block: bytes) -> Never:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        pass


def _refused_file() -> Never:
    raise OSError(24, "Too many open files")


@pytest.mark.parametrize("make", [_FullDisk, _refused_file])
def test_an_answer_for_which_the_disk_has_no_room_is_refused(
    played: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, make: Callable[[], object]
) -> None:
    monkeypatch.setattr(executors, "TemporaryFile", make)

    async def play(executor: QueryExecutor) -> tuple[str, int, list[object]]:
        with pytest.raises(CrowdedError) as told:
            await executor._run(asked("a", LENGTH), "")
        return str(told.value), executor._room.left, await outcomes(executor, [asked("b")])

    said, left, after = played(play, files=LENGTH)
    assert (said, after) == ("The machine has no space for such a large answer.", [b"b"])
    assert left == LENGTH


def test_room_comes_back_once() -> None:
    room = FileRoom(100)
    first, second = room.take(60), room.take(20)
    assert room.left == 20
    first.close()
    first.close()
    assert room.left == 80
    del second
    assert room.left == 100


# -- what is cached --------------------------------------------------------------------------------


def test_answers_are_kept_as_long_as_there_is_room() -> None:
    kept = answer_cache(8 * (BESIDES + 10))
    for number in range(10):
        kept.put(str(number), ("results", b"x" * 10))
        assert kept.get("0") is not None
    assert [number for number in range(10) if kept.get(str(number))] == [0, *range(3, 10)]
    kept.put("large", ("results", b"x" * 11))
    assert kept.get("large") is None
    kept.put("9", ("graph", b""))
    assert kept.get("9") == ("results", b"x" * 10)


def test_answers_of_nothing_take_room_as_well() -> None:
    kept = answer_cache(10 * BESIDES)
    for number in range(20):
        kept.put(str(number), ("results", b""))
    assert [number for number in range(20) if kept.get(str(number))] == [*range(10, 20)]
