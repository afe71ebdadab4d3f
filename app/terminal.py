"""Everything on the terminal except results: messages, colours, the pager, progress bars.

Results go to stdout, messages to stderr. Text from documents, servers and file names is untrusted: control
characters in it are shown, never sent to the terminal as they are.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from ..loaders.http.addresses import without_password

HEADING, NUMBER, GAIN, LOSS, CHANGE, ERROR = "1", "36", "32", "31", "35", "1;31"
"""Styles, as codes of the terminal: bold, or one of its sixteen colours.

White, black and yellow are not used: each is unreadable on some background.
"""

QUIET_SECONDS = 2.0
"""How long work may take before progress is reported where there is no terminal."""

BETWEEN_LINES = 10.0
"""Seconds between two such reports."""

_RESET = "\x1b[0m"
_OURS = "|".join(sorted({"0", HEADING, NUMBER, GAIN, LOSS, CHANGE, ERROR}))
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Control characters except tab and line feed, and those that change the direction of writing."""

_NOT_OURS = rf"(?!\x1b\[(?:{_OURS})m){_CONTROL}"
"""The same except the codes of our own styles, which are harmless wherever they come from."""

_RULE_NUMBER = r"(?:\d{3}(?:\.\d{1,3}[a-z]{0,2})?|[A-Z]\d{1,2}\.\d{1,3}[a-z]?)(?: → .+)?"
_VALUES = {"added": GAIN, "removed": LOSS, "unknown": LOSS, "error": ERROR, "warning": CHANGE}
_VALUED = frozenset(("change", "finding", "severity"))
"""The columns whose values say what happened to something, or how serious it is."""

_SUGGESTED = r"(?m)(?:^ *|(?<=`)|(?<=[:;] ))rulesgraph [a-z]+\b(?![^`;\n]*--store)"
"""A command in a message, which does not name a store."""

_DEFAULT_WIDTH = 100
_PAGER = "less"
_PAGER_OPTIONS = "FRX"
"""For less: quit if the text fits on one screen, keep colours, leave the text on the terminal."""


# -- messages ---------------------------------------------------------------------------------------

_chosen = ""


def choose_store(location: str) -> None:
    """Add a store that the user named to every command that messages suggest from now on; ``""`` for none."""
    global _chosen  # noqa: PLW0603 (a process runs one command)
    import shlex

    _chosen = f" --store {shlex.quote(without_password(location))}" if location else ""


def said(message: str) -> str:
    """Return a message as it is shown: harmless, and its commands work where this one did."""
    return re.sub(_SUGGESTED, lambda it: it[0] + _chosen, harmless(message)) if _chosen else harmless(message)


def talk(*messages: str) -> None:
    """Write messages to stderr; results that were written before them appear first."""
    for message in messages:
        sys.stdout.flush()
        _write_line(said(message))


def complain(message: str) -> None:
    """Write an error message to stderr, after the name of the program."""
    name = painted("rulesgraph:", ERROR if shows_colours(sys.stderr) else "")
    try:
        sys.stdout.flush()
    except OSError:  # the error matters more than the results written before it
        forget(sys.stdout)
    _write_line(name, said(message))


