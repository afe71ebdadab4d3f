"""End a command that is stopped from outside, or that runs out of memory or disk space.

Ctrl-C ends the process even during a native call, for which Python would otherwise wait.

The store's engine aborts its process when it gets no memory, so nothing in that process can report it. Where
memory is limited (`ulimit -v`), the command therefore runs in a child process.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn

from ..loaders.http.addresses import without_password
from ..loaders.temporary import FULL, undo_all
from .files import is_no_store, usual_store
from .terminal import choose_store, complain, said

_BROKEN_OFF = {signal.SIGABRT, signal.SIGILL, signal.SIGTRAP}
"""The exit code of a process that native code aborted."""

_OUTSIDE = {signal.SIGSEGV, signal.SIGBUS}
"""The exit code after invalid memory access, mostly a stack overflow."""

_NATIVE_EXITS = {1, 127}
"""Exit codes of native code and of the library loader (127). A child reports its own exits."""

_FORWARDED = {signal.SIGINT, signal.SIGTERM}
_FROM_TERMINAL = 0x80
"""SI_KERNEL: the child, in the same group, has got the signal as well."""


def within_memory_limit(work: Callable[[], int]) -> int:
    """Do the work of this program; return its exit code, 4 if native code ended it for lack of memory.

    Without a limit (`ulimit -v`) this only calls `work`. With one it calls it in a child of this process,
    which gets the signals that this one gets.
    """
    bytes_allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if bytes_allowed == resource.RLIM_INFINITY or sys.platform != "linux":
        return work()
    watched = {*_FORWARDED, signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        return _in_child(work, before, writer)
    os.close(writer)
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        heard = signal.sigwaitinfo(watched)
        if heard.si_signo != signal.SIGCHLD and heard.si_code != _FROM_TERMINAL:
            os.kill(child, heard.si_signo)
    code = os.waitstatus_to_exitcode(ended[1])
    if -code in _OUTSIDE:
        complain(
            f"stopped ({signal.Signals(-code).name}): out of stack or memory\n"
            " Ask for less at a time, or allow more (ulimit -s, ulimit -v)."
        )
        return 4
    if -code in _BROKEN_OFF or (code in _NATIVE_EXITS and not _has_finished(reader)):
        complain(
            f"out of memory: this process may use {bytes_allowed >> 20} MB (ulimit -v)\n"
            " Allow more, or load or ask for less at a time."
        )
        return 4
    if code >= 0:
        return code
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code


def _in_child(work: Callable[[], int], blocked: Iterable[int], writer: int) -> int:
    """Do the work, and report to the parent when it is done.

    Abort as native code does if not even the report fits in memory.
    """
    try:
        _silence_native_code()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return work()
    except BaseException as error:
        if is_out_of_memory(error):
            os.abort()
        raise
    finally:
        os.write(writer, b".")


def _has_finished(reader: int) -> bool:
    """Return whether a child reported that it finished its work."""
    os.set_blocking(reader, False)
    try:
        return os.read(reader, 1) != b""
    except BlockingIOError:
        return False


def _silence_native_code() -> None:
    """Keep messages of aborting native code away from our own."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # it reserves memory for one per processor
    ours = os.dup(sys.__stderr__.fileno() if sys.__stderr__ else 2)
    sys.stderr = os.fdopen(ours, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


_OUT_OF_MEMORY = ("can't start new thread", "failed to map segment", "cannot allocate memory")
"""Python's other reports of missing memory: for a thread, and for a library."""


def trouble_of(error: BaseException) -> str:
    """Return a message for an error of the machine, or ``""`` for any other error."""
    if isinstance(error, OSError) and error.errno:
        reason = error.strerror or str(error)
        place = _text(error.filename) if isinstance(error.filename, str | bytes) else ""
        if place:
            is_full = error.errno in {*FULL, errno.EBADF}
            reason = f"{place} cannot be written: {reason}" if is_full else f"{reason}: {place}"
        return f"system error: {reason}\n  {_way_out(error.errno, place)}"
    if is_out_of_memory(error):
        return "out of memory\n Load or ask for less at a time, or allow more memory (ulimit -v)."
    kind = type(error)  # by its name: importing `sqlite3` here takes memory that may be missing
    is_of_index = (kind.__module__, kind.__name__) == ("sqlite3", "OperationalError")
    if is_of_index and ("disk" in str(error) or "unable to" in str(error)):
        return f"the search index cannot be written: {error}\n  {_way_out(errno.ENOSPC)}"
    return ""


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that there is no memory left."""
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in _OUT_OF_MEMORY)


def _text(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode(errors="backslashreplace")


def _way_out(number: int, place: str = "") -> str:
    if number in {errno.ENOSPC, errno.EDQUOT}:
        import tempfile  # here, because only errors need it

        if place and not place.startswith(tempfile.gettempdir()):
            return "Free some space there, or choose another place."
        return f"Free some disk space. Temporary files are in {tempfile.gettempdir()} ($TMPDIR)."
    return _WAYS_OUT.get(number, "Check its permissions and its disk.")


_WAYS_OUT = {
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), "Allow more open files (ulimit -n)."),
    errno.ENOMEM: "Allow more memory (ulimit -v).",
    errno.EFBIG: "Allow larger files (ulimit -f), or load or ask for less at a time.",
    errno.EBADF: "It is closed or read-only; send it to a file or a program.",
}


STOPPED = 130
"""The exit code of a process that Ctrl-C ended: 128 and the signal's number, as in shells."""

TERMINATED = 143
"""The exit code of a process that SIGTERM ended."""

GRACE_SECONDS = 1.0
"""The seconds that a command has to clean up."""

_ENDING = threading.Lock()
"""Held, and never released, by the thread that ends the process."""

_LOADS = "{} is complete or unchanged (`rulesgraph editions` shows which). Run the command again to finish"
_NO_STORE = "nothing was kept; there is no store at {} yet. Run the command again to finish"
_FILES = "a file is written whole or not at all. Run the command again to finish"
_STAYS = {
    **dict.fromkeys(("build", "get", "drop"), _LOADS),
    **dict.fromkeys(("export", "viz", "vocabulary", "authority", "cite", "publish"), _FILES),
}
"""What a stopped command leaves behind, and how to go on."""

_command = _store = ""


def note_what_stays(command: str = "", chosen: str = "") -> None:
    """Remember the running command and the store that the user named for it, if any, for messages."""
    global _command, _store
    _command, _store = command, chosen or usual_store()
    choose_store(chosen)


def stopped() -> str:
    """Return the message for a stopped command, in one line."""
    if _command not in _STAYS:
        return "stopped"
    stays = _STAYS[_command]
    if stays == _LOADS and is_no_store(_store):
        stays = _NO_STORE
    return f"stopped: {stays.format(without_password(_store))}."


class Terminated(KeyboardInterrupt):
    """SIGTERM was received: the process cleans up as after Ctrl-C."""


def stop_at_interrupt() -> None:
    """Watch for Ctrl-C, and for SIGTERM, from now on; call it once, in the main thread.

    The interpreter notes a signal at once, but raises `KeyboardInterrupt` only between two steps of Python: a
    query that runs for an hour is one step. A thread gets the signal through a pipe, and ends the process
    when the command has not ended by itself in time. A process that was started with Ctrl-C ignored (by
    `nohup`, or in the background of a script) keeps ignoring it.
    """
    codes = {}
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        codes[signal.SIGINT] = STOPPED
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
        codes[signal.SIGTERM] = TERMINATED
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(read_end, codes), name="interrupt", daemon=True).start()


def _terminate(*_: object) -> NoReturn:
    raise Terminated


def _wait(read_end: int, codes: dict[signal.Signals, int]) -> None:
    while (heard := os.read(read_end, 1)[0]) not in codes:
        pass
    end_in_time(codes[signal.Signals(heard)])


def end_in_time(code: int) -> NoReturn:
    """End this process with an exit code, unless it ends by itself while it has time to clean up.

    Call it in a thread: it waits for `GRACE_SECONDS`, whatever the others do. If several do (a server and the
    watch for signals have the same signal), the first one ends the process.
    """
    time.sleep(GRACE_SECONDS)
    _ENDING.acquire()
    with suppress(OSError):
        print(f"rulesgraph: {said(stopped())}", file=sys.stderr, flush=True)
    undo_all()
    os._exit(code)
