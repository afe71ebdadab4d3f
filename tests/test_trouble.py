"""Trouble with the machine, and bad arguments, are reported in a sentence and leave nothing behind."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import rulesgraph
from commands import PAGE, PROGRAM, Run
from rulesgraph.app.files import output_file
from rulesgraph.app.terminal import TerminalStream, harmless
from rulesgraph.app.trouble import trouble_of
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.protocol import FORMAT
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from sweep import first

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1", "1e400", "soon"])
@pytest.mark.parametrize("command", [["sparql", "ASK {}"], ["ask", "redirects"], ["why", "A", "B"]])
def test_a_time_limit_is_a_number_of_seconds(run: Run, command: list[str], seconds: str) -> None:
    code, out, err = run(*command, f"--timeout={seconds}")
    assert (code, out) == (2, "")
    assert f"--timeout takes a positive number of seconds, not '{seconds}'" in err


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 0.0, -1.0])
def test_a_store_takes_no_other_limit_either(seconds: float) -> None:
    with pytest.raises(UsageError, match="a time limit must be a positive number of seconds"):
        open_store(":memory:").query("ASK {}", timeout=seconds)


@pytest.mark.parametrize(
    "command", [["show", "a\udcffb"], ["ask", "\udcff"], ["sparql", "\udcff"], ["build", "no-\udcff.txt"]]
)
def test_bytes_that_are_no_text_are_no_argument(run: Run, command: list[str]) -> None:
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert "this argument is neither valid text nor a file: " in err
    assert "\\xff" in err


def test_of_letters_that_the_locale_lacks_it_is_the_cause() -> None:
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [*PROGRAM, "show", "Æther"]
    done = subprocess.run(command, env=ascii_only, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the locale allows only ascii, and this argument is UTF-8: Æther\n" in done.stderr
    assert "LC_ALL=C.UTF-8" in done.stderr


def test_a_file_may_be_called_by_any_bytes(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "page-\udcff.txt"
    source.write_bytes(PAGE.read_bytes())
    code, out, _ = run("build", source, "--json")
    assert code == 0
    assert [it["source"] for it in json.loads(out)["documents"]] == [str(source)]


@pytest.mark.parametrize(
    "command",
    [
        ["sparql"],
        ["verify"],
        ["check", "--reason", "--with"],
        ["check", "--shapes"],
        ["questions", "--score"],
        ["authority", "-o", "ids.jsonl", "--extend"],
    ],
    ids=" ".join,
)
def test_a_device_without_end_is_read_no_further_than_needed(
    run: Run, starter_store: Path, command: list[str]
) -> None:
    code, out, err = run(*command, "/dev/zero", "--store", starter_store)
    assert (code, out) == (2, "")
    assert "/dev/zero: it has more than" in err


@pytest.mark.parametrize(
    "base",
    [
        "http://[bad/",
        "javascript:",
        "javascript:alert(1)/",
        "http:///",
        "file:///x/",
        "http://a b/",
        "http://u:p@h/",
        "x",
        "",
    ],
)
def test_a_wrong_base_leaves_no_store(run: Run, base: str) -> None:
    code, out, err = run("build", "--base", base, "--store", "made")
    assert (code, out) == (2, "")
    assert "is not a valid base IRI" in err
    assert not Path("made").exists()


NONSENSE = {
    "another kind of format": {"format": "banana"},
    "a format without end": {"format": float("inf")},
    "a format that a terminal obeys": {"format": "\x1b[31m"},
    "a base that is a number": {"base": 3},
    "a base that is no IRI": {"base": "http://[bad/"},
    "a generation below nothing": {"generation": -1},
    "a generation in words": {"generation": "1"},
    "files in a list": {"files": ["CURRENT"]},
    "a size in words": {"files": {"CURRENT": "16"}},
    "a generation without end": {"generation": float("inf")},
}


@pytest.mark.parametrize("changes", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("command", ["editions", "build"])
def test_a_pointer_of_nonsense_is_a_damaged_store(run: Run, command: str, changes: dict[str, object]) -> None:
    store = Path("store")
    store.mkdir()
    pointer = store / "rulesgraph.json"
    pointer.write_text(
        json.dumps({"format": FORMAT, "base": "https://a.example/", "generation": 1} | changes)
    )
    code, out, err = run(command, "--store", store)
    assert (code, out) == (4, "")
    assert "store: the store is damaged: rulesgraph.json cannot be read" in err
    assert [path.name for path in store.iterdir()] == ["rulesgraph.json"]


def test_nobody_is_waited_for_where_a_pipe_is_the_pointer(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rulesgraph.json")
    code, out, err = run("editions", "--store", tmp_path)
    assert (code, out) == (4, "")
    assert "the store is damaged: rulesgraph.json cannot be read" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "command",
    first(
        1,
        (
            ["export", "--as", "nquads"],
            ["editions"],
            ["export", "--as", "turtle", "-o", "/dev/full"],
            ["show", "Equipment"],
            ["completion", "bash"],
            ["show", "--help"],
            ["--help"],
        ),
        pytest.mark.long(small="test_a_full_disk_is_trouble_of_the_machine"),
    ),
)
def test_a_full_disk_is_trouble_of_the_machine(starter_store: Path, command: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *command, "--store", str(starter_store)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 4
    place = "/dev/full" if "-o" in command else "the output (stdout)"
    assert done.stderr.decode().splitlines()[-2:] == [
        f"rulesgraph: system error: {place} cannot be written: {os.strerror(errno.ENOSPC)}",
        "  Free some space there, or choose another place.",
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(("command", "code"), [(["show", "Nobody"], 2), (["editions"], 4)])
def test_where_nothing_can_be_said_the_exit_code_still_tells(
    starter_store: Path, command: list[str], code: int
) -> None:
    with open("/dev/full", "wb") as full:
        command = [*PROGRAM, *command, "--store", str(starter_store)]
        assert subprocess.run(command, stdout=full, stderr=full, check=False).returncode == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_work_goes_on_where_its_progress_cannot_be_told() -> None:
    with open("/dev/full", "wb") as full:
        command = [*PROGRAM, "build", str(PAGE), "--store", "made", "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.returncode, len(json.loads(done.stdout)["documents"])) == (0, 1)


def test_a_build_without_room_for_its_files_is_trouble_of_the_machine(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulesgraph.loaders.building import prepare

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), f"{tempfile.gettempdir()}/x")

    monkeypatch.setattr(prepare, "write_quads", full)
    code, out, err = run("build", PAGE, "--store", "made")
    assert (code, out) == (4, "")
    assert f"system error: {tempfile.gettempdir()}/x cannot be written: {os.strerror(errno.ENOSPC)}" in err
    assert "TMPDIR" in err
    assert not Path("made").exists()


def test_a_file_that_may_not_grow_is_named() -> None:
    """By its folder if it is a temporary one."""
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (50_000, 50_000))
    for command, place in (("build", tempfile.gettempdir()), ("vocabulary", "the output (stdout)")):
        with open("page", "wb") as page:
            done = subprocess.run(
                [*PROGRAM, command], preexec_fn=limit, stdout=page, stderr=subprocess.PIPE, check=False
            )
        said = done.stderr.decode()
        assert (done.returncode, "ulimit -f" in said) == (4, True)
        assert re.search(rf"{re.escape(place)}\S* cannot be written: {os.strerror(errno.EFBIG)}", said)


def test_what_is_trouble_of_the_machine() -> None:
    assert trouble_of(MemoryError()).startswith("out of memory")
    assert trouble_of(RuntimeError("can't start new thread")).startswith("out of memory")
    assert "ulimit -n" in trouble_of(OSError(errno.EMFILE, "too many"))
    assert trouble_of(sqlite3.OperationalError("database or disk is full")).startswith("the search index")
    assert trouble_of(ValueError("x")) == trouble_of(OSError("of somebody's own")) == ""


@pytest.mark.parametrize(
    "closed",
    first(
        1,
        ([0, 1, 2], [1], [2]),
        pytest.mark.long(small="test_streams_that_are_closed_are_read_and_written_nowhere"),
    ),
)
def test_streams_that_are_closed_are_read_and_written_nowhere(
    starter_store: Path, tmp_path: Path, closed: list[int]
) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    page = tmp_path / "page.html"
    command = ["vocabulary", "-o", str(page)]
    for words in (["ask", "redirects", "--store", str(starter_store)], command):
        done = subprocess.run([*PROGRAM, *words], preexec_fn=close, capture_output=True, check=False)
        is_lost = words[0] == "ask" and 1 in closed  # what was asked for
        assert (done.returncode, b"Traceback" in done.stderr) == (4 if is_lost else 0, False)
        assert (b"the output (stdout) cannot be written" in done.stderr) == (is_lost and 2 not in closed)
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert page.read_bytes().rstrip().endswith(b"</html>")


ALLOWED = 200
"""Megabytes with which Python starts, and the store's engine does not."""


