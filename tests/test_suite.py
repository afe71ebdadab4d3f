"""The suite itself: in CI nothing is left out, and every run tries the same examples."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = """
import pytest

def test_passes(): pass

def test_skips(): pytest.skip("no lamp here")

@pytest.mark.skip(reason="too dark")
def test_is_marked(): pass

@pytest.mark.xfail
def test_known(): assert False
"""


@pytest.mark.parametrize(
    ("ci", "ends"),
    [("", "1 passed, 2 skipped, 1 xfailed"), ("true", "1 failed, 1 passed, 1 xfailed, 1 error")],
)
def test_a_test_that_skips_fails_in_ci(tmp_path: Path, ci: str, ends: str) -> None:
    (tmp_path / "test_lamps.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "conftest",
        "-p",
        "no:cacheprovider",
        "-q",
        str(tmp_path),
    ]
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(Path(__file__).parent), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].startswith(ends), done.stdout
    assert ("no lamp here" in done.stdout) is bool(ci)
    assert done.returncode == bool(ci)


def test_every_run_tries_the_same_examples(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("hypothesis_profile") is None:
        chosen = settings.get_profile("steady")
        assert (chosen.derandomize, chosen.deadline, chosen.database) == (True, None, None)
        assert settings.default == chosen
