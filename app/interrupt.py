"""Ctrl-C ends the process even while a native call runs, which Python alone would wait for."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

STOPPED = 130
"""The exit code of a process that Ctrl-C ended: 128 and the signal's number, as shells have it."""

GRACE_SECONDS = 1.0
"""How long a command has to tidy up."""


def stop_at_interrupt() -> None:
    """Watch for Ctrl-C from now on; call it once, in the main thread.

    The interpreter notes the signal at once, but raises `KeyboardInterrupt` only between two steps of
    Python: a query that runs for an hour is one step. A thread hears of the signal through a pipe, and
    ends the process when the command has not ended by itself in time. A process that was started with
    Ctrl-C ignored (by `nohup`, or in the background of a script) goes on ignoring it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(ear,), name="interrupt", daemon=True).start()


def _wait(ear: int) -> None:
    while os.read(ear, 1) != bytes([signal.SIGINT]):
        pass
    time.sleep(GRACE_SECONDS)
    print("rulesgraph: stopped", file=sys.stderr, flush=True)
    os._exit(STOPPED)
