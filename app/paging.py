"""Output that is longer than the terminal goes through a pager."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from .terminal import only_ours

_PAGER = "less"
_USUAL = "FRX"
"""Options of less: end at once where all fits, keep bold letters, leave the text on the terminal."""


class _Held(io.StringIO):
    """What is written is held back; in all else it is the terminal that it stands for."""

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._terminal.fileno()


@contextmanager
def paged(wanted: bool) -> Iterator[None]:
    """Let what is written within go through a pager where it is longer than the terminal.

    Nothing changes where it is not `wanted`, and where stdout is no terminal. What is said on stderr keeps
    its place, where that is a terminal too. The pager is `$PAGER`, else less.
    """
    terminal, talk = sys.stdout, sys.stderr
    if not wanted or not terminal.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    held = _Held(terminal)
    sys.stdout = held
    if talk.isatty():
        sys.stderr = held
    try:
        yield
    finally:
        sys.stdout, sys.stderr = terminal, talk
        _show(held.getvalue(), terminal)


def _show(text: str, terminal: TextIO) -> None:
    """Write a text to a terminal, a long one by way of the pager."""
    if text.count("\n") < os.get_terminal_size(terminal.fileno()).lines:
        terminal.write(text)
        return
    # Most output fits.
    import shlex
    import subprocess

    program = shlex.split(os.environ.get("PAGER", _PAGER)) or [_PAGER]
    known = {"LESS": _USUAL, **os.environ}
    try:
        shown = only_ours(text).encode(errors="backslashreplace")
        subprocess.run(program, input=shown, env=known, check=False)
    except OSError:
        terminal.write(text)
