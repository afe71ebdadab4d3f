"""A build or site that is stopped, in whatever way, leaves no process and no folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import MINI, Run
from rulesgraph.loaders import temporary as temporary_files
from sweep import first

HALTING = """
import os, signal, sys

def halt(event, args):
    if event == "{event}" and str(args[{place}]).endswith("{name}"):
        os.write(1, b"halted\\n")
        while True:
            signal.pause()

sys.addaudithook(halt)
signal.signal(signal.SIGINT, signal.default_int_handler)
from rulesgraph.app.cli import main
sys.argv[0] = "rulesgraph"
sys.exit(main())
"""
"""The program, which stops and waits for good when it is about to do something, in whichever process."""

READING = {"event": "open", "place": 0, "name": "4.txt"}
"""A worker reads the last source."""

WRITING = {"event": "open", "place": 0, "name": ".staged"}
"""The store is open, and its new generation is there."""

DRAFTING = {"event": "open", "place": 0, "name": ".rulesgraph-new/term/flutter.html"}
"""A worker writes a page."""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    page = (MINI / "rulings-2031-03-10.txt").read_bytes()
    for number in range(1, 5):
        (folder / f"{number}.txt").write_bytes(page)
    return folder


def stop(moment: dict[str, object], how: signal.Signals, *arguments: str | Path) -> int:
    """Stop a command; return its exit code when no process holds its stdout any more."""
    program = HALTING.format(**moment)
    command = [sys.executable, "-c", program, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        assert process.stdout.readline() == b"halted\n"
        process.send_signal(how)
        out, _ = process.communicate()
    assert out == b""
    return process.returncode


@pytest.mark.parametrize(
    "moment",
    first(
        1, (WRITING, READING), pytest.mark.long(small="test_what_a_killed_build_leaves_is_swept_by_the_next")
    ),
    ids=["writing", "reading"],
)
@pytest.mark.parametrize(
    ("how", "code"),
    first(
        1,
        ((signal.SIGINT, 130), (signal.SIGTERM, 143)),
        pytest.mark.long(small="test_a_build_that_is_told_to_stop_leaves_nothing"),
    ),
)
def test_a_build_that_is_told_to_stop_leaves_nothing(
    sources: Path, temporary: Path, tmp_path: Path, moment: dict[str, object], how: signal.Signals, code: int
) -> None:
    store = tmp_path / "store"
    assert stop(moment, how, "build", sources, "--store", store) == code
    assert list(temporary.iterdir()) == []
    assert not store.exists()


@pytest.mark.parametrize(
    "moment",
    first(
        1, (WRITING, READING), pytest.mark.long(small="test_what_a_killed_build_leaves_is_swept_by_the_next")
    ),
    ids=["writing", "reading"],
)
def test_what_a_killed_build_leaves_is_swept_by_the_next(
    run: Run, sources: Path, temporary: Path, tmp_path: Path, moment: dict[str, object]
) -> None:
    store = tmp_path / "store"
    others = [temporary / "rulesgraph-store", temporary / "rulesgraph-scratch-of-mine"]
    for other in others:
        other.mkdir()
    assert stop(moment, signal.SIGKILL, "build", sources, "--store", store) == -signal.SIGKILL
    assert len(list(temporary.iterdir())) == 3
    assert run("build", sources, "--store", store)[0] == 0
    assert sorted(temporary.iterdir()) == sorted(others), "what is not ours stays"
    assert len(list((store / "generations").iterdir())) == 1


@pytest.mark.parametrize(
    ("how", "code"),
    first(
        1,
        ((signal.SIGTERM, 143), (signal.SIGINT, 130)),
        pytest.mark.long(small="test_a_site_that_is_told_to_stop_leaves_nothing"),
    ),
)
def test_a_site_that_is_told_to_stop_leaves_nothing(
    mini_store: Path, tmp_path: Path, how: signal.Signals, code: int
) -> None:
    assert stop(DRAFTING, how, "publish", tmp_path / "new" / "site", "--store", mini_store) == code
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_in_use_stays(temporary: Path) -> None:
    with temporary_files.temporary_folder() as first:
        (first / "file").write_text("x")
        with temporary_files.temporary_folder() as second:
            assert sorted(temporary.iterdir()) == sorted([first, second])
        assert list(temporary_files.abandoned()) == []
        assert list(temporary.iterdir()) == [first]
    assert list(temporary.iterdir()) == []


NATIVE = """
import os, sys, time
from rulesgraph.loaders.store.local import LocalRewrite

def write(self):
    print("native", flush=True)
    while True:
        try:
            time.sleep(600)
        except KeyboardInterrupt:
            pass

LocalRewrite._write = write
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from rulesgraph.app.cli import main
sys.argv[0] = "rulesgraph"
sys.exit(main())
"""
"""The program, which like a native call hears nothing while it loads."""


def test_ctrl_c_within_a_native_call_leaves_nothing_either(temporary: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    command = [
        sys.executable,
        "-c",
        NATIVE,
        "build",
        str(MINI / "rulings-2031-03-10.txt"),
        "--store",
        str(store),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        assert process.stdout.readline() == b"native\n"
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert os.listdir(temporary) == []
    assert not store.exists()
