"""The same questions to a folder, and to an engine's own server over the same files: the cost of each."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .serving import database, oxigraph

QUESTIONS = (
    ("ask", "Which terms rely on state-based actions?"),
    ("show", "704.5"),
    ("show", "Protection"),
    ("trace", "704.5"),
    ("diff", "{before}", "{newest}"),
    ("editions",),
    ("search", "lethal damage"),
    ("check",),
)
"""The questions; the two newest editions are inserted."""

ENDPOINT_COLUMNS = (
    "command",
    "folder: CPU",
    "wall",
    "server: CPU of ours",
    "of the server",
    "wall ",
    "bytes",
)

_OURS = (sys.executable, "-m", "rulesgraph")
_RUNS = 2
_TICKS = os.sysconf("SC_CLK_TCK")


class Turn(NamedTuple):
    """One run of a command: its output, and seconds of its processes, of a server, and by the clock."""

    output: bytes
    ours: float
    server: float
    wall: float


def endpoint_rows(store: Path) -> Iterator[tuple[str, ...]]:
    """Yield a row of `ENDPOINT_COLUMNS` for each question, the best of two runs each, in turn.

    The first run of each is not counted: it makes missing indexes of words. Raises `AssertionError` if folder
    and server answer differently.
    """
    editions = _turn(["editions", "--format", "tsv", "--store", str(store)]).output.decode().splitlines()
    before, newest = sorted(line.split("\t")[0] for line in editions[1:])[-2:]
    with oxigraph(database(store)) as server:
        for words in QUESTIONS:
            command = [word.format(before=before, newest=newest) for word in words]
            here, there = [], []
            for _ in range(_RUNS + 1):
                here.append(_turn([*command, "--store", str(store)]))
                there.append(_turn([*command, "--store", server.address], server.process))
            assert {it.output for it in (*here, *there)} == {here[0].output}, command
            folder, endpoint = (min(turns[1:], key=lambda it: it.ours + it.server) for turns in (here, there))
            figures = (folder.ours, folder.wall, endpoint.ours, endpoint.server, endpoint.wall)
            yield shlex.join(command), *(f"{it:.2f}" for it in figures), f"{len(folder.output):,}"


def _turn(words: Sequence[str], server: int | None = None) -> Turn:
    before, started = _time_of(server), time.perf_counter()
    process = subprocess.Popen([*_OURS, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1}:
        raise RuntimeError(f"{shlex.join(words)} ended with {process.returncode}")
    wall = time.perf_counter() - started
    return Turn(output, used.ru_utime + used.ru_stime, _time_of(server) - before, wall)


def _time_of(process: int | None) -> float:
    """Return the processor time that a process has used, in seconds."""
    if process is None:
        return 0.0
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
