"""Many editions in one store: every real one that is at hand, and such as could have followed the newest."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import pyoxigraph
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.store import open_store
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.export.notations import quad_lines_of
from rulesgraph.queries.session import Session

from .neighbours import neighbour

GROWTH = (1, 8, 32)
CONCEPT = "State-Based Actions"
EditionFigure = tuple[str, float, str, float, str]
"""What was done, our seconds, what it is compared with, its seconds, and the aim as a ratio."""

MOST = 128
_DATE_LINE = re.compile(r"(These rules are (?:current|effective) as of )[^.]+\.")


def following(text: Path, count: int, folder: Path) -> list[Path]:
    """Write `count` editions, a month from each to the next: the text, and what could have followed it."""
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


def build_apart(sources: Sequence[Path], store: Path) -> tuple[float, int]:
    """Build in a process of its own; return seconds, and the peak memory of its largest process in MB."""
    program = "import sys; from rulesgraph.app.cli import main; sys.exit(main())"
    started = time.perf_counter()
    command = [sys.executable, "-c", program, "build", *map(str, sources), "--store", str(store)]
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.perf_counter() - started
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def load_plainly(store: Path, folder: Path) -> float:
    """Load the quads of a store anew with `bulk_load` alone; return seconds."""
    built = open_store(store)
    quads = folder / "plain.nq"
    with quads.open("w", encoding="utf-8") as file:
        for graph in built.graphs():
            file.writelines(quad_lines_of(built, [graph]))
    target = folder / "plain"
    started = time.perf_counter()
    loaded = pyoxigraph.Store(str(target))
    loaded.bulk_load(path=str(quads), format=pyoxigraph.RdfFormat.N_QUADS)
    seconds = time.perf_counter() - started
    assert len(loaded) == built.size()
    return seconds


def answer_time(store: Path, concept: str, edition: str | None = None) -> float:
    """Return the shortest of five times that the reliance question takes in an open store."""
    session = Session(open_store(store))
    times = []
    for _ in range(5):
        started = time.perf_counter()
        assert ask(session, "terms_relying_on", [concept], edition=edition).rows
        times.append(time.perf_counter() - started)
    return min(times)


def measure(texts: Sequence[Path], folder: Path, counts: Sequence[int]) -> Iterator[EditionFigure]:
    """Yield the comparisons for all editions at hand, and for stores of as many editions as `counts` says.

    The editions of a growing store follow the newest of `texts`, each as different from the one before as
    real neighbours are.
    """
    yield _built("all editions at hand", texts, folder)
    newest = texts[-1]
    (folder / "following").mkdir()
    editions = following(newest, max(counts) + 1, folder / "following")
    for count in counts:
        yield _built(f"{count} like {newest.stem}", editions[:count], folder)
    one, many = (folder / f"{count} like {newest.stem}" / "store" for count in (counts[0], counts[-1]))
    alone = answer_time(one, CONCEPT)
    yield f"a question among {counts[-1]}", answer_time(many, CONCEPT), "among one", alone, "1.2"
    limited = answer_time(many, CONCEPT, f"cr-{newest.stem}")
    yield "the same with --edition", limited, "among one", alone, "3"
    seconds, _ = build_apart(editions[-1:], many)
    alone, _ = build_apart(editions[-1:], folder / "alone")
    yield f"add an edition to {counts[-1]}", seconds, "build it alone", alone, "2"


def _built(name: str, sources: Sequence[Path], folder: Path) -> EditionFigure:
    place = folder / name
    place.mkdir()
    seconds, memory = build_apart(sources, place / "store")
    size = open_store(place / "store").size()
    disk = sum(file.stat().st_size for file in (place / "store").rglob("*") if file.is_file()) >> 20
    each = size // len(sources)
    label = f"build {name} ({size:,} quads, {each:,} an edition, {disk} MB, {memory} MB of memory)"
    return label, seconds, "bulk_load of its quads", load_plainly(place / "store", place), "2"
