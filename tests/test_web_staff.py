"""Who does which query, what is asked again, and what is told, when processes are slow, late or gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from clerks import FakeStaff, reply
from rulesgraph.app.web.sparql import staff as staffing
from rulesgraph.app.web.sparql.clerk import Answered
from rulesgraph.app.web.sparql.turns import CrowdedError
from rulesgraph.ontology.errors import StoreError, StoreExhaustedError, StoreTimeoutError, UsageError

Outcomes = list[tuple[str, Answered | Exception]]


def run(steps: Callable[[Outcomes], Coroutine[Any, Any, None]]) -> Outcomes:
    told: Outcomes = []
    asyncio.run(steps(told))
    return told


def kinds(told: Outcomes) -> list[tuple[str, object]]:
    return [(name, type(it) if isinstance(it, Exception) else it[1]) for name, it in told]


def test_a_quick_process_has_its_next_requests_beforehand() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1)
        await staff.staffed()
        [clerk], [process] = staff.clerks, staff.processes
        for number in range(8):
            staff.asked(str(number), told)
        # Nothing is known of it yet, so it gets one; then it was quick, and has four at a time.
        await asyncio.sleep(0)
        assert process.requests == [b"0"]
        clerk.pipe_data_received(1, reply(b"a"))
        await asyncio.sleep(0)
        assert process.requests == [b"0", b"1234"]
        clerk.pipe_data_received(1, reply(b"b") + reply(b"c"))
        await asyncio.sleep(0)
        assert process.requests == [b"0", b"1234", b"56"]
        clerk.begun -= 1
        clerk.pipe_data_received(1, reply(b"d"))
        await asyncio.sleep(0)
        assert process.requests == [b"0", b"1234", b"56"]

    assert kinds(run(steps)) == [("0", b"a"), ("1", b"b"), ("2", b"c"), ("3", b"d")]


def test_answers_come_in_any_pieces() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1)
        await staff.staffed()
        for name in "abcd":
            staff.asked(name, told)
        words = reply(b"") + reply(b"two\nlines") + reply(b'{"what": "no"}', "UsageError") + reply(b"x" * 300)
        for byte in words:
            staff.clerks[0].pipe_data_received(1, bytes([byte]))

    assert kinds(run(steps)) == [("a", b""), ("b", b"two\nlines"), ("c", UsageError), ("d", b"x" * 300)]


def test_what_waits_behind_a_slow_query_goes_to_another_process() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(2)
        await staff.staffed()
        for clerk in staff.clerks:
            clerk.quick = True
        for name in "abcd":
            staff.asked(name, told)
        await asyncio.sleep(0)
        assert [process.requests for process in staff.processes] == [[b"ac"], [b"bd"]]
        staff.clerks[1].pipe_data_received(1, reply(b"B") + reply(b"D"))
        staff.clerks[0].begun -= 1
        staff._look()
        await asyncio.sleep(0)
        assert staff.processes[1].requests == [b"bd", b"c"]
        staff.clerks[1].pipe_data_received(1, reply(b"C"))
        # The slow one comes to its end, and to what others have done for it.
        staff.clerks[0].pipe_data_received(1, reply(b"A") + reply(b"C again"))
        assert not list(staff.clerks[0].errands)

    assert kinds(run(steps)) == [("b", b"B"), ("d", b"D"), ("c", b"C"), ("a", b"A")]


def test_what_runs_too_long_is_ended_and_what_waits_behind_it_is_not() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1, seconds=30)
        await staff.staffed()
        staff.clerks[0].quick = True
        for name in "ab":
            staff.asked(name, told)
        staff.clerks[0].begun -= 29
        staff._look()
        assert staff.processes[0].kills == 0
        staff.clerks[0].begun -= 1
        staff._look()
        assert staff.processes[0].kills == 1
        # What it says now is not listened to.
        staff.clerks[0].pipe_data_received(1, reply(b"A") + reply(b"B"))
        staff.gone(0)
        await staff.staffed()
        assert staff.processes[1].requests == [b"b"]
        staff.clerks[1].pipe_data_received(1, reply(b"B"))

    assert kinds(run(steps)) == [("a", StoreTimeoutError), ("b", b"B")]


def test_who_waits_too_long_for_a_turn_hears_so() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1, seconds=30)
        await staff.staffed()
        for name in "abc":
            staff.asked(name, told)
        next(it for _, it in staff._turns).since -= 30
        staff._look()
        assert [one.request for _, one in staff._turns] == [b"c"]

    assert kinds(run(steps)) == [("b", TimeoutError)]


def test_what_nobody_waits_for_is_ended() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1)
        await staff.staffed()
        running, waiting, _ = (staff.asked(name, told) for name in "abc")
        staff.leave(running)
        staff.leave(waiting)
        staff._look()
        assert staff.processes[0].kills == 0
        staff.clerks[0].begun -= staffing._ABANDONED
        staff._look()
        assert staff.processes[0].kills == 1
        staff.gone(0)
        await staff.staffed()
        assert staff.processes[1].requests == [b"c"]

    assert run(steps) == []


def test_who_kills_a_process_costs_no_answer_but_what_ends_it_twice_does() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1)
        await staff.staffed()
        staff.clerks[0].quick = True
        for name in "abc":
            staff.asked(name, told)
        # An answer that was on its way when the process went counts.
        staff.clerks[0].process_exited()
        staff.clerks[0].pipe_data_received(1, reply(b"A"))
        staff.clerks[0].pipe_connection_lost(1, None)
        await staff.staffed()
        assert staff.processes[1].requests == [b"b"]
        staff.gone(1)
        await staff.staffed()
        assert staff.processes[2].requests == [b"c"]
        # It was not killed by anybody: what it was at ended it.
        staff.gone(2, killed=False)
        await staff.staffed()
        assert len(staff.clerks) == 4

    assert kinds(run(steps)) == [("a", b"A"), ("b", StoreExhaustedError), ("c", StoreExhaustedError)]


def test_a_large_answer_is_the_last_of_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staffing, "LARGE", 100)

    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1)
        await staff.staffed()
        staff.clerks[0].quick = True
        for name in "ab":
            staff.asked(name, told)
        staff.clerks[0].pipe_data_received(1, reply(b"x" * 100) + reply(b"B"))
        assert staff.processes[0].kills == 1
        staff.gone(0)
        await staff.staffed()
        assert staff.processes[1].requests == [b"b"]

    assert kinds(run(steps)) == [("a", b"x" * 100)]


def test_a_process_that_ends_before_it_is_ready_is_replaced() -> None:
    async def steps(told: Outcomes) -> None:
        lucky, unlucky = FakeStaff(1, ends=2), FakeStaff(1, ends=3)
        for staff in (lucky, unlucky):
            staff.asked("a" if staff is lucky else "b", told)
            await staff.staffed()
        lucky.clerks[0].pipe_data_received(1, reply(b"A"))

    told = run(steps)
    assert kinds(told) == [("b", StoreError), ("a", b"A")]
    assert "no process for a query" in str(told[0][1])


def test_who_waits_as_the_service_stops_hears_so() -> None:
    async def steps(told: Outcomes) -> None:
        staff = FakeStaff(1)
        await staff.staffed()
        for name in "ab":
            staff.asked(name, told)
        closing = asyncio.ensure_future(staff.close())
        await asyncio.sleep(0)
        staff.gone(0)
        await closing
        assert len(staff.clerks) == 1

    assert kinds(run(steps)) == [("b", CrowdedError), ("a", StoreExhaustedError)]
