"""Mutants of the code, chosen by a seed, and whether the tests kill them. Not part of the suite.

    .venv/bin/python tests/mutate.py --seed 1 --count 60

Each mutant is one small change (another comparison, `and` for `or`, a dropped element, a number more, a
condition turned round, an answer that is missing) in a copy of the tree. The tests that reach the changed
module run there, nearest first by their imports, until one fails: then the mutant is killed. Real documents
are left out unless `--shared` is given, since what only they notice no small test says.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import networkx
from mutants import ROOMS, ROOT, Mutant, mutants

LIMIT = 180
"""Seconds for one mutant; one of which no test has failed by then counts as alive."""

FAR = 5
"""So many imports lie between a module and tests that reach it by building a store alone."""


# -- which tests --------------------------------------------------------------------------------------


def module_of(path: Path) -> str:
    """Return how tests import a file of the tree."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts) if parts[0] == "tests" else ".".join(("rulesgraph", *parts))
    name = name.removeprefix("tests.").removesuffix(".__init__")
    return name.replace("rulesgraph.app.face", "rulesgraph")


def imports() -> networkx.DiGraph[str]:
    """Return who imports whom, wherever in a file that stands: an edge leads from what is imported."""
    files = [path for room in (*ROOMS, "tests") for path in sorted((ROOT / room).rglob("*.py"))]
    names = {module_of(path): path for path in files}
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for name, path in names.items():
        package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        for statement in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(statement, ast.ImportFrom):
                base = package[: len(package) - statement.level + 1] if statement.level else []
                whole = ".".join([*base, *([statement.module] if statement.module else [])])
                wanted = [f"{whole}.{alias.name}" for alias in statement.names] + [whole]
            elif isinstance(statement, ast.Import):
                wanted = [alias.name for alias in statement.names]
            else:
                continue
            graph.add_edges_from((other, name) for other in wanted if other in names)
    # What runs in a process of its own is started by its name; the doors load what they need by its name.
    graph.add_edge("rulesgraph.ontology.reasoner", "rulesgraph.ontology.reasoning")
    graph.add_edge("rulesgraph.loaders.store.worker", "rulesgraph.loaders.store.limited")
    for name in names:
        if name.startswith("rulesgraph.app.commands."):
            graph.add_edge(name, "rulesgraph.app.cli")
    graph.add_edges_from(("rulesgraph.app.cli", test) for test in names if test.startswith("test_cli"))
    graph.add_edges_from((door, "rulesgraph") for door in names if door.startswith("rulesgraph.app.python"))
    # What all tests share builds stores with all of the loaders: that is as far as can be.
    graph.add_edges_from((("conftest", test) for test in names if test.startswith("test_")), steps=FAR)
    return graph


def tests_reaching(module: str, graph: networkx.DiGraph[str]) -> list[list[str]]:
    """Return the test files that reach a module, nearest first: those next to it, those some imports away,
    and those that only build stores with it."""
    if module not in graph:
        return []
    reached = networkx.single_source_dijkstra_path_length(
        graph, module, weight=lambda _a, _b, edge: edge.get("steps", 1)
    )
    tests = sorted((steps, name) for name, steps in reached.items() if name.startswith("test_"))
    nearest = [name for steps, name in tests if steps <= 1]
    near = [name for steps, name in tests if 1 < steps < FAR]
    far = [name for steps, name in tests if steps >= FAR]
    return [[f"tests/{name}.py" for name in part] for part in (nearest, near, far)]


# -- the copy -----------------------------------------------------------------------------------------


def copy_of_the_tree(folder: Path) -> None:
    """Copy what the tests need, and join the rooms to the package as the installed one has them."""
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


class Tree:
    """A copy of the tree, in which tests run over mutants."""

    def __init__(self, folder: Path, shared: bool) -> None:
        copy_of_the_tree(folder)
        place = os.environ.get("RULESGRAPH_SHARED", str(ROOT.parent / "shared"))
        self.folder = folder
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(folder / "installed"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "RULESGRAPH_SHARED": place if shared else str(folder / "none"),
            "CI": "",
        }
        self._until = 0.0
        self._sound: set[str] = set()
        self._broken: set[str] = set()

    def killer_of(self, mutant: Mutant, groups: list[list[str]]) -> str:
        """Return the first test that fails with a mutant, each time, and passes without it, or nothing."""
        path = self.folder / mutant.path
        before = path.read_bytes()
        self._until = time.monotonic() + LIMIT
        for group in filter(None, groups):
            while True:
                path.write_bytes(mutant.apply(before))
                try:
                    failed = self._first_failure(group)
                    again = failed and self._first_failure([failed])
                finally:
                    path.write_bytes(before)
                if not failed:
                    break
                if again and self._is_sound(failed):
                    return failed
        return ""

    def _is_sound(self, test: str) -> bool:
        """Tell whether a test passes without a mutant; one that does not is left out from then on."""
        if test not in self._sound:
            fails = bool(self._first_failure([test]))
            (self._broken if fails else self._sound).add(test)
        return test not in self._broken

    def _first_failure(self, tests: list[str]) -> str:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        # A folder of its own: tests of others may run beside, and pytest tidies up behind all of them.
        command.append(f"--basetemp={self.folder.parent / 'tests'}")
        command += [f"--deselect={test}" for test in self._broken]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                out, _ = process.communicate(timeout=max(1.0, self._until - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return ""
        if process.returncode in (0, 5):
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", out, re.MULTILINE)
        if not failed:
            raise SystemExit(f"pytest itself failed ({process.returncode}):\n{out}")
        return failed[1]


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
        "--groups", type=int, default=3, help="1: the nearest tests only, 2: those near as well"
    )
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    options = parser.parse_args()
    graph = imports()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as name:
        tree = None if options.list else Tree(Path(name) / "tree", options.shared)
        for mutant in chosen(options.seed, options.count):
            print(mutant, flush=True)
            if tree:
                groups = tests_reaching(module_of(ROOT / mutant.path), graph)[: options.groups]
                killer = tree.killer_of(mutant, groups)
                survivors += [] if killer else [mutant]
                print(f"    killed by {killer}" if killer else "    ALIVE", flush=True)
    if tree:
        killed = options.count - len(survivors)
        print(
            f"{killed} of {options.count} killed ({killed / options.count:.0%}). Alive:", *survivors, sep="\n"
        )


if __name__ == "__main__":
    main()
