"""The architecture page names existing files, functions and folders, and its examples run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from rulesgraph.queries.catalogue.questions import read_question

ROOT = Path(__file__).resolve().parents[1]
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([a-z_/]+\.py)`(?:\s+`(\w+)`)?", MAP)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", MAP, re.DOTALL)


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_what_the_map_names_is_there(path: str, name: str) -> None:
    places = [ROOT / path, ROOT / "loaders" / path]
    file = next((place for place in places if place.is_file()), None)
    assert file is not None
    if name:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        defined = {it.name for it in tree.body if isinstance(it, ast.FunctionDef | ast.ClassDef)}
        assert name in defined


@pytest.mark.parametrize("room", ["loaders", "queries"])
def test_every_room_inside_a_room_is_on_the_map(room: str) -> None:
    inside = {path.parent.name for path in (ROOT / room).glob("*/__init__.py")}
    assert {name for name in inside if f"`{name}/`" not in MAP} == set()


def test_the_line_that_is_followed_stands_where_it_is_said_to_stand() -> None:
    line = (ROOT / "loaders/starter/g5.txt").read_text(encoding="utf-8").splitlines()[73]
    assert line.strip().endswith("State-based effects take care of that.  See Rule 420.")


@pytest.mark.parametrize("code", blocks("python"))
def test_the_examples_of_the_recipes_run(code: str) -> None:
    found: dict[str, object] = {}
    exec(compile(code, "ARCHITECTURE.md", "exec"), found)
    assert len([it for it in found.values() if callable(it)]) > 0


def test_the_example_of_a_question_is_one() -> None:
    (text,) = blocks("sparql")
    question = read_question("examples_there_are", text)
    assert (question.title, question.returns) == ("Which rules have an example?", ("number", "line"))
