"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents beside the checkout; tests that need it skip without it."""
    folder = Path(os.environ.get("RULESGRAPH_SHARED", ROOT.parent / "shared"))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"the real documents are not at {folder} (set RULESGRAPH_SHARED)")
    return folder
