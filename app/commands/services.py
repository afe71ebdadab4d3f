"""The commands for programs: a store as a service, tools for language models, and completion for shells."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from ...ontology import RulesgraphError, UsageError
from ..operations import call
from ..output import FORMATS
from ..python.rules import Rules, open
from ..python.web import extra
from ..python.web import serve as serve_store
from ..terminal import talk
from ..web.service_limits import ServiceLimits
from . import COMMANDS, command, find, others, positive, seconds, whole_number


def _megabytes(text: str) -> int:
    return positive(text) << 20


def _limit(unit: str, help: str, default: object) -> dict[str, Any]:
    read = {"SECONDS": seconds, "MB": _megabytes}.get(unit, positive)
    return {"metavar": unit, "type": read, "help": f"{help} (default: {default})"}


_USUAL = ServiceLimits()
_LIMITS: dict[str, Any] = {
    "workers": _limit("N", "how many queries run at a time", "one per processor"),
    "timeout": _limit("SECONDS", "how long a query may run", f"{_USUAL.timeout:g}"),
    "memory": _limit("MB", "how much memory a query may use", _USUAL.memory >> 20),
    "answer": _limit("MB", "how large an answer may be", _USUAL.answer >> 20),
    "rows": _limit("N", "how many rows an answer may have", _USUAL.rows),
    "query": _limit("BYTES", "how long a query may be", _USUAL.query),
    "waiting": _limit("N", "how many queries may wait", _USUAL.waiting),
    "waiting_each": _limit("N", "how many of them may come from one client", _USUAL.waiting_each),
    "cache": _limit("MB", "how much memory cached answers may use", _USUAL.cache >> 20),
    "files": _limit(
        "MB", "how much disk space large answers may use until they are read", _USUAL.files >> 20
    ),
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


_TYPED = "RULESGRAPH_TYPED"
"""The variable in which a shell passes the typed words, one a line, the last one incomplete.

As arguments, words that begin with a dash would be read as options of `completion` itself.
"""

_LISTS = ("words", "quoted")
"""What the scripts request: the words that may come next, as they are, or quoted for bash."""

_SCRIPTS = {
    "bash": """\
_rulesgraph() {
  local IFS=$'\\n'
  COMPREPLY=($(RULESGRAPH_TYPED="${COMP_WORDS[*]:1:COMP_CWORD}" rulesgraph completion quoted 2>/dev/null))
}
complete -o default -F _rulesgraph rulesgraph
""",
    "zsh": """\
_rulesgraph() {
  local -a found
  found=("${(@f)$(RULESGRAPH_TYPED="${(F)words[2,CURRENT]}" rulesgraph completion words 2>/dev/null)}")
  compadd -a found
}
compdef _rulesgraph rulesgraph
""",
    "fish": """\
function __rulesgraph
  set -lx RULESGRAPH_TYPED (string join \\n -- (commandline -opc)[2..] (commandline -ct) | string collect)
  rulesgraph completion words 2>/dev/null
end
complete -c rulesgraph -f -a '(__rulesgraph)'
""",
}


def _shell(text: str) -> str:
    if text not in (*_SCRIPTS, *_LISTS):
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(_SCRIPTS)}, not {text!r}")
    return text


def complete(shell: str) -> str:
    """Return the script of a shell; for the scripts themselves, the words that may come next.

    Args:
        shell: bash, zsh or fish.
    """
    if shell in _SCRIPTS:
        return _SCRIPTS[shell]
    typed = [_unquoted(word) for word in os.environ.get(_TYPED, "").split("\n")]
    found = candidates(typed)
    if shell == "quoted":
        found = [re.sub(r"([^\w.,:/@%+=-])", r"\\\1", it) for it in found]
    return "".join(f"{it}\n" for it in found)


@command(complete, shell={"metavar": "SHELL", "type": _shell})
def completion(options: argparse.Namespace) -> int:
    """Print the script of a shell.

    eval "$(rulesgraph completion bash)"            in ~/.bashrc
    eval "$(rulesgraph completion zsh)"             in ~/.zshrc
    rulesgraph completion fish | source            # in ~/.config/fish/config.fish
    """
    print(call(complete, options), end="")
    return 0


def _unquoted(word: str) -> str:
    """Return a word as a command would get it: shells pass typed words with their quotes and backslashes.

    >>> _unquoted("Moth\\\\ Wi"), _unquoted('"Moth Wi')
    ('Moth Wi', 'Moth Wi')
    """
    return re.sub(r"\\(.)", r"\1", word.removeprefix('"').removeprefix("'"))


def candidates(words: Sequence[str]) -> list[str]:
    """Return the words that can replace the last of `words`; the first of these is the command.

    Options are those of the command's parser, and so are their values. Names of questions, editions and terms
    come from the given store, or the default one; if it cannot be opened there are none.

    >>> candidates(["tr"]), candidates(["show", "--format", ""])
    (['trace'], ['table', 'json', 'records', 'object', 'csv', 'tsv'])
    """
    *before, begun = words or [""]
    found = _after(before, begun)
    return [it for it in dict.fromkeys(found) if it.lower().startswith(begun.lower())]


def _after(before: Sequence[str], begun: str) -> Iterable[str]:
    from ..cli import command_parser

    place = next((place for place, word in enumerate(before) if find(word)), None)
    if before and before[-1] == "--format":
        return FORMATS
    if place is None:
        return _named("EDITION", before) if before and before[-1] == "--edition" else {**COMMANDS, **others()}
    actions = command_parser(before[place])._actions
    if before[place + 1 :]:
        for action in actions:
            if before[-1] in action.option_strings and action.nargs != 0:
                return action.choices or _named(str(action.metavar), before)
    if begun.startswith("-"):
        return [name for action in actions for name in action.option_strings]
    positional = [str(action.metavar) for action in actions if not action.option_strings]
    return [
        word
        for number, metavar in enumerate(positional)
        # The name of a question comes first; of anything else there may be several in a row.
        if metavar != "NAME" or place + 1 + number == len(before)
        for word in _named(metavar, before)
    ]


def _named(metavar: str, before: Sequence[str]) -> Iterable[str]:
    """Return the names in the store, or in the catalogue, that fit an argument with this metavar."""
    found: Iterable[str] = ()
    with suppress(RulesgraphError):
        match metavar:
            case "NAME":
                from ...queries import QUERIES

                found = QUERIES.names("answers")
            case "PATH":
                found = ("lock", "baseline", "coverage") if before[-1:] == ["cite"] else ()
            case "EDITION" | "ID":
                found = [it.id for it in _open(before).editions]
            case "ARG" | "TERM" | "TERM|NUMBER" | "A" | "B":
                from ...queries.finding.names import names

                found = sorted({preferred for _, _, preferred in names(_open(before).session)})
    return found


def _open(before: Sequence[str]) -> Rules:
    named = [after for option, after in pairwise(before) if option == "--store"]
    return open(named[-1] if named else None)
