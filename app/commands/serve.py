"""The store on the web, until the process is stopped."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..figures import seconds
from ..python.serving import serve

TAKES = ()
EXAMPLES = """\
  rulesgraph serve                        at http://127.0.0.1:8000/, for this machine alone
  rulesgraph serve --port 0               on a free port, which is printed

The SPARQL endpoint is at /sparql. A new build is seen without a restart.
Needs the extra `web`: pip install "rulesgraph[web]"."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `serve`."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="the port; 0: a free one (default: 8000)")
    for name, (unit, read, said) in _LIMITS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar=unit, type=read, help=said)


def run(options: argparse.Namespace) -> int:
    """Serve until the process is stopped; the address goes to stdout."""
    limits = {name: value for name in _LIMITS if (value := getattr(options, name)) is not None}
    serve(
        options.store,
        host=options.host,
        port=options.port,
        ready=lambda address: print(address, flush=True),
        **limits,
    )
    return 0


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"a number from 1 on, not {text!r}")
    return int(text)


def _megabytes(text: str) -> int:
    return _at_least_one(text) << 20


_LIMITS: dict[str, tuple[str, Callable[[str], float], str]] = {
    "workers": ("N", _at_least_one, "queries that run at once (default: one for each processor)"),
    "timeout": ("SECONDS", seconds, "how long a query may run (default: 30)"),
    "memory": ("MB", _megabytes, "what a query may use of it (default: 2048)"),
    "answer": ("MB", _megabytes, "how large an answer may be (default: 256)"),
    "rows": ("N", _at_least_one, "how many rows an answer may have (default: 1000000)"),
    "query": ("BYTES", _at_least_one, "how long a query may be (default: 100000)"),
    "waiting": ("N", _at_least_one, "queries that may wait for their turn (default: 200)"),
    "waiting_each": ("N", _at_least_one, "how many of these may be of one client (default: 50)"),
    "cache": ("MB", _megabytes, "what answers that are kept may take (default: 64)"),
    "files": ("MB", _megabytes, "what large answers may take together until they are read (default: 1024)"),
}
"""The limits of a service that are options: the unit, how it is read, and what it says."""
