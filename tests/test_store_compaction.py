"""While a store is changed a little, the threads of the engine that merge files stand back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from rulesgraph.loaders.store import Store, open_store
from rulesgraph.loaders.store.folder import yielding_compaction
from test_store import quads

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="threads are told where to run on Linux alone"
)


@pytest.fixture
def tidier() -> Iterator[int]:
    """A thread with the name that the engine gives to those that merge files."""
    named, over = Event(), Event()

    def rest() -> None:
        Path("/proc/thread-self/comm").write_text("rocksdb:low")
        named.set()
        over.wait()

    thread = Thread(target=rest)
    thread.start()
    named.wait()
    assert thread.native_id
    yield thread.native_id
    over.set()
    thread.join()


def test_threads_that_merge_files_share_our_processor_and_give_way(tidier: int) -> None:
    before = os.sched_getaffinity(0)
    with yielding_compaction():
        assert os.sched_getscheduler(0) == os.SCHED_OTHER
        assert os.sched_getscheduler(tidier) == os.SCHED_IDLE
        assert os.sched_getaffinity(tidier) == os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(tidier) == os.sched_getaffinity(0) == before


def test_they_do_in_three_of_four_changes_of_what_is_there(tmp_path: Path, tidier: int) -> None:
    stood = []
    store = open_store(tmp_path / "store", write=True)
    for place in range(9):
        before = os.sched_getaffinity(0)
        with store.rewrite() as rewrite:
            assert os.sched_getaffinity(0) == before
            rewrite.load([quads(f"g:n{place}|g:b|g:c|g:graph/some")])
            assert rewrite.size() == place + 1
            stood.append(os.sched_getaffinity(tidier) == {min(before)} != before)
        assert os.sched_getaffinity(0) == os.sched_getaffinity(tidier) == before
    several = len(os.sched_getaffinity(0)) > 1
    assert stood == [several and here for here in (False, True, True, False, True, True, True, False, True)]


def _fail(store: Store) -> None:
    with store.rewrite() as rewrite:
        rewrite.load([quads("g:a|g:b|g:d|g:graph/some")])
        assert rewrite.size() == 2
        raise RuntimeError("enough")


def test_a_change_that_fails_leaves_us_where_we_were(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store", write=True)
    before = os.sched_getaffinity(0)
    with store.rewrite() as rewrite:
        rewrite.load([quads("g:a|g:b|g:c|g:graph/some")])
    with pytest.raises(RuntimeError, match="enough"):
        _fail(store)
    assert os.sched_getaffinity(0) == before
    assert store.size() == 1


def test_where_a_process_may_not_choose_nothing_stands_back(
    tidier: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    before = os.sched_getaffinity(tidier)
    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with yielding_compaction():
        assert os.sched_getaffinity(0) == os.sched_getaffinity(tidier) == before
        assert os.sched_getscheduler(tidier) == os.SCHED_OTHER
