"""The table of commands: which module has each, and how its arguments are made from its operation.

A command is a function that calls an operation with the parsed options, prints the result, and returns the
exit code; `command` ties it to the operation. Its help ends with its docstring, from the second paragraph on.
An operation without such a function has its result printed as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from ...ontology import UsageError
from ..operations import METHODS, OperationParameter, call, parameters, plain_text, summary_of
from ..output import SHOWN, write_answer

GROUPS = {
    "documents": {
        "build": "load rules documents into a store (without any: the bundled starter rules and cards)",
        "get": "download the newest rules, or those of a given date, from the publisher and load them",
        "editions": "list the loaded editions with their dates and counts",
        "drop": "remove an edition from the store",
        "check": "report defects in the source documents and in the graph",
    },
    "questions": {
        "ask": "ask a question in words, or one from the catalogue by name",
        "search": "find passages that match your words, best first",
        "show": "show everything known about one term, rule or entry",
        "why": "show the shortest chain by which one thing relies on another",
        "trace": "follow a rule or an entry through the editions, forward or back",
        "blame": "show when each sentence of a rule got its wording",
        "diff": "compare two editions: what changed, and which terms rely on it",
        "sparql": "run a SPARQL query",
    },
    "your own texts": {
        "verify": "check the rule citations in any text",
        "cite": "check the rule citations in a source tree, and correct them",
        "questions": "generate questions with exact answers to test an assistant, or score its answers",
    },
    "files": {
        "viz": "write an interactive graph as one HTML page",
        "export": "write linked data or a graph file",
        "publish": "write the whole graph as a static site: pages, linked data, search, map",
        "vocabulary": "write the vocabulary as a reference page, Turtle, shapes, context or questions",
        "authority": "write or extend the file of permanent rule ids",
    },
    "programs": {
        "serve": "serve the store on the web: pages, linked data, SPARQL endpoint",
        "mcp": "serve tools to language-model applications (Model Context Protocol)",
        "completion": "print the completion script for bash, zsh or fish",
    },
}
"""The commands with their summaries, grouped as in the help; listing them here imports no module."""

COMMANDS = {name: summary for commands in GROUPS.values() for name, summary in commands.items()}
"""Each command with its summary."""

_MODULES = {
    "loading": ("build", "get", "drop"),
    "editions": ("editions", "check", "trace", "blame", "diff"),
    "answers": ("ask", "search", "show", "why"),
    "texts": ("sparql", "verify", "questions"),
    "citing": ("cite",),
    "files": ("viz", "export", "publish", "vocabulary", "authority"),
    "services": ("serve", "mcp", "completion"),
}
"""The modules of the commands. `build` and `drop` are separate because loading imports much more."""

Spelled = Mapping[str, Any]
"""How the command line spells a parameter: arguments of `add_argument`, and ``flags``.

These are the names of an option that is not just ``--name`` after its parameter. A positional argument has
none.
"""

_NOT_ARGUMENTS = frozenset(("store", "progress", "ready", "agree"))
"""Parameters that the command line fills in itself."""

_LONGEST_NUMBER = 9
_MOST_SECONDS = 1e6


class Command(NamedTuple):
    """A command: its function, the operation behind it, and what only the command line has.

    `formats` says whether it takes ``--format``; `apart` are pairs of options that cannot be combined;
    `spelled` are arguments that differ from the parameters, None for those that are left out.
    """

    run: Callable[[argparse.Namespace], int]
    work: Callable[..., Any]
    formats: bool
    apart: Sequence[tuple[str, str]]
    spelled: Mapping[str, Spelled | None]

    @property
    def shared(self) -> tuple[str, ...]:
        """The options that may also come before the command: ``edition`` and ``format``."""
        has_edition = "edition" in parameters(self.work) and "edition" not in self.spelled
        return (*(("edition",) if has_edition else ()), *(("format",) if self.formats else ()))

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add an argument for each parameter of the operation, then those that only the command line has."""
        known = parameters(self.work)
        for name in dict.fromkeys((*known, *self.spelled)):
            own = self.spelled.get(name, {})
            if own is None or name in _NOT_ARGUMENTS or (name == "edition" and not own):
                continue
            options = {**_usual(name, known.get(name), own), **own}
            flags = options.pop("flags")
            if isinstance(options.get("default"), str | int | float) and "(default" not in options["help"]:
                options["help"] += f" (default: {options['default']})" if options["default"] else ""
            options["help"] = self._as_typed(options["help"])
            if flags:
                parser.add_argument(*flags, dest=name, **options)
            else:
                parser.add_argument(name, **options)

    def _as_typed(self, text: str) -> str:
        """Return a help text with parameters named as they are typed, and escaped for argparse."""
        for name, flag in self._flags().items():
            text = text.replace(f"`{name}`", flag)
        return plain_text(text).replace("%", "%%")

    def _flags(self) -> dict[str, str]:
        """Return the option of each parameter that is one."""
        known = parameters(self.work)
        spelled = {name: self.spelled.get(name) or {} for name in (*known, *self.spelled)}
        flags = {name: own.get("flags", _flags_of(name, known.get(name))) for name, own in spelled.items()}
        return {name: own[-1] for name, own in flags.items() if own}

    def refuse_clashes(self, options: argparse.Namespace) -> None:
        """Raise `UsageError` for two options of which one would be ignored."""
        homes = {flag: name for name, flag in self._flags().items()}
        for one, other in self.apart:
            if all(getattr(options, homes[flag], None) for flag in (one, other)):
                raise UsageError(
                    f"{one} is not allowed with {other}", way_out=f"See: rulesgraph {options.command} --help"
                )


