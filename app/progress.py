"""How far long work has come, told on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from .output import talk

QUIET_SECONDS = 2.0
BETWEEN_LINES = 10.0


class Progress:
    """A context manager whose value is called with what is done, how much of it, and of how much.

    On a terminal that is a bar for each piece of work. Elsewhere it is a line after two seconds and then
    every ten: short work needs no talk.
    """

    def __init__(self) -> None:
        self._next_line = time.monotonic() + QUIET_SECONDS
        self._label = ""
        self._bar: Any = None

    def __call__(self, label: str, done: int, total: int) -> None:
        """Tell that `done` of `total` pieces of the work called `label` are done."""
        if sys.stderr.isatty():
            self._show(label, done, total)
        elif done < total and time.monotonic() > self._next_line:
            talk(f"{label}: {done} of {total} …")
            self._next_line = time.monotonic() + BETWEEN_LINES

    def _show(self, label: str, done: int, total: int) -> None:
        if label != self._label:
            from tqdm import tqdm

            self._close()
            self._bar = tqdm(total=total, desc=label, leave=False, file=sys.stderr, dynamic_ncols=True)
            self._label = label
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self._close()
