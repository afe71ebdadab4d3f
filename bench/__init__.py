"""Measurements: what rulesgraph adds to the time of its engine."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

COMMAND = [sys.executable, "-c", "import sys; from rulesgraph.app.cli import main; sys.exit(main())"]
"""What starts rulesgraph, before its arguments."""


def cpu_of(command: list[str], runs: int) -> float:
    """Return the least seconds of CPU that a command takes in some runs after a first one.

    The first run compiles modules. They are kept, whatever the surroundings say: otherwise each start would
    compile them again.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def spent() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env=kept)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    spent()
    return min(spent() for _ in range(runs))
