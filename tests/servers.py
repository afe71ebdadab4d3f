"""SPARQL servers that run while tests ask them, on this machine alone."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Wait until a server answers a query."""
    query = urllib.parse.urlencode({"query": "ASK {}"}).encode()
    for _ in range(int(seconds * 20)):
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(address, data=query, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"no answer from {address}")


def run_server(command: list[str], address: str, folder: Path) -> Iterator[str]:
    log = (folder / "log").open("wb")
    with log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process:
        try:
            wait_for(address, process)
            yield address
        finally:
            process.kill()
