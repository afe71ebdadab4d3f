"""Output longer than the terminal goes through a pager, tested on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

import pytest

WIDTH, HEIGHT = 120, 24


def on_a_terminal(
    tmp_path: Path, arguments: Sequence[str], code: int | None = None, **environment: str
) -> str:
    """Return what a command writes to a terminal of `HEIGHT` lines; the pager marks what it receives."""
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho '<<paged'\ncat\necho 'paged>>'\n", encoding="utf-8")
    pager.chmod(0o755)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    known = {**os.environ, "TERM": "xterm", "PAGER": str(pager), **environment}
    command = [sys.executable, "-m", "rulesgraph.app.cli", *arguments]
    with subprocess.Popen(
        command, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=known
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            written += part
    os.close(ours)
    assert process.returncode in ((0, 1) if code is None else (code,))
    return written.decode().replace("\r\n", "\n")


def test_long_output_is_paged_with_what_is_said_of_it(starter_store: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ("show", "Protection", "--store", str(starter_store)))
    assert shown.startswith("<<paged\n\x1b[1mProtection\x1b[0m\n")
    assert shown.endswith("paged>>\n")
    assert shown.count("\n") > HEIGHT


def test_what_is_said_of_long_output_stands_behind_it_in_the_pager(
    starter_store: Path, tmp_path: Path
) -> None:
    arguments = ("ask", "terms_relying_on", "State-Based Effects", "--steps", "all")
    shown = on_a_terminal(tmp_path, (*arguments, "--store", str(starter_store)))
    assert shown.startswith("<<paged\n")
    assert shown.endswith("13 rows, from starter\npaged>>\n")


def test_short_output_is_not(starter_store: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ("editions", "--store", str(starter_store)))
    assert "paged" not in shown
    assert "starter" in shown


@pytest.mark.parametrize("arguments", [("--no-pager",), ("--format", "json")])
def test_nothing_is_paged_that_should_not_be(
    arguments: tuple[str, ...], starter_store: Path, tmp_path: Path
) -> None:
    shown = on_a_terminal(tmp_path, ("show", "Protection", *arguments, "--store", str(starter_store)))
    assert "paged" not in shown
    assert shown.count("\n") > HEIGHT


def test_a_missing_pager_is_no_failure(starter_store: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ("show", "Protection", "--store", str(starter_store)), PAGER="/no/such")
    assert shown.startswith("\x1b[1mProtection\x1b[0m\n")


def test_a_terminal_without_abilities_has_no_pager(starter_store: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ("show", "Protection", "--store", str(starter_store)), TERM="dumb")
    assert shown.startswith("Protection\n")


def test_few_words_stand_out_on_a_terminal(mini_store: Path, tmp_path: Path) -> None:
    arguments = ("diff", "cr-2031-02-01", "cr-2031-07-01", "--no-pager", "--store", str(mini_store))
    shown = on_a_terminal(tmp_path, arguments, NO_COLOR="")
    for code, words in (("1", "change"), ("31", "removed"), ("36", "202.2"), ("35", "reworded")):
        assert f"\x1b[{code}m{words}\x1b[0m" in shown
    assert set(re.findall(r"\x1b\[([^m]*)m", shown)) <= {"0", "1", "31", "32", "35", "36"}
    plain = re.sub(r"\x1b\[[^m]*m", "", shown)
    assert on_a_terminal(tmp_path, arguments, NO_COLOR="1") == plain
    assert on_a_terminal(tmp_path, arguments, TERM="dumb", NO_COLOR="") == plain


def test_an_error_stands_out_on_a_terminal(tmp_path: Path) -> None:
    arguments = ("show", "Moth", "--store", str(tmp_path / "none"))
    shown = on_a_terminal(tmp_path, arguments, code=4, NO_COLOR="")
    assert shown.startswith("\x1b[1;31mrulesgraph:\x1b[0m ")
    bare = on_a_terminal(tmp_path, arguments, code=4, NO_COLOR="1")
    assert bare == re.sub(r"\x1b\[[^m]*m", "", shown)
