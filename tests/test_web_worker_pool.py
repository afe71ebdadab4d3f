"""Who does which query, what is asked again, and what is told, when processes are slow, late or gone."""

from __future__ import annotations

import pytest
from fake_workers import FakePool, reply
from rulesgraph.app.web.sparql import worker_pool
from rulesgraph.app.web.sparql.worker_process import CrowdedError, WorkerAnswer
from rulesgraph.ontology.errors import StoreError, StoreExhaustedError, StoreTimeoutError, UsageError

Outcomes = list[tuple[str, WorkerAnswer | Exception]]


def kinds(told: Outcomes) -> list[tuple[str, object]]:
    return [(name, type(it) if isinstance(it, Exception) else it[1]) for name, it in told]


def test_a_quick_process_has_its_next_requests_beforehand() -> None:
    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    [worker], [process] = pool.all, pool.processes
    for number in range(8):
        pool.asked(str(number), told)
    # Nothing is known of it yet, so it gets one; then it was quick, and has four at a time.
    pool.loop.settle()
    assert process.requests == [b"0"]
    worker.received(reply(b"a"))
    pool.loop.settle()
    assert process.requests == [b"0", b"1234"]
    worker.received(reply(b"b") + reply(b"c"))
    pool.loop.settle()
    assert process.requests == [b"0", b"1234", b"56"]
    worker.begun -= 1
    worker.received(reply(b"d"))
    pool.loop.settle()
    assert process.requests == [b"0", b"1234", b"56"]
    assert kinds(told) == [("0", b"a"), ("1", b"b"), ("2", b"c"), ("3", b"d")]


def test_answers_come_in_any_pieces() -> None:
    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    for name in "abcd":
        pool.asked(name, told)
    words = reply(b"") + reply(b"two\nlines") + reply(b'{"what": "no"}', "UsageError") + reply(b"x" * 300)
    for byte in words:
        pool.all[0].received(bytes([byte]))
    assert kinds(told) == [("a", b""), ("b", b"two\nlines"), ("c", UsageError), ("d", b"x" * 300)]


def test_what_waits_behind_a_slow_query_goes_to_another_process() -> None:
    told: Outcomes = []
    pool = FakePool(2)
    pool.filled()
    for worker in pool.all:
        worker.quick = True
    for name in "abcd":
        pool.asked(name, told)
    pool.loop.settle()
    assert [process.requests for process in pool.processes] == [[b"ac"], [b"bd"]]
    pool.all[1].received(reply(b"B") + reply(b"D"))
    pool.all[0].begun -= 1
    pool._check()
    pool.loop.settle()
    assert pool.processes[1].requests == [b"bd", b"c"]
    pool.all[1].received(reply(b"C"))
    # The slow one comes to its end, and to what others have done for it.
    pool.all[0].received(reply(b"A") + reply(b"C again"))
    assert not list(pool.all[0].jobs)
    assert kinds(told) == [("b", b"B"), ("d", b"D"), ("c", b"C"), ("a", b"A")]


def test_what_runs_too_long_is_ended_and_what_waits_behind_it_is_not() -> None:
    told: Outcomes = []
    pool = FakePool(1, seconds=30)
    pool.filled()
    pool.all[0].quick = True
    for name in "ab":
        pool.asked(name, told)
    pool.all[0].begun -= 29
    pool._check()
    assert pool.processes[0].kills == 0
    pool.all[0].begun -= 1
    pool._check()
    assert pool.processes[0].kills == 1
    # What it says now is not listened to.
    pool.all[0].received(reply(b"A") + reply(b"B"))
    pool.gone(0)
    pool.filled()
    assert pool.processes[1].requests == [b"b"]
    pool.all[1].received(reply(b"B"))
    assert kinds(told) == [("a", StoreTimeoutError), ("b", b"B")]


def test_who_waits_too_long_for_a_turn_hears_so() -> None:
    told: Outcomes = []
    pool = FakePool(1, seconds=30)
    pool.filled()
    for name in "abc":
        pool.asked(name, told)
    next(it for _, it in pool._queue).since -= 30
    pool._check()
    assert [one.request for _, one in pool._queue] == [b"c"]
    assert kinds(told) == [("b", TimeoutError)]