def forget(stream: TextIO) -> None:
    """Redirect a broken stream to nowhere: the interpreter flushes it once more at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write_line(*words: str) -> None:
    try:
        print(*words, file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:  # stderr is full or gone: there is no reader, and the work can go on
        forget(sys.stderr)


# -- streams ----------------------------------------------------------------------------------------


def open_streams() -> None:
    """Open stdin, stdout and stderr on the null device where the caller closed them.

    Call it before any file is opened: otherwise the next file would get the number of the closed stream,
    and messages would be written into that file. Results that are written to a closed stdout are an error.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        with suppress(OSError):
            os.fstat(number)
            continue
        # This takes the lowest free number, which is this one.
        os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
        mode = "r" if name == "stdin" else "w"
        setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    written = io.BufferedWriter(_Output(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(written, encoding="utf-8", line_buffering=sys.stdout.isatty())


class _Output(io.FileIO):
    """Stdout, which the error names when it cannot be written."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "the output (stdout)"
            raise


class TerminalStream(io.TextIOWrapper):
    """A text stream to a terminal that shows control characters instead of sending them."""

    def write(self, text: str) -> int:
        """Write a text, and return how many characters it has."""
        super().write(only_ours(text))
        return len(text)


def harmless(text: str) -> str:
    r"""Return a text with its control characters as escapes.

    >>> harmless("red\x1b[31m\n\ttwo")
    'red\\x1b[31m\n\ttwo'
    """
    return text if text.isprintable() else re.sub(_CONTROL, _escaped, text)


def only_ours(text: str) -> str:
    """Return a text with its control characters as escapes, except the codes of our own styles."""
    return text if text.isprintable() else re.sub(_NOT_OURS, _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def terminal_width(out: TextIO) -> int:
    """Return how wide a table may be: the terminal's columns, else $COLUMNS, else 100; at least 40."""
    try:
        return max(40, os.get_terminal_size(out.fileno()).columns)
    except (OSError, ValueError):
        given = os.environ.get("COLUMNS", "")
        return max(40, int(given)) if given.isdigit() else _DEFAULT_WIDTH


# -- styles -----------------------------------------------------------------------------------------


def shows_colours(out: TextIO) -> bool:
    """Return whether a stream goes to a terminal that may show colours (https://no-color.org)."""
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, style: str) -> str:
    r"""Return a text in a style, or unchanged for ``""``; the space around it stays plain.

    >>> painted("  702.19", NUMBER)
    '  \x1b[36m702.19\x1b[0m'
    """
    words = text.strip()
    return text.replace(words, f"\x1b[{style}m{words}{_RESET}", 1) if style and words else text


def style_of(column: str, value: str) -> str:
    """Return the style of a value in a column: rule numbers and kinds of change have one, others ``""``.

    >>> style_of("where", "702.19b → 702.19c") == NUMBER, style_of("change", "moved and reworded") == CHANGE
    (True, True)
    >>> style_of("text", "added")
    ''
    """
    if column in _VALUED:
        return _VALUES.get(value) or (CHANGE if "reworded" in value else "")
    return NUMBER if re.fullmatch(_RULE_NUMBER, value) else ""


# -- the pager --------------------------------------------------------------------------------------


class _HeldOutput(io.StringIO):
    """Collects what is written; otherwise it behaves like the terminal it replaces."""

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._terminal.fileno()


@contextmanager
def paged(wanted: bool) -> Iterator[None]:
    """Send what is written within to a pager ($PAGER, else less) if it is longer than the terminal.

    Nothing changes unless `wanted`, or where stdout is not a terminal. Messages on stderr keep their place
    in the text if stderr is a terminal too.
    """
    terminal, messages = sys.stdout, sys.stderr
    if not wanted or not terminal.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    held = _HeldOutput(terminal)
    sys.stdout = held
    if messages.isatty():
        sys.stderr = held
    try:
        yield
    finally:
        sys.stdout, sys.stderr = terminal, messages
        _show(held.getvalue(), terminal)


def _show(text: str, terminal: TextIO) -> None:
    if text.count("\n") < os.get_terminal_size(terminal.fileno()).lines:
        terminal.write(text)
        return
    # Imported here because most output fits on one screen.
    import shlex
    import subprocess

    program = shlex.split(os.environ.get("PAGER", _PAGER)) or [_PAGER]
    known = {"LESS": _PAGER_OPTIONS, **os.environ}
    try:
        shown = only_ours(text).encode(errors="backslashreplace")
        subprocess.run(program, input=shown, env=known, check=False)
    except OSError:
        terminal.write(text)


# -- progress ---------------------------------------------------------------------------------------


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that reports progress: it takes the name of the work, how much is done, and the total.

    On a terminal there is a bar for each piece of work. Elsewhere a line is written after two seconds, and
    then every ten: short work is not worth a message.
    """
    shown = ""
    bar: Any = None
    next_line = time.monotonic() + QUIET_SECONDS

    def report(label: str, done: int, total: int) -> None:
        nonlocal shown, bar, next_line
        if sys.stderr.isatty():
            if label != shown:
                from tqdm import tqdm

                _close(bar)
                bar = tqdm(total=total, desc=label, leave=False, file=sys.stderr, dynamic_ncols=True)
                shown = label
            bar.update(done - bar.n)
        elif done < total and time.monotonic() > next_line:
            talk(f"{label}: {done} of {total} …" if total > 1 else f"{label} …")
            next_line = time.monotonic() + BETWEEN_LINES

    try:
        yield report
    finally:
        _close(bar)


def _close(bar: Any) -> None:
    if bar is not None:
        bar.close()
