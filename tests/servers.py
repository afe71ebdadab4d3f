"""Run SPARQL servers on this machine while tests query them."""

from __future__ import annotations

import importlib.util
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

JARS = Path("/usr/share/java")
"""Where Debian keeps Java's libraries."""


def free_ports(count: int) -> list[int]:
    """Return different free ports; a port that was just released may be chosen again."""
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.socket()) for _ in range(count)]
        for it in listeners:
            it.bind(("127.0.0.1", 0))
        return [int(it.getsockname()[1]) for it in listeners]


def free_port() -> int:
    return free_ports(1)[0]


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


def run_oxigraph(folder: Path) -> Iterator[str]:
    """Give the address of an Oxigraph server; skip where it is not installed."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("the Oxigraph server is not installed (PyPI: oxigraph)")
    host = f"127.0.0.1:{free_port()}"
    command = [program, "serve", "--location", str(folder / "data"), "--bind", host]
    yield from run_server(command, f"http://{host}/query", folder)


def run_virtuoso(folder: Path, most_rows: int) -> Iterator[str]:
    """Give the address of a Virtuoso that cuts off answers, and its password; skip if there is none.

    One thread answers a query, as `docs/scaling.md` recommends, since several may find the same row.
    """
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("Virtuoso is not installed (Debian: virtuoso-opensource)")
    port, own = free_ports(2)
    (folder / "v.ini").write_text(
        "[Database]\nDatabaseFile = v.db\nErrorLogFile = v.log\nLockFile = v.lck\nTransactionFile = v.trx\n"
        "xa_persistent_file = v.pxa\n[TempDatabase]\nDatabaseFile = t.db\nTransactionFile = t.trx\n"
        f"[Parameters]\nServerPort = 127.0.0.1:{own}\nNumberOfBuffers = 4000\n"
        "MaxDirtyBuffers = 3000\nThreadsPerQuery = 1\n"
        f"[HTTPServer]\nServerPort = 127.0.0.1:{port}\nServerThreads = 4\n"
        f"[SPARQL]\nResultSetMaxRows = {most_rows}\n"
    )
    command = [program, "+foreground", "+configfile", "v.ini"]
    for address in run_server(command, f"http://127.0.0.1:{port}/sparql", folder):
        yield address.replace("//", "//dba:dba@")


def run_jena(folder: Path) -> Iterator[str]:
    """Give the address of a server on Apache Jena's engine; skip where that is not installed."""
    if importlib.util.find_spec("jpype") is None or not JARS.joinpath("jena-tdb2.jar").exists():
        pytest.skip("Jena is not installed (Debian: libapache-jena-java; PyPI: JPype1)")
    port = free_port()
    command = [sys.executable, str(Path(__file__).with_name("jena.py")), str(folder), str(port)]
    yield from run_server(command, f"http://127.0.0.1:{port}/rules/query", folder)
