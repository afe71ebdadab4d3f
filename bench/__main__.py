"""Measure, and print each figure beside a plain equivalent: `make bench`.

Figures of one machine say little about another, ratios of one run say more: each line compares the work of
rulesgraph with the minimum that any program on the same engine would have to do. Each figure is the best of
several runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import rdflib
from rulesgraph.app.tables import table
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.iris import Iris
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.export.notations import lines_of
from rulesgraph.queries.session import Session

from . import COMMAND, cpu_of
from .citing import citing
from .editions import GROWTH, MOST, alone, asked, stages, write_quads
from .endpoint import ENDPOINT_COLUMNS, endpoint_rows
from .growth import ASKED_COLUMNS, COLUMNS, asked_row, plot, rows
from .pictures import pictures
from .serving import Load, PageLoad, loads, page_loads

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("RULESGRAPH_SHARED", ROOT.parent / "shared"))
MEMORY = Path("/dev/shm")
"""A folder in memory, so that the machine's disk does not matter."""

QUESTION = "terms_relying_on"
CONCEPT = "State-Based Effects"
IN_WORDS = "what is trample?"
ENGINE = 'python -c "import pyoxigraph"'
COLD_RUNS = 15
WARM_RUNS = 3

CHAINS = """
PREFIX rg: <https://w3id.org/rulesgraph/ns#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX dcterms: <http://purl.org/dc/terms/>
SELECT DISTINCT ?name WHERE {
  <https://w3id.org/rulesgraph/term/state-based-effects> rg:definedBy?/(^dcterms:isPartOf)* ?target .
  ?term rg:dependsOn+ ?target ; skos:prefLabel ?name
} ORDER BY ?name"""
"""The reliance question as plain SPARQL that both libraries understand: chains of explicit links."""


@dataclass(frozen=True)
class Figure:
    """One comparison; both times in seconds."""

    what: str
    ours: float
    plain_work: str
    plain: float
    aim: str = ""


def best(work: Callable[[], object], runs: int) -> float:
    """Return the shortest time that `work` took, in seconds."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def built(what: str, sources: Sequence[Path], folder: Path, aim: str) -> list[Figure]:
    """Compare a build with a `bulk_load` of its quads: a process each, wall time and CPU.

    Nothing is warm: no process profits from another. The store stays at `folder`/what/0/store.
    """
    ours, plain = alone(sources, folder / what, WARM_RUNS)
    size = open_store(folder / what / "0" / "store").size()
    return [
        Figure(
            f"build {what} ({size:,} quads), {called}",
            min(getattr(it, measured) for it in ours),
            "a process with bulk_load",
            min(getattr(it, measured) for it in plain),
            aim,
        )
        for called, measured in (("wall", "wall"), ("CPU", "seconds"))
    ]


def peers(own: Figure, store: Path, folder: Path) -> list[Figure]:
    """Compare a build with other loaders of its quads: rdflib's parser, the loader of oxigraph."""
    quads = folder / "peer.nq"
    write_quads(store, quads)

    def parsing() -> None:
        rdflib.Dataset().parse(str(quads), format="nquads")

    program = str(Path(sys.executable).with_name("oxigraph"))
    command = [program, "load", "--location", str(folder / "peer"), "--file", str(quads)]

    def loading() -> None:
        subprocess.run(command, check=True, capture_output=True)

    return [
        Figure(own.what, own.ours, "rdflib parsing its quads", best(parsing, 1)),
        Figure(own.what, own.ours, "`oxigraph load` of its quads", best(loading, 1)),
    ]


def bare_import() -> Figure:
    """Compare a process that imports the package with one that does nothing."""
    ours, plain = ([sys.executable, "-c", program] for program in ("import rulesgraph", "pass"))
    return Figure(
        "import rulesgraph",
        best(lambda: subprocess.run(ours, check=True), COLD_RUNS),
        "bare Python",
        best(lambda: subprocess.run(plain, check=True), COLD_RUNS),
        "3 ms more",
    )


def cold_starts(small: Path, newest: Path) -> list[Figure]:
    """Compare questions from fresh processes with a process that only imports the engine: seconds of CPU."""
    engine = cpu_of([sys.executable, "-c", "import pyoxigraph"], COLD_RUNS)
    asked = (
        ("cold `rulesgraph ask`, CPU", [str(small), QUESTION, CONCEPT], "4"),
        ("cold question in words, CPU", [str(newest), IN_WORDS], "8"),
    )
    return [
        Figure(what, cpu_of([*COMMAND, "ask", "--store", *arguments], COLD_RUNS), ENGINE, engine, aim)
        for what, arguments, aim in asked
    ]


def questions(location: Path) -> list[Figure]:
    """Compare the reliance question, with and without its evidence, with rdflib's own engine."""
    store = open_store(location)
    session = Session(store)
    current = Iris(store.base).graph("current")
    graph = rdflib.Graph().parse(data="".join(lines_of(store, [current])), format="nt")
    plain = best(lambda: list(graph.query(CHAINS)), 1)
    names = {str(row[0]) for row in graph.query(CHAINS)}  # type: ignore[index]

    def chains() -> None:
        answer = session.sparql(CHAINS)
        assert {str(row[0]) for row in answer.rows} == names  # type: ignore[union-attr]

    return [
        Figure("chains of explicit links, in SPARQL", best(chains, WARM_RUNS), "rdflib", plain),
        Figure(
            "the reliance question with its evidence",
            best(lambda: ask(session, QUESTION, [CONCEPT]), WARM_RUNS),
            "rdflib, names alone",
            plain,
        ),
    ]


