"""A store on disk stays intact, whatever kills a writer and whoever reads meanwhile."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from folders import NEW, OLD, as_nobody, everything, generations, lines, rewritten
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.layout import Layout
from rulesgraph.loaders.store.results import Solutions
from rulesgraph.ontology.errors import StoreError, StoreLockedError, StoreMissingError
from sweep import first


@pytest.fixture
def folder(small_store: Path, tmp_path: Path) -> Path:
    """A store with the graph `OLD`."""
    return Path(shutil.copytree(small_store, tmp_path / "store"))


def test_the_space_of_what_was_dropped_is_given_back(folder: Path) -> None:
    def taken() -> int:
        return sum(it.size for it in Layout(str(folder)).pointer().files.values())

    store, before = open_store(folder, write=True), taken()
    with store.rewrite() as rewrite:
        rewrite.load([lines(NEW, 20_000)])
    full = taken()
    with store.rewrite() as rewrite:
        rewrite.drop([NEW])
    assert before <= taken() < full / 5
    assert store.graphs() == [OLD]
    assert store.size() == 500


# -- killed writers --------------------------------------------------------------------------------

WRITER = f"""
import os, signal, sys
from rulesgraph.loaders.store import layout, local
from rulesgraph.loaders.store import open_store

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def die_at_call(owner, name, call):
    before, calls = getattr(owner, name), iter(range(1, 100))
    setattr(owner, name, lambda *a, **k: die() if next(calls) == call else before(*a, **k))

def chunks():
    for _ in range(20):
        yield {lines(NEW, 50)!r}

folder, point = sys.argv[1:]
exec(point)
with open_store(folder, write=True).rewrite() as rewrite:
    rewrite.drop(["{OLD}"])
    rewrite.load(chunks())
    if point == "pass":
        die()
"""

POINTS = {
    "when the lock is taken": "die_at_call(layout.Layout, 'next', 1)",
    "before the copy": "die_at_call(layout.Layout, 'sweep', 1)",
    "after the copy": "die_at_call(local._File, '__init__', 1)",
    "while loading": "die_at_call(local._File, 'read', 5)",
    "when all is loaded": "pass",
    "before it is compacted": "die_at_call(layout.Layout, 'compact', 1)",
    "before the pointer is written": "die_at_call(layout.Layout, 'point', 1)",
    "before the pointer is replaced": "die_at_call(os, 'replace', 1)",
}


def run_writer(folder: Path, point: str) -> None:
    done = subprocess.run([sys.executable, "-c", WRITER, str(folder), point], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    "point",
    first(2, POINTS.values(), pytest.mark.long(small="test_a_killed_writer_leaves_the_store_as_it_was")),
    ids=POINTS,
)
def test_a_killed_writer_leaves_the_store_as_it_was(folder: Path, point: str) -> None:
    before = everything(folder / "generations" / "1")
    run_writer(folder, point)
    assert everything(folder / "generations" / "1") == before
    store = open_store(folder)
    assert store.graphs() == [OLD]
    assert sorted(store.graph_lines(OLD))[0].startswith("<x:s> <x:p>")
    assert store.size() == 500
    del store
    assert rewritten(folder).graphs() == [NEW, OLD]
    assert len(generations(folder)) == 1, "the leftovers are gone"


def test_a_writer_killed_after_the_switch_has_switched(folder: Path) -> None:
    run_writer(folder, "die_at_call(layout.Layout, 'sweep', 2)")
    assert open_store(folder).graphs() == [NEW]
    assert rewritten(folder, OLD).graphs() == [NEW, OLD]
    assert len(generations(folder)) == 1


@pytest.mark.parametrize(
    "point",
    first(2, POINTS.values(), pytest.mark.long(small="test_a_killed_writer_leaves_the_store_as_it_was")),
    ids=POINTS,
)
def test_a_first_build_that_is_killed_leaves_room_for_the_next(tmp_path: Path, point: str) -> None:
    folder = tmp_path / "store"
    if "replace" in point or "'point'" in point:
        point = point.replace("1)", "2)")  # the first one marks the folder as a store
    run_writer(folder, point)
    with pytest.raises(StoreMissingError):
        open_store(folder)
    assert rewritten(folder).graphs() == [NEW]
    assert len(generations(folder)) == 1


@pytest.mark.parametrize("point", ["die_at_call(os, 'replace', 1)", "die_at_call(os, 'ftruncate', 1)"])
def test_a_first_build_that_is_killed_at_once_does_so_too(tmp_path: Path, point: str) -> None:
    run_writer(tmp_path / "store", point)
    with pytest.raises(StoreMissingError):
        open_store(tmp_path / "store")
    assert rewritten(tmp_path / "store").graphs() == [NEW]


@pytest.mark.parametrize(
    "delay", first(1, (0.1, 0.02, 0.2, 0.3), pytest.mark.long(small="test_killed_at_any_moment"))
)
def test_killed_at_any_moment(folder: Path, delay: float) -> None:
    code = f"""
    from rulesgraph.loaders.store import open_store
    data = b"".join({lines(NEW, 1)!r}.replace(b'"0"', b'"%d"' % n) for n in range(2000))
    while True:
        with open_store({str(folder)!r}, write=True).rewrite() as rewrite:
            print("working", flush=True)
            rewrite.drop(rewrite.graphs())
            rewrite.load([data])
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        writer.stdout.readline()
        time.sleep(delay)
        writer.kill()
    store = open_store(folder)
    assert (store.graphs(), store.size()) in [([OLD], 500), ([NEW], 2000)]
    assert OLD in rewritten(folder, OLD).graphs()


