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
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import networkx

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.In: (" in ", " not in "), ast.NotIn: ("not in", "in"),
    ast.Is: (" is ", " is not "), ast.IsNot: ("is not", "is"),
}  # fmt: skip
SUMS: dict[type[ast.operator], tuple[str, str]] = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}

TOO_LONG = 600
"""Seconds after which tests that still run count as failed: a mutant can be a loop without end."""


@dataclass(frozen=True)
class Mutant:
    """One change: the bytes from `start` to `end` of a file become others."""

    path: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before.strip()!r} -> {self.after.strip()!r}"

    def apply(self, data: bytes) -> bytes:
        """Return a file's bytes with the change."""
        return data[: self.start] + self.after.encode() + data[self.end :]


class Finder(ast.NodeVisitor):
    """Collects the mutants of one module; what only types or documents is left alone."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data = path, data
        lines = data.splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self.found: list[Mutant] = []
        self.visit(ast.parse(data))

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _add(self, node: ast.expr | ast.stmt, start: int, end: int, after: str) -> None:
        before = self.data[start:end].decode()
        self.found.append(Mutant(self.path, node.lineno, start, end, before, after))

    def _replace(self, node: ast.expr | ast.stmt, after: str) -> None:
        self._add(node, *self._span(node), after)

    def _between(self, left: ast.expr, right: ast.expr, change: tuple[str, str]) -> None:
        """Change what stands between two expressions."""
        start, end = self._span(left)[1], self._span(right)[0]
        between = self.data[start:end].decode()
        if change[0].strip() in between and "#" not in between:
            self._add(right, start, end, between.replace(change[0].strip(), change[1].strip(), 1))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for statement in node.body:
            self.visit(statement)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                self.visit(default)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self._replace(node.test, f"not ({ast.unparse(node.test)})")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave the wording of errors alone."""

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip(
            (node.left, *node.comparators), node.ops, node.comparators, strict=False
        ):
            self._between(left, right, COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        change = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, change)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace(node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in SUMS and not any(isinstance(it, ast.JoinedStr) for it in (node.left, node.right)):
            self._between(node.left, node.right, SUMS[type(node.op)])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self._replace(node, str(node.value + 1))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not isinstance(node.value, ast.Constant | ast.Name):
            self._replace(node.value, "None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._replace(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave what is inside f-strings alone: its place in the file is not known."""

    def _elements(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        if len(node.elts) > 1 and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            kept = [ast.unparse(it) for it in node.elts[:-1]]
            opening, closing = {ast.Tuple: ("(", ")"), ast.List: ("[", "]"), ast.Set: ("{", "}")}[type(node)]
            self._replace(node, f"{opening}{', '.join(kept)},{closing}")
        self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = _elements


def mutants() -> list[Mutant]:
    """Return every mutant of the rooms, in the order of files and lines."""
    found: list[Mutant] = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            data = path.read_bytes()
            for mutant in Finder(path.relative_to(ROOT), data).found:
                try:
                    compile(mutant.apply(data), str(path), "exec")
                except SyntaxError:
                    continue
                found.append(mutant)
    return found


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
    # The command line and the front door load what they need by its name.
    for name in names:
        if name.startswith("rulesgraph.app.commands."):
            graph.add_edge(name, "rulesgraph.app.cli")
    graph.add_edges_from(("rulesgraph.app.cli", test) for test in names if test.startswith("test_cli"))
    graph.add_edges_from((door, "rulesgraph") for door in names if door.startswith("rulesgraph.app.python"))
    graph.add_edges_from(("conftest", test) for test in names if test.startswith("test_"))
    return graph


def tests_reaching(module: str, graph: networkx.DiGraph[str]) -> list[list[str]]:
    """Return the test files that reach a module, nearest first: those next to it, then the others."""
    if module not in graph:
        return []
    reached = networkx.single_source_shortest_path_length(graph, module)
    tests = sorted((steps, name) for name, steps in reached.items() if name.startswith("test_"))
    nearest = [name for steps, name in tests if steps <= 1]
    near = [name for steps, name in tests if steps == 2]
    far = [name for steps, name in tests if steps > 2]
    return [[f"tests/{name}.py" for name in part] for part in (nearest, near, far) if part]


# -- the copy -----------------------------------------------------------------------------------------


def copy_of_the_tree(folder: Path) -> None:
    """Copy what the tests need, and join the rooms to the package as the installed one has them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    places = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    package = folder / "installed" / "rulesgraph"
    package.mkdir(parents=True)
    for name, place in places.items():
        if name == "rulesgraph":
            for path in (folder / place).iterdir():
                (package / path.name).symlink_to(path)
        else:
            (package / name.removeprefix("rulesgraph.")).symlink_to(folder / place)


def passes(folder: Path, shared: bool, tests: list[str], seconds: int = TOO_LONG) -> bool:
    """Tell whether some test files pass in the copy."""
    place = os.environ.get("RULESGRAPH_SHARED", str(ROOT.parent / "shared"))
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "installed"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "RULESGRAPH_SHARED": place if shared else str(folder / "none"),
    }
    environment.pop("CI", None)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    options = {"cwd": folder, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, text=True, start_new_session=True, **options) as process:  # type: ignore[call-overload]
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return False
    if process.returncode not in (0, 1, 2, 5):
        raise SystemExit(f"pytest itself failed ({process.returncode}):\n{out}")
    failed = re.search(r"^(FAILED|ERROR) (\S+)", out, re.MULTILINE)
    if failed:
        print(f"    {failed[2]}", flush=True)
    return process.returncode in (0, 5)


def survives(
    mutant: Mutant, groups: list[list[str]], folder: Path, check: Callable[[list[str]], bool]
) -> bool:
    """Tell whether all the tests that reach a mutant pass with it."""
    path = folder / mutant.path
    before = path.read_bytes()
    path.write_bytes(mutant.apply(before))
    try:
        return all(check(group) for group in groups)
    finally:
        path.write_bytes(before)


def chosen(seed: int, count: int) -> list[Mutant]:
    """Return mutants of all rooms, the same for the same seed and code."""
    return random.Random(seed).sample(mutants(), count)


def main() -> None:
    """Print one line for each mutant, and how many were killed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--shared", action="store_true", help="with the real documents")
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    options = parser.parse_args()
    graph = imports()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tree"
        if not options.list:
            copy_of_the_tree(folder)
            if not passes(folder, options.shared, ["tests"], seconds=6 * TOO_LONG):
                raise SystemExit("the tests fail without a mutant: nothing can be learnt from them")
        for mutant in chosen(options.seed, options.count):
            print(mutant, flush=True)
            groups = tests_reaching(module_of(ROOT / mutant.path), graph)
            if not options.list:
                alive = survives(mutant, groups, folder, partial(passes, folder, options.shared))
                survivors += [mutant] if alive else []
                print("    SURVIVED" if alive else "    killed", flush=True)
    if not options.list:
        killed = options.count - len(survivors)
        print(
            f"{killed} of {options.count} killed ({killed / options.count:.0%}). Alive:", *survivors, sep="\n"
        )


if __name__ == "__main__":
    main()
