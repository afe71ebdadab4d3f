"""The tools for applications of language models, over stdio or HTTP on this machine."""

from __future__ import annotations

import argparse
import sys

from ...ontology.errors import UsageError
from ..output import talk
from ..python.rules import open

TAKES = ()
EXAMPLES = """\
  rulesgraph mcp                          over stdin and stdout, as desktop applications start it
  rulesgraph mcp --http --port 8765       over streamable HTTP, at http://127.0.0.1:8765/mcp

Tools: search, ask, show, rule, term, why, interaction, trace, diff, neighbourhood, question, sparql, verify;
rules and terms are resources under their IRIs. All of them only read. A new build is seen by the next call.
Needs the extra `mcp`: pip install "rulesgraph[mcp]"."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `mcp`."""
    parser.add_argument("--http", action="store_true", help="serve over streamable HTTP instead of stdio")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="with --http: an address of this machine alone (default: 127.0.0.1)",
    )
    parser.add_argument("--port", type=int, default=8765, help="with --http: the port (default: 8765)")


def run(options: argparse.Namespace) -> int:
    """Serve until the client goes away or the process is stopped."""
    rules = open(options.store)
    try:
        from ..mcp.server import serve_http, server
    except ModuleNotFoundError as error:
        raise UsageError("the extra mcp is not installed", way_out='pip install "rulesgraph[mcp]"') from error
    if options.http:
        serve_http(rules, options.host, options.port, lambda address: talk(f"Serving at {address}"))
    else:
        if sys.stdin.isatty():
            talk("An application speaks to this over stdin and stdout; --http is for others. Ctrl-C ends it.")
        server(rules).run()
    return 0