# -- two at a time ---------------------------------------------------------------------------------


def test_a_second_writer_is_told_so_at_once(folder: Path) -> None:
    code = f"""
    import sys
    from rulesgraph.loaders.store import open_store
    with open_store({str(folder)!r}, write=True).rewrite():
        print("inside", flush=True)
        sys.stdin.read()
    """
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdin=pipe, stdout=pipe) as writer:
        assert writer.stdin
        assert writer.stdout
        assert writer.stdout.readline() == b"inside\n"
        # The writer stays inside until the test releases it: waiting for it would take for ever.
        with pytest.raises(StoreLockedError, match=rf"\(pid {writer.pid}\)") as caught:
            rewritten(folder)
        assert caught.value.exit_code == 4
        assert open_store(folder).size() == 500, "readers are not kept waiting"
        writer.stdin.close()
    assert rewritten(folder).graphs() == [NEW, OLD]


def test_one_process_cannot_write_twice_at_a_time_either(folder: Path) -> None:
    with open_store(folder).rewrite() as rewrite:
        with pytest.raises(StoreLockedError, match=rf"pid {os.getpid()}"):
            rewritten(folder)
        rewrite.load([lines(NEW)])
    assert open_store(folder).size() == 1000


def test_a_reader_goes_on_with_what_it_opened(folder: Path) -> None:
    reader = open_store(folder)
    found = reader.query("SELECT ?n { GRAPH ?g { ?s ?p ?n } }")
    assert isinstance(found, Solutions)
    rows = iter(found)
    next(rows)
    for graph in (NEW, NEW + "er", NEW + "est"):
        rewritten(folder, graph)
        assert reader.graphs() == [OLD]
    assert len(generations(folder)) == 2, "the one that is read and the current one"
    assert len(list(rows)) == 499
    reader.refresh()
    assert reader.graphs() == [NEW, NEW + "er", NEW + "est", OLD]
    del found, rows, reader
    gc.collect()
    rewritten(folder)
    assert len(generations(folder)) == 1


def test_an_answer_alone_keeps_its_generation(folder: Path) -> None:
    found = open_store(folder).query("SELECT ?n { GRAPH ?g { ?s ?p ?n } }")
    assert isinstance(found, Solutions)
    rewritten(folder)
    rewritten(folder)
    assert len(list(found)) == 500


