"""How commands end: in time, at Ctrl-C, when killed, or when the reader has had enough."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from commands import MINI, PAGE, PROGRAM, Run, contents
from rulesgraph.app import commands
from rulesgraph.app.trouble import Terminated
from sweep import first

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


HOPELESS = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c != ?f && ?f != ?i) }"


def _run_instead(monkeypatch: pytest.MonkeyPatch, name: str, run: Callable[[object], int]) -> None:
    """Let a command run another function."""
    command = commands.find(name)
    assert command
    monkeypatch.setattr(sys.modules[command.run.__module__], name, command._replace(run=run))


def test_a_query_may_take_only_so_long(run: Run, starter_store: Path) -> None:
    code, out, err = run("sparql", HOPELESS, "--timeout", "0.5", "--store", starter_store)
    assert (code, out) == (4, "")
    assert "0.5" in err


def test_a_reader_that_has_enough_is_no_error(starter_store: Path) -> None:
    command = [*PROGRAM, "export", "--as", "nquads", "--store", str(starter_store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


ASKING = """
import signal, sys
from {module} import {owner}

def told(*args, ask={owner}.{method}, **options):
    print("asking", file=sys.stderr, flush=True)
    {wait}
    return ask(*args, **options)

{owner}.{method} = told
signal.signal(signal.SIGINT, signal.{handler})
from rulesgraph.app.cli import main
sys.argv[0] = "rulesgraph"
sys.exit(main())
"""
"""The program, which says when it begins to ask its store. A shell that runs it in the background ignores
Ctrl-C for it, and so does what runs the tests: what is right in each case is set here."""

IN_THE_PROCESS = {"module": "rulesgraph.loaders.store.local", "owner": "LocalStore", "method": "answer"}
IN_A_WORKER = {
    "module": "rulesgraph.loaders.store.timed_queries",
    "owner": "TimedQueries",
    "method": "answer",
}


@pytest.mark.parametrize("memory", [resource.RLIM_INFINITY, 8 << 30], ids=["free", "in a child"])
@pytest.mark.parametrize(("asked", "options"), [(IN_THE_PROCESS, []), (IN_A_WORKER, ["--timeout", "600"])])
def test_ctrl_c_ends_even_a_hopeless_query(
    starter_store: Path, asked: dict[str, str], options: list[str], memory: int
) -> None:
    program = ASKING.format(**asked, handler="default_int_handler", wait="")
    command = [sys.executable, "-c", program, "sparql", HOPELESS, *options, "--store", str(starter_store)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (memory, memory)),  # noqa: PLW1509
    ) as process:
        assert process.stderr
        assert process.stderr.readline() == b"asking\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert err == b"rulesgraph: stopped\n"


def test_ctrl_c_is_not_for_a_process_that_was_started_without_it(starter_store: Path) -> None:
    program = ASKING.format(**IN_THE_PROCESS, handler="SIG_IGN", wait="sys.stdin.readline()")
    command = [sys.executable, "-c", program, "sparql", "ASK { }", "--store", str(starter_store)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stderr
        assert process.stderr.readline() == b"asking\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(b"\n")
    assert (process.returncode, out.split()[-1]) == (0, b"true")


HALTING = """
import sys

def halt(event, args):
    if event == "{event}" and str(args[{place}]).endswith("{name}"):
        print("halted", flush=True)
        sys.stdin.read()

sys.addaudithook(halt)
from rulesgraph.app.cli import main
sys.exit(main())
"""
"""The program, which stops and waits when it is about to touch a file of a store."""


@pytest.mark.parametrize(
    "moment",
    first(
        1,
        (
            {"event": "open", "place": 0, "name": "rulesgraph.json.new"},
            {"event": "open", "place": 0, "name": "lanterns-2031-02-01.txt"},
            {"event": "os.rename", "place": 1, "name": "rulesgraph.json"},
        ),
        pytest.mark.long(small="test_a_build_that_is_killed_leaves_the_store_as_it_was"),
    ),
    ids=["when all is written", "before it reads", "one step before the end"],
)
def test_a_build_that_is_killed_leaves_the_store_as_it_was(
    run: Run, starter_copy: Path, moment: dict[str, object]
) -> None:
    before = contents(run, starter_copy)
    command = [
        sys.executable,
        "-c",
        HALTING.format(**moment),
        "build",
        str(MINI),
        "--store",
        str(starter_copy),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        assert process.stdout.readline() == b"halted\n"
        process.kill()
    assert contents(run, starter_copy) == before
    assert run("build", PAGE, "--store", starter_copy)[0] == 0


@pytest.mark.parametrize(("stop", "code"), [("KeyboardInterrupt", 130), ("trouble.Terminated", 143)])
def test_a_command_that_is_stopped_before_it_has_begun_says_so(stop: str, code: int) -> None:
    program = f"""
