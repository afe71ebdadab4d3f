"""The store on the web, until the process is stopped."""

from __future__ import annotations

import argparse

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
    parser.add_argument(
        "--workers", type=_at_least_one, help="queries that run at once (default: one for each processor)"
    )
    parser.add_argument("--timeout", type=seconds, help="how long a query may run, in seconds (default: 30)")


def run(options: argparse.Namespace) -> int:
    """Serve until the process is stopped; the address goes to stdout."""
    serve(
        options.store,
        host=options.host,
        port=options.port,
        workers=options.workers,
        timeout=options.timeout,
        ready=lambda address: print(address, flush=True),
    )
    return 0


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"a number from 1 on, not {text!r}")
    return int(text)
