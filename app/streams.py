"""The three streams of a process, open whatever its caller closed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def open_streams() -> None:
    """Let a stream that the caller closed lead nowhere; call it before any file is opened.

    The next file that is opened would get its number, and what is printed would go into that file.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        with suppress(OSError):
            os.fstat(number)
            continue
        os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
        mode = "r" if name == "stdin" else "w"
        setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
