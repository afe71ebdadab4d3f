"""Let Ctrl-C end the process even during a native call, for which Python would otherwise wait."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import NoReturn

STOPPED = 130
"""The exit code of a process that Ctrl-C ended: 128 and the signal's number, as shells have it."""

TERMINATED = 143
"""The exit code of a process that SIGTERM ended."""

GRACE_SECONDS = 1.0
"""How long a command has to tidy up."""

_LOADS = "the store has all of it or is as it was (`rulesgraph editions` tells). Run it again to finish it"
_FILES = "a file is written whole or not at all. Run it again to finish"
_STAYS = {
    **dict.fromkeys(("build", "get", "drop"), _LOADS),
    **dict.fromkeys(("export", "viz", "vocabulary", "authority", "cite", "publish"), _FILES),
}
"""What a command that was stopped leaves behind, and how to go on."""

_command = ""


def note_what_stays(command: str) -> None:
    """Remember which command is at work, for `stopped`."""
    global _command  # noqa: PLW0603 (a process runs one command)
    _command = command


def stopped() -> str:
    """Return what to say when the command was stopped, in one line."""
    return f"stopped: {_STAYS[_command]}." if _command in _STAYS else "stopped"


class Terminated(KeyboardInterrupt):
    """SIGTERM came: the process tidies up as after Ctrl-C."""


def stop_at_interrupt() -> None:
    """Watch for Ctrl-C, and for SIGTERM, from now on; call it once, in the main thread.

    The interpreter notes a signal at once, but raises `KeyboardInterrupt` only between two steps of
    Python: a query that runs for an hour is one step. A thread hears of the signal through a pipe, and
    ends the process when the command has not ended by itself in time. A process that was started with
    Ctrl-C ignored (by `nohup`, or in the background of a script) goes on ignoring it.
    """
    codes = {}
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        codes[signal.SIGINT] = STOPPED
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
        codes[signal.SIGTERM] = TERMINATED
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(ear, codes), name="interrupt", daemon=True).start()


def _terminate(*_: object) -> NoReturn:
    raise Terminated


def _wait(ear: int, codes: dict[signal.Signals, int]) -> None:
    while (heard := os.read(ear, 1)[0]) not in codes:
        pass
    end_in_time(codes[signal.Signals(heard)])


def end_in_time(code: int) -> NoReturn:
    """End this process with an exit code, unless it ends by itself while it has time to tidy up.

    Call it in a thread: it waits for `GRACE_SECONDS`, whatever the others do.
    """
    time.sleep(GRACE_SECONDS)
    with suppress(OSError):
        print(f"rulesgraph: {stopped()}", file=sys.stderr, flush=True)
    from ..loaders.temporary import undo_all

    undo_all()
    os._exit(code)
