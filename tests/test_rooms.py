"""The folders and their order: imports only point up, are always relative, and form no circle."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")
FACE = ROOT / "app" / "face"
"""The package `rulesgraph` itself, which no module of ours may import."""

MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if FACE not in path.parents)

FLOORS = {
    "loaders": (
        ("language", "http", "temporary", "given"),
        ("records",),
        ("workers",),
        ("store",),
        ("editions",),
        ("graph", "reading", "indexing"),
        ("linking", "describing"),
        ("facts",),
        ("history",),
        ("cards", "cases"),
        ("building",),
        ("build",),
    ),
    "queries": (
        ("session",),
        ("catalogue", "finding"),
        ("export",),
        ("evidence",),
        ("reliance",),
        ("history",),
        ("checking", "searching", "verifying"),
        ("citing",),
        ("cards",),
        ("questioning", "answering", "sheets"),
    ),
}
"""The rooms inside rooms from the ground up; rooms side by side do not import each other."""

NAMED_TYPE = re.compile(r"^[ \t]*(?:class ([A-Z]+[a-z]\w*)\b|([A-Z]+[a-z]\w*) = )", re.MULTILINE)
"""A class, or anything with the name of a type; a constant has no small letters."""

LONGEST = 350
"""How many lines a module may have."""

LONGEST_TESTS = 500
"""How many lines a file of tests may have."""


def name_of(path: Path) -> str:
    """Return the dotted name of a module, from the room on."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


class Imports(NamedTuple):
    """What a module imports: when it is imported, when a function runs, and for types only.

    Modules of ours are named from the room on; one that is not imported relatively is called ``"absolute"``.
    """

    first: set[str]
    later: set[str]
    types: set[str]

    @property
    def ours(self) -> set[str]:
        """What is ours of it all."""
        return {
            it for it in self.first | self.later | self.types if it.partition(".")[0] in {*ROOMS, "absolute"}
        }


def named(statement: ast.AST, package: list[str]) -> set[str]:
    """Return what a statement imports, as `Imports` names it, where its module is in a package."""
    if isinstance(statement, ast.ImportFrom) and statement.level:
        base = package[: len(package) - statement.level + 1]
        whole = ".".join([*base, *([statement.module] if statement.module else [])])
        below = (f"{whole}.{alias.name}" if whole else alias.name for alias in statement.names)
        return {name if name in NAMES else whole for name in below}
    found = {statement.module or ""} if isinstance(statement, ast.ImportFrom) else set()
    if isinstance(statement, ast.Import):
        found = {alias.name for alias in statement.names}
    return {"absolute" if it.partition(".")[0] in {*ROOMS, "rulesgraph"} else it for it in found}


def imported(path: Path) -> Imports:
    """Return what a module imports."""
    found = Imports(set(), set(), set())
    package = list(path.relative_to(ROOT).parts[:-1])

    def look(node: ast.AST, names: set[str]) -> None:
        names |= named(node, package)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            names = found.types
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = found.later
        for inner in ast.iter_child_nodes(node):
            look(inner, names)

    look(ast.parse(path.read_text(encoding="utf-8")), found.first)
    return found


@cache
def imports() -> dict[str, Imports]:
    """Return what each module imports; read once, and not by who only collects the tests."""
    return {name: imported(path) for name, path in NAMES.items()}


def names_defined_in(path: Path) -> set[str]:
    """Return the public names of types in a module: its classes, and other things with such names."""
    return {one or other for one, other in NAMED_TYPE.findall(path.read_text(encoding="utf-8"))}


def test_a_name_of_a_type_means_one_thing() -> None:
    """In the rooms and in the tests, no name is ambiguous: there is one `Layout`."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in (*MODULES, *sorted((ROOT / "tests").glob("*.py")), *sorted((ROOT / "bench").glob("*.py"))):
        for name in names_defined_in(path):
            homes[name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


@pytest.mark.parametrize("name", NAMES)
def test_imports_point_up_the_table_of_rooms(name: str) -> None:
    own = ROOMS.index(name.split(".", maxsplit=1)[0])
    assert [other for other in imports()[name].ours if other not in NAMES] == []
    assert [other for other in imports()[name].ours if ROOMS.index(other.split(".")[0]) > own] == []


def floor_of(name: str) -> tuple[int, str]:
    """Return the floor of a module within its room, and its inner room."""
    outer, room = name.split(".")[:2]
    return next(place for place, rooms in enumerate(FLOORS[outer]) if room in rooms), room


@pytest.mark.parametrize("name", [name for name in NAMES if name.partition(".")[0] in FLOORS and "." in name])
def test_imports_inside_a_room_point_to_lower_floors(name: str) -> None:
    floor, room = floor_of(name)
    outer = name.partition(".")[0]
    for other in (other for other in imports()[name].ours if other.startswith(f"{outer}.")):
        below, there = floor_of(other)
        assert there == room or below < floor, f"{name} imports {other}"


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_imports_itself_by_way_of_others(room: str) -> None:
    links = [(a, b) for a, others in imports().items() if a.startswith(room) for b in others.ours]
    parts = networkx.strongly_connected_components(networkx.DiGraph(links))
    assert [sorted(part) for part in parts if len(part) > 1] == []


def test_what_a_function_imports_would_not_be_there_without() -> None:
    """Imports inside functions save start-up time: importing what is loaded anyway saves nothing."""
    links = [(name, other) for name, it in imports().items() for other in it.first]
    packages = [(it, it.rpartition(".")[0]) for link in links for it in link if "." in it]
    graph: networkx.DiGraph[object] = networkx.DiGraph(links + packages)
    idle = {name: it.later & networkx.descendants(graph, name) for name, it in imports().items() if it.later}
    assert {name: names for name, names in idle.items() if names} == {}


def test_the_face_has_no_logic_and_nothing_else_in_its_folder() -> None:
    assert sorted(path.name for path in FACE.iterdir() if path.name != "__pycache__") == [
        "__init__.py",
        "__main__.py",
        "py.typed",
    ]
    for path in FACE.glob("*.py"):
        statements = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        assert not [it for it in statements if isinstance(it, ast.For | ast.While | ast.ClassDef | ast.Try)]


def test_every_module_says_what_it_is_and_stays_readable() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"""'), f"{path} has no docstring"
        assert text.count("\n") <= LONGEST, f"{path} has grown past {LONGEST} lines"


def test_files_of_tests_are_about_one_subject() -> None:
    long = [
        path.name for path in (ROOT / "tests").glob("*.py") if path.read_text().count("\n") > LONGEST_TESTS
    ]
    assert long == []
