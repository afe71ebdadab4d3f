"""The command line: words typed at a terminal become a call of one command and an exit code.

Exit codes: 0 fine, 1 findings or nothing found, 2 wrong usage, 3 a document refused, 4 the store or an
endpoint cannot be used, or the command failed in a way that nobody foresaw; 130 stopped by Ctrl-C
(143 by SIGTERM).
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from ..ontology.errors import RulesgraphError, UnknownNameError, UsageError
from .interrupt import STOPPED, TERMINATED, Terminated, stop_at_interrupt
from .output import FORMATS, complain, forget, talk, terminal_width
from .paging import paged
from .streams import open_streams
from .terminal import TerminalStream
from .trouble import trouble_of
from .warden import warded

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

DEFAULT_STORE = "rulesgraph-store"

COMMANDS = {
    "build": "load rules documents into a store; without any, the bundled starter rules",
    "editions": "list what is loaded, with dates and counts",
    "drop": "take an edition out of the store",
    "ask": "ask a question of the catalogue, by its name or in words",
    "search": "find the passages that have some words, the best first",
    "show": "show everything known of one term, rule or entry",
    "why": "show the shortest chain by which one thing relies on another",
    "trace": "follow a rule or an entry through the editions, forward or back",
    "diff": "compare two editions: what changed, and which terms rely on it",
    "verify": "check the citations of rules in any text",
    "sparql": "run a SPARQL query",
    "viz": "write an interactive graph as one HTML page",
    "export": "write linked data or a graph file",
    "authority": "write or extend the file of permanent ids of provisions",
    "vocabulary": "write the vocabulary: its reference page, Turtle, shapes, context, questions",
    "questions": "make questions with exact answers, to measure any assistant, or score answers to them",
    "mcp": "serve the tools to applications of language models (Model Context Protocol)",
    "serve": "serve the store on the web: SPARQL endpoint, linked data, pages",
    "publish": "write the whole graph as a static site: pages, linked data, search, map",
    "completion": "write the script by which bash, zsh or fish completes what is typed",
    "check": "report defects of the source documents and of the graph",
}
"""Each command and its one line of help; `rulesgraph.app.commands` has a module for each."""

_READ = frozenset(("ask", "check", "diff", "editions", "search", "show", "sparql", "trace", "why"))
"""The commands whose output people read."""

_MANY = 50_000
"""New objects from which on those are looked for that nobody refers to."""

_DESCRIPTION = (
    "The rules documents of Magic: The Gathering as a knowledge graph that answers with its evidence."
)

_EPILOG = """\
examples:
  rulesgraph build                              load the bundled starter rules
  rulesgraph build rules.txt pages/             load your own documents
  rulesgraph ask "Which terms rely on state-based effects?"
  rulesgraph search "lethal damage" kind:rule
  rulesgraph show Protection
  rulesgraph why Protection "State-Based Effects"
  rulesgraph viz --around Protection -o graph.html

exit codes:
  0 fine   1 findings, or nothing found   2 wrong usage   3 a document was refused
  4 the store or an endpoint cannot be used

`rulesgraph COMMAND --help` says more about each command.
"""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports mistakes as `UsageError` and keeps line breaks in examples."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Formatter, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with the way to the help."""
        left = message.partition("unrecognized arguments: ")[2]
        quoted = "A name of several words stands in quotes.\n  " if left and not left.startswith("-") else ""
        raise UsageError(message, way_out=f"{quoted}See: {self.prog} --help")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; where it cannot be written, that is an error, which argparse passes over."""
        (file or sys.stdout).write(self.format_help())


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str, **options: Any) -> None:
        # argparse makes a formatter for every argument that is added; told the width, it need not
        # import what finds it out.
        super().__init__(prog, max_help_position=28, width=terminal_width(sys.stdout) - 2, **options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `arguments` are those of the process unless given. Return the exit code."""
    if arguments is None:
        open_streams()
        # What a command makes it keeps until it ends. To look for what nobody refers to, as often as usual
        # and again at the end, takes a tenth of a short question.
        gc.set_threshold(_MANY)
        try:
            return warded(lambda: _main(None))
        finally:
            gc.freeze()
    return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.isatty():
        sys.stdout = TerminalStream(
            sys.stdout.detach(), encoding="utf-8", errors="backslashreplace", line_buffering=True
        )
    try:
        if arguments is None:
            stop_at_interrupt()
        try:
            code = _run(sys.argv[1:] if arguments is None else arguments)
        except SystemExit as done:  # argparse ends so after --help and --version
            code = int(done.code or 0)
        sys.stdout.flush()
    except RulesgraphError as error:
        complain(str(error))
        return error.exit_code
    except BrokenPipeError:
        # The reader (`| head`) has what it wanted.
        forget(sys.stdout)
        return 0
    except KeyboardInterrupt as stop:
        return _stopped(stop)
    except Exception as error:
        # Python 3.11 wraps what comes while a class is made.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _stopped(error.__cause__)
        if os.environ.get("RULESGRAPH_DEBUG"):
            raise
        return _failed(error)
    return code


