"""Errors of the machine, as distinct from our own: a full disk, no memory, a read-only place."""

from __future__ import annotations

import errno

_OUT_OF_MEMORY = ("can't start new thread", "failed to map segment", "cannot allocate memory")
"""How Python reports missing memory otherwise: for a thread, and for a library."""


def trouble_of(error: BaseException) -> str:
    """Return a message for an error of the machine, or ``""`` for any other error."""
    if isinstance(error, OSError) and error.errno:
        reason = error.strerror or str(error)
        place = _text(error.filename) if isinstance(error.filename, str | bytes) else ""
        reason += f": {place}" if place else ""
        return f"the system reported: {reason}\n  {_way_out(error.errno, place)}"
    if is_out_of_memory(error):
        return "the memory ran out\n  Load or ask for less at once, or allow more memory (ulimit -v)."
    kind = type(error)  # by its name: importing `sqlite3` here takes memory that may be missing
    is_of_index = (kind.__module__, kind.__name__) == ("sqlite3", "OperationalError")
    if is_of_index and ("disk" in str(error) or "unable to" in str(error)):
        return f"the search index cannot be written: {error}\n  {_way_out(errno.ENOSPC)}"
    return ""


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error means that there is no memory left."""
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in _OUT_OF_MEMORY)


def _text(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode(errors="backslashreplace")


def _way_out(number: int, place: str = "") -> str:
    if number in {errno.ENOSPC, errno.EDQUOT}:
        import tempfile  # here, because only errors need it

        if place and not place.startswith(tempfile.gettempdir()):
            return "Free some space there, or name another place."
        return f"Free some disk space. Temporary files are in {tempfile.gettempdir()} ($TMPDIR)."
    if number in {errno.EMFILE, errno.ENFILE}:
        return "Allow more open files (ulimit -n)."
    if number == errno.ENOMEM:
        return "Allow more memory (ulimit -v)."
    return "Check its permissions and its disk."
