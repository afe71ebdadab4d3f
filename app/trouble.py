"""Trouble of the machine, told from defects of ours: a full disk, no memory, a place that is read-only."""

from __future__ import annotations

import errno

_OUT_OF_MEMORY = ("can't start new thread", "failed to map segment", "cannot allocate memory")
"""What Python says of it otherwise: of a thread, and of a library that finds no room."""


def trouble_of(error: BaseException) -> str:
    """Return a sentence on what the machine refuses; empty where the error is not its own."""
    if isinstance(error, OSError) and error.errno:
        reason = error.strerror or str(error)
        if isinstance(error.filename, str | bytes):
            reason += f": {_text(error.filename)}"
        return f"the machine refuses: {reason}\n  {_way_out(error.errno)}"
    if is_out_of_memory(error):
        return "the memory ran out\n  Load or ask for less at once, or allow more memory (ulimit -v)."
    kind = type(error)  # by its name, since to import `sqlite3` here takes memory that may be lacking
    is_of_index = (kind.__module__, kind.__name__) == ("sqlite3", "OperationalError")
    if is_of_index and ("disk" in str(error) or "unable to" in str(error)):
        return f"the index of words cannot be kept: {error}\n  {_way_out(errno.ENOSPC)}"
    return ""


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error says that there is no memory left."""
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in _OUT_OF_MEMORY)


def _text(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode(errors="backslashreplace")


def _way_out(number: int) -> str:
    if number in {errno.ENOSPC, errno.EDQUOT}:
        import tempfile  # here, since every start would wait for what only trouble needs

        return f"Make room on the disk; what is on the way lies in {tempfile.gettempdir()} ($TMPDIR)."
    if number in {errno.EMFILE, errno.ENFILE}:
        return "Allow more open files (ulimit -n)."
    if number == errno.ENOMEM:
        return "Allow more memory (ulimit -v)."
    return "Check the rights on the place and the state of its disk."
