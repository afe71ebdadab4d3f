"""What a shell offers to complete: commands, options, questions, editions and terms."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run
from rulesgraph.app.commands.services import candidates
from sweep import first

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
    (("cite", "co"), ["coverage"]),
    (("cite", "src", "co"), []),
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


TYPED = {
    "State": ["State-Based Effects"],
    r"State-Based\ Eff": ["State-Based Effects"],
    '"State-Based Eff': ["State-Based Effects"],
    "Plainsc": ["Plainscycling"],
}
"""What is typed after `rulesgraph show`, and the suggestions for the last word."""

ASKING = {
    # As bash and zsh call it when the key is pressed; what zsh does with the words is printed instead.
    "bash": 'COMP_WORDS=(rulesgraph show "$1"); COMP_CWORD=2; _rulesgraph; printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": 'words=(rulesgraph show "$1"); CURRENT=3; _rulesgraph',
    "fish": 'complete -C "rulesgraph show $argv[1]"',
}
BEFORE = {"zsh": 'compdef() { :; }; compadd() { shift; print -rl -- "${(P@)1}"; }\n'}


@pytest.mark.parametrize(
    "shell",
    first(1, ("bash", "zsh", "fish"), pytest.mark.long(small="test_each_shell_completes_with_its_script")),
)
def test_each_shell_completes_with_its_script(
    shell: str, run: Run, starter_store: Path, tmp_path: Path
) -> None:
    program = shutil.which(shell)
    if not program:
        pytest.skip(f"{shell} is not installed")
    own = tmp_path / "rulesgraph"
    own.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulesgraph.app.cli "$@"\n', encoding="utf-8")
    own.chmod(0o755)
    script = BEFORE.get(shell, "") + run("completion", shell)[1] + ASKING[shell]
    known = {
        **os.environ,
        "HOME": str(tmp_path),
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "RULESGRAPH_STORE": str(starter_store),
    }
    for typed, offered in TYPED.items():
        named = () if shell == "fish" else (shell,)
        done = subprocess.run(
            [program, "-c", script, *named, typed], env=known, capture_output=True, text=True, check=True
        )
        shown = [line.replace("\\ ", " ") for line in done.stdout.splitlines()]
        assert (typed, shown, done.stderr) == (typed, offered, "")


def test_another_shell_is_refused_with_those_that_there_are(run: Run) -> None:
    code, out, err = run("completion", "tcsh")
    assert (code, out) == (2, "")
    assert err == (
        "rulesgraph: SHELL must be one of bash, zsh, fish, not 'tcsh'\n  See: rulesgraph completion --help\n"
    )


def test_each_shell_has_a_script(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        code, out, err = run("completion", shell)
        assert (code, err) == (0, "")
        assert "rulesgraph completion" in out
