"""Run our own service, `rulesgraph serve`, in a process of its own for tests that query it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commands import PROGRAM

ATTENTIVE = [
    sys.executable,
    "-c",
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from rulesgraph.app.cli import main; sys.exit(main())",
]
"""The program, which obeys Ctrl-C even where the shell makes background processes ignore it."""


@contextmanager
def service(store: Path, *options: object) -> Iterator[str]:
    """Serve a store on a free port; yield the address, which ends in a slash.

    At the end of the block, the service must stop properly and have written nothing to stderr.
    """
    command = [*PROGRAM, "serve", "--quiet", "--port", "0", "--store", str(store), *map(str, options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        try:
            assert address.startswith("http://127.0.0.1:"), process.communicate(timeout=30)[1]
            yield address
        except BaseException:
            process.kill()
            raise
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
        assert (process.returncode, said) == (0, "")
