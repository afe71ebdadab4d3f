"""The suite itself: CI leaves nothing out, `make test` has small tests for what it skips, runs are equal."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings
from sweep import PartOf, left_out

TESTS = """
import pytest

def test_passes(): pass

def test_skips(): pytest.skip("no lamp here")

@pytest.mark.skip(reason="too dark")
def test_is_marked(): pass

@pytest.mark.xfail
def test_known(): assert False
"""


@pytest.mark.parametrize(
    ("ci", "ends"),
    [("", "1 passed, 2 skipped, 1 xfailed"), ("true", "1 failed, 1 passed, 1 xfailed, 1 error")],
)
def test_a_test_that_skips_fails_in_ci(tmp_path: Path, ci: str, ends: str) -> None:
    (tmp_path / "test_lamps.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "conftest",
        "-p",
        "no:cacheprovider",
        "-q",
        str(tmp_path),
    ]
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(Path(__file__).parent), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].startswith(ends), done.stdout
    assert ("no lamp here" in done.stdout) is bool(ci)
    assert done.returncode == bool(ci)


def test_every_run_tries_the_same_examples(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("hypothesis_profile") is None:
        chosen = settings.get_profile("steady")
        assert (chosen.derandomize, chosen.deadline, chosen.database) == (True, None, None)
        assert settings.default == chosen


# -- the long tests -----------------------------------------------------------------------------------

HERE = Path(__file__).parent


def commands_of(target: str) -> list[str]:
    """Return how `make` would call pytest for a target."""
    done = subprocess.run(
        ["make", "-n", target, "PYTEST=-n 2"], cwd=HERE.parent, capture_output=True, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if line.startswith(".venv/bin/pytest")]


def test_ci_leaves_no_test_out() -> None:
    assert commands_of("test") == ['.venv/bin/pytest -m "not long" --drawn --hypothesis-profile=brisk -n 2']
    assert commands_of("test-all") == [".venv/bin/pytest -n 2"]
    assert commands_of("check") == [".venv/bin/pytest --drawn -n 2"]
    ci = (HERE.parent / ".ci" / "run").read_text(encoding="utf-8")
    tests = "-n $(($(nproc) + 1)) --dist loadfile --max-worker-restart 0"
    assert ci.splitlines()[-1] == f'make check PYTEST="{tests}"'


class NamedItem:
    """A test with a name, marked as long or not."""

    def __init__(self, nodeid: str, *, is_long: bool) -> None:
        self.nodeid = nodeid
        self._is_long = is_long

    def get_closest_marker(self, name: str) -> bool:
        """Return whether the test has a mark."""
        return self._is_long and name == "long"


def test_a_drawn_run_has_a_part_of_the_long_cases_of_each_test() -> None:
    items = [NamedItem(f"a.py::test_a[{at}]", is_long=at > 0) for at in range(10)]
    items += [NamedItem(f"a.py::test_b[{at}]", is_long=True) for at in range(2)]
    items.append(NamedItem("a.py::test_c", is_long=True))
    absent = [it.nodeid for it in left_out(items)]  # type: ignore[arg-type]
    assert Counter(it.partition("[")[0] for it in absent) == {"a.py::test_a": 6, "a.py::test_b": 1}
    assert "a.py::test_a[0]" not in absent
    assert absent == [it.nodeid for it in left_out(items)]  # type: ignore[arg-type]


def test_a_part_of_many_cases_is_in_their_order_and_always_the_same() -> None:
    drawn, whole = (PartOf("a.py::test_a", is_whole=it) for it in (False, True))
    assert whole(range(50), 5) == drawn(range(50), 50) == list(range(50))
    assert len(drawn(range(50), 5)) == 5
    assert drawn(range(50), 5) == sorted(drawn(range(50), 5)) != PartOf("b", is_whole=False)(range(50), 5)


def test_every_long_test_has_a_small_one_beside_it() -> None:
    """`make test` still tries what a long test covers: each names the test that does."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py"))]
    trees = [ast.parse(text) for text in texts if "mark.long" in text]
    marks = [it for tree in trees for it in ast.walk(tree) if isinstance(it, ast.Call) and is_long(it)]
    assert len(marks) > 10
    small = set()
    for mark in marks:
        [keyword] = mark.keywords
        assert keyword.arg == "small"
        small.add(ast.literal_eval(keyword.value))
        assert not mark.args
    tests = [it for tree in trees for it in tree.body if isinstance(it, ast.FunctionDef)]
    run = set(re.findall(r"^def (test_\w+)", "".join(texts), re.MULTILINE))
    run -= {it.name for it in tests if any(map(is_long, it.decorator_list))}
    assert small <= run


def is_long(node: ast.expr) -> bool:
    """Return whether an expression marks a test as long."""
    marker = node.func if isinstance(node, ast.Call) else node
    return (
        isinstance(marker, ast.Attribute)
        and marker.attr == "long"
        and ast.unparse(marker) == "pytest.mark.long"
    )
