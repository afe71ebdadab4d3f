"""The command line: it parses arguments, runs one command, and turns errors into exit codes.

Exit codes: 0 success, 1 findings or nothing found, 2 wrong usage, 3 a document was refused, 4 the store, an
endpoint or the output cannot be used, or an unexpected error; 130 stopped by Ctrl-C (143 by SIGTERM).
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from ..ontology import RulesgraphError, UnknownNameError, UsageError
from .commands import COMMANDS, GROUPS, Command, Spelled, find, help_of, others
from .files import refuse_bytes, usual_store
from .operations import parameters, plain_text, summary_of
from .output import FORMATS
from .terminal import TerminalStream, complain, forget, open_streams, paged, talk, terminal_width
from .trouble import (
    STOPPED,
    TERMINATED,
    Terminated,
    note_what_stays,
    stop_at_interrupt,
    stopped,
    trouble_of,
    within_memory_limit,
)

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_COLLECTOR_THRESHOLD = 50_000
"""How many objects may be allocated before the garbage collector looks for cycles."""

_DESCRIPTION = (
    "The rules documents of Magic: The Gathering as a knowledge graph that answers questions with evidence."
)

_EPILOG = """\
examples:
  rulesgraph build                              load the bundled starter rules and cards
  rulesgraph build rules.txt pages/             load your own documents
  rulesgraph ask "Which terms rely on state-based effects?"
  rulesgraph search "lethal damage" kind:rule
  rulesgraph show Protection
  rulesgraph why Protection "State-Based Effects"
  rulesgraph viz --around Protection -o graph.html

Results go to stdout, messages to stderr.

exit codes:
  0 success   1 findings, or nothing found   2 wrong usage   3 a document was refused
  4 the store, an endpoint or the output cannot be used   130 stopped by Ctrl-C (143 by SIGTERM)

