"""Try mutants of the code, chosen by a seed, and see whether tests kill them. Not part of the suite.

    .venv/bin/python tests/mutate.py --seed 1 --count 60

Each mutant is one small change in a copy of the tree (another comparison, `and` for `or`, a dropped element,
a number one higher, a negated condition, a missing answer). The tests of `make test` first run there without
a mutant, while we record which of them execute which line. For each mutant, those that execute its line run
(or, if there are none, those that start programs), fastest first, until one fails and so kills it. Real
documents are used only with `--shared`, since no small test covers what only they show.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

import pytest
from executed import Executed, Recorder
from mutants import ROOMS, ROOT, Mutant, mutants
from shared import PLACE

LIMIT = (60.0, 10.0)
"""Seconds of tests for a mutant, and the multiple of their usual CPU time, after which it is endless."""

FIRST = 40
"""So many tests are tried before the others are collected."""

HEAVY = ("jinja2", "networkx", "numpy", "pyoxigraph", "rdflib", "rustworkx", "shapely")
"""What nearly every test imports and no mutant changes: imported once for all runs."""


# -- the copy -----------------------------------------------------------------------------------------


def copy_of_the_tree(folder: Path) -> None:
    """Copy the files that the tests need, and join the rooms to the package like the installed one."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    places = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    for name, place in places.items():
        package = folder.joinpath("installed", *name.split("."))
        package.mkdir(parents=True, exist_ok=True)
        for path in (folder / place).iterdir():
            if str(path.relative_to(folder)) not in places.values():
                (package / path.name).symlink_to(path)


class Chosen:
    """A pytest plugin that runs only some tests, in the given order, and keeps the first that fails."""

    def __init__(self, tests: list[str]) -> None:
        self._places = {test: place for place, test in enumerate(tests)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the chosen ones."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._places),
            key=lambda item: self._places[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first failure."""
        if report.failed:
            self.failed = self.failed or report.nodeid


class Tree:
    """A copy of the tree, in which tests run with mutants."""

    def __init__(self, folder: Path, shared: bool) -> None:
        copy_of_the_tree(folder)
        self.folder = folder
        os.environ |= {
            "PYTHONPATH": str(folder / "installed"),
            "RULESGRAPH_SHARED": str(PLACE) if shared else str(folder / "none"),
            "CI": "",
        }
        sys.path[:0] = [str(folder / "installed")]
        for name in HEAVY:
            import_module(name)
        # Everything is compiled once. Mutants are recognised by their bytes, not by size or time.
        compileall.compile_dir(folder, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        sys.dont_write_bytecode = False
        self._apart(lambda: self._pytest(["--collect-only", "tests"]), math.inf)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True

    def executed(self) -> tuple[Executed, list[str]]:
        """Run all tests without a mutant; return what they execute, and the tests that do not pass."""

        def record() -> tuple[dict[str, object], list[str]]:
            recorder = Recorder(self.folder, ROOMS)
            self._pytest(["-m", "not long", "tests"], recorder)
            return asdict(recorder.executed), recorder.failed

        executed, failed = self._apart(record, math.inf)
        return Executed(**executed), failed

    def killer_of(self, mutant: Mutant, executed: Executed) -> str:
        """Return the first test that fails with a mutant, or nothing."""
        path = self.folder / mutant.path
        before = path.read_bytes()
        path.write_bytes(mutant.apply(before))
        tests = (
            executed.tests_of(mutant.path.as_posix(), mutant.line)
            or self._tests_that_name(mutant.path, executed)
            or executed.tests_of_programs()
        )
        try:
            for some in filter(None, (tests[:FIRST], tests[FIRST:])):
                limit = LIMIT[0] + LIMIT[1] * sum(executed.seconds[test] for test in some)
                killer = self._apart(partial(self._first_failure, some), limit)
                if killer:
                    return str(killer)
        except TimeoutError as error:
            return f"no end: {error}"
        finally:
            path.write_bytes(before)
        return ""

    def _tests_that_name(self, path: Path, executed: Executed) -> list[str]:
        """Return tests that start a module in a process of its own."""
        name = ".".join(("rulesgraph", *path.with_suffix("").parts))
        return executed.tests_of_files(
            it for it in executed.lines if name in (self.folder / it).read_text(encoding="utf-8")
        )

    def _first_failure(self, tests: list[str]) -> str:
        chosen = Chosen(tests)
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        code = self._pytest(["-x", *files], chosen)
        return chosen.failed or ("" if code in (0, 5) else f"the end of the run ({code})")

    def _pytest(self, arguments: list[str], *plugins: object) -> int:
        os.chdir(self.folder)
        # Its own folder: other tests may run at the same time, and pytest tidies up after all of them.
        options = ["-q", "-p", "no:cacheprovider", f"--basetemp={self.folder.parent / 'tests'}"]
        return int(pytest.main([*options, *arguments], plugins=plugins))

    def _apart(self, work: Callable[[], Any], seconds: float) -> Any:
        """Do some work in a new process, which has none of our modules yet; return its result."""
        answer, told = self.folder.parent / "answer.json", self.folder.parent / "told.txt"
        answer.unlink(missing_ok=True)
        until = time.monotonic() + seconds
        child = os.fork()
        if not child:
            os.setsid()
            with told.open("w") as out:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
                try:
                    answer.write_text(json.dumps(work()))
                finally:
                    sys.stdout.flush()
                    os._exit(0)
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise TimeoutError(f"more than {seconds:.0f} seconds")
            time.sleep(0.05)
        if not answer.exists():
            raise SystemExit(f"pytest itself failed:\n{told.read_text()}")
        return json.loads(answer.read_text())


def chosen(seed: int, count: int) -> list[Mutant]:
    """Return mutants of all rooms, the same for the same seed and code."""
    return random.Random(seed).sample(mutants(), count)


def main() -> None:
    """Print one line for each mutant, and how many were killed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--shared", action="store_true", help="with the real documents")
    parser.add_argument(
        "--record", type=Path, help="where to keep what the tests execute, or where it is kept"
    )
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    options = parser.parse_args()
    wanted = chosen(options.seed, options.count)
    if options.list:
        print(*wanted, sep="\n")
        return
    with tempfile.TemporaryDirectory() as name:
        survivors = try_all(Tree(Path(name) / "tree", options.shared), wanted, options.record)
    killed = len(wanted) - len(survivors)
    print(f"{killed} of {len(wanted)} killed ({killed / len(wanted):.0%}). Alive:", *survivors, sep="\n")


def try_all(tree: Tree, wanted: list[Mutant], kept: Path | None) -> list[Mutant]:
    """Try mutants, saying what becomes of each; return those that no test kills."""
    if kept and kept.exists():
        executed = Executed(**json.loads(kept.read_text(encoding="utf-8")))
    else:
        executed, failed = tree.executed()
        print(
            f"{len(executed.seconds)} tests recorded, and {len(failed)} that do not pass:",
            *failed,
            sep="\n    ",
        )
        if kept:
            kept.write_text(json.dumps(asdict(executed)), encoding="utf-8")
    survivors = []
    for mutant in wanted:
        print(mutant, flush=True)
        killer = tree.killer_of(mutant, executed)
        survivors += [] if killer else [mutant]
        print(f"    killed by {killer}" if killer else "    ALIVE", flush=True)
    return survivors


if __name__ == "__main__":
    main()
