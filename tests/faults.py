"""Kill builds, loads and sites at random moments, and check what is left: `make faults`.

Each round starts a command in a session of its own and ends it by SIGKILL, SIGTERM or SIGINT at a moment
drawn by seed. The result must equal the state before, or the result of the whole command. No process may
remain, nobody may have to wait for it, and the next command removes what the killed one left in the temporary
folder. In some rounds a service answers questions while its store is swapped.

    .venv/bin/python tests/faults.py --seed 1 --kills 200
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from commands import MINI, PROGRAM
from live import service
from rulesgraph.app.web.site.folder import DRAFT, MANIFEST
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import StoreError
from servers import run_oxigraph
from shared import PLACE

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
CODES = {
    signal.SIGKILL: {-signal.SIGKILL},
    signal.SIGTERM: {-signal.SIGTERM, 143},
    signal.SIGINT: {-signal.SIGINT, 130},
}
"""The exit codes of a command that is stopped; also those of Python or the system, before it has begun."""

PATIENCE = 20.0
"""Seconds after which a command that was killed, and all that it started, must be gone."""

TRIES = 50
"""How often a store is read until it is at rest."""

SWEPT_AFTER = 8
"""Kills after which a command is let run to its end."""

SHARES = {"build": 70, "real": 6, "endpoint": 50, "publish": 30, "service": 44}
"""How many of 200 kills each kind of command gets."""


# -- what is seen ----------------------------------------------------------------------------------


def content(store: Path | str) -> str:
    """Return a digest of a store's content, without the names of blank nodes."""
    digests = [""]
    while len(digests) < 3 or digests[-1] != digests[-2]:
        try:
            digests.append(_digest(str(store)))
        except StoreError:  # an endpoint that is still at work gives what does not fit together
            if len(digests) > TRIES:
                raise
            digests.append(f"torn {len(digests)}")
    return digests[-1]


def _digest(store: str) -> str:
    found = open_store(store)
    lines = [f"{graph} {line}" for graph in found.graphs() for line in found.graph_lines(graph)]
    plain = sorted(re.sub(r"_:\S+", "_:b", line) for line in lines)
    return hashlib.sha256("\n".join(plain).encode()).hexdigest()


def files(folder: Path) -> dict[str, str]:
    """Return a digest of each file in a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def session(leader: int) -> list[int]:
    """Return the processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


# -- what is done ----------------------------------------------------------------------------------


@dataclass
class Ledger:
    """The results of killing one kind of command."""

    kind: str
    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def line(self) -> str:
        ends = ", ".join(f"{count} {end}" for end, count in sorted(self.ends.items()))
        return f"{self.kind}: {ends}; slowest end {self.slowest:.1f} s; {len(self.faults)} faults"


class Killer:
    """Runs commands of one kind and ends some of them early."""

    def __init__(self, kind: str, folder: Path, chance: random.Random, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.ledger = Ledger(kind)
        self.folder = folder
        self.temporary = folder / "temporary"
        self.temporary.mkdir(parents=True)
        self._chance = chance
        self._seconds = 0.0

    def rounds(self, kills: int) -> Iterator[int]:
        """Count up to so many kills, as long as there is time."""
        for number in range(kills):
            if time.monotonic() < self._end:
                yield number

    def run(self, *arguments: object) -> None:
        """Run a command to its end, after which its temporary folder is empty."""
        start = time.monotonic()
        with self._started(arguments) as process:
            _, said = process.communicate()
        self._seconds = time.monotonic() - start
        if process.returncode:
            self.ledger.faults.append(f"{arguments[0]} ended with {process.returncode}: {said[-300:]}")
        if left := sorted(path.name for path in self.temporary.iterdir()):
            self.ledger.faults.append(f"{arguments[0]} left {', '.join(left)}")

    def kill(self, *arguments: object) -> str:
        """Start a command and end it; return how, for the report of a fault."""
        how = self._chance.choice(SIGNALS)
        moment = self._chance.uniform(0, 1.05 * self._seconds)
        told = f"{how.name} after {moment:.2f} of {self._seconds:.2f} s"
        with self._started(arguments) as process:
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.send_signal(how)
            start = time.monotonic()
            try:
                _, said = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                self.ledger.faults.append(f"{told}: somebody still holds its stdout")
                for left in session(process.pid):
                    os.kill(left, signal.SIGKILL)
                _, said = process.communicate()
            self.ledger.slowest = max(self.ledger.slowest, time.monotonic() - start)
        starting = how == signal.SIGINT and said.endswith("KeyboardInterrupt\n") and "rulesgraph" not in said
        if process.returncode not in {0, *CODES[how]} and not starting:  # Python itself was starting
            self.ledger.faults.append(f"{told}: ended with {process.returncode}: {said[-300:]}")
        while session(process.pid) and time.monotonic() < start + PATIENCE:
            time.sleep(0.02)
        for one in session(process.pid):
            self.ledger.faults.append(f"{told}: process {one} is left")
            os.kill(one, signal.SIGKILL)
        return told

    @contextmanager
    def _started(self, arguments: tuple[object, ...]) -> Iterator[subprocess.Popen[str]]:
        pipe = subprocess.PIPE
        with subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            env={**os.environ, "TMPDIR": str(self.temporary)},
            start_new_session=True,
            stdout=pipe,
            stderr=pipe,
            text=True,
        ) as process:
            yield process

    def judge(self, told: str, seen: str, *, before: str, after: str) -> bool:
        """Note what was seen; return whether the command had taken effect."""
        end = {before: "as before", after: "as after"}.get(seen, "neither")
        self.ledger.ends[end] += 1
        if end == "neither":
            self.ledger.faults.append(f"{told}: what is there is neither old nor new")
        return seen != before


