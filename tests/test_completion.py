"""What a shell offers to complete: commands, options, questions, editions and terms."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run
from rulesgraph.app.completing import candidates

LINES: list[tuple[tuple[str, ...], list[str]]] = [
    (("tr",), ["trace"]),
    (("show", "--format", "t"), ["table", "tsv"]),
    (("ask", "terms_r"), ["terms_relying_on"]),
    (("ask", "definition", "state"), ["State-Based Effects"]),
    (("show", "Plainsc"), ["Plainscycling"]),
    (("show", "--edition", ""), ["starter"]),
    (("drop", "st"), ["starter"]),
    (("show", "--a"), ["--all"]),
    (("build", ""), []),
]


@pytest.mark.parametrize(("typed", "offered"), LINES)
def test_what_may_come_next(
    typed: tuple[str, ...], offered: list[str], starter_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESGRAPH_STORE", str(starter_store))
    assert candidates(typed) == offered


def test_the_store_that_is_named_is_asked_and_a_missing_one_offers_nothing(starter_store: Path) -> None:
    assert candidates(("show", "--store", str(starter_store), "Protec")) == ["Protection"]
    assert candidates(("show", "--store", "/no/such", "Protec")) == []


def test_bash_completes(run: Run, starter_store: Path, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash
    program = tmp_path / "rulesgraph"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulesgraph.app.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = run("completion", "bash")[1]
    asked = "".join(
        f'COMP_WORDS=(rulesgraph {words}); COMP_CWORD=2; _rulesgraph; printf "%s\\n" "${{COMPREPLY[@]}}"\n'
        for words in ("show State", "drop ''")
    )
    known = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "RULESGRAPH_STORE": str(starter_store)}
    done = subprocess.run([bash, "-c", script + asked], env=known, capture_output=True, text=True, check=True)
    assert done.stdout == "State-Based\\ Effects\nstarter\n"


def test_another_shell_is_refused_with_those_that_there_are(run: Run) -> None:
    code, out, err = run("completion", "tcsh")
    assert (code, out) == (2, "")
    assert err == (
        "rulesgraph: argument bash|zsh|fish: no script for 'tcsh'; there are bash, zsh, fish\n"
        "  See: rulesgraph completion --help\n"
    )


def test_each_shell_has_a_script(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        code, out, err = run("completion", shell)
        assert (code, err) == (0, "")
        assert "rulesgraph completion" in out
