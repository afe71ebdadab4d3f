"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import rulesgraph

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("rulesgraph", *parts)).replace(".app.face", "").removesuffix(".__init__")


WITH_EXAMPLES = [
    module_name(path)
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


NEEDED = {"rulesgraph.queries.session.answer": ["pandas"]}
"""What examples of a module need that a plain installation does not have."""


@pytest.fixture(scope="module")
def known() -> dict[str, object]:
    """What examples may use without importing it: the package, the starter rules, an invented game."""
    return {
        "rulesgraph": rulesgraph,
        "rules": rulesgraph.build(store=":memory:").rules,
        "lanterns": rulesgraph.build(ROOT / "tests" / "mini", store=":memory:").rules,
    }


@pytest.mark.usefixtures("in_an_empty_folder")
@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str, known: dict[str, object]) -> None:
    module = import_module(name)
    for tool in NEEDED.get(name, ()):
        pytest.importorskip(tool)
    told = known if name == "rulesgraph" or name.startswith("rulesgraph.app.python.") else {}
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    found = finder.find(module, name, extraglobs=told)
    names = {it.name for it in found}
    for member, work in passed_over(module):
        if f"{name}.{member}" not in names:
            found += finder.find(work, f"{name}.{member}", module, extraglobs=told)
    for test in found:
        runner.run(test)
    assert runner.failures == 0
    written = Path(inspect.getsourcefile(module) or "").read_text(encoding="utf-8")
    assert runner.tries == len(re.findall(r"^ *>>> ", written, re.MULTILINE))


def passed_over(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield what doctest passes over: cached properties, before Python 3.13, and decorated functions."""
    classes = {name: it for name, it in vars(module).items() if inspect.isclass(it)}
    for prefix, owner in (("", module), *((f"{name}.", it) for name, it in classes.items())):
        if owner is module or owner.__module__ == module.__name__:
            for name, member in vars(owner).items():
                work = member.func if isinstance(member, cached_property) else inspect.unwrap(member)
                if work is not member and work.__module__ == module.__name__:
                    yield prefix + name, work


def test_without_what_they_need_examples_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pytest.skip.Exception):  # in CI it fails
        test_examples("rulesgraph.queries.session.answer", {})


def test_there_are_examples() -> None:
    assert len(WITH_EXAMPLES) > 5
