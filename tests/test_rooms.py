"""The rooms and their order: imports only point up, always relatively, and nowhere in a circle."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")
FACE = ROOT / "app" / "face"
"""The package `rulesgraph` itself, which no module of ours may import."""

MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if FACE not in path.parents)

FLOORS = {
    "loaders": (
        ("language", "records", "http", "locks"),
        ("workers", "scratch"),
        ("store",),
        ("editions",),
        ("graph", "reading", "indexing"),
        ("linking", "describing"),
        ("facts",),
        ("history",),
        ("building",),
        ("build", "infer"),
    ),
    "queries": (
        ("files",),
        ("session",),
        ("catalogue", "finding"),
        ("export", "recognising"),
        ("evidence",),
        ("reliance", "history"),
        ("checking", "searching", "verifying"),
        ("questioning", "answering", "sheets", "nodes"),
    ),
}
"""The rooms inside rooms from the ground up; those that stand side by side know nothing of each other."""

CAPITALISED = re.compile(r"[A-Z]+[a-z]\w*")
"""How a name of a type looks; a constant has no small letters."""

LONGEST = 350
"""How many lines a module may have."""

LONGEST_TESTS = 500
"""How many lines a file of tests may have."""


def name_of(path: Path) -> str:
    """Return the dotted name of a module, from the room on."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


def imported(path: Path) -> set[str]:
    """Return the names of our modules that a module imports, and ``"absolute"`` for one without a dot."""
    found: set[str] = set()
    package = list(path.relative_to(ROOT).parts[:-1])
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.ImportFrom) and statement.level:
            base = package[: len(package) - statement.level + 1]
            whole = ".".join([*base, *([statement.module] if statement.module else [])])
            for alias in statement.names:
                below = f"{whole}.{alias.name}" if whole else alias.name
                found.add(below if below in NAMES else whole)
        elif isinstance(statement, ast.ImportFrom):
            roots = {(statement.module or "").split(".")[0]}
            found.update({"absolute"} if roots & {*ROOMS, "rulesgraph"} else ())
        elif isinstance(statement, ast.Import):
            roots = {alias.name.split(".")[0] for alias in statement.names}
            found.update({"absolute"} if roots & {*ROOMS, "rulesgraph"} else ())
    return found


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports; read once, and not by who only collects the tests."""
    return {name: imported(path) for name, path in NAMES.items()}


def names_defined_in(path: Path) -> set[str]:
    """Return the public names of a module that name a type: its classes, and what it gives such a name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    names = {it.name for it in nodes if isinstance(it, ast.ClassDef)}
    targets = [it for node in nodes if isinstance(node, ast.Assign) for it in node.targets]
    names |= {it.id for it in targets if isinstance(it, ast.Name)}
    return {name for name in names if CAPITALISED.fullmatch(name)}


def test_a_name_of_a_type_means_one_thing() -> None:
    """In the rooms and in the tests: nobody has to ask which `Layout` is meant."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in (*MODULES, *sorted((ROOT / "tests").glob("*.py")), *sorted((ROOT / "bench").glob("*.py"))):
        for name in names_defined_in(path):
            homes[name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


@pytest.mark.parametrize("name", NAMES)
def test_imports_point_up_the_table_of_rooms(name: str) -> None:
    own = ROOMS.index(name.split(".", maxsplit=1)[0])
    assert [other for other in imports()[name] if other not in NAMES] == []
    assert [other for other in imports()[name] if ROOMS.index(other.split(".")[0]) > own] == []


def floor_of(name: str) -> tuple[int, str]:
    """Return the floor of a module within its room, and the inner room that it lies in."""
    outer, room = name.split(".")[:2]
    return next(place for place, rooms in enumerate(FLOORS[outer]) if room in rooms), room


@pytest.mark.parametrize("name", [name for name in NAMES if name.partition(".")[0] in FLOORS and "." in name])
def test_imports_inside_a_room_point_to_lower_floors(name: str) -> None:
    floor, room = floor_of(name)
    for other in (
        other for other in imports()[name] if other.startswith(f"{name.split('.', maxsplit=1)[0]}.")
    ):
        below, there = floor_of(other)
        assert there == room or below < floor, f"{name} imports {other}"


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_imports_itself_by_way_of_others(room: str) -> None:
    links = [(a, b) for a, others in imports().items() if a.startswith(room) for b in others]
    parts = networkx.strongly_connected_components(networkx.DiGraph(links))
    assert [sorted(part) for part in parts if len(part) > 1] == []


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
        assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"
        assert text.count("\n") <= LONGEST, f"{path} has grown past {LONGEST} lines"


def test_files_of_tests_are_about_one_subject() -> None:
    long = [
        path.name for path in (ROOT / "tests").glob("*.py") if path.read_text().count("\n") > LONGEST_TESTS
    ]
    assert long == []