def limited(megabytes: int) -> Callable[[], None]:
    """Return what gives a process so much memory (as `ulimit -v` does)."""
    return partial(resource.setrlimit, resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


RAN_OUT = "rulesgraph: out of memory"


@pytest.mark.parametrize(
    "command",
    first(
        2,
        (
            ["build", str(PAGE)],
            ["ask", "redirects"],
            ["sparql", "ASK {}"],
            ["serve", "--port", "0"],
            ["viz", "-o", "map.html"],
        ),
        pytest.mark.long(small="test_memory_that_is_refused_is_told_in_a_sentence"),
    ),
)
def test_memory_that_is_refused_is_told_in_a_sentence(mini_store: Path, command: list[str]) -> None:
    """Also where native code ends its process for it."""
    store = "made" if command[0] == "build" else str(mini_store)
    done = subprocess.run(
        [*PROGRAM, *command, "--store", store],
        preexec_fn=limited(ALLOWED),
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (4, "")
    said, way_out = done.stderr.splitlines()
    assert said.removesuffix(f": this process may use {ALLOWED} MB (ulimit -v)") == RAN_OUT
    assert "llow more" in way_out
    if command[0] == "build":
        assert rulesgraph.build(PAGE, store=store).documents  # what was left does not matter


@pytest.mark.parametrize(
    ("work", "code", "says"),
    [
        ("lambda: 1", 1, ""),
        ("lambda: os._exit(1)", 4, RAN_OUT),
        ("lambda: os._exit(127)", 4, RAN_OUT),
        ("os.abort", 4, RAN_OUT),
        ("lambda: os.kill(os.getpid(), 11)", 4, "rulesgraph: stopped (SIGSEGV): out of stack"),
        ("lambda: {}[0]", 1, "Traceback"),
        ("lambda: b'.' * (1 << 40)", 4, RAN_OUT),
        ("lambda: os._exit(130)", 130, ""),
        ("sys.exit", 0, ""),
    ],
)
def test_how_a_process_whose_memory_is_limited_ends(work: str, code: int, says: str) -> None:
    imports = "import os, sys; from rulesgraph.app.trouble import within_memory_limit"
    command = [sys.executable, "-c", f"{imports}; sys.exit(within_memory_limit({work}))"]
    done = subprocess.run(command, preexec_fn=limited(ALLOWED), capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr[: len(says)], done.stderr == "") == (code, says, not says)


def test_with_memory_enough_a_limit_changes_nothing(mini_store: Path) -> None:
    """Even though it is less than a query may use by default."""
    for limit in (None, limited(3000)):
        done = subprocess.run(
            [*PROGRAM, "sparql", "SELECT (1 AS ?n) {}", "--format", "csv", "--store", str(mini_store)],
            preexec_fn=limit,
            capture_output=True,
            check=False,
            text=True,
        )
        assert (done.returncode, done.stdout) == (0, "n\n1\n")
        assert done.stderr == "1 row, from cr-2031-07-01\n"


def test_nothing_reaches_a_terminal_that_it_obeys() -> None:
    raw = io.BytesIO()
    stream = TerminalStream(raw, encoding="utf-8")
    text = "a\x1b]0;title\x07 \x1b[1mbold\x1b[0m \x9b31m é\n"
    assert stream.write(text) == len(text)
    stream.flush()
    assert raw.getvalue().decode() == "a\\x1b]0;title\\x07 \x1b[1mbold\x1b[0m \\x9b31m é\n"
    assert harmless("safe \u202eexe.txt") == "safe \\u202eexe.txt"
    assert harmless("\x1b[1mred\x1b[0m") == "\\x1b[1mred\\x1b[0m"


def test_names_of_files_are_shown_and_not_obeyed(run: Run) -> None:
    evil = "evil\x1b[2J\nrulesgraph: all is well.txt"
    Path(evil).write_text("no rules\n")
    code, _, err = run("build", evil)
    assert code == 3
    assert "refused: evil\\x1b[2J\\nrulesgraph: all is well.txt:1: " in err
    assert "\x1b" not in err


def test_a_target_that_is_read_only_is_named_and_not_its_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(place: Path, _: str) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(place))

    monkeypatch.setattr(Path, "open", read_only)
    with pytest.raises(OSError, match="Read-only") as raised, output_file(tmp_path / "graph.html"):
        pass
    assert raised.value.filename == str(tmp_path / "graph.html")


def test_a_full_disk_at_the_target_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/elsewhere")
    with pytest.raises(OSError, match="No space left") as raised, output_file(tmp_path / "graph.html"):
        raise OSError(errno.ENOSPC, "No space left on device")
    told = trouble_of(raised.value)
    assert told == (
        f"system error: {tmp_path / 'graph.html'} cannot be written: No space left on device\n"
        "  Free some space there, or choose another place."
    )
    assert "Temporary files are in" in trouble_of(OSError(errno.ENOSPC, "No space left on device"))
    assert not list(tmp_path.iterdir())


def test_a_full_disk_below_a_site_is_named(
    tmp_path: Path, starter_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **others: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("rulesgraph.app.web.site.publish._published", full)
    with pytest.raises(OSError, match="No space left") as raised:
        rulesgraph.publish(starter_store, tmp_path / "site")
    assert str(tmp_path / "site") in trouble_of(raised.value)


def test_errors_pass_from_a_worker_as_they_are() -> None:
    error = UnknownNameError("term", "Lampe", ("Lamp",), "Ask again.")
    passed = pickle.loads(pickle.dumps(error))
    assert (type(passed), str(passed), passed.suggestions) == (UnknownNameError, str(error), ("Lamp",))
