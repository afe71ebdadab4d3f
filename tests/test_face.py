"""`import rulesgraph`: what it has, what it costs, and that all of it is typed and documented."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import reference
import rulesgraph

ROOT = Path(__file__).resolve().parents[1]


def python(program: str) -> str:
    """Return what a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_it_imports_nothing_else() -> None:
    program = "import sys; old = set(sys.modules); import rulesgraph; print(sorted(set(sys.modules) - old))"
    assert python(program) == "['rulesgraph']"


def test_asking_for_the_version_imports_nothing_of_ours() -> None:
    program = (
        "import sys, rulesgraph; rulesgraph.__version__; "
        "print([name for name in sys.modules if name.startswith('rulesgraph.')])"
    )
    assert python(program) == "[]"


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert rulesgraph.__version__ == project["version"]


def test_what_it_gives_is_little_and_there() -> None:
    assert sorted(rulesgraph.__all__) == [
        "Answer",
        "Difference",
        "Edition",
        "NothingFoundError",
        "Passages",
        "Picture",
        "ReasonerError",
        "Report",
        "RuleNode",
        "Rules",
        "RulesMissingError",
        "RulesgraphError",
        "Sheet",
        "SimilarCase",
        "SourceError",
        "SparqlAnswer",
        "StoreError",
        "StoreExhaustedError",
        "StoreLockedError",
        "StoreMissingError",
        "StoreTimeoutError",
        "TermNode",
        "Understood",
        "UnknownNameError",
        "UsageError",
        "WrongTypeError",
        "__version__",
        "build",
        "get",
        "open",
        "publish",
        "serve",
    ]
    assert dir(rulesgraph) == sorted(rulesgraph.__all__)
    for name in rulesgraph.__all__:
        assert getattr(rulesgraph, name) is not None


def test_what_it_does_not_give_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'rulesgraph' has no attribute 'ask'"):
        rulesgraph.ask  # noqa: B018


def test_it_is_not_reachable_as_a_part_of_the_app() -> None:
    program = "import importlib.util as u; print(u.find_spec('rulesgraph.app.face'))"
    assert python(program) == "None"


def test_the_package_runs_as_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulesgraph", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"rulesgraph {rulesgraph.__version__}\n"


def public() -> dict[str, object]:
    """Return every public function, method and property, by its dotted name."""
    found: dict[str, object] = {}
    for name in rulesgraph.__all__:
        it = getattr(rulesgraph, name)
        if inspect.isclass(it) and not issubclass(it, Exception):
            for member, value in inspect.getmembers(it):
                if not member.startswith("_") and (callable(value) or hasattr(value, "__doc__")):
                    found[f"{name}.{member}"] = value
        elif callable(it):
            found[name] = it
    return found


@pytest.mark.parametrize("name", public())
def test_every_public_name_is_typed_and_explained(name: str) -> None:
    it = public()[name]
    work = getattr(it, "fget", None) or getattr(it, "func", it)
    if inspect.isfunction(work):
        assert ">>> " in (inspect.getdoc(work) or ""), f"{name} has no example"
        annotations = dict(work.__annotations__)
        wanted = {parameter for parameter in inspect.signature(work).parameters if parameter != "self"}
        assert wanted | {"return"} == set(annotations), name
        assert "Any" not in " ".join(map(str, annotations.values())), name


def test_the_reference_page_is_that_of_the_code(update_golden: bool) -> None:
    path = ROOT / "docs" / "python.md"
    if update_golden:
        path.write_text(reference.page(), encoding="utf-8")
    else:
        assert path.read_text(encoding="utf-8") == reference.page()
