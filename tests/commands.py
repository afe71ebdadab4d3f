"""Helpers for tests of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MINI = ROOT / "tests" / "mini"
PAGE = ROOT / "loaders" / "starter" / "g16.txt"
PROGRAM = [sys.executable, "-m", "rulesgraph.app.cli"]

Run = Callable[..., tuple[int, str, str]]
"""What the fixture `run` is: arguments become exit code, stdout and stderr."""


def contents(run: Run, store: Path) -> str:
    """Return everything in a store."""
    code, out, _ = run("export", "--as", "nquads", "--store", store)
    assert code == 0
    return out
