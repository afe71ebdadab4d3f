"""The rooms and their order: imports only point up, and always relatively."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms that a module imports, and ``"absolute"`` when it names one without a dot."""
    found: set[str] = set()
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.ImportFrom):
            parts = (statement.module or "").split(".")
            depth = len(path.relative_to(ROOT).parts) - 1
            if statement.level == depth + 1:
                names = [parts[0]] if parts[0] else [alias.name for alias in statement.names]
                found.update(name for name in names if name in ROOMS)
            elif statement.level == 0 and parts[0] in (*ROOMS, "rulesgraph"):
                found.add("absolute")
        elif isinstance(statement, ast.Import):
            roots = {alias.name.split(".")[0] for alias in statement.names}
            found.update({"absolute"} if roots & {*ROOMS, "rulesgraph"} else ())
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_up_the_table_of_rooms(path: Path) -> None:
    own = ROOMS.index(path.relative_to(ROOT).parts[0])
    below = [room for room in imported_rooms(path) if room == "absolute" or ROOMS.index(room) > own]
    assert below == []


def test_every_module_says_what_it_is_and_stays_readable() -> None:
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"
        assert text.count("\n") <= 500, f"{path} has grown past 500 lines"