def _stopped(stop: KeyboardInterrupt) -> int:
    complain("stopped")
    return TERMINATED if isinstance(stop, Terminated) else STOPPED


def _failed(error: Exception) -> int:
    """Say what the machine refuses, or what nobody foresaw; return the exit code."""
    refused = trouble_of(error)
    if refused:
        forget(sys.stdout)
        complain(refused)
    else:
        complain(f"failed unexpectedly: {type(error).__name__}: {error}")
        talk("  This is a defect of rulesgraph. RULESGRAPH_DEBUG=1 shows where it happened.")
    return 4


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        talk(parser().format_help())
        return 2
    _refuse_bytes(arguments)
    if arguments[0] in COMMANDS:
        # Nearly always nothing stands before the command: then there is nothing to parse.
        options = argparse.Namespace(command=arguments[0], rest=list(arguments[1:]))
    else:
        options = parser().parse_args(arguments)
    if options.command is None:
        raise UsageError("no command is given", way_out="See: rulesgraph --help")
    if options.command not in COMMANDS:
        from difflib import get_close_matches

        near = get_close_matches(options.command, COMMANDS, n=3)
        raise UnknownNameError("command", options.command, near, "`rulesgraph --help` lists them.")
    command = import_module(f".commands.{options.command}", __package__)
    for shared in ("edition", "format"):
        if hasattr(options, shared) and shared not in command.TAKES:
            raise UsageError(f"{options.command} takes no --{shared}")
    rest = options.rest
    del options.rest
    options = _parsed(command_parser(options.command), rest, options)
    options.store = getattr(options, "store", None) or os.environ.get("RULESGRAPH_STORE") or DEFAULT_STORE
    options.edition = getattr(options, "edition", None)
    options.format = getattr(options, "format", "table")
    if options.format == "records" and options.command != "sparql":
        options.format = "json"
    long = options.command in _READ and options.format == "table" and not getattr(options, "no_pager", False)
    with paged(long):
        code: int = command.run(options)
    return code


def _parsed(own: Parser, rest: Sequence[str], options: argparse.Namespace) -> argparse.Namespace:
    """Parse what stands behind a command; its arguments may have options between them.

    To look for such takes three times as long, and writes the usage for it.
    """
    with suppress(UsageError):
        return own.parse_args(rest, argparse.Namespace(**vars(options)))
    return own.parse_intermixed_args(rest, options)


def _refuse_bytes(arguments: Sequence[str]) -> None:
    """Raise `UsageError` for bytes that are no text, unless a file is called so."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            if not os.path.lexists(argument):
                shown = os.fsencode(argument).decode(errors="backslashreplace")
                raise UsageError(f"this argument is no text, and no file: {shown}") from None


def parser() -> Parser:
    """Return the parser of what stands before the command; it leaves the rest unread."""
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
    top = Parser(
        prog="rulesgraph",
        usage="rulesgraph COMMAND [OPTION…]",
        description=f"{_DESCRIPTION}\n\ncommands:\n{commands}",
        epilog=_EPILOG,
    )
    top.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    top.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    top.add_argument("--version", action=_Version, help="print the version and end")
    _add_shared(top, ("edition", "format"))
    return top


def command_parser(name: str) -> Parser:
    """Return the parser of one command's own arguments."""
    command = import_module(f".commands.{name}", __package__)
    summary = COMMANDS[name]
    built = Parser(
        prog=f"rulesgraph {name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{command.EXAMPLES}",
    )
    command.arguments(built)
    _add_shared(built, command.TAKES)
    return built


def _add_shared(target: Parser, names: Sequence[str]) -> None:
    """Add the options that stand before or after the command; what is not given leaves no trace."""
    target.add_argument(
        "--store",
        metavar="PATH|URL",
        default=argparse.SUPPRESS,
        help=f"the store: a folder, or the address of a SPARQL endpoint "
        f"(default: $RULESGRAPH_STORE, else {DEFAULT_STORE}/)",
    )
    target.add_argument(
        "--no-pager",
        action="store_true",
        default=argparse.SUPPRESS,
        help="write long output to the terminal as it is",
    )
    if "edition" in names:
        target.add_argument(
            "--edition",
            metavar="ID",
            default=argparse.SUPPRESS,
            help="the edition to look at, several parted by commas, or `all` (default: the newest that fits)",
        )
    if "format" in names:
        target.add_argument(
            "--format",
            choices=FORMATS,
            default=argparse.SUPPRESS,
            help="how to write the answer (default: table)",
        )


class _Version(argparse.Action):
    """Print the version; looking it up is not free, so it happens only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_unused: object) -> NoReturn:
        from importlib.metadata import version

        print(f"rulesgraph {version('rulesgraph')}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