def shown(seconds: float) -> str:
    """Return a time as people read it.

    >>> shown(0.0123), shown(1.5)
    ('12.3 ms', '1.50 s')
    """
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def growth(counts: Sequence[int], beside: str = "") -> None:
    """Measure stores of so many editions, in memory if there is such a folder; print and draw the result."""
    newest = max((SHARED / "corpora" / "cr").glob("*.txt"))
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        measured = list(stages(newest, Path(scratch), counts, beside))
    print(table(COLUMNS, rows(measured), width=160), end="")
    target = ROOT / "docs" / "growth.svg"
    target.write_text(plot(measured), encoding="utf-8")
    print(f"drawn in {target}", file=sys.stderr)


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--quick", action="store_true", help="leave the stores of many editions out")
    what.add_argument("--most", action="store_true", help=f"go on to a store of {MOST} editions")
    what.add_argument(
        "--growth", type=_counts, metavar="N,…", help="build stores of so many editions, and nothing else"
    )
    what.add_argument("--asked", type=_stores, metavar="STORE,…", help="ask stores that are there")
    what.add_argument(
        "--endpoint", type=Path, metavar="STORE", help="ask one that is there, and Oxigraph's server over it"
    )
    what.add_argument(
        "--service", type=Path, metavar="STORE", help="ask `serve` over one that is there, and that server"
    )
    parser.add_argument(
        "--beside",
        default="",
        metavar="PROGRAM",
        help="another version that builds the stores of --growth, too",
    )
    return parser.parse_args()


def _counts(text: str) -> list[int]:
    return [int(count) for count in text.split(",")]


def _stores(text: str) -> list[Path]:
    return [Path(store) for store in text.split(",")]


def main() -> None:
    """Measure what is requested, or everything that can be measured here, and print it as tables."""
    chosen = options()
    if chosen.endpoint:
        print(table(ENDPOINT_COLUMNS, list(endpoint_rows(chosen.endpoint)), width=160), end="")
        return
    if chosen.service:
        with tempfile.TemporaryDirectory() as scratch:
            print_service(loads(chosen.service, Path(scratch)), page_loads(chosen.service, Path(scratch)))
        return
    if chosen.asked:
        measured = [asked_row(asked(store)) for store in chosen.asked]
        print(table(ASKED_COLUMNS, measured, width=160), end="")
        return
    if chosen.growth:
        growth(chosen.growth, chosen.beside)
        return
    seeds, rules = SHARED / "seeds", SHARED / "corpora" / "cr" / "2008-02-01.txt"
    if not rules.exists():
        sys.exit(f"the real documents are not at {SHARED} (set RULESGRAPH_SHARED)")
    pages = [page for number in ("000", "003", "004") for page in seeds.glob(f"{number}_*.txt")]
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        folder = Path(scratch)
        newest = max((SHARED / "corpora" / "cr").glob("*.txt"))
        small = built("three rulings pages", pages, folder, "3")
        old = built(rules.stem, [rules], folder, "3")
        small_store, old_store = (
            folder / what / "0" / "store" for what in ("three rulings pages", rules.stem)
        )
        figures = [*small, *old, *built(newest.stem, [newest], folder, "2")]
        figures += [*peers(old[0], old_store, folder), bare_import()]
        figures += cold_starts(small_store, folder / newest.stem / "0" / "store")
        figures += questions(small_store)
        edition = Session(open_store(folder / newest.stem / "0" / "store"))
        figures += [Figure(*it) for it in citing(edition, folder / "tree")]
        pages_shown = pictures(newest, folder)
        served = loads(old_store, folder)
        pages_served = page_loads(folder / newest.stem / "0" / "store", folder)
    compared = [
        (f.what, shown(f.ours), f.plain_work, shown(f.plain), f"{f.ours / f.plain:.2g}", f.aim)
        for f in figures
    ]
    columns = ("rulesgraph", "takes", "compared with", "takes ", "ratio", "aim: under")
    print(table(columns, compared, width=120), end="")
    print(table(("picture", "takes", "aim"), pages_shown, width=120), end="")
    print_service(served, pages_served)
    if not chosen.quick:
        growth((*GROWTH, MOST) if chosen.most else GROWTH, chosen.beside)


def print_service(served: Sequence[Load], pages: Sequence[PageLoad]) -> None:
    """Print the rates of the service as tables, or why there are none."""
    if not served:
        print("The service was not measured: wrk, which asks it, is not installed.")
        return
    rates = [
        (it.what, f"{it.ours:.1f}", f"{it.plain:.1f}", f"{it.ours / it.plain:.2g}", it.aim) for it in served
    ]
    rival = "oxigraph serve-read-only"
    head = ("SPARQL over HTTP, requests a second", "serve", rival, "ratio", "aim: over")
    print(table(head, rates, width=120), end="")
    read = [(it.what, f"{it.rate:.0f}", it.aim) for it in pages]
    print(table(("pages over HTTP, a second", "serve", "aim: over"), read, width=120), end="")


if __name__ == "__main__":
    main()
