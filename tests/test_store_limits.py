"""A query with a time limit gives the same answers, and ends when its time or memory runs out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from folders import NEW, OLD, lines, rewritten
from rulesgraph.loaders.store import MEMORY, open_store
from rulesgraph.loaders.store.query import prepare
from rulesgraph.loaders.store.results import AnswerBounds, Solutions
from rulesgraph.ontology.errors import RulesgraphError, StoreError, UsageError


@pytest.fixture
def folder(small_store: Path, tmp_path: Path) -> Path:
    """A store with the graph `OLD`."""
    return Path(shutil.copytree(small_store, tmp_path / "store"))


SLOW = "SELECT (COUNT(*) AS ?n) { " + " ".join(
    f"VALUES ?v{i} {{ {' '.join(map(str, range(60)))} }}" for i in range(8)
) + " FILTER(?v0 != ?v1 || ?v2 > 7) }"  # fmt: skip


def test_a_limited_query_gives_the_same_answers(folder: Path) -> None:
    store = open_store(folder)
    text = "SELECT * { GRAPH ?g { ?s ?p ?n } FILTER(?n < 3) }"
    limited, free = store.query(text, timeout=30), store.query(text)
    assert isinstance(limited, Solutions)
    assert isinstance(free, Solutions)
    assert limited.columns == free.columns == ("g", "s", "p", "n")
    assert sorted(map(str, limited)) == sorted(map(str, free))
    assert store.query("ASK { ?s ?p 7 }", timeout=30, default_graphs=[OLD]) is True
    assert store.query("ASK { ?s ?p 7 }", timeout=30) is False
    made: Any = store.query("CONSTRUCT WHERE { ?s ?p 7 }", timeout=30, default_graphs=[OLD])
    assert [str(triple.predicate) for triple in made] == ["<x:p>"]
    with pytest.raises(RulesgraphError, match="does not download any"):
        store.query("SELECT * FROM <x:none> { ?s ?p ?o }", timeout=30)


def ended_elsewhere(held: list[object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Release what is held in another thread, as a collector may; return the engine's complaints."""
    told: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda it: told.append(str(it.exc_value)))
    thread = Thread(target=held.clear)
    thread.start()
    thread.join()
    return told


@pytest.mark.parametrize("form", ["SELECT ?p", "CONSTRUCT { ?s ?p ?n }"])
@pytest.mark.parametrize("rows", [None, 1])
def test_what_was_read_may_end_in_another_thread(
    folder: Path, monkeypatch: pytest.MonkeyPatch, form: str, rows: int | None
) -> None:
    bounds = AnswerBounds(rows, 1 << 20) if rows else None
    held: list[Any] = [open_store(folder).run(prepare(f"{form} {{ GRAPH ?g {{ ?s ?p ?n }} }}"), None, bounds)]
    try:
        assert len(list(held[0])) > 1
    except UsageError as error:
        held.append(error)
    assert len(held) == 1 + bool(rows)
    assert ended_elsewhere(held, monkeypatch) == []


def test_a_late_answer_is_not_waited_for(folder: Path) -> None:
    store = open_store(folder)
    store.query("ASK { }", timeout=30)
    with pytest.raises(StoreError, match=r"longer than 0\.3 s") as caught:
        store.query(SLOW, timeout=0.3)
    assert type(caught.value).__name__ == "StoreTimeoutError"
    assert store.query("ASK { ?s ?p 7 }", timeout=30, default_graphs=[OLD]) is True


PRODUCT = SLOW.replace("(COUNT(*) AS ?n)", "*")


@pytest.mark.parametrize("kind", ["folder", "memory"])
@pytest.mark.parametrize("form", ["SELECT ?s ?n", "CONSTRUCT { ?s <x:p> ?n }"])
def test_an_answer_is_bounded_while_it_is_given(folder: Path, kind: str, form: str) -> None:
    store = open_store(folder)
    if kind == "memory":
        store = open_store(MEMORY)
        with store.rewrite() as rewrite:
            rewrite.load([lines(OLD)])
    query = f"{form} {{ ?s ?p ?n }}"

    def count(rows: int, size: int = 1 << 20) -> int:
        found: Any = store.run(prepare(query).over([OLD], None), 30, AnswerBounds(rows=rows, size=size))
        return len(list(found))

    assert count(500) == 500
    with pytest.raises(UsageError, match="too many rows"):
        count(499)
    if kind == "folder":
        with pytest.raises(UsageError, match="too large"):
            count(500, size=1 << 12)


def test_an_answer_without_end_is_ended_by_its_rows(folder: Path) -> None:
    with pytest.raises(UsageError, match="too many rows"):
        open_store(folder).run(prepare(PRODUCT), 600, AnswerBounds(rows=1000, size=1 << 30))


def test_threads_share_a_store(folder: Path) -> None:
    store = open_store(folder)

    def ask(n: int) -> bool:
        found = store.query(f"ASK {{ ?s ?p {n} }}", default_graphs=[OLD], timeout=30 if n % 2 else None)
        assert isinstance(found, bool)
        return found

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, range(490, 510))) == [True] * 10 + [False] * 10


def test_a_limited_query_follows_a_refresh(folder: Path) -> None:
    reader = open_store(folder)
    ask = "ASK { GRAPH ?g { ?s ?p 7 } }"
    assert reader.query(ask, timeout=30, named_graphs=[NEW]) is False
    rewritten(folder)
    assert reader.query(ask, timeout=30, named_graphs=[NEW]) is False
    reader.refresh()
    assert reader.query(ask, timeout=30, named_graphs=[NEW]) is True


def test_a_query_that_eats_memory_ends_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesgraph.loaders.store.timed_queries.MEMORY", 64 << 20)
    hungry = PRODUCT + " ORDER BY ?v7"
    store = open_store(folder)
    with pytest.raises(StoreError, match=r"(?s)memory ran out.*64 MB"):
        store.query(hungry, timeout=60)
    assert store.size() == 500


def test_a_process_that_does_not_start_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(StoreError, match="could be started"):
        open_store(folder).query("ASK { }", timeout=5)


def asking(folder: Path, then: str) -> list[str]:
    """Return a command that prints the process id of its store's worker, and continues with `then`."""
    code = f"""
    from rulesgraph.loaders.store import open_store
    store = open_store({str(folder)!r})
    store.query("ASK {{ }}", timeout=600)
    [worker] = store._timed._idle
    print(worker.pid, flush=True)
    {then}
    """
    return [sys.executable, "-c", textwrap.dedent(code)]


def test_the_processes_end_with_the_store(folder: Path) -> None:
    pipe = subprocess.PIPE
    for end in ("let it finish", "kill it"):
        with subprocess.Popen(asking(folder, "input()"), stdin=pipe, stdout=pipe, text=True) as owner:
            assert owner.stdin
            assert owner.stdout
            worker = int(owner.stdout.readline())
            os.kill(worker, 0)
            if end == "kill it":
                owner.kill()
            else:
                owner.stdin.write("\n")
                owner.stdin.flush()
            owner.wait(timeout=30)
        assert ends(worker), end


def test_a_query_at_work_ends_with_its_owner(folder: Path) -> None:
    command = asking(folder, f"store.query({SLOW!r}, timeout=600)")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout
        worker = int(owner.stdout.readline())
        while alive(worker) and processor_time(worker) < 1:
            time.sleep(0.05)
        assert alive(worker)
        owner.kill()
    assert ends(worker)


def ends(pid: int) -> bool:
    """Wait until a process has ended; return whether it has."""
    for _ in range(600):
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False


def processor_time(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
