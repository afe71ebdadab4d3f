"""The commands that serve a store to programs until they are stopped."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ...ontology.errors import UsageError
from ..operations import call
from ..python.rules import open
from ..python.web import extra
from ..python.web import serve as serve_store
from ..terminal import talk
from . import command, positive, seconds, whole_number


def _megabytes(text: str) -> int:
    return positive(text) << 20


def _limit(unit: str, help: str) -> dict[str, Any]:
    read = {"SECONDS": seconds, "MB": _megabytes}.get(unit, positive)
    return {"metavar": unit, "type": read, "help": help}


_LIMITS: dict[str, Any] = {
    "workers": _limit("N", "how many queries run at a time (default: one per processor)"),
    "timeout": _limit("SECONDS", "how long a query may run (default: 30)"),
    "memory": _limit("MB", "how much memory a query may use (default: 2048)"),
    "answer": _limit("MB", "how large an answer may be (default: 256)"),
    "rows": _limit("N", "how many rows an answer may have (default: 1000000)"),
    "query": _limit("BYTES", "how long a query may be (default: 100000)"),
    "waiting": _limit("N", "how many queries may wait (default: 200)"),
    "waiting_each": _limit("N", "how many of them may come from one client (default: 50)"),
    "cache": _limit("MB", "how much memory cached answers may use (default: 64)"),
    "files": _limit("MB", "how much disk space large answers may use until they are read (default: 1024)"),
}
"""The limits of a service that are options."""


@command(
    serve_store, port={"metavar": "PORT", "type": whole_number}, public={"metavar": "ADDRESS"}, **_LIMITS
)
def serve(options: argparse.Namespace) -> int:
    """Serve until the process is stopped; the address goes to stdout.

      rulesgraph serve                        # at http://127.0.0.1:8000/, only for this machine
      rulesgraph serve --port 0               # on any free port; the address is printed
      rulesgraph serve --public https://rules.example/      # behind a proxy, for everybody

    The SPARQL endpoint is at /sparql. A new build is served without a restart; the first request after it may
    still be answered from the old one. Needs the extra `web`; if it is missing, a message says how to get it.

    /health says which edition is served, without waiting behind queries; 503 if the store cannot be read.
    Requests and slow or refused queries are logged to stderr. SIGTERM ends the service with exit code 0,
    Ctrl-C with 130; running requests have 5 seconds to end, or none after a second signal.
    """
    limits = {name: value for name in _LIMITS if (value := getattr(options, name)) is not None}
    call(serve_store, options, ready=lambda address: print(address, flush=True), **limits)
    return 0


_HOST, _PORT = "127.0.0.1", 8765


def serve_tools(
    store: str | None = None, *, http: bool = False, host: str | None = None, port: int | None = None
) -> None:
    """Serve the tools over stdin and stdout, or over HTTP, until the client or the process ends.

    Args:
        http: serve over streamable HTTP instead of stdin and stdout.
        host: with --http, the address to listen on; it must belong to this machine (default: 127.0.0.1).
        port: with --http, the port (default: 8765).
    """
    if not http and (host, port) != (None, None):
        raise UsageError("--host and --port are for HTTP", way_out="Add --http.")
    rules = open(store)
    with extra("mcp"):
        from ..mcp.server import serve_http, server
    if http:
        host, port = _HOST if host is None else host, _PORT if port is None else port
        serve_http(rules, host, port, lambda address: talk(f"Serving at {address}"))
        return
    if sys.stdin.isatty():
        talk("Waiting for an application on stdin and stdout. Use --http for HTTP, Ctrl-C to stop.")
    server(rules).run()


@command(serve_tools, port={"metavar": "PORT", "type": whole_number})
def mcp(options: argparse.Namespace) -> int:
    """Serve until the client goes away or the process is stopped.

      rulesgraph mcp                          # over stdin and stdout, for desktop applications
      rulesgraph mcp --http --port 8765       # over streamable HTTP, at http://127.0.0.1:8765/mcp

    Tools: search, ask, show, rule, term, why, interaction, trace, blame, diff, card, cards_changed,
    rulings_changed, neighbourhood, editions, question, sparql, verify. Rules and terms are resources under
    their IRIs. All tools are read-only and see a new build at once. Needs the extra `mcp`; if it is missing,
    a message says what to install.
    """
    call(serve_tools, options)
    return 0