def killed_builds(killer: Killer, kills: int, first: list[Path], more: list[Path]) -> None:
    """Kill builds that add editions to the folder of a store."""
    store, kept = killer.folder / "store", killer.folder / "kept"
    killer.run("build", *first, "--store", store)
    before = content(store)
    shutil.copytree(store, kept)
    killer.run("build", *more, "--store", store)
    after = content(store)
    for number in killer.rounds(kills):
        if number % SWEPT_AFTER == 0:
            killer.run("build", *more, "--store", store)
            killer.judge("to the end", content(store), before=after, after=after)
            killer.ledger.ends["as after"] -= 1
            shutil.rmtree(store)
            shutil.copytree(kept, store)
        told = killer.kill("build", *more, "--store", store)
        if killer.judge(told, content(store), before=before, after=after):
            shutil.rmtree(store)
            shutil.copytree(kept, store)
    killer.run("build", *more, "--store", store)


def killed_loads(killer: Killer, kills: int, first: list[Path], more: list[Path]) -> None:
    """Kill builds that add editions to an endpoint; the next command there removes what they left."""
    tempfile.tempdir = str(killer.temporary)
    for address in run_oxigraph(killer.folder):
        host = address.removeprefix("http://").removesuffix("/query")
        killer.run("build", *first, "--store", address)
        before = content(address)
        kept = urllib.request.urlopen(f"http://{host}/store").read()
        killer.run("build", *more, "--store", address)
        after = content(address)

        restore(host, kept)
        for _ in killer.rounds(kills):
            told = killer.kill("build", *more, "--store", address)
            if killer.judge(told, content(address), before=before, after=after):
                restore(host, kept)
            every = urllib.request.urlopen(f"http://{host}/store").read().decode()
            if "urn:rulesgraph:new:" in every:
                killer.ledger.faults.append(f"{told}: something unfinished is left at the endpoint")
        killer.run("build", *more, "--store", address)
    tempfile.tempdir = None


def restore(host: str, quads: bytes) -> None:
    """Make a server hold exactly these quads."""
    request = urllib.request.Request(f"http://{host}/store", quads, method="PUT")
    request.add_header("Content-Type", "application/n-quads")
    urllib.request.urlopen(request).close()


def killed_sites(killer: Killer, kills: int, first: list[Path], more: list[Path]) -> None:
    """Kill `publish` over a site of older editions: each file stays whole, and the next run repairs the site.

    After SIGKILL, files that were not moved yet may stay in a folder beside the site until the next run; a
    command that is asked to stop leaves none. Meanwhile, the manifest lists the files being replaced.
    """
    old, new, site = (killer.folder / name for name in ("old", "new", "site"))
    killer.run("build", *first, "--store", old)
    killer.run("build", *more, "--store", new)
    killer.run("publish", site, "--store", old)
    before = files(site)
    kept = killer.folder / "kept"
    shutil.copytree(site, kept)
    killer.run("publish", site, "--store", new)
    after = files(site)
    for number in killer.rounds(kills):
        shutil.rmtree(site)
        shutil.copytree(kept, site)
        told = killer.kill("publish", site, "--store", new)
        found = files(site)
        broken = [
            name
            for name, seen in found.items()
            if not name.startswith((f"{DRAFT}/", MANIFEST))
            and seen not in {before.get(name), after.get(name)}
        ]
        state = "neither" if broken else "as after" if found == after else "with each file old or new"
        killer.ledger.ends[state] += 1
        killer.ledger.faults += [f"{told}: {name} is neither old nor new" for name in broken[:3]]
        if (site / DRAFT).exists() and not told.startswith("SIGKILL"):
            killer.ledger.faults.append(f"{told}: drafts are left")
        if number % SWEPT_AFTER == 0 or state == "with each file old or new":
            killer.run("publish", site, "--store", new)
            if files(site) != after:
                killer.ledger.faults.append(f"{told}: the next run did not make all right")


