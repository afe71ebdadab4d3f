"""Many editions in one store: how each figure grows with their number, in processor time.

The editions could be successors of the newest available one, each as different from the one before as real
neighbours are. Stores are where the caller says, best in memory, so that no disk matters.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from pyoxigraph import RdfFormat
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.store import open_store
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.export.notations import lines_of
from rulesgraph.queries.session import Session

from .neighbours import neighbour

GROWTH = (1, 8, 32)
MOST = 128
CONCEPT = "State-Based Actions"
COMMANDS = ("editions", "show 704.5", "check")
"""The commands run on each store from a fresh process."""

_DATE_LINE = re.compile(r"(These rules are (?:current|effective) as of )[^.]+\.")
_OURS = [sys.executable, "-m", "rulesgraph"]
_PLAINLY = """\
import sys, pyoxigraph
store = pyoxigraph.Store(sys.argv[2])
store.bulk_load(path=sys.argv[1], format=pyoxigraph.RdfFormat.N_QUADS)
store.flush()"""


class Grown(NamedTuple):
    """A store of so many editions: its size, and processor times in seconds.

    `memory` is that of the largest process of the build, in MB; `load` is that of a plain `bulk_load` of the
    same quads, `beside` that of another version's build (0: none was given), `question` that of the reliance
    question in an open store, `commands` that of `COMMANDS`.
    """

    editions: int
    quads: int
    megabytes: float
    memory: int
    build: float
    load: float
    beside: float
    add: float
    question: float
    commands: tuple[float, ...]


def following(text: Path, count: int, folder: Path) -> list[Path]:
    """Write `count` editions, a month from each to the next: the text, and its possible successors."""
    day = date.fromisoformat(text.stem)
    words = "\n".join(read_source(text).lines)
    written = []
    for place in range(count):
        target = folder / f"{day}.txt"
        words = _DATE_LINE.sub(rf"\g<1>{day:%B} {day.day}, {day.year}.", words, count=1)
        target.write_text(words, "utf-8")
        written.append(target)
        words = neighbour(words, f"{text.stem}/{place}")
        day += timedelta(days=30)
    return written


class Spent(NamedTuple):
    """What a command took with all its children: processor and wall time in s, the largest process in MB."""

    seconds: float
    wall: float
    megabytes: int


def spent(command: Sequence[str], *, ends: Collection[int] = (0,)) -> Spent:
    """Run a command; raise `RuntimeError` unless it ends with one of the codes `ends`."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ends:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Spent(used.ru_utime + used.ru_stime, wall, used.ru_maxrss // 1024)


def build_apart(program: Sequence[str], sources: Sequence[Path], store: Path) -> Spent:
    """Build in a separate process with a program."""
    return spent([*program, "build", *map(str, sources), "--store", str(store)])


def load_plainly(store: Path, folder: Path) -> Spent:
    """Load the quads of a store again with only `bulk_load`, in a separate process."""
    quads = folder / "plain.nq"
    write_quads(store, quads)
    took = spent([sys.executable, "-c", _PLAINLY, str(quads), str(folder / "plain")])
    quads.unlink()
    return took


def write_quads(store: Path, target: Path) -> None:
    """Write all quads of a store into a file, as N-Quads."""
    built = open_store(store)
    with target.open("w", encoding="utf-8") as file:
        for graph in built.graphs():
            file.writelines(lines_of(built, [graph], RdfFormat.N_QUADS))


def alone(sources: Sequence[Path], folder: Path, runs: int) -> tuple[list[Spent], list[Spent]]:
    """Build a store, and load its quads plainly, in turn and each time in a separate process.

    Returns the costs of the builds and the loads; the first store stays at `folder`/0/store.
    """
    ours, plain = [], []
    for place in range(runs):
        here = folder / str(place)
        here.mkdir(parents=True)
        ours.append(build_apart(_OURS, sources, here / "store"))
        plain.append(load_plainly(here / "store", here))
    return ours, plain


def answer_time(store: Path, concept: str, edition: str | None = None) -> float:
    """Return the shortest of five times of the reliance question in an open store."""
    session = Session(open_store(store))
    times = []
    for _ in range(5):
        started = time.process_time()
        assert ask(session, "terms_relying_on", [concept], edition=edition).rows
        times.append(time.process_time() - started)
    return min(times)


class StoreFigures(NamedTuple):
    """An existing store: its size, and the processor time of questions to it; see `Grown`."""

    editions: int
    quads: int
    megabytes: float
    question: float
    commands: tuple[float, ...]


def asked(store: Path) -> StoreFigures:
    """Ask a store all questions, and change nothing in it."""
    opened = open_store(store)
    commands = (
        min(spent([*_OURS, *command.split(), "--store", str(store)], ends=(0, 1)) for _ in range(3)).seconds
        for command in COMMANDS
    )
    return StoreFigures(
        editions=len(Session(opened).editions()),
        quads=opened.size(),
        megabytes=sum(file.stat().st_size for file in store.rglob("*") if file.is_file()) / 1e6,
        question=answer_time(store, CONCEPT),
        commands=tuple(commands),
    )


def stages(text: Path, folder: Path, counts: Sequence[int], beside: str = "") -> Iterator[Grown]:
    """Yield the figures of stores of so many editions; `beside` is the program of another version."""
    (folder / "following").mkdir()
    editions = following(text, max(counts) + 1, folder / "following")
    for count in counts:
        place = folder / str(count)
        place.mkdir()
        store = place / "store"
        build = build_apart(_OURS, editions[:count], store)
        found = asked(store)
        yield Grown(
            editions=count,
            quads=found.quads,
            megabytes=found.megabytes,
            memory=build.megabytes,
            build=build.seconds,
            load=load_plainly(store, place).seconds,
            beside=build_apart([beside], editions[:count], place / "beside").seconds if beside else 0.0,
            question=found.question,
            commands=found.commands,
            add=build_apart(_OURS, editions[count : count + 1], store).seconds,
        )
