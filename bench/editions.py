"""Many editions in one store: every real one that is at hand, and re-dated copies up to 128."""

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

MANY = 128
_DATE_LINE = re.compile(r"(These rules are (?:current|effective) as of )[^.]+\.")


def re_dated(texts: Sequence[Path], count: int, folder: Path) -> list[Path]:
    """Write `count` editions: each text in its turn, dated anew at even steps up to the next one's date."""
    issued = [date.fromisoformat(path.stem) for path in texts]
    following = [*issued[1:], issued[-1] + timedelta(days=300)]
    written = []
    for place, (path, begin, end) in enumerate(zip(texts, issued, following, strict=True)):
        copies = count // len(texts) + (place < count % len(texts))
        words = "\n".join(read_source(path).lines)
        for copy in range(copies):
            day = begin + (end - begin) * copy // copies
            target = folder / f"{day}.txt"
            target.write_text(
                _DATE_LINE.sub(rf"\g<1>{day:%B} {day.day}, {day.year}.", words, count=1), "utf-8"
            )
            written.append(target)
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


def measure(texts: Sequence[Path], folder: Path) -> Iterator[tuple[str, float, str, float, str]]:
    """Yield (what, our seconds, compared with, its seconds, aim as a ratio) for growing stores."""
    for name, sources in (("all editions at hand", texts), (f"{MANY} editions", None)):
        place = folder / name.replace(" ", "-")
        place.mkdir()
        chosen = sources if sources is not None else re_dated(texts, MANY, place)
        store = place / "store"
        seconds, memory = build_apart(chosen, store)
        size = open_store(store).size()
        label = f"build {name} ({size:,} quads, {memory} MB at most)"
        yield label, seconds, "bulk_load of its quads", load_plainly(store, place), ""
    many, one = folder / f"{MANY}-editions" / "store", folder / "one"
    newest = max(re_dated(texts[-1:], 1, folder))
    build_apart([newest], one)
    alone = answer_time(one, "State-Based Actions")
    yield (
        f"a question among {MANY} editions",
        answer_time(many, "State-Based Actions"),
        "among one",
        alone,
        "",
    )
    limited = answer_time(many, "State-Based Actions", f"cr-{texts[-1].stem}")
    yield "the same with --edition", limited, "among one", alone, "3"
    words = newest.read_text("utf-8")
    later = folder / "later.txt"
    day = date.fromisoformat(texts[-1].stem) + timedelta(days=400)
    later.write_text(_DATE_LINE.sub(rf"\g<1>{day:%B} {day.day}, {day.year}.", words, count=1), "utf-8")
    seconds, _ = build_apart([later], many)
    yield (
        f"add an edition to {MANY}",
        seconds,
        "build it alone",
        build_apart([later], folder / "alone")[0],
        "",
    )
