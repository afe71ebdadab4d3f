"""The workflows and the hook of the guide run as printed, as far as they can without GitHub."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from commands import MINI, ROOT, Run
from test_cite import git, tree

GUIDE = ROOT / "docs" / "guides" / "engine.md"
BLOCKS = re.findall(
    r"^```yaml\n# (\S+?)(?::[^\n]*)?\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S
)
SHOWN: dict[str, dict[Any, Any]] = {name: yaml.safe_load(text) for name, text in BLOCKS}
WORKFLOWS = [name for name in SHOWN if "workflows" in name]
RIGHT, WRONG = "// CR 320.4: Flutter\n", "// CR 301.3: Flutter\n"


def steps(name: str) -> list[dict[str, Any]]:
    [job] = SHOWN[name]["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """What a step finds: `rulesgraph`, and programs that note how they were called."""
    programs = tmp_path / "programs"
    notes = 'for it in "$@"; do printf "%s\\n" "$it"; done >'
    tree(
        programs,
        {
            "rulesgraph": f'#!/bin/sh\nexec "{sys.executable}" -m rulesgraph.app.cli "$@"\n',
            **{name: f'#!/bin/sh\n{notes} "{programs}/{name}.called"\n' for name in ("pip", "gh")},
        },
    )
    for path in programs.iterdir():
        path.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}


def run_steps(
    name: str, folder: Path, env: dict[str, str], **values: str
) -> subprocess.CompletedProcess[str]:
    """Run the steps of a workflow until one fails, as a runner does; `values` are those of expressions."""
    for step in steps(name):
        if "run" not in step:
            continue
        given = {key: filled(text, values) for key, text in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            check=False,
            cwd=folder,
            env={**env, **given},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            break
    return done


def filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (\w+)\.(\w+) \}\}", lambda it: values[it[2]], text)


def test_the_workflows_take_no_code_from_outside() -> None:
    """Actions are pinned by commit, permissions are named, and scripts contain no expressions."""
    assert len(WORKFLOWS) == 2
    for name in WORKFLOWS:
        assert SHOWN[name]["permissions"]["contents"] == "read"
        for step in steps(name):
            assert "${{" not in step.get("run", "")
            if "uses" in step:
                assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
                assert step["with"]["persist-credentials"] is False


def test_a_pull_request_is_told_what_it_added(
    tmp_path: Path, surroundings: dict[str, str], run: Run, mini_store: Path
) -> None:
    where = tree(tmp_path / "repository", {"old.rs": WRONG, "new.rs": RIGHT})
    assert run("export", "--as", "citations", "-o", where / "citations.json", "--store", mini_store)[0] == 0
    git(where, "init")
    git(where, "add", ".")
    git(where, "commit", "-m", "first")
    git(where, "update-ref", "refs/remotes/origin/main", "HEAD")
    for text, code, said in ((WRONG, 1, "::error file="), (RIGHT, 0, ""), ("fn none() {}\n", 0, "")):
        tree(where, {"new.rs": f"// more\n\n{text}"})
        git(where, "commit", "-am", "change")
        done = run_steps(WORKFLOWS[0], where, surroundings, base_ref="main", RULESGRAPH="rulesgraph.whl")
        assert (done.returncode, done.stdout[: len(said)]) == (code, said), done.stderr
        assert "old.rs" not in done.stdout
    assert (tmp_path / "programs" / "pip.called").read_text() == "install\nrulesgraph.whl\n"


def test_new_rules_open_an_issue(tmp_path: Path, surroundings: dict[str, str]) -> None:
    values = {"RULES": str(MINI / "lanterns-2031-07-01.txt"), "RULESGRAPH": "wheel", "token": "x"}
    called = tmp_path / "programs" / "gh.called"
    for text, is_called in ((RIGHT, False), (WRONG, True)):
        where = tree(tmp_path / f"{is_called}", {"a.rs": text})
        done = run_steps(WORKFLOWS[1], where, surroundings, **values)
        assert (done.returncode, called.exists()) == (0, is_called), done.stderr
    assert called.read_text().split("\n")[:2] == ["issue", "create"]
    assert "301.3" in (where / "findings.txt").read_text()


def test_the_hook_checks_the_files_that_it_is_given(
    tmp_path: Path, surroundings: dict[str, str], run: Run, mini_store: Path
) -> None:
    [hook] = SHOWN[".pre-commit-config.yaml"]["repos"][0]["hooks"]
    where = tree(tmp_path / "repository", {"a.rs": RIGHT, "b.rs": WRONG, "c.rs": "fn none() {}\n"})
    assert run("export", "--as", "citations", "-o", where / "citations.json", "--store", mini_store)[0] == 0
    for names, code in ((["a.rs"], 0), (["a.rs", "b.rs"], 1), (["c.rs"], 0)):
        command = [*shlex.split(hook["entry"]), *names]
        done = subprocess.run(command, cwd=where, env=surroundings, capture_output=True, check=False)
        assert done.returncode == code, done.stderr
