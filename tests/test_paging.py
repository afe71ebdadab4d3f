"""Output longer than the terminal goes through a pager, on a real terminal of a pair."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

import pytest

WIDTH, HEIGHT = 120, 24


def on_a_terminal(tmp_path: Path, arguments: Sequence[str], **environment: str) -> str:
    """Return what a command writes to a terminal of `HEIGHT` lines, with a pager that marks what it gets."""
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
    assert process.returncode in (0, 1)
    return written.decode().replace("\r\n", "\n")


def test_long_output_is_paged_with_what_is_said_of_it(starter_store: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ("show", "Protection", "--store", str(starter_store)))
    assert shown.startswith("<<paged\nProtection\n")
    assert shown.endswith("paged>>\n")
    assert shown.count("\n") > HEIGHT


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
    assert shown.startswith("Protection\n")


def test_a_terminal_without_abilities_has_no_pager(starter_store: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ("show", "Protection", "--store", str(starter_store)), TERM="dumb")
    assert shown.startswith("Protection\n")