COUNTED = "SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g"


def killed_swaps(killer: Killer, kills: int, first: list[Path], more: list[Path]) -> None:
    """Kill builds into a store from which a service answers several clients without a pause."""
    store, kept = killer.folder / "store", killer.folder / "kept"
    killer.run("build", *first, "--store", store)
    before, seen = content(store), set()
    shutil.copytree(store, kept)
    edition = "cr-" + more[-1].stem.removeprefix("lanterns-")
    with service(store, "--workers", 2) as address:
        sizes = {ask(address)}
        killer.run("build", *more, "--store", store)
        after = content(store)
        while len(sizes) < 2:  # the service looks for a new build from time to time
            sizes.add(ask(address))
        over = threading.Event()
        asked = Counter[str]()

        def client() -> None:
            while not over.is_set():
                told = ask(address)
                asked["answers"] += 1
                if told not in sizes:
                    seen.add(told)

        clients = [threading.Thread(target=client) for _ in range(3)]
        for one in clients:
            one.start()
        try:
            added = True
            for _ in killer.rounds(kills):
                changes = ("drop", edition) if added else ("build", *more)
                told = killer.kill(*changes, "--store", store)
                wanted = (after, before) if added else (before, after)
                if killer.judge(told, content(store), before=wanted[0], after=wanted[1]):
                    added = not added
        finally:
            over.set()
            for one in clients:
                one.join()
        killer.ledger.ends[f"of {asked['answers']} answers old or new"] += 1
        killer.ledger.faults += [f"the service answered {told[:200]!r}" for told in sorted(seen)]


def ask(address: str) -> str:
    """Return how many triples each graph has according to a service."""
    answer = httpx.post(
        f"{address}sparql", data={"query": COUNTED}, headers={"accept": "text/csv"}, timeout=120
    )
    return answer.text if answer.status_code == 200 else f"{answer.status_code} {answer.text}"


# -- what it is done to ----------------------------------------------------------------------------


def invented(folder: Path, count: int) -> list[Path]:
    """Write editions of the mini game, one a month."""
    text = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    made = []
    for month in range(1, count + 1):
        name = time.strftime("%B", (2032, month, 1, 0, 0, 0, 0, 1, 0))
        path = folder / f"lanterns-2032-{month:02}-01.txt"
        path.write_text(text.replace("July 1, 2031", f"{name} 1, 2032"), encoding="utf-8")
        made.append(path)
    return made


def real(shared: Path) -> tuple[list[Path], list[Path]]:
    """Return an early edition, and two that follow it."""
    found = sorted((shared / "corpora" / "cr").glob("*.txt"))
    return found[:1], found[1:3]


RUNS: dict[str, Callable[[Killer, int, list[Path], list[Path]], None]] = {
    "build": killed_builds,
    "real": killed_builds,
    "endpoint": killed_loads,
    "publish": killed_sites,
    "service": killed_swaps,
}


def main() -> int:
    """Kill as often as requested, print the results, and return 1 if something was wrong."""
    parser = argparse.ArgumentParser(description="Kill builds, loads and sites, and look at what is left.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60, help="for all; each kind has its share")
    parser.add_argument("--only", choices=RUNS)
    options = parser.parse_args()
    # A shell may start this in the background with Ctrl-C ignored, which all it starts would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ledgers = []
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        sources = Path(name) / "sources"
        sources.mkdir()
        mini = invented(sources, 5)
        for kind, run in RUNS.items():
            if options.only not in {None, kind} or (kind == "real" and not PLACE.is_dir()):
                continue
            first, more = real(PLACE) if kind == "real" else (mini[:1], mini[1:])
            more = more[-1:] if kind == "service" else more
            share = 1.0 if options.only else SHARES[kind] / sum(SHARES.values())
            chance = random.Random(f"{options.seed} {kind}")
            killer = Killer(kind, Path(name) / kind, chance, 60 * options.minutes * share)
            run(killer, round(options.kills * share), first, more)
            ledgers.append(killer.ledger)
            print(killer.ledger.line(), *killer.ledger.faults, sep="\n  ", flush=True)
    return int(any(ledger.faults for ledger in ledgers))


if __name__ == "__main__":
    sys.exit(main())