def test_what_nobody_waits_for_is_ended() -> None:
    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    running, waiting, _ = (pool.asked(name, told) for name in "abc")
    pool.leave(running)
    pool.leave(waiting)
    pool._check()
    assert pool.processes[0].kills == 0
    pool.all[0].begun -= worker_pool._ABANDONED
    pool._check()
    assert pool.processes[0].kills == 1
    pool.gone(0)
    pool.filled()
    assert pool.processes[1].requests == [b"c"]
    assert told == []


def test_who_kills_a_process_costs_no_answer_but_what_ends_it_twice_does() -> None:
    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    pool.all[0].quick = True
    for name in "abc":
        pool.asked(name, told)
    # An answer that was on its way when the process went counts.
    pool.all[0].received(reply(b"A"))
    pool.gone(0)
    pool.filled()
    assert pool.processes[1].requests == [b"b"]
    pool.gone(1)
    pool.filled()
    assert pool.processes[2].requests == [b"c"]
    # It was not killed by anybody: what it was at ended it.
    pool.gone(2, killed=False)
    pool.filled()
    assert len(pool.all) == 4
    assert kinds(told) == [("a", b"A"), ("b", StoreExhaustedError), ("c", StoreExhaustedError)]


def test_a_large_answer_is_the_last_of_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "LARGE", 100)

    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    pool.all[0].quick = True
    for name in "ab":
        pool.asked(name, told)
    pool.all[0].received(reply(b"x" * 100) + reply(b"B"))
    assert pool.processes[0].kills == 1
    pool.gone(0)
    pool.filled()
    assert pool.processes[1].requests == [b"b"]
    assert kinds(told) == [("a", b"x" * 100)]


def test_a_process_that_ends_before_it_is_ready_is_replaced() -> None:
    told: Outcomes = []
    lucky, unlucky = FakePool(1, ends=2), FakePool(1, ends=3)
    for pool in (lucky, unlucky):
        pool.asked("a" if pool is lucky else "b", told)
        pool.filled()
    lucky.all[-1].received(reply(b"A"))
    assert kinds(told) == [("b", StoreError), ("a", b"A")]
    assert "no process for a query" in str(told[0][1])


def test_who_waits_as_the_service_stops_hears_so() -> None:
    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    for name in "ab":
        pool.asked(name, told)
    pool.close()
    assert pool.processes[0].kills == 1
    assert pool.workers == []
    assert len(pool.all) == 1
    assert kinds(told) == [("b", CrowdedError), ("a", StoreExhaustedError)]


def test_a_request_that_a_pipe_does_not_hold_is_sent_in_pieces() -> None:
    told: Outcomes = []
    pool = FakePool(1)
    pool.filled()
    [worker], [process] = pool.all, pool.processes
    process.room = 4
    pool.asked("0123456789", told)
    pool.loop.settle()
    assert (process.requests, pool.loop.writers) == ([b"0123"], 1)
    worker._send()
    process.room = 0
    worker._send()
    assert (process.requests, pool.loop.writers) == ([b"0123", b"4567"], 1)
    process.room = 4
    worker._send()
    assert (process.requests, pool.loop.writers) == ([b"0123", b"4567", b"89"], 0)


def test_while_no_worker_is_ready_each_has_a_query_in_hand() -> None:
    told: Outcomes = []
    pool = FakePool(2)
    for name in "abc":
        pool.asked(name, told)
    pool.loop.settle()
    assert [process.requests for process in pool.processes] == [[b"a"], [b"b"]]
    # Once one is ready, what comes does not wait for the other to start.
    pool.all[1].received(b"ready 0\n" + reply(b"B"))
    pool.loop.settle()
    assert pool.processes[1].requests == [b"b", b"c"]
    pool.gone(0)
    pool.loop.settle()
    assert pool.processes[1].requests == [b"b", b"c", b"a"]
    assert kinds(told) == [("b", b"B")]