import sys, threading
from rulesgraph.app import cli, trouble

def stopped(*_):
    raise {stop}

threading.Thread.start = stopped
sys.argv = ["rulesgraph", "editions"]
sys.exit(cli.main())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, b"", b"rulesgraph: stopped\n")


@pytest.mark.parametrize(("stop", "code"), [(KeyboardInterrupt, 130), (Terminated, 143)])
def test_a_command_that_is_stopped_while_a_class_is_made_says_so(
    run: Run, starter_store: Path, monkeypatch: pytest.MonkeyPatch, stop: type[KeyboardInterrupt], code: int
) -> None:
    class Halting:
        def __set_name__(self, *_: object) -> None:
            raise stop

    def make(_options: object) -> int:
        type("Made", (), {"name": Halting()})
        return 0

    _run_instead(monkeypatch, "editions", make)
    assert run("editions", "--store", starter_store) == (code, "", "rulesgraph: stopped\n")


def test_what_nobody_foresaw_is_one_sentence(
    run: Run, starter_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_options: object) -> int:
        raise ZeroDivisionError("the moon is full")

    _run_instead(monkeypatch, "editions", fail)
    code, out, err = run("editions", "--store", starter_store)
    assert (code, out) == (4, "")
    assert "ZeroDivisionError: the moon is full" in err
    assert "RULESGRAPH_DEBUG=1" in err
    monkeypatch.setenv("RULESGRAPH_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("editions", "--store", starter_store)


def packages_loaded(*arguments: str) -> set[str]:
    """Return the packages that a fresh interpreter has imported after a command."""
    program = (
        f"import sys; from rulesgraph.app.cli import main; main({[*arguments]!r}); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


def test_asking_imports_little(starter_store: Path) -> None:
    heavy = set(
        "rdflib pyvis owlready2 rustworkx tqdm inflection networkx jinja2 numpy rapidfuzz ahocorasick "
        "hashlib httpx wcwidth".split()
    )
    assert packages_loaded("ask", "terms_relying_on", "420", "--store", str(starter_store)) & heavy == set()


def test_building_imports_what_it_needs(tmp_path: Path) -> None:
    """rdflib takes as long as a page does; numpy is only for rules known by their similarity.

    rapidfuzz is for comparisons, and a single edition is compared with nothing.
    """
    rules = MINI / "lanterns-2031-02-01.txt"
    loaded = packages_loaded("build", "--store", str(tmp_path / "store"), str(rules))
    heavy = set(
        "rdflib pyvis owlready2 rustworkx networkx jinja2 numpy httpx rapidfuzz multiprocessing".split()
    )
    assert loaded & heavy == set()
    assert {"pyoxigraph", "ahocorasick"} <= loaded


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("build", "nothing was kept; there is no store at rulesgraph-store yet"),
        (
            "build --store {store}",
            "{store} is complete or unchanged (`rulesgraph editions --store {store}`",
        ),
        ("viz -o x.html", "a file is written whole"),
    ],
)
def test_who_stops_a_command_that_writes_is_told_what_stays(
    run: Run, monkeypatch: pytest.MonkeyPatch, starter_store: Path, name: str, said: str
) -> None:
    name, said = (it.format(store=starter_store) for it in (name, said))

    def stop(_options: object) -> int:
        raise KeyboardInterrupt

    _run_instead(monkeypatch, name.split(maxsplit=1)[0], stop)
    code, out, err = run(*name.split())
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert err.startswith(f"rulesgraph: stopped: {said}")
    assert "Run the command again" in err


def test_several_threads_that_end_a_process_say_so_once() -> None:
    """A server and the watch for signals share a signal; the first one reports it and cleans up alone."""
    program = """
import threading
from contextlib import suppress
from rulesgraph.app import trouble
both = threading.Barrier(2)
def tidy():
    with suppress(threading.BrokenBarrierError):
        both.wait(0.2)
trouble.GRACE_SECONDS, trouble.undo_all = 0, tidy
for _ in range(2):
    threading.Thread(target=trouble.end_in_time, args=(143,)).start()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (143, "rulesgraph: stopped\n")