def command(
    work: Callable[..., Any],
    *,
    formats: bool = False,
    apart: Sequence[tuple[str, str]] = (),
    **spelled: Spelled | None,
) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Make a function the command of that name, for an operation; see `Command`."""
    return lambda run: Command(run, work, formats, apart, spelled)


def find(name: str) -> Command | None:
    """Return a command by its name, importing its module; None if there is no such command."""
    home = next((module for module, names in _MODULES.items() if name in names), None)
    if home:
        found: Command = getattr(import_module(f".{home}", __package__), name)
        return found
    return Command(_print_plainly, METHODS[name], True, (), {}) if name in others() else None


def others() -> dict[str, str]:
    """Return the operations that are commands without a printer, each with its summary."""
    import_module("..python.rules", __package__)
    return {name: summary_of(work) for name, work in METHODS.items() if name not in COMMANDS}


def _print_plainly(options: argparse.Namespace) -> int:
    """Print the result of an operation: an answer as rows, anything else as text."""
    from ...queries.session import Answer
    from ..python.rules import open

    found = call(getattr(open(options.store), options.command), options)
    if isinstance(found, Answer):
        return write_answer(found, options.format, SHOWN)
    print(found)
    return 0


def _flags_of(name: str, parameter: OperationParameter | None) -> list[str]:
    """Return the name of an option, for its parameter or alone; nothing for a required argument."""
    is_option = parameter is None or not (parameter.is_variadic or parameter.default is ...)
    return [f"--{name.replace('_', '-')}"] if is_option else []


def _usual(name: str, parameter: OperationParameter | None, own: Spelled) -> dict[str, Any]:
    """Return the arguments of `add_argument` that follow from a parameter; for None, those of an option.

    Such an option takes a value only if its `own` arguments have a `metavar` or `choices`.
    """
    flags = _flags_of(name, parameter)
    if parameter is None:
        return {"flags": flags, **({} if {"metavar", "choices"} & own.keys() else {"action": "store_true"})}
    usual: dict[str, Any] = {"flags": flags, "help": parameter.help}
    if parameter.annotation == "bool":
        return {**usual, "action": "store_true"}
    kind, called = _READ.get(parameter.annotation.partition(" ")[0], (None, name.upper()))
    usual |= {} if "choices" in own else {"metavar": called}
    if not flags:
        return {**usual, **({"nargs": "*"} if parameter.is_variadic else {})}
    return {**usual, "default": parameter.default, "type": kind}


def positive(text: str) -> int:
    """Read a positive whole number.

    >>> positive("12")
    12
    """
    if not text.isdecimal() or int(text) < 1 or len(text) > _LONGEST_NUMBER:
        raise argparse.ArgumentTypeError(f"takes a positive whole number, not {text!r}")
    return int(text)


def whole_number(text: str) -> int:
    """Read a whole number, 0 included.

    >>> whole_number("0")
    0
    """
    if not text.isdecimal() or len(text) > _LONGEST_NUMBER:
        raise argparse.ArgumentTypeError(f"takes a whole number, not {text!r}")
    return int(text)


def seconds(text: str) -> float:
    """Read a positive number of seconds.

    >>> seconds("0.5")
    0.5
    """
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"takes a positive number of seconds, not {text!r}")
    return number


_READ = {"int": (positive, "N"), "float": (seconds, "SECONDS")}
"""How the value of an option is read and called, by its type."""


def number_or_all(text: str) -> str:
    """Read a whole number, or ``all``."""
    if text != "all" and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"takes a number or all, not {text!r}")
    return text


def help_of(run: Callable[..., object]) -> str:
    """Return the end of the help of a command, ``""`` if there is none.

    The second paragraph of its docstring contains examples, those after it are remarks.
    """
    examples, *remarks = (run.__doc__ or "").rstrip().split("\n\n")[1:] or [""]
    shown = "\n".join(f"  {line.strip()}" for line in examples.splitlines())
    parts = [f"examples:\n{shown}"] if examples else []
    parts += ["\n".join(line.strip() for line in remark.splitlines()) for remark in remarks]
    return "\n\n".join(parts)


ALL: Spelled = {"help": f"show every row of a table, not only the first {SHOWN}"}
VIA: Spelled = {"metavar": "KINDS"}
STEPS: Spelled = {"metavar": "N|all", "type": number_or_all}
OUTPUT: Spelled = {
    "flags": ["-o", "--output"],
    "metavar": "FILE",
    "help": "the file to write (default: stdout)",
}


def timeout(usual: float | None = None) -> Spelled:
    """Return the option that limits the time of a query; `usual` is the limit without it."""
    default = f"; default: {usual:g}" if usual else ""
    return {"metavar": "SECONDS", "type": seconds, "help": f"give up after this time (exit code 4{default})"}