`rulesgraph COMMAND --help` explains a command.
"""


_MESSAGES = {
    "^unrecognized arguments: (-.*)": r"unknown option: \1",
    "^unrecognized arguments: ": "too many arguments: ",
    "^the following arguments are required: (.*)": r"\1 is missing",
    "^argument (.*?): expected (at least )?one argument": r"\1 needs a value",
    r"^argument (.*?): invalid choice: (.*) \(choose from (.*)\)": r"\1 cannot be \2; choose from \3",
    "^argument (.*?): ignored explicit argument (.*)": r"\1 takes no value, but got \2",
    "^argument (.*?): ": r"\1 ",
}
"""Messages of argparse in plain words."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` for mistakes and keeps line breaks in examples."""

    def __init__(self, **options: Any) -> None:
        # argparse makes a formatter for every argument that is added. With a given width it does not import
        # the module that finds it out.
        width = terminal_width(sys.stdout) - 2
        form = partial(argparse.RawDescriptionHelpFormatter, max_help_position=28, width=width)
        super().__init__(formatter_class=form, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with a plain sentence, and say where the help is."""
        way_out = f"See: {self.prog} --help"
        unknown = message.partition("unrecognized arguments: ")[2]
        if unknown.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(unknown.split()[0], self._option_string_actions, n=1)
            way_out = f"Did you mean {near[0]}?\n  {way_out}" if near else way_out
        elif unknown:
            way_out = f"If a name has several words, put it in quotes.\n  {way_out}"
        for pattern, plainly in _MESSAGES.items():
            message = re.sub(pattern, plainly, message)
        raise UsageError(message, way_out=way_out)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; raise an error if it cannot be written, which argparse would ignore."""
        (file or sys.stdout).write(self.format_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `arguments` defaults to those of the process."""
    if arguments is None:
        open_streams()
        # A command keeps nearly everything it creates until it ends. Collecting garbage at the usual rate,
        # and at exit, would take up a tenth of the time of a short question.
        gc.set_threshold(_COLLECTOR_THRESHOLD)
        try:
            return within_memory_limit(lambda: _main(None))
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
    note_what_stays()
    try:
        if arguments is None:
            stop_at_interrupt()
        try:
            code = _run(sys.argv[1:] if arguments is None else arguments)
        except SystemExit as done:  # argparse ends this way after --help and --version
            code = int(done.code or 0)
        sys.stdout.flush()
    except RulesgraphError as error:
        complain(str(error))
        return error.exit_code
    except BrokenPipeError:
        # The reader (`| head`) wants no more.
        forget(sys.stdout)
        return 0
    except KeyboardInterrupt as stop:
        return _stopped(stop)
    except Exception as error:
        # Python 3.11 wraps an exception raised while a class is being created.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _stopped(error.__cause__)
        if os.environ.get("RULESGRAPH_DEBUG"):
            raise
        return _failed(error)
    return code


def _stopped(stop: KeyboardInterrupt) -> int:
    complain(stopped())
    return TERMINATED if isinstance(stop, Terminated) else STOPPED


def _failed(error: Exception) -> int:
    """Report an error of the machine, or an unexpected one; return the exit code."""
    refused = trouble_of(error)
    if refused:
        forget(sys.stdout)
        complain(refused)
    elif isinstance(error, ModuleNotFoundError) and (way_out := _remedy()):
        complain(f"a package is missing: {error}\n  {way_out}")
    else:
        complain(f"unexpected error: {type(error).__name__}: {error}")
        talk("  This is a bug in rulesgraph. Set RULESGRAPH_DEBUG=1 to see where it happened.")
    return 4


def _remedy() -> str:
    from ..ontology.extras import remedy  # as long to import as everything else

    return remedy()


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        talk(parser().format_help())
        return 2
    refuse_bytes(arguments)
    if arguments[0] in {"--version", "-V"}:
        return _print_version()
    if arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    if not arguments[0].startswith("-"):
        # Usually no option comes before the command, and there is nothing to parse.
        options = argparse.Namespace(command=arguments[0], rest=list(arguments[1:]))
    else:
        options = parser().parse_args(arguments)
    if getattr(options, "version", False):
        return _print_version()
    if options.command is None:
        raise UsageError("no command was given", way_out="See: rulesgraph --help")
    found = _find_command(options.command, options.rest)
    for shared in ("edition", "format"):
        if hasattr(options, shared) and shared not in found.shared:
            raise UsageError(f"{options.command} has no option --{shared}")
    rest = options.rest
    del options.rest
    options = _parsed(_parser_of(options.command, found), rest, options)
    note_what_stays(options.command, getattr(options, "store", ""))
    options.store = getattr(options, "store", None) or usual_store()
    options.edition = getattr(options, "edition", None)
    options.format = getattr(options, "format", "table")
    if options.format == "records" and options.command != "sparql":
        options.format = "json"
    found.refuse_clashes(options)
    # The output of `questions` is for programs, whatever the format.
    is_read = found.formats and options.format == "table" and options.command != "questions"
    with paged(is_read and not getattr(options, "no_pager", False)):
        return found.run(options)


def _print_version() -> int:
    # Imported here because it takes as long as everything else that a command imports.
    from importlib.metadata import version

    print(f"rulesgraph {version('rulesgraph')}")
    return 0


def _find_command(name: str, rest: Sequence[str] = ()) -> Command:
    """Return a command; if unknown, raise `UnknownNameError` with similar names, or the question meant."""
    command = find(name)
    if command:
        return command
    from difflib import get_close_matches

    from .python.rules import Rules

    asked = get_close_matches(name.replace("-", "_"), (str(it["name"]) for it in Rules.questions()), 1, 0.9)
    if asked:
        typed = shlex.join(["rulesgraph", "ask", *asked, *rest])
        raise UnknownNameError("command", name, (), f"This is the name of a question. Did you mean: {typed}")
    near = get_close_matches(name, (*COMMANDS, *others(), "--version"), n=3)
    raise UnknownNameError("command", name, near, "`rulesgraph --help` lists them.")


def _parsed(own: Parser, rest: Sequence[str], options: argparse.Namespace) -> argparse.Namespace:
    """Parse the arguments of a command; options may be between them.

    Plain parsing is tried first: allowing options between arguments takes three times as long.
    """
    with suppress(UsageError):
        return own.parse_args(rest, argparse.Namespace(**vars(options)))
    return own.parse_intermixed_args(rest, options)


def parser() -> Parser:
    """Return the parser of everything before the command; it leaves the rest unread."""
    width = max(map(len, COMMANDS))
    groups = (
        "\n".join((f"{heading}:", *(f"  {name:{width}}  {it}" for name, it in commands.items())))
        for heading, commands in {**GROUPS, "others": others()}.items()
        if commands
    )
    top = Parser(
        prog="rulesgraph",
        usage="rulesgraph COMMAND [OPTION…]",
        description="\n\n".join((_DESCRIPTION, *groups)),
        epilog=_EPILOG,
    )
    top.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    top.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    top.add_argument("-V", "--version", action="store_true", help="print the version")
    _add_shared(top, ("edition", "format"))
    return top


def command_parser(name: str) -> Parser:
    """Return the parser of a command's own arguments; raise `UnknownNameError` if there is none."""
    return _parser_of(name, _find_command(name))


def _parser_of(name: str, command: Command) -> Parser:
    summary = COMMANDS.get(name) or summary_of(command.work)
    built = Parser(
        prog=f"rulesgraph {name}",
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=help_of(command.run),
    )
    command.add_arguments(built)
    own = parameters(command.work).get("edition")
    # Some operations take only one edition, and say so themselves.
    several = own is None or not own.help or "`Rules`" in own.help
    _add_shared(built, command.shared, command.spelled.get("store"), "" if several or not own else own.help)
    return built


def _add_shared(
    target: Parser, names: Sequence[str], store: Spelled | None = None, edition: str = ""
) -> None:
    """Add the options that may come before or after the command; options left out set nothing."""
    target.add_argument(
        "--store",
        metavar="PATH|URL",
        default=argparse.SUPPRESS,
        help="the store: a folder, or the address of a SPARQL endpoint "
        "(default: $RULESGRAPH_STORE, else rulesgraph-store/)",
        **(store or {}),
    )
    target.add_argument(
        "--no-pager", action="store_true", default=argparse.SUPPRESS, help="do not page long output"
    )
    if "edition" in names:
        target.add_argument(
            "--edition",
            metavar="ID",
            default=argparse.SUPPRESS,
            help=plain_text(edition)
            or "the edition to ask about, several separated by commas, or all "
            "(default: the newest that fits)",
        )
    if "format" in names:
        target.add_argument(
            "--format",
            choices=FORMATS,
            default=argparse.SUPPRESS,
            help="the format of the result (default: table)",
        )


if __name__ == "__main__":
    sys.exit(main())