def test_readers_and_a_writer_never_meet_a_half_state(folder: Path) -> None:
    code = f"""
    from rulesgraph.loaders.store import open_store
    seen = []
    while len(seen) < 100 or len(set(seen)) < 2:
        store = open_store({str(folder)!r})
        seen.append((tuple(store.graphs()), store.size()))
    print(sorted(set(seen)))
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
        store = open_store(folder)
        while reader.poll() is None:
            for graph, count in ((NEW, 300), (OLD, 500)):
                with store.rewrite() as rewrite:
                    rewrite.drop(rewrite.graphs())
                    rewrite.load([lines(graph, count)])
        assert reader.stdout
        seen = set(eval(reader.stdout.read()))
    assert reader.returncode == 0
    assert seen == {((NEW,), 300), ((OLD,), 500)}


# -- what is no store -----------------------------------------------------------


def test_nothing_is_there(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "store"):
        with pytest.raises(StoreMissingError, match="rulesgraph build") as caught:
            open_store(place)
        assert caught.value.exit_code == 4
    assert list(tmp_path.iterdir()) == []


def test_another_folder_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "generations").mkdir()
    (tmp_path / "generations" / "1").write_text("of something else")
    (tmp_path / "letter.txt").write_text("dear")
    before = everything(tmp_path)
    for attempt in (open_store, rewritten):
        with pytest.raises(StoreError, match=r"(?s)not a rulesgraph store.*another folder") as caught:
            attempt(tmp_path)
        assert not isinstance(caught.value, StoreMissingError)
    assert everything(tmp_path) == before


def test_a_file_is_no_store(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("dear")
    for place in (file, file / "store"):
        for attempt in (open_store, rewritten):
            with pytest.raises(StoreError, match="a file, not the folder"):
                attempt(place)
    assert file.read_text() == "dear"


RIGHTS = """
import sys
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import StoreError
try:
    store = open_store(sys.argv[1], write=sys.argv[2] == "write")
    if sys.argv[2] == "write":
        with store.rewrite() as rewrite:
            print("writing")
    print(store.size())
except StoreError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def foreign(folder: Path) -> Iterator[Path]:
    """The store, readable by all and writable by none: outside the folders that pytest keeps private."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        copy = Path(shutil.copytree(folder, Path(place) / "store"))
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield copy


def test_a_store_that_may_only_be_read_is_read(foreign: Path) -> None:
    assert as_nobody(RIGHTS, str(foreign), "read") == "500\n"


def test_two_writers_are_kept_apart_by_what_others_use_as_well(folder: Path) -> None:
    """Other programs that lock the file by flock are respected, and respect our lock."""
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("4711")
        file.flush()
        with pytest.raises(StoreLockedError) as caught:
            rewritten(folder)
        assert str(caught.value) == (
            f"{folder}: another process (pid 4711) is writing to the store\n  Try again when it has finished."
        )
    with open_store(folder, write=True).rewrite(), (folder / "lock").open() as file:
        assert file.read() == str(os.getpid())
        with pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    assert (folder / "lock").read_text() == ""


def test_rights_that_are_missing_are_told(foreign: Path) -> None:
    assert "StoreError" in as_nobody(RIGHTS, str(foreign), "write")
    assert "Permission denied" in as_nobody(RIGHTS, str(foreign), "write")
    assert "Check the folder" in as_nobody(RIGHTS, str(foreign.parent / "other"), "write")
    (foreign / "rulesgraph.json").chmod(0o000)
    assert "Permission denied" in as_nobody(RIGHTS, str(foreign), "read")


def test_a_full_disk_is_told(folder: Path) -> None:
    code = f"""
    import resource
    from rulesgraph.loaders.store import open_store
    from rulesgraph.ontology.errors import StoreError
    data = b"".join({lines(NEW, 1)!r}.replace(b'"0"', b'"%d"' % n) for n in range(20_000))
    store = open_store({str(folder)!r})
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        with store.rewrite() as rewrite:
            rewrite.load([data])
    except StoreError as error:
        print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "space" in done.stdout
    assert "too large" in done.stdout
    assert open_store(folder).graphs() == [OLD]
    assert rewritten(folder).graphs() == [NEW, OLD]
    assert len(generations(folder)) == 1
